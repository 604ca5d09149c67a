-- Runs on every start. Deleting a conversation deletes its messages and its answer, too.

CREATE TABLE IF NOT EXISTS example_chat (
  id text PRIMARY KEY,
  owner text NOT NULL,
  title text,
  created timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS example_chat_owner ON example_chat (owner, created);

-- The messages of a conversation. A change adds words to the text index at once.
CREATE TABLE IF NOT EXISTS example_chat_memory (id text PRIMARY KEY REFERENCES example_chat ON DELETE CASCADE);
SELECT pgtoaster.attach_if_absent('example_chat_memory', 'conversation', 'keyed', '{"fan_out": 32}');
SELECT pgtoaster.create_index('example_chat_memory', 'conversation', 'text', '{"config": "english"}');

-- The latest answer of a conversation. NOTIFY informs followers of new tokens, so that they need not poll.
CREATE TABLE IF NOT EXISTS example_chat_answer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  chat text NOT NULL UNIQUE REFERENCES example_chat ON DELETE CASCADE
);
SELECT pgtoaster.attach_if_absent('example_chat_answer', 'tokens', 'appendable', '{"notify": true}');
