\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- The toaster default: the same functions over ordinary bytea and text columns.
CREATE TABLE page (id int PRIMARY KEY, image bytea, words text, extra jsonb);
SELECT pgtoaster.attach('page', 'image', 'default') > 0 AS image, pgtoaster.attach('page', 'words', 'default') > 0 AS words,
  pgtoaster.attach('page', 'extra', 'default') > 0 AS extra;
INSERT INTO page (id) VALUES (1), (2), (3);
SELECT * FROM toaster.blob_append('page', 'image', 1, '\x0001');
SELECT * FROM toaster.blob_append('page', 'image', 1, '\x020304', 2);
SELECT * FROM toaster.blob_append('page', 'image', 1, '\x05', 2);
SELECT * FROM toaster.blob_append('page', 'image', 2, '\x05', 1);
SELECT toaster.blob_read('page', 'image', 1, 1, 3), toaster.blob_read('page', 'image', 1, 3, 100) AS at_end,
  toaster.blob_read('page', 'image', 1, 9223372036854775807, 1) AS behind, toaster.blob_read('page', 'image', 2, 0, 1) AS of_null;
SELECT toaster.blob_length('page', 'image', 1), toaster.blob_length('page', 'image', 2) AS of_null;
SELECT toaster.blob_write('page', 'image', 1, 4, '\xffff'), toaster.blob_truncate('page', 'image', 1, 5), toaster.blob_compact('page', 'image', 1);
SELECT toaster.blob_copy('page', 'image', 1, 99);
SELECT toaster.blob_copy('page', 'image', 1, 2), toaster.try_blob_copy('page', 'image', 1, 2) AS again, toaster.try_blob_copy('page', 'image', 3, 3) AS of_null;
SELECT id, image FROM page ORDER BY id;
SELECT toaster.blob_delete('page', 'image', 2), toaster.blob_delete('page', 'image', 2) AS again;
-- A text takes and gives whole characters.
SELECT * FROM toaster.blob_append('page', 'words', 1, convert_to('über ', 'UTF8'));
SELECT * FROM toaster.blob_append('page', 'words', 1, convert_to('Öl', 'UTF8'), 6);
SELECT toaster.blob_length('page', 'words', 1), convert_from(toaster.blob_read('page', 'words', 1, 2, 100), 'UTF8');
SELECT toaster.blob_append('page', 'words', 1, '\xc3');
SELECT toaster.blob_append('page', 'words', 1, '\x00');
SELECT toaster.blob_truncate('page', 'words', 1, 1);
SELECT toaster.try_blob_write('page', 'words', 1, 1, 'x') AS within, toaster.try_blob_write('page', 'words', 1, 0, 'x') AS half,
  toaster.blob_write('page', 'words', 1, 0, 'ue'), toaster.blob_truncate('page', 'words', 1, 5);
SELECT words FROM page WHERE id = 1;
-- What it has not, and what there is not.
SELECT toaster.blob_append('page', 'image', 1, 'x', NULL, '00000000-0000-4000-8000-000000000001', 1);
SELECT toaster.blob_append('page', 'extra', 1, 'x');
SELECT toaster.blob_write('page', 'image', 1, 6, 'x');
SELECT toaster.blob_write('page', 'image', 3, 0, 'x');
SELECT toaster.blob_truncate('page', 'image', 1, 6);
SELECT toaster.blob_append('page', 'image', 99, 'x');
SELECT toaster.blob_read('page', 'image', 99, 0, 1);
SELECT toaster.blob_delete('page', 'image', 99);
-- Names may change between calls.
ALTER TABLE page RENAME COLUMN image TO picture;
UPDATE pgtoaster.store SET column_name = 'picture' WHERE owner = 'page'::regclass AND column_name = 'image';
SELECT toaster.blob_length('page', 'picture', 1);
ALTER TABLE page RENAME TO leaf;
SELECT toaster.blob_length('leaf', 'picture', 1);
DROP TABLE leaf;
