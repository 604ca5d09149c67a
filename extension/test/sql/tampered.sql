-- The owner can overwrite stored content in any way. The functions must report the damage, and do nothing worse.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA tampered;
SET search_path = tampered;
\set VERBOSITY sqlstate
CREATE TABLE item (id bigint PRIMARY KEY, content bigint, doc jsonb);
INSERT INTO item SELECT i FROM generate_series(1, 9) i;
SELECT pgtoaster.attach('item', 'content', 'appendable', '{"compression": "pglz", "chunk_size": 8100}') AS blobs,
       pgtoaster.attach('item', 'doc', 'keyed', '{"row_budget": 256, "leaf_size": 512, "fan_out": 4}') AS docs \gset
SELECT format('pgtoaster.store_%s_head', :blobs) AS blob_head, format('pgtoaster.store_%s_chunk', :blobs) AS chunk,
       format('pgtoaster.store_%s_piece', :blobs) AS piece, format('pgtoaster.store_%s_head', :docs) AS head,
       format('pgtoaster.store_%s_node', :docs) AS node \gset

-- Chunks and pieces that are NULL.
SELECT toaster.blob_append('item', 'content', 1, decode(repeat('ab', 20000), 'hex')), toaster.blob_append('item', 'content', 2, decode(repeat('cd', 1500), 'hex'));
ALTER TABLE :chunk ALTER data DROP NOT NULL;
ALTER TABLE :piece ALTER data DROP NOT NULL;
UPDATE :chunk SET data = NULL WHERE start = 0;
UPDATE :piece SET data = NULL;
SELECT toaster.blob_read('item', 'content', 1, 10, 20);
SELECT toaster.blob_read('item', 'content', 2, 10, 20);
SELECT toaster.try_blob_read('item', 'content', 1, 0, 20000) IS NULL AS refused;
SELECT toaster.blob_write('item', 'content', 1, 10, 'x');
SELECT toaster.blob_write('item', 'content', 2, 10, 'x');
SELECT toaster.blob_truncate('item', 'content', 1, 10);
SELECT toaster.blob_copy('item', 'content', 1, 3);
SELECT toaster.blob_append('item', 'content', 2, decode(repeat('cd', 9000), 'hex'));
SELECT toaster.blob_compact('item', 'content', 1);
-- A length that no blob can have.
UPDATE :blob_head SET base = 9223372036854775807, piece_start = 9223372036854775807, chunk_size = 1 WHERE id = (SELECT content FROM item WHERE id = 1);
SELECT toaster.blob_compact('item', 'content', 1);
SELECT toaster.blob_read('item', 'content', 1, 9223372036854775000, 2147483647);
SELECT toaster.blob_append('item', 'content', 1, 'xy');
DELETE FROM item WHERE id < 3;

