-- Edits at any path change plain and split documents as PostgreSQL's own functions would.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA json_edit;
SET search_path = json_edit;
CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('person', 'doc', 'keyed', '{"leaf_size": 512, "fan_out": 4, "row_budget": 256}') AS store \gset
SELECT format('pgtoaster.store_%s_head', :store) AS head, format('pgtoaster.store_%s_node', :store) AS node \gset

-- A plain document is changed in its row.
INSERT INTO person VALUES (1, '{"id": "nm1", "height": 1.80, "roles": ["a", "b", "c"]}');
SELECT toaster.json_insert('person', 'doc', 1, '{roles,0}', '"front"'), toaster.json_insert('person', 'doc', 1, '{roles,-1}', '"behind"', true),
       toaster.json_append('person', 'doc', 1, '{roles}', '["x", "y"]'), toaster.json_remove('person', 'doc', 1, '{roles,1}'),
       toaster.json_set('person', 'doc', 1, '{address}', '{"city": "Oslo"}');
SELECT doc FROM person WHERE id = 1;
-- Positions beyond the ends, and paths that do not exist.
SELECT toaster.json_set('person', 'doc', 1, '{roles,99}', '"last"'), toaster.json_set('person', 'doc', 1, '{roles,-99}', '"first"'),
       toaster.json_set('person', 'doc', 1, '{roles,99}', '1', false) AS beyond, toaster.json_remove('person', 'doc', 1, '{roles,99}') AS gone,
       toaster.json_set('person', 'doc', 1, '{no,parent}', '1') AS orphan, toaster.json_append('person', 'doc', 1, '{nothing}', '1') AS nothing,
       toaster.json_set('person', 'doc', 1, '{}', '1') AS root, toaster.json_increment('person', 'doc', 1, '{roles,99}', 1) AS no_number;
SELECT doc->'roles' AS roles FROM person WHERE id = 1;
-- If requested, missing parents are created, but not a missing document.
BEGIN;
INSERT INTO person VALUES (99, NULL);
SELECT toaster.try_json_set('person', 'doc', 1, '{no,parent,0,-1,00}', '[1]', false, true), toaster.try_json_set('person', 'doc', 1, '{roles,-99,a}', '1', true, true) AS beyond,
       toaster.try_json_set('person', 'doc', 1, '{no,parent,0,-1,x}', '2', true, true) AS beside, toaster.try_json_set('person', 'doc', 1, '{no,1234567890,$pgtoaster}', '3', true, true) AS special,
       toaster.try_json_set('person', 'doc', 1, '{id,x,y}', '4', true, true) AS below_a_scalar, toaster.try_json_set('person', 'doc', 1, '{roles,first,a}', '5', true, true) AS no_position,
       toaster.try_json_set('person', 'doc', 99, '{a}', '6', true, true) AS no_document;
SELECT toaster.json_expand('person', 'doc', 1) AS doc;
ROLLBACK;
-- PostgreSQL also rejects these edits; they change nothing.
SELECT toaster.json_insert('person', 'doc', 1, '{id}', '1');
SELECT toaster.json_set('person', 'doc', 1, '{roles,first}', '1');
SELECT toaster.json_increment('person', 'doc', 1, '{id}', 1);
SELECT toaster.json_remove('person', 'doc', 9, '{id}');
-- The quiet forms return NULL, and the transaction can continue.
SELECT toaster.try_json_insert('person', 'doc', 1, '{id}', '1') IS NULL AS refused;
-- Append extends arrays and objects, but no other values.
INSERT INTO person VALUES (2, '{"n": 1, "o": {"a": 1}}'), (3, '5'), (4, '[]'), (5, NULL);
SELECT toaster.json_append('person', 'doc', 2, '{n}', '[2, 3]'), toaster.json_append('person', 'doc', 2, '{o}', '{"a": 2, "b": 3}'),
       toaster.json_append('person', 'doc', 2, '{}', '{"root": true}'), toaster.json_append('person', 'doc', 3, '{}', '"six"'),
       toaster.json_append('person', 'doc', 4, '{}', '[[1]]'), toaster.json_append('person', 'doc', 5, '{}', '1');
