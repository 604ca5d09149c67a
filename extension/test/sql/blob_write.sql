\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- Overwrites, truncation, compaction, copies and removal.
CREATE TABLE disk (id int PRIMARY KEY, image bigint);
SELECT pgtoaster.attach('disk', 'image', options => '{"chunk_size": 512, "tail": 100}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'disk'::regclass \gset
INSERT INTO disk SELECT generate_series(1, 5);
CREATE TEMP VIEW head AS SELECT d.id, h.base + greatest(octet_length(rtrim(h.tail, '\000')) - 1, 0) AS length, h.piece_start, h.piece_rows, h.generation, h.chunk_size
  FROM disk d JOIN :head h ON h.id = d.image ORDER BY d.id;
-- Each row also has an ordinary bytea that is changed in the same way as the blob.
ALTER TABLE disk ADD plain bytea;
CREATE TEMP VIEW differences AS SELECT id FROM disk WHERE plain IS DISTINCT FROM toaster.blob_read('disk', 'image', id, 0, 100000);
SELECT "offset" FROM toaster.blob_append('disk', 'image', 1, convert_to(repeat('0123456789', 140), 'UTF8'));
SELECT "offset" FROM toaster.blob_append('disk', 'image', 1, 'tail');
UPDATE disk SET plain = convert_to(repeat('0123456789', 140) || 'tail', 'UTF8') WHERE id = 1;
TABLE head;
CREATE FUNCTION put(k int, o int, d bytea) RETURNS boolean LANGUAGE sql AS
  $$ UPDATE disk SET plain = overlay(plain PLACING d FROM o + 1 FOR length(d)) WHERE id = k; SELECT toaster.blob_write('disk', 'image', k, o, d) $$;
-- Overwrites within a chunk, across chunks, into the last run, over the end, and at the end.
SELECT put(1, 5, 'chunk'), put(1, 500, 'across two chunks'), put(1, 0, convert_to(repeat('w', 1024), 'UTF8'));
SELECT put(1, 1020, 'last run'), put(1, 1402, 'beyond the end'), put(1, 1416, 'at the end'), put(1, 3, '');
TABLE head;
SELECT put(1, 600, convert_to(repeat('new ', 400), 'UTF8'));
TABLE head;
TABLE differences;
-- A write cannot leave a gap.
SELECT toaster.blob_write('disk', 'image', 1, 2201, 'x');
SELECT toaster.try_blob_write('disk', 'image', 1, 2201, 'x'), toaster.try_blob_write('disk', 'image', 2, 0, 'x'), toaster.try_blob_write('disk', 'image', 99, 0, 'x');
SELECT toaster.blob_write('disk', 'image', 2, 0, 'x');
-- Truncation in the last run, at a chunk boundary, within a chunk, and to length 0.
CREATE FUNCTION cut(k int, l int) RETURNS boolean LANGUAGE sql AS
  $$ UPDATE disk SET plain = substring(plain FROM 1 FOR l) WHERE id = k; SELECT toaster.blob_truncate('disk', 'image', k, l) $$;
SELECT cut(1, 2190), cut(1, 2048);
TABLE head;
SELECT cut(1, 1000), cut(1, 1000);
TABLE head;
SELECT count(*) AS chunks, (SELECT count(*) FROM :piece) AS pieces FROM :chunk;
TABLE differences;
SELECT toaster.blob_truncate('disk', 'image', 1, 1001);
SELECT toaster.try_blob_truncate('disk', 'image', 1, 1001);
SELECT cut(1, 0);
TABLE head;
TABLE differences;
SELECT count(*) AS chunks, (SELECT count(*) FROM :piece) AS pieces FROM :chunk;
-- Compaction merges pieces and changes chunks to the store's size; bytes and generation stay the same.
SELECT count(*) FROM (SELECT toaster.blob_append('disk', 'image', 1, convert_to(repeat('a', 90), 'UTF8')) FROM generate_series(1, 16)) a;
UPDATE disk SET plain = convert_to(repeat('a', 90 * 16), 'UTF8') WHERE id = 1;
TABLE head;
SELECT toaster.blob_compact('disk', 'image', 1);
TABLE head;
SELECT toaster.blob_compact('disk', 'image', 1) AS nothing_to_do;
SELECT pgtoaster.set_options('disk', 'image', '{"chunk_size": 700}') \g /dev/null
SELECT toaster.blob_compact('disk', 'image', 1);
TABLE head;
SELECT start, octet_length(data) AS bytes FROM :chunk ORDER BY start;
TABLE differences;
SELECT toaster.blob_compact('disk', 'image', 2);
-- After the compression option changes, compaction compresses or decompresses the stored chunks.
CREATE TABLE log (id int PRIMARY KEY, lines bigint);
SELECT pgtoaster.attach('log', 'lines', options => '{"chunk_size": 20000}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'chunk') AS log_chunk FROM pgtoaster.attached_column WHERE owner = 'log'::regclass \gset
INSERT INTO log VALUES (1);
SELECT "offset" FROM toaster.blob_append('log', 'lines', 1, convert_to(repeat('all is well ', 10000), 'UTF8'));
SELECT pgtoaster.set_options('log', 'lines', '{"compression": "pglz", "chunk_size": 20000}') \g /dev/null
SELECT toaster.blob_compact('log', 'lines', 1), toaster.blob_compact('log', 'lines', 1) AS nothing_to_do;
SELECT DISTINCT pg_column_compression(data) FROM :log_chunk;
SELECT pgtoaster.set_options('log', 'lines', '{"compression": "none", "chunk_size": 20000}') \g /dev/null
SELECT toaster.blob_compact('log', 'lines', 1);
SELECT DISTINCT pg_column_compression(data) FROM :log_chunk;
SELECT convert_from(toaster.blob_read('log', 'lines', 1, 0, 1000000), 'UTF8') = repeat('all is well ', 10000) AS as_written;
-- A copy has its own rows; if the chunk size differs, it gets new chunks.
SELECT toaster.blob_copy('disk', 'image', 1, 2);
SELECT pgtoaster.set_options('disk', 'image', '{"chunk_size": 512}') \g /dev/null
SELECT toaster.blob_copy('disk', 'image', 1, 3);
UPDATE disk SET plain = (SELECT plain FROM disk WHERE id = 1) WHERE id IN (2, 3);
TABLE head;
SELECT put(1, 0, 'only one of them');
TABLE differences;
SELECT toaster.blob_copy('disk', 'image', 1, 2);
SELECT toaster.try_blob_copy('disk', 'image', 1, 2) AS not_empty, toaster.try_blob_copy('disk', 'image', 1, 1) AS itself,
  toaster.try_blob_copy('disk', 'image', 4, 5) AS of_null, toaster.try_blob_copy('disk', 'image', 1, 99) AS no_target;
SELECT toaster.blob_copy('disk', 'image', 1, 99);
SELECT toaster.blob_copy('disk', 'image', 98, 5);
SELECT image FROM disk WHERE id IN (4, 5);
-- Removal deletes the content at commit.
BEGIN;
SELECT toaster.blob_delete('disk', 'image', 1);
SELECT count(*) FROM :head;
COMMIT;
SELECT count(*) FROM :head;
SELECT toaster.blob_delete('disk', 'image', 1) AS again;
SELECT toaster.blob_delete('disk', 'image', 99);
SET client_min_messages = warning;
DROP TABLE disk, log CASCADE;
DROP FUNCTION put, cut;
