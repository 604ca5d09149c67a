\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- Appends store bytes in the tail of the head row, then in pieces, then in chunks.
CREATE TABLE recording (id int PRIMARY KEY, title text NOT NULL, audio bigint);
SELECT pgtoaster.attach('recording', 'audio', options => '{"chunk_size": 1000, "tail": 100}') > 0 AS attached;
INSERT INTO recording VALUES (1, 'birds'), (2, 'bees');
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'recording'::regclass \gset
CREATE TEMP VIEW head AS SELECT r.id, h.base, h.piece_start, h.piece_rows, octet_length(h.tail) AS tail, h.generation
  FROM recording r JOIN :head h ON h.id = r.audio ORDER BY r.id;
CREATE TEMP VIEW stored AS
  SELECT r.id, 'chunk' AS what, c.start, octet_length(c.data) AS bytes FROM recording r JOIN :chunk c ON c.blob_id = r.audio
  UNION ALL
  SELECT r.id, 'piece ' || p.slot, p.start, octet_length(p.data) FROM recording r JOIN :piece p ON p.blob_id = r.audio
  ORDER BY 1, 3, 2;
-- The first append to a NULL column creates its content, even if it appends no bytes.
SELECT toaster.blob_length('recording', 'audio', 1), toaster.blob_read('recording', 'audio', 1, 0, 10);
SELECT * FROM toaster.blob_append('recording', 'audio', 1, 'chirp ');
SELECT * FROM toaster.blob_append('recording', 'audio', 2, '');
SELECT toaster.blob_length('recording', 'audio', 1) AS one, toaster.blob_length('recording', 'audio', 2) AS two;
TABLE head;
-- Further bytes go to the tail, whose capacity doubles up to the option. An append that does not fit becomes a piece, with the bytes of the tail.
SELECT * FROM toaster.blob_append('recording', 'audio', 1, 'chirp ');
SELECT * FROM toaster.blob_append('recording', 'audio', 1, convert_to(repeat('tweet ', 10), 'UTF8'));
TABLE head;
SELECT * FROM toaster.blob_append('recording', 'audio', 1, convert_to(repeat('trill ', 10), 'UTF8'));
TABLE head;
TABLE stored;
-- Bytes that fill chunks go there, with all bytes before them.
SELECT * FROM toaster.blob_append('recording', 'audio', 1, convert_to(repeat('warble ', 300), 'UTF8'));
TABLE head;
TABLE stored;
SELECT convert_from(toaster.blob_read('recording', 'audio', 1, 0, 3000), 'UTF8') =
  'chirp chirp ' || repeat('tweet ', 10) || repeat('trill ', 10) || repeat('warble ', 300) AS as_written;
-- Pieces are merged before they become too many.
SELECT count(*) FROM (SELECT toaster.blob_append('recording', 'audio', 2, '0123456789') FROM generate_series(1, 9)) a;
SELECT pgtoaster.set_options('recording', 'audio', '{"tail": 0}') \g /dev/null
SELECT count(*) FROM (SELECT toaster.blob_append('recording', 'audio', 2, 'x') FROM generate_series(1, 80)) a;
TABLE head;
SELECT count(*), sum(bytes) FROM stored WHERE id = 2;
SELECT convert_from(toaster.blob_read('recording', 'audio', 2, 0, 3000), 'UTF8') = repeat('0123456789', 9) || repeat('x', 80) AS as_written;
-- An append with a wrong expected offset changes nothing and reports the actual length.
SELECT * FROM toaster.blob_append('recording', 'audio', 2, 'no', expected_offset => 4);
SELECT * FROM toaster.blob_append('recording', 'audio', 2, 'yes', expected_offset => 170);
INSERT INTO recording VALUES (3, 'bats');
SELECT * FROM toaster.blob_append('recording', 'audio', 3, 'no', expected_offset => 1);
SELECT * FROM toaster.blob_append('recording', 'audio', 3, 'yes', expected_offset => 0);
-- The quiet form returns the offset, or NULL if it appended nothing.
SELECT toaster.try_blob_append('recording', 'audio', 3, '!') AS done, toaster.try_blob_append('recording', 'audio', 3, 'no', 1) AS conflict,
  toaster.try_blob_append('recording', 'audio', 99, 'no') AS no_row;
-- Rejected calls.
SELECT toaster.blob_append('recording', 'audio', 99, 'no');
SELECT toaster.blob_append('recording', 'audio', 3, NULL);
SELECT toaster.blob_append('recording', 'audio', 3, 'no', -1);
SELECT toaster.blob_append('recording', 'title', 3, 'no');
UPDATE :head SET sealed = true WHERE id = (SELECT audio FROM recording WHERE id = 3);
SELECT toaster.blob_append('recording', 'audio', 3, 'no');
SELECT toaster.try_blob_append('recording', 'audio', 3, 'no') AS sealed;
-- Appends are part of the transaction, and several calls in one statement see each other's bytes.
BEGIN;
SELECT "offset" FROM toaster.blob_append('recording', 'audio', 2, 'one');
SAVEPOINT s;
SELECT "offset" FROM toaster.blob_append('recording', 'audio', 2, 'lost');
ROLLBACK TO s;
SELECT (toaster.blob_append('recording', 'audio', 2, 'two'))."offset", (toaster.blob_append('recording', 'audio', 2, 'three'))."offset";
COMMIT;
SELECT convert_from(toaster.blob_read('recording', 'audio', 2, 170, 100), 'UTF8');
BEGIN;
INSERT INTO recording VALUES (4, 'whales');
SELECT "offset" FROM toaster.blob_append('recording', 'audio', 4, 'lost');
ROLLBACK;
SELECT count(*) FROM :head;
-- Checksums, compression and a leading key are options of each store.
CREATE TABLE frame (tenant text NOT NULL, id int, image bigint, PRIMARY KEY (tenant, id));
SELECT pgtoaster.attach('frame', 'image', options => '{"crc32c": true, "compression": "pglz", "leading_key": "tenant", "chunk_size": 20000}') > 0 AS attached;
SELECT pgtoaster.store_table(store, 'head') AS head, pgtoaster.store_table(store, 'chunk') AS chunk, pgtoaster.store_table(store, 'piece') AS piece,
  pgtoaster.store_table(store, 'token') AS token, pgtoaster.store_table(store, 'follower') AS follower
  FROM pgtoaster.attached_column WHERE owner = 'frame'::regclass \gset
INSERT INTO frame VALUES ('north', 1), ('south', 1);
SELECT * FROM toaster.blob_append('frame', 'image', ROW('north'::text, 1), convert_to(repeat('n', 50000), 'UTF8'));
SELECT * FROM toaster.blob_append('frame', 'image', ROW('south'::text, 1), 'south');
SELECT leading_key, start, octet_length(data) AS bytes, pg_column_compression(data) AS compression, crc FROM :chunk ORDER BY 1, 2;
SELECT leading_key, slot, start, octet_length(data) AS bytes, crc FROM :piece ORDER BY 1, 2;
SELECT toaster.blob_length('frame', 'image', ROW('north'::text, 1)) AS north, toaster.blob_read('frame', 'image', ROW('south'::text, 1), 1, 3) AS south;
SET client_min_messages = warning;
DROP TABLE recording, frame CASCADE;