SELECT toaster.json_append('person', 'doc', 2, '{o}', '[4]');
-- The library appends the elements of arrays, and sets the members of objects.
SELECT toaster.try_json_append('person', 'doc', 2, '{o}', '{"a": 4, "c": 5}') AS members, toaster.try_json_append('person', 'doc', 2, '{n}', '{"0": 1}') AS of_array,
       toaster.try_json_append('person', 'doc', 2, '{none}', '{}') AS of_nothing, toaster.json_get('person', 'doc', 2, '{}') AS document;
SELECT toaster.try_json_append('person', 'doc', 2, '{n}', '[2]', -1);
SELECT doc FROM person WHERE id BETWEEN 2 AND 5 ORDER BY id;
UPDATE person SET doc = '7.50' WHERE id = 3;
SELECT toaster.json_increment('person', 'doc', 3, '{}', 1.125);
SELECT toaster.json_set('person', 'doc', 3, '{a}', '1');

-- A growing array is moved out of line; the row keeps a marker, the header and small members.
SELECT toaster.json_append('person', 'doc', 1, '{roles}', (SELECT jsonb_agg(i) FROM generate_series(1, 300) i));
SELECT doc->>'id' AS id, (doc->'roles') ? '$pgtoaster' AS left, jsonb_array_length(doc->'$pgtoaster') AS header FROM person WHERE id = 1;
SELECT kind, count(value) > 4 AS many_leaves, count(*) - count(value) > 1 AS several_inner, max(bytes) <= 512 AS small, count(DISTINCT doc) AS documents
FROM :node GROUP BY kind;
SELECT toaster.json_size('person', 'doc', 1, '{roles}');
-- Edits below the marker still work: an insert at the front writes one leaf and the counts in the nodes above.
CREATE TEMP TABLE before AS SELECT id, version FROM :node;
SELECT toaster.json_insert('person', 'doc', 1, '{roles,0}', '"zero"');
SELECT count(value) AS leaves, count(*) - count(value) BETWEEN 2 AND 4 AS levels_above FROM :node n JOIN before b USING (id) WHERE n.version <> b.version;
SELECT toaster.json_set('person', 'doc', 1, '{roles,200}', '{"new": [1, 2]}'), toaster.json_set('person', 'doc', 1, '{roles,200,new,-1}', '3'),
       toaster.json_remove('person', 'doc', 1, '{roles,-2}'), toaster.json_set('person', 'doc', 1, '{roles,1000}', '"end"'),
       toaster.json_set('person', 'doc', 1, '{roles,-1000}', '"begin"'), toaster.json_increment('person', 'doc', 1, '{roles,250}', 0.5);
SELECT toaster.json_get('person', 'doc', 1, '{roles,201}'), toaster.json_slice('person', 'doc', 1, '{roles}', 0, 3), toaster.json_get('person', 'doc', 1, '{roles,-2}'),
       toaster.json_size('person', 'doc', 1, '{roles}');
SELECT toaster.json_insert('person', 'doc', 1, '{roles,x}', '1');
BEGIN;
SELECT toaster.try_json_set('person', 'doc', 1, '{roles,9999,a,0}', '{"b": 1}', true, true), toaster.try_json_set('person', 'doc', 1, '{roles,-9999,a}', '2', true, true),
       toaster.try_json_set('person', 'doc', 1, '{roles,100,a,0}', '3', true, true) AS below_a_scalar, toaster.try_json_set('person', 'doc', 1, '{new,$pgtoaster,x}', '4', true, true);
SELECT toaster.json_get('person', 'doc', 1, '{roles,-1}'), toaster.json_get('person', 'doc', 1, '{roles,0}'), toaster.json_get('person', 'doc', 1, '{new}');
ROLLBACK;
-- Removing every element leaves an empty array and no unused nodes.
DO $$ BEGIN
  FOR i IN 1..toaster.json_size('json_edit.person', 'doc', 1, '{roles}') LOOP
    PERFORM toaster.json_remove('json_edit.person', 'doc', 1, CASE WHEN i % 3 = 0 THEN '{roles,0}' ELSE '{roles,-1}' END::text[]);
  END LOOP;
