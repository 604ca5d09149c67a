\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- The toaster "default": the column's value is the content, and plain SQL reads and changes it.
CREATE TABLE page (id int PRIMARY KEY, image bytea, words text, extra jsonb);
SELECT pgtoaster.attach('page', 'image', 'default') > 0 AS image, pgtoaster.attach('page', 'words', 'default') > 0 AS words,
  pgtoaster.attach('page', 'extra', 'default') > 0 AS extra, pgtoaster.validate('default');
INSERT INTO page VALUES (1, '\x0001', 'one', '{"a": 1}');
-- The quiet forms return NULL, so that the library uses SQL instead.
SELECT toaster.try_blob_append('page', 'image', 1, '\x02') AS append, toaster.try_blob_read('page', 'words', 1, 0, 1) AS read,
  toaster.try_blob_copy('page', 'image', 1, 2) AS copy, toaster.try_json_get('page', 'extra', 1, '{a}') AS get,
  toaster.try_json_set('page', 'extra', 1, '{a}', '2') AS set, toaster.try_json_expand('page', 'extra', 1) AS expand;
SELECT toaster.blob_append('page', 'image', 1, '\x02');
SELECT toaster.blob_read('page', 'words', 1, 0, 1);
SELECT toaster.json_get('page', 'extra', 1, '{a}');
SELECT toaster.json_increment('page', 'extra', 1, '{a}', 1);
SELECT toaster.json_expand('page', 'extra', 1);
SELECT * FROM page;
DROP TABLE page;
