\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- Reads of ranges across chunks, pieces and tail, and of damaged content.
CREATE TABLE tape (id int PRIMARY KEY, sound bigint);
SELECT pgtoaster.attach('tape', 'sound', options => '{"chunk_size": 512, "tail": 64}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'tape'::regclass \gset
INSERT INTO tape VALUES (1), (2), (3);
-- Bytes that contain their own offset: 0000, 0004, ..
CREATE FUNCTION marked(first int, last int) RETURNS bytea LANGUAGE sql AS
  $$ SELECT convert_to(string_agg(lpad(i::text, 4, '0'), '' ORDER BY i), 'UTF8') FROM generate_series(first, last - 1, 4) i $$;
SELECT "offset", length FROM toaster.blob_append('tape', 'sound', 1, marked(0, 1100));
SELECT "offset", length FROM toaster.blob_append('tape', 'sound', 1, marked(1100, 1200));
SELECT "offset", length FROM toaster.blob_append('tape', 'sound', 1, marked(1200, 1220));
SELECT base, piece_start, piece_rows FROM :head;
-- Every range has the same bytes as a bytea.
SELECT count(*) AS ranges, count(*) FILTER (WHERE toaster.blob_read('tape', 'sound', 1, o, n) =
  substring(marked(0, 1220) FROM o + 1 FOR n)) AS right FROM generate_series(0, 1220, 3) o, unnest(ARRAY[0, 1, 7, 300, 600, 5000]) n;
SELECT convert_from(toaster.blob_read('tape', 'sound', 1, 1016, 16), 'UTF8');
-- A read returns fewer bytes only at the end, fails beyond it, and returns NULL if the column is NULL.
SELECT convert_from(toaster.blob_read('tape', 'sound', 1, 1212, 100), 'UTF8') AS at_end, toaster.blob_read('tape', 'sound', 1, 1220, 2147483647) AS after_end,
  toaster.blob_read('tape', 'sound', 2, 0, 10) AS of_null, toaster.blob_length('tape', 'sound', 2) AS length_of_null;
SELECT toaster.blob_read('tape', 'sound', 1, 1221, 1);
SELECT toaster.blob_read('tape', 'sound', 1, 9223372036854775807, 2147483647);
SELECT toaster.try_blob_read('tape', 'sound', 1, 1221, 1) IS NULL AS refused;
SELECT toaster.blob_read('tape', 'sound', 99, 0, 10);
SELECT toaster.try_blob_read('tape', 'sound', 99, 0, 10), toaster.try_blob_length('tape', 'sound', 99);
SELECT toaster.blob_read('tape', 'sound', 1, -1, 10);
SELECT toaster.blob_read('tape', 'sound', 1, 0, -10);
-- A statement does not see its own appends; the next one does.
SELECT toaster.blob_length('tape', 'sound', 1) AS before, (toaster.blob_append('tape', 'sound', 1, 'more')).length, toaster.blob_length('tape', 'sound', 1) AS still;
SELECT toaster.blob_length('tape', 'sound', 1);
-- Missing or inconsistent rows are damage: a read of them returns no bytes, while other ranges can still be read.
SELECT "offset" FROM toaster.blob_append('tape', 'sound', 3, marked(0, 2000));
SELECT "offset" FROM toaster.blob_append('tape', 'sound', 3, marked(2000, 2100));
BEGIN;
DELETE FROM :chunk WHERE start = 512 AND blob_id = (SELECT sound FROM tape WHERE id = 3);
SELECT toaster.blob_read('tape', 'sound', 3, 508, 4) = '0508', toaster.blob_read('tape', 'sound', 3, 1024, 4) = '1024';
SELECT toaster.try_blob_read('tape', 'sound', 3, 508, 5) IS NULL AS damaged;
SELECT toaster.blob_read('tape', 'sound', 3, 0, 2000);
ROLLBACK;
BEGIN;
UPDATE :chunk SET data = substring(data FROM 2) WHERE start = 512 AND blob_id = (SELECT sound FROM tape WHERE id = 3);
SELECT toaster.try_blob_read('tape', 'sound', 3, 1020, 8) IS NULL AS damaged;
UPDATE :piece SET start = start + 1 WHERE blob_id = (SELECT sound FROM tape WHERE id = 3);
SELECT toaster.try_blob_read('tape', 'sound', 3, 2010, 4) IS NULL AS damaged;
-- An append that needs the damaged rows fails; others succeed.
SELECT "offset" FROM toaster.blob_append('tape', 'sound', 3, 'ok');
SELECT toaster.blob_append('tape', 'sound', 3, marked(0, 400));
ROLLBACK;
BEGIN;
SET CONSTRAINTS ALL DEFERRED;
DELETE FROM :head WHERE id = (SELECT sound FROM tape WHERE id = 3);
SELECT toaster.try_blob_read('tape', 'sound', 3, 0, 4) IS NULL AS damaged, toaster.try_blob_append('tape', 'sound', 3, 'x') IS NULL AS refused;
ROLLBACK;
-- Checksums detect damage that lengths do not.
CREATE TABLE card (id int PRIMARY KEY, image bigint);
SELECT pgtoaster.attach('card', 'image', options => '{"chunk_size": 512, "crc32c": true}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'card'::regclass \gset
INSERT INTO card VALUES (1);
SELECT "offset" FROM toaster.blob_append('card', 'image', 1, marked(0, 1200));
SELECT "offset" FROM toaster.blob_append('card', 'image', 1, marked(1200, 1300));
UPDATE :chunk SET data = overlay(data PLACING '!' FROM 100) WHERE start = 0;
UPDATE :piece SET data = overlay(data PLACING '!' FROM 10);
SELECT toaster.try_blob_read('card', 'image', 1, 0, 4) IS NULL AS chunk, toaster.try_blob_read('card', 'image', 1, 1250, 4) IS NULL AS piece,
  toaster.blob_read('card', 'image', 1, 512, 4) AS right;
-- Reads of compressed and of out-of-line chunks return only the requested range.
CREATE TABLE film (id int PRIMARY KEY, data bigint, packed bigint);
SELECT pgtoaster.attach('film', 'data', options => '{"chunk_size": 50000}') > 0 AS large,
  pgtoaster.attach('film', 'packed', options => '{"compression": "pglz"}') > 0 AS packed;
INSERT INTO film VALUES (1);
SELECT "offset" FROM toaster.blob_append('film', 'data', 1, marked(0, 9000) || marked(0, 9000) || marked(0, 9000) || marked(0, 9000) || marked(0, 9000) || marked(0, 9000));
SELECT "offset" FROM toaster.blob_append('film', 'packed', 1, marked(0, 9000) || marked(0, 9000) || marked(0, 9000) || marked(0, 9000) || marked(0, 9000) || marked(0, 9000));
SELECT convert_from(toaster.blob_read('film', 'data', 1, 45004, 8), 'UTF8') AS data, convert_from(toaster.blob_read('film', 'packed', 1, 18004, 8), 'UTF8') AS packed;
DROP TABLE tape, card, film CASCADE;
DROP FUNCTION marked;