END $$;
SELECT toaster.json_get('person', 'doc', 1, '{roles}');
SELECT kind, bytes, value FROM :node;
SELECT toaster.json_append('person', 'doc', 1, '{roles}', '"again"');
-- After a shrink the small document is in the row again; its head and nodes are deleted.
SELECT toaster.json_shrink('person', 'doc', 1) AS rows, toaster.json_shrink('person', 'doc', 1) AS again;
SELECT doc, (SELECT count(*) FROM :head) AS heads, (SELECT count(*) FROM :node) AS nodes FROM person WHERE id = 1;

-- Replacing an out-of-line value drops its branch and increments the document's generation.
SELECT toaster.json_set('person', 'doc', 1, '{text}', to_jsonb(repeat('äöü ', 6000))), toaster.json_set('person', 'doc', 1, '{list}', (SELECT jsonb_agg(i) FROM generate_series(1, 100) i));
SELECT kind, count(*) > 5 AS many FROM :node GROUP BY kind ORDER BY kind;
SELECT toaster.json_get('person', 'doc', 1, '{text}') #>> '{}' = repeat('äöü ', 6000) AS same;
SELECT generation AS generation FROM :head \gset
SELECT toaster.json_set('person', 'doc', 1, '{text}', '"short"');
SELECT generation > :generation AS next_generation FROM :head;
SELECT kind FROM :node GROUP BY kind;
SELECT toaster.json_remove('person', 'doc', 1, '{list}');
SELECT count(*) AS nodes FROM :node;

-- Keys that look like the reserved key can be used below the root.
SELECT toaster.json_set('person', 'doc', 2, '{$pgtoaster}', '{"$pgtoaster": [1], "$$pgtoaster": 5}');
SELECT doc - '$pgtoaster' AS stored FROM person WHERE id = 2;
SELECT toaster.json_expand('person', 'doc', 2);
SELECT toaster.json_increment('person', 'doc', 2, '{$pgtoaster,$$pgtoaster}', 1), toaster.json_remove('person', 'doc', 2, '{$pgtoaster,$pgtoaster}');
SELECT toaster.json_get('person', 'doc', 2, '{$pgtoaster}');
-- A number with very many digits is moved out of line, and can still be incremented.
SELECT toaster.json_set('person', 'doc', 4, '{0}', to_jsonb((repeat('9', 1000))::numeric));
SELECT kind FROM :node n JOIN person p ON n.doc = (p.doc->'$pgtoaster'->>0)::bigint WHERE p.id = 4;
SELECT toaster.json_increment('person', 'doc', 4, '{0}', 1)::text = '1' || repeat('0', 1000) AS sum;

-- Rolling back the transaction or a savepoint undoes the edits.
BEGIN;
SELECT toaster.json_append('person', 'doc', 1, '{roles}', (SELECT jsonb_agg(repeat('r', i)) FROM generate_series(1, 100) i));
SAVEPOINT s;
SELECT toaster.json_set('person', 'doc', 1, '{roles}', '1');
SELECT toaster.json_size('person', 'doc', 1, '{roles}') IS NULL AS gone;
ROLLBACK TO s;
SELECT toaster.json_size('person', 'doc', 1, '{roles}');
ROLLBACK;
SELECT toaster.json_size('person', 'doc', 1, '{roles}');
-- Edits in one statement see each other's changes.
SELECT toaster.json_append('person', 'doc', 1, '{roles}', '1'), toaster.json_append('person', 'doc', 1, '{roles}', '2'),
       toaster.json_insert('person', 'doc', 1, '{roles,2}', '"before the second"');
SELECT toaster.json_get('person', 'doc', 1, '{roles}');
-- A stub copied from another row is rejected.
SET session_replication_role = replica;
INSERT INTO person SELECT 8, doc FROM person WHERE id = 4;
RESET session_replication_role;
SELECT toaster.json_append('person', 'doc', 8, '{}', '1');
DELETE FROM person WHERE id = 8;
SELECT toaster.json_size('person', 'doc', 4, '{}');
-- Deleting rows also deletes their heads and nodes.
DELETE FROM person;
SELECT (SELECT count(*) FROM :head) AS heads, (SELECT count(*) FROM :node) AS nodes;