-- Nodes with cycles, wrong element counts, or values that do not match their kind.
CREATE FUNCTION stored(number bigint, nodes jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  store integer := (SELECT id FROM pgtoaster.store WHERE owner = 'item'::regclass AND toaster = 'keyed');
  document bigint;
BEGIN
  EXECUTE format('INSERT INTO pgtoaster.store_%s_head (owner_1) VALUES ($1) RETURNING id', store) INTO document USING number;
  EXECUTE format('INSERT INTO pgtoaster.store_%s_node (doc, id, kind, bytes, value, kids, starts, lows) '
                 'SELECT $1, n.id, n.kind, coalesce(n.bytes, 0), n.value, n.kids, n.starts, n.lows FROM '
                 'jsonb_to_recordset($2) n(id bigint, kind "char", bytes integer, value jsonb, kids bigint[], starts bigint[], lows bytea[])', store)
    USING document, nodes;
  UPDATE item SET doc = jsonb_build_object('list', '{"$pgtoaster": 1}'::jsonb, '$pgtoaster', jsonb_build_array(document)) WHERE id = number;
END $$;
-- Arrays with more elements than their root counts.
SELECT stored(4, '[{"id": 1, "kind": "a", "kids": [2, 2, 2, 2], "starts": [0, 3, 1, 1, 4]}, {"id": 2, "kind": "a", "value": [1, 2, 3]}]');
SELECT toaster.json_get('item', 'doc', 4, '{list}');
SELECT toaster.json_slice('item', 'doc', 4, '{list}', 0, 4);
UPDATE :node SET starts = '{0,-9,0,0,-5}' WHERE kids IS NOT NULL;
SELECT toaster.json_get('item', 'doc', 4, '{list}');
SELECT toaster.json_size('item', 'doc', 4, '{list}'), toaster.json_slice('item', 'doc', 4, '{list}', 0, 4);
UPDATE :node SET starts = '{0,9223372036854775807,9223372036854775807,9223372036854775807,9223372036854775807}' WHERE kids IS NOT NULL;
SELECT toaster.json_get('item', 'doc', 4, '{list}');
SELECT toaster.json_append('item', 'doc', 4, '{list}', '[1]');
-- A leaf to merge whose neighbour has another kind of value.
SELECT stored(5, '[{"id": 1, "kind": "a", "kids": [2, 3], "starts": [0, 2, 4]}, {"id": 2, "kind": "a", "bytes": 30, "value": [1, 2]},
  {"id": 3, "kind": "a", "bytes": 30, "value": {"a": "text", "b": "text"}}]');
SELECT toaster.json_remove('item', 'doc', 5, '{list,0}');
-- A branch below itself, and a node with two parents.
SELECT stored(6, '[{"id": 1, "kind": "a", "kids": [1, 1], "starts": [0, 3, 6]}]'), stored(7, '[{"id": 1, "kind": "o", "kids": [1, 1], "lows": ["", "x"]}]'),
       stored(8, '[{"id": 1, "kind": "s", "kids": [1, 1]}]'), stored(9, '[{"id": 1, "kind": "v", "value": {"$pgtoaster": 1}}]');
SELECT toaster.json_get('item', 'doc', 6, '{list}');
SELECT toaster.json_get('item', 'doc', 6, '{list,4}');
SELECT toaster.json_get('item', 'doc', 7, '{list}');
SELECT toaster.json_get('item', 'doc', 7, '{list,b}');
SELECT toaster.json_size('item', 'doc', 7, '{list}');
SELECT toaster.json_expand('item', 'doc', 8);
SELECT toaster.json_get('item', 'doc', 9, '{list}');
SELECT toaster.json_shrink('item', 'doc', 6);
SELECT toaster.json_shrink('item', 'doc', 9);
SELECT toaster.json_remove('item', 'doc', 6, '{list}');
SELECT toaster.json_set('item', 'doc', 7, '{list}', '1');
-- An object with an array as one of its leaves.
UPDATE :node SET kids = '{2,3}', lows = ARRAY['', 'x']::bytea[] WHERE id = 1 AND kind = 'o';
INSERT INTO :node (doc, id, kind, bytes, value) SELECT doc, 2, 'a'::"char", 30, '[1, 2]'::jsonb FROM :node WHERE kind = 'o' UNION ALL
  SELECT doc, 3, 'o', 30, '{"y": 1}' FROM :node WHERE kind = 'o';
SELECT toaster.json_get('item', 'doc', 7, '{list}');
SELECT toaster.json_shrink('item', 'doc', 7);

-- Invalid options.
UPDATE pgtoaster.store SET options = options || '{"fan_out": 0}' WHERE id = :docs;
SELECT toaster.json_append('item', 'doc', 4, '{list}', '[1]');
UPDATE pgtoaster.store SET options = options || '{"fan_out": 4, "leaf_size": 0}' WHERE id = :docs;
SELECT toaster.json_append('item', 'doc', 4, '{list}', '[1]');

-- An index with the name of the key that cannot identify rows.
CREATE TABLE named (id bigint NOT NULL, content bigint);
CREATE UNIQUE INDEX named_key ON named (id);
SELECT pgtoaster.attach('named', 'content', 'appendable', '{"key": "named_key"}') > 0 AS attached;
INSERT INTO named VALUES (1);
SELECT toaster.blob_append('named', 'content', 1, 'x');
DROP INDEX named_key;
CREATE UNIQUE INDEX named_key ON named ((id + 1));
SELECT toaster.blob_read('named', 'content', 1, 0, 10);
DROP INDEX named_key;
CREATE UNIQUE INDEX named_key ON named (id) WHERE id > 1;
SELECT toaster.blob_read('named', 'content', 1, 0, 10);
DROP INDEX named_key;
CREATE UNIQUE INDEX named_key ON named (id);
SELECT toaster.blob_read('named', 'content', 1, 0, 10);

-- A number that is not a marker at the position of one, in a user's document.
\set VERBOSITY default
CREATE TABLE plain (id bigint PRIMARY KEY, doc jsonb);
INSERT INTO plain VALUES (1, '{"a": {"b": 1}}'), (2, '{"a": {"$pgtoaster": 1}}');
SELECT pgtoaster.attach('plain', 'doc', 'keyed') > 0 AS attached;
SELECT toaster.json_set('plain', 'doc', 1, '{a,$pgtoaster}', '1e30'), toaster.json_remove('plain', 'doc', 1, '{a,b}');
SELECT toaster.json_set('plain', 'doc', 2, '{a,$pgtoaster}', '1e30');
SELECT toaster.json_expand('plain', 'doc', id) FROM plain ORDER BY id;

-- A trigger on the table that invalidates the session's cached column while the session uses it.
CREATE TABLE nested (id bigint PRIMARY KEY, content bigint);
SELECT pgtoaster.attach('nested', 'content', 'appendable') AS nested \gset
INSERT INTO nested SELECT i FROM generate_series(1, 4) i;
CREATE FUNCTION nested_append() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pgtoaster.store SET options = options || jsonb_build_object('tail', 100 + NEW.id) WHERE owner = 'nested'::regclass;
  IF NEW.id < 4 THEN
    PERFORM toaster.blob_append('nested', 'content', NEW.id + 1, convert_to('after ' || NEW.id, 'UTF8'));
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER nested_append BEFORE UPDATE ON nested FOR EACH ROW EXECUTE FUNCTION nested_append();
SELECT toaster.blob_append('nested', 'content', 1, 'first');
SELECT id, convert_from(toaster.blob_read('nested', 'content', id, 0, 100), 'UTF8') FROM nested ORDER BY id;
DROP TRIGGER nested_append ON nested;

-- A trigger on a table of the store that calls the function again.
SELECT format('pgtoaster.store_%s_head', :nested) AS nested_head \gset
CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_trigger_depth() < 3 THEN
    PERFORM toaster.blob_append('nested', 'content', 1, ', again');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER again AFTER UPDATE ON :nested_head FOR EACH ROW EXECUTE FUNCTION again();
SELECT toaster.blob_append('nested', 'content', 1, ', second');
SELECT convert_from(toaster.blob_read('nested', 'content', 1, 0, 100), 'UTF8');
DROP TRIGGER again ON :nested_head;

-- VACUUM moves the catalog's rows and truncates its table.
DO $$ BEGIN FOR i IN 1 .. 200 LOOP UPDATE pgtoaster.store SET options = options WHERE owner = 'nested'::regclass; END LOOP; END $$;
CREATE TABLE last (id bigint PRIMARY KEY, content bigint);
INSERT INTO last VALUES (1);
SELECT pgtoaster.attach('last', 'content', 'appendable') AS last \gset
SELECT ctid >= '(1,1)' AS on_a_later_page FROM pgtoaster.store WHERE id = :last;
SELECT toaster.blob_append('last', 'content', 1, 'kept');
VACUUM FULL pgtoaster.store;
SELECT convert_from(toaster.blob_read('last', 'content', 1, 0, 10), 'UTF8');
