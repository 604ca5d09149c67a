\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- Tokens: a retry learns whether its first try was applied.
CREATE TABLE feed (id int PRIMARY KEY, events bigint);
SELECT pgtoaster.attach('feed', 'events', options => '{"tail": 100}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'feed'::regclass \gset
INSERT INTO feed VALUES (1), (2);
\set device '''00000000-0000-4000-8000-000000000001'''
SELECT * FROM toaster.blob_append('feed', 'events', 1, 'first', writer => :device, sequence => 1);
SELECT * FROM toaster.blob_append('feed', 'events', 1, 'first', writer => :device, sequence => 1);
SELECT * FROM toaster.blob_append('feed', 'events', 1, ', second', writer => :device, sequence => 2);
-- After an append by another writer the retry still returns the offset of its bytes, even with the original expected offset.
SELECT * FROM toaster.blob_append('feed', 'events', 1, ', somebody else''s');
SELECT * FROM toaster.blob_append('feed', 'events', 1, ', second', 5, :device, 2);
-- A lower sequence is unknown, and other bytes with the same sequence are an error: nothing is appended.
SELECT * FROM toaster.blob_append('feed', 'events', 1, 'first', writer => :device, sequence => 1);
SELECT * FROM toaster.blob_append('feed', 'events', 1, 'another', writer => :device, sequence => 2);
SELECT toaster.try_blob_append('feed', 'events', 1, 'first', NULL, :device, 1) AS unknown, toaster.try_blob_append('feed', 'events', 1, 'another', NULL, :device, 2) AS other,
  toaster.try_blob_append('feed', 'events', 1, ', second', NULL, :device, 2) AS applied_before;
-- A conflict does not use up the sequence.
SELECT * FROM toaster.blob_append('feed', 'events', 1, ', third', 0, :device, 3);
SELECT * FROM toaster.blob_append('feed', 'events', 1, ', third', writer => :device, sequence => 3);
SELECT convert_from(toaster.blob_read('feed', 'events', 1, 0, 100), 'UTF8');
SELECT writer, sequence, start, length FROM :token;
-- Each blob remembers its own writers; the first append may have a token; a rollback also discards the token.
BEGIN;
SELECT * FROM toaster.blob_append('feed', 'events', 2, 'lost', 0, :device, 1);
ROLLBACK;
SELECT * FROM toaster.blob_append('feed', 'events', 2, 'kept', 0, :device, 1);
-- A token remains valid after the seal.
UPDATE :head SET sealed = true WHERE id = (SELECT events FROM feed WHERE id = 2);
SELECT * FROM toaster.blob_append('feed', 'events', 2, 'kept', 0, :device, 1);
SELECT * FROM toaster.blob_append('feed', 'events', 2, 'more', NULL, :device, 2);
-- A writer's UUID of version 7 contains its start: writers older than the forgotten tokens are rejected, others are new.
UPDATE :head SET tokens_since = '2024-05-01 00:00:00.001+00' WHERE id = (SELECT events FROM feed WHERE id = 1);
SELECT toaster.blob_append('feed', 'events', 1, 'x', NULL, '018f3173-7000-7000-8000-000000000000', 1);
SELECT outcome FROM toaster.blob_append('feed', 'events', 1, 'x', NULL, '018f3173-7001-7000-8000-000000000000', 1);
SELECT outcome FROM toaster.blob_append('feed', 'events', 1, 'x', NULL, '00000000-7000-4000-8000-000000000000', 1);
-- Incomplete tokens.
SELECT toaster.blob_append('feed', 'events', 1, 'x', writer => :device);
SELECT toaster.blob_append('feed', 'events', 1, 'x', NULL, :device, -1);
-- An append notifies followers, but not on every call.
CREATE TABLE wire (id int PRIMARY KEY, words bigint);
SELECT pgtoaster.attach('wire', 'words', options => '{"notify": true}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'wire'::regclass \gset
INSERT INTO wire VALUES (1);
SELECT "offset" FROM toaster.blob_append('wire', 'words', 1, 'nobody listens');
INSERT INTO :follower (blob_id, expires) SELECT words, clock_timestamp() + interval '1 hour' FROM wire;
SELECT "offset" FROM toaster.blob_append('wire', 'words', 1, '!');
SELECT notified_at > '-infinity' AS notified FROM :follower;
UPDATE :follower SET notified_at = 'infinity';
SELECT "offset" FROM toaster.blob_append('wire', 'words', 1, '!');
UPDATE :follower SET notified_at = '-infinity', expires = '-infinity';
SELECT "offset" FROM toaster.blob_append('wire', 'words', 1, '!');
SELECT notified_at FROM :follower;
DROP TABLE feed, wire CASCADE;
