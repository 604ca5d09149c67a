-- Runs on every start. Each attached column has a plain column with the same content, for comparison.

CREATE TABLE IF NOT EXISTS example_file (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  size bigint NOT NULL,
  upload uuid NOT NULL UNIQUE
);
SELECT pgtoaster.attach_if_absent('example_file', 'content');

-- NOTIFY informs followers of new lines, so that they need not poll.
CREATE TABLE IF NOT EXISTS example_service_log (id integer PRIMARY KEY);
SELECT pgtoaster.attach_if_absent('example_service_log', 'lines', 'appendable', '{"notify": true}');
CREATE TABLE IF NOT EXISTS example_service_log_plain (id integer PRIMARY KEY, lines bytea);

CREATE TABLE IF NOT EXISTS example_film (id integer PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach_if_absent('example_film', 'doc', 'keyed');
CREATE TABLE IF NOT EXISTS example_film_plain (id integer PRIMARY KEY, doc jsonb);

-- Films to search. Both columns have an index of all words, which changes write to at once.
CREATE TABLE IF NOT EXISTS example_library (id integer PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach_if_absent('example_library', 'doc', 'keyed');
SELECT pgtoaster.create_index('example_library', 'doc', 'text', '{"config": "english", "fastupdate": false}');
CREATE TABLE IF NOT EXISTS example_library_plain (id integer PRIMARY KEY, doc jsonb);
CREATE INDEX IF NOT EXISTS example_library_words ON example_library_plain
  USING gin (jsonb_to_tsvector('english', doc, '["string"]')) WITH (fastupdate = off);