-- With the option "touch" each edit also updates the owner's row.
CREATE TABLE watched (id bigint PRIMARY KEY, doc jsonb, changed int DEFAULT 0);
CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.changed := OLD.changed + 1; RETURN NEW; END $$;
CREATE TRIGGER watch BEFORE UPDATE ON watched FOR EACH ROW EXECUTE FUNCTION count_change();
SELECT pgtoaster.attach('watched', 'doc', 'keyed', '{"leaf_size": 512, "touch": "row"}') > 0 AS attached;
INSERT INTO watched VALUES (1, jsonb_build_object('list', (SELECT jsonb_agg(i) FROM generate_series(1, 500) i)));
SELECT toaster.json_shrink('watched', 'doc', 1) > 10 AS rows;
SELECT toaster.json_set('watched', 'doc', 1, '{list,3}', '"x"'), toaster.json_insert('watched', 'doc', 1, '{list,3}', '"y"');
SELECT changed FROM watched;

-- If the row cannot be updated, its document does not change.
CREATE TABLE guarded (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('guarded', 'doc', 'keyed', '{"leaf_size": 512}') > 0 AS attached;
INSERT INTO guarded VALUES (1, '{"list": []}');
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER keep BEFORE UPDATE ON guarded FOR EACH ROW EXECUTE FUNCTION keep();
SELECT toaster.json_insert('guarded', 'doc', 1, '{list,0}', '1');
-- Members named by keep_inline are never moved out of line and do not count.
CREATE TABLE pinned (id text, part int, doc jsonb, PRIMARY KEY (id, part));
SELECT pgtoaster.attach('pinned', 'doc', 'keyed', '{"row_budget": 500, "leaf_size": 512, "keep_inline": ["/status", "/address/city"]}') > 0 AS attached;
INSERT INTO pinned VALUES ('a', 1, '{"text": "short"}');
SELECT toaster.json_set('pinned', 'doc', ('a', 1), '{status}', to_jsonb(repeat('s', 100))), toaster.json_set('pinned', 'doc', ('a', 1), '{text}', to_jsonb(repeat('t', 450))),
       toaster.json_set('pinned', 'doc', ('a', 1), '{address}', jsonb_build_object('city', repeat('c', 100), 'street', repeat('d', 450)));
SELECT left(doc->>'status', 3) AS status, left(doc#>>'{address,city}', 3) AS city, (doc#>'{address,street}') ? '$pgtoaster' AS street_left,
       (doc->'text') ? '$pgtoaster' AS text_left FROM pinned;
-- An append that also removes the first elements of the array. NULL: plain SQL must do it.
CREATE TABLE kept (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('kept', 'doc', 'keyed', '{"leaf_size": 2048}') > 0 AS attached;
INSERT INTO kept VALUES (1, jsonb_build_object('list', (SELECT jsonb_agg(i) FROM generate_series(1, 1000) i))), (2, '{"list": [1, 2, 3]}');
SELECT toaster.json_shrink('kept', 'doc', 1) > 3 AS rows;
SELECT toaster.try_json_append('kept', 'doc', 1, '{list}', '["a", "b"]', 1000) AS kept,
       toaster.try_json_append('kept', 'doc', 1, '{list}', '["c"]', 2000) AS all_fit;
SELECT toaster.json_size('kept', 'doc', 1, '{list}'), toaster.json_slice('kept', 'doc', 1, '{list}', 0, 2) AS first,
       toaster.json_slice('kept', 'doc', 1, '{list}', 997, 1001) AS last, toaster.json_get('kept', 'doc', 1, '{list,500}') AS middle;
SELECT toaster.try_json_append('kept', 'doc', 1, '{list}', '["d"]', 3) AS whole_leaves, toaster.try_json_append('kept', 'doc', 1, '{list}', '1', 3) AS no_array,
       toaster.try_json_append('kept', 'doc', 1, '{none}', '[1]', 3) AS none;
SELECT toaster.try_json_append('kept', 'doc', 2, '{list}', '["c", "d"]', 3);
SELECT toaster.json_get('kept', 'doc', 2, '{}');
SELECT toaster.json_size('kept', 'doc', 1, '{list}');
SET client_min_messages = warning;
DROP SCHEMA json_edit CASCADE;
