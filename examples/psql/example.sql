-- Blobs and documents of pgtoaster in psql: psql -v ON_ERROR_STOP=1 -f example.sql

CREATE TABLE example_recording (id bigint PRIMARY KEY, title text);
SELECT pgtoaster.attach('example_recording', 'audio') > 0 AS attached;
INSERT INTO example_recording VALUES (1, 'first'), (2, 'second');

-- Append at an expected offset, and with a token (writer and sequence), which makes a retry harmless.
SELECT * FROM pgtoaster.blob_append('example_recording', 'audio', 1, 'hello');
SELECT * FROM pgtoaster.blob_append('example_recording', 'audio', 1, ' world', expected_offset => 5);
SELECT gen_random_uuid() AS writer \gset
SELECT * FROM pgtoaster.blob_append('example_recording', 'audio', 1, '!', writer => :'writer', sequence => 1);
SELECT * FROM pgtoaster.blob_append('example_recording', 'audio', 1, '!', writer => :'writer', sequence => 1);

-- A range, from byte 6 on; then the length of each row's content.
SELECT convert_from(pgtoaster.blob_read('example_recording', 'audio', 1, 6, 100), 'UTF8') AS range;
SELECT id, title, pgtoaster.blob_length('example_recording', 'audio', id) FROM example_recording ORDER BY id;

-- Overwrite, truncate, make final.
SELECT pgtoaster.blob_write('example_recording', 'audio', 1, 0, 'J');
SELECT pgtoaster.blob_truncate('example_recording', 'audio', 1, 5);
SELECT pgtoaster.blob_seal('example_recording', 'audio', 1);
SELECT convert_from(pgtoaster.blob_read('example_recording', 'audio', 1, 0, 100), 'UTF8') AS content;

-- For a file: \lo_import creates a large object, and this statement copies that into a blob, up to 1 GB at once:
-- SELECT pgtoaster.blob_append('example_recording', 'audio', 2, lo_get(:LASTOID)), lo_unlink(:LASTOID);

CREATE TABLE example_person (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('example_person', 'doc', 'keyed') > 0 AS attached;
INSERT INTO example_person VALUES (1, '{"name": "Ada", "visits": 1, "events": [{"year": 1843, "what": "Note G"}]}');

-- Documents are read and edited as values, whether they have been split or not.
UPDATE example_person SET doc = pgtoaster.increment(pgtoaster.set(doc, '{events,0,year}', '1844'), '{visits}');
SELECT pgtoaster.get(doc, '{events,0}') AS event, pgtoaster.get_text(doc, '{visits}') AS visits FROM example_person WHERE id = 1;
SELECT id FROM example_person WHERE pgtoaster.contains(doc, '{"events": [{"year": 1844}]}');
