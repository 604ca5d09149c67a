-- Reads by path work in plain and in split documents.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA json_read;
SET search_path = json_read;
CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('person', 'doc', 'keyed') AS store \gset
SELECT format('pgtoaster.store_%s_head', :store) AS head, format('pgtoaster.store_%s_node', :store) AS node \gset

-- A plain document is an ordinary jsonb value.
INSERT INTO person VALUES (1, '{"id": "nm1", "height": 1.80, "roles": [{"title": "A"}, {"title": "B", "year": null}]}'), (2, NULL), (3, '"alone"');
SELECT toaster.json_get('person', 'doc', 1, '{roles,-1,title}'), toaster.json_get('person', 'doc', 1, '{height}') AS digits,
       toaster.json_get('person', 'doc', 1, '{roles,1,year}') AS json_null, toaster.json_get('person', 'doc', 1, '{roles,2}') AS nothing;
SELECT toaster.json_expand('person', 'doc', 1) = doc AS whole FROM person WHERE id = 1;
SELECT toaster.json_get('person', 'doc', 3, '{}'), toaster.json_get('person', 'doc', 3, '{0}') AS nothing;
SELECT toaster.json_get('person', 'doc', 2, '{}') IS NULL AS nothing, toaster.json_exists('person', 'doc', 2, '{a}');
SELECT toaster.json_get('person', 'doc', 4, '{}');

-- A split document: "roles" is an array in two leaves, one of which refers to a string stored in pieces. The
-- members of "props" are in two leaves, in jsonb's own order of keys. A key that looks like a marker is stored
-- with one more dollar sign.
INSERT INTO person VALUES (7, NULL);
INSERT INTO :head (owner_1) VALUES (7) RETURNING id AS doc \gset
INSERT INTO :node (doc, id, kind, bytes, value, kids, starts, lows) VALUES
  (:doc, 71, 'a', 0, NULL, '{72,73}', '{0,3,5}', NULL),
  (:doc, 72, 'a', 60, '[0, {"n": 1.00}, [2, {"deep": [true]}]]', NULL, NULL, NULL),
  (:doc, 73, 'a', 60, '[{"text": {"$pgtoaster": 90}, "$$$pgtoaster": "user"}, 4]', '{90}', NULL, NULL),
  (:doc, 80, 'o', 0, NULL, '{81,82}', NULL, ARRAY['', pgtoaster.key_code('ccc')]),
  (:doc, 81, 'o', 60, '{"a": 1, "zz": {"x": "y"}}', NULL, NULL, NULL),
  (:doc, 82, 'o', 60, '{"ccc": {"$pgtoaster": 95}, "$$pgtoaster": {"$pgtoaster": 94}}', '{95,94}', NULL, NULL),
  (:doc, 90, 's', 0, NULL, '{91,92}', NULL, NULL),
  (:doc, 91, 's', 60, '"a long \"string\" "', NULL, NULL, NULL),
  (:doc, 92, 's', 60, '"in pieces"', NULL, NULL, NULL),
  (:doc, 94, 'v', 60, '123.4500', NULL, NULL, NULL),
  (:doc, 95, 'a', 4, '[]', NULL, NULL, NULL);
UPDATE person SET doc = jsonb_build_object('id', 'nm7', 'roles', '{"$pgtoaster": 71}'::jsonb, 'props', '{"$pgtoaster": 80}'::jsonb,
                                           'kept', '{"$$pgtoaster": 5}'::jsonb, '$pgtoaster', jsonb_build_array(:doc)) WHERE id = 7;
SELECT path, toaster.json_get('person', 'doc', 7, path::text[]) AS value, toaster.json_type('person', 'doc', 7, path::text[]) AS type,
       toaster.json_size('person', 'doc', 7, path::text[]) AS size
FROM (VALUES (1, '{id}'), (2, '{kept}'), (3, '{kept,$pgtoaster}'), (4, '{roles}'), (5, '{roles,1,n}'), (6, '{roles,-3,1,deep}'), (7, '{roles,3,text}'),
             (8, '{roles,-2}'), (9, '{roles,3,$$pgtoaster}'), (10, '{props}'), (11, '{props,zz,x}'), (12, '{props,ccc}'), (13, '{props,$pgtoaster}'),
             (14, '{roles,5}'), (15, '{roles,-6}'), (16, '{roles,x}'), (17, '{props,b}'), (18, '{roles,3,text,0}'), (19, '{$pgtoaster}')) p(n, path)
ORDER BY n;
SELECT jsonb_pretty(toaster.json_expand('person', 'doc', 7));
SELECT toaster.json_expand('person', 'doc', 7)::text = pgtoaster.expand(doc)::text AS same FROM person WHERE id = 7;
SELECT toaster.json_size('person', 'doc', 7, '{}');
-- A slice of an array reads only the leaves that contain it.
SELECT toaster.json_slice('person', 'doc', 7, '{roles}', 2, 4), toaster.json_slice('person', 'doc', 7, '{roles}', 4, 100) AS to_the_end,
       toaster.json_slice('person', 'doc', 7, '{roles}', 5, 9) AS behind, toaster.json_slice('person', 'doc', 7, '{roles,2}', 0, 1) AS in_leaf,
       toaster.json_slice('person', 'doc', 7, '{roles}', -2, 9) AS last, toaster.json_slice('person', 'doc', 7, '{roles}', -9, -3) AS but_the_last,
       toaster.json_slice('person', 'doc', 7, '{props}', 0, 1) AS no_array;

-- Members that are not in the row may be in the overflow branch; a root that is an array consists of that branch only.
INSERT INTO person VALUES (8, NULL), (9, NULL);
INSERT INTO :head (owner_1) VALUES (8) RETURNING id AS doc8 \gset
INSERT INTO :head (owner_1) VALUES (9) RETURNING id AS doc9 \gset
INSERT INTO :node (doc, id, kind, bytes, value) VALUES
  (:doc8, 1, 'o', 60, '{"a": 1, "long key": 2, "$$pgtoaster": 3}'), (:doc9, 1, 'a', 60, '[1, [2, "three"]]');
UPDATE person SET doc = jsonb_build_object('id', 'nm8', '$pgtoaster', jsonb_build_array(:doc8, 1)) WHERE id = 8;
UPDATE person SET doc = jsonb_build_object('$pgtoaster', jsonb_build_array(:doc9, 1)) WHERE id = 9;
SELECT toaster.json_get('person', 'doc', 8, '{long key}'), toaster.json_get('person', 'doc', 8, '{id}'), toaster.json_get('person', 'doc', 8, '{$pgtoaster}') AS escaped,
       toaster.json_get('person', 'doc', 8, '{b}') AS nothing, toaster.json_size('person', 'doc', 8, '{}'), toaster.json_expand('person', 'doc', 8) AS whole;
SELECT toaster.json_get('person', 'doc', 9, '{-1,1}'), toaster.json_type('person', 'doc', 9, '{}'), toaster.json_size('person', 'doc', 9, '{}'),
       toaster.json_slice('person', 'doc', 9, '{}', 0, 1), toaster.json_expand('person', 'doc', 9) AS whole;

-- A stub copied to another row while triggers were off returns the members in the row, but no content of the other row.
SET session_replication_role = replica;
INSERT INTO person SELECT 10, doc FROM person WHERE id = 7;
SELECT toaster.json_get('person', 'doc', 10, '{id}');
SELECT toaster.json_get('person', 'doc', 10, '{roles,0}');
SELECT toaster.json_expand('person', 'doc', 10);
SELECT toaster.try_json_get('person', 'doc', 10, '{roles,0}') IS NULL AS refused, toaster.try_json_get('person', 'doc', 7, '{nowhere}') = '' AS nothing;
-- Headers written by a user.
UPDATE person SET doc = '{"a": 1, "$pgtoaster": [5]}' WHERE id = 10;
SELECT toaster.json_get('person', 'doc', 10, '{}');
UPDATE person SET doc = '{"a": 1, "$pgtoaster": "x"}' WHERE id = 10;
RESET session_replication_role;
SELECT toaster.json_get('person', 'doc', 10, '{}');

-- A read of inconsistent nodes is an error and never returns a part of the value.
BEGIN;
DELETE FROM :node WHERE doc = :doc AND id = 92;
SELECT toaster.json_get('person', 'doc', 7, '{roles,4}') AS elsewhere;
SELECT toaster.json_get('person', 'doc', 7, '{roles,3}');
ROLLBACK;
BEGIN;
UPDATE :node SET starts = '{0,3}' WHERE doc = :doc AND id = 71;
SELECT toaster.json_get('person', 'doc', 7, '{roles,0}');
ROLLBACK;
BEGIN;
UPDATE :node SET starts = '{0,2,5}' WHERE doc = :doc AND id = 71;
SELECT toaster.json_get('person', 'doc', 7, '{roles}');
ROLLBACK;
BEGIN;
UPDATE :node SET kids = '{71,71}' WHERE doc = :doc AND id = 71;
SELECT toaster.json_get('person', 'doc', 7, '{roles,0}');
ROLLBACK;
BEGIN;
UPDATE :node SET value = '{"a": {"$pgtoaster": "71"}}' WHERE doc = :doc AND id = 81;
SELECT toaster.json_get('person', 'doc', 7, '{props}');
ROLLBACK;

-- A value too large for jsonb is rejected before it is built; its parts can be read.
BEGIN;
INSERT INTO :node (doc, id, kind, bytes, value) VALUES (:doc, 100, 's', 1000000, to_jsonb(repeat('x', 1000000)));
INSERT INTO :node (doc, id, kind, bytes, kids) VALUES (:doc, 101, 's', 0, array_fill(100, ARRAY[10])),
  (:doc, 102, 's', 0, ARRAY(SELECT generate_series(200, 229)));
INSERT INTO :node (doc, id, kind, bytes, kids) SELECT :doc, i, 's', 0, array_fill(100, ARRAY[10]) FROM generate_series(200, 229) i;
INSERT INTO :node (doc, id, kind, bytes, value, kids) VALUES (:doc, 103, 'a', 60, '[{"$pgtoaster": 101}, {"$pgtoaster": 102}]', '{101,102}');
SET session_replication_role = replica;
UPDATE person SET doc = doc || '{"roles": {"$pgtoaster": 103}}' WHERE id = 7;
RESET session_replication_role;
SELECT toaster.json_type('person', 'doc', 7, '{roles,1}'), toaster.json_size('person', 'doc', 7, '{roles}');
SELECT length(toaster.json_get('person', 'doc', 7, '{roles,0}') #>> '{}');
SAVEPOINT s;
SELECT toaster.json_get('person', 'doc', 7, '{roles,1}');
ROLLBACK TO s;
-- An array with more elements than fit in memory.
INSERT INTO :node (doc, id, kind, bytes, kids, starts) VALUES (:doc, 104, 'a', 0, '{72,72}', '{0,3,9000000000}');
SET session_replication_role = replica;
UPDATE person SET doc = doc || '{"roles": {"$pgtoaster": 104}}' WHERE id = 7;
RESET session_replication_role;
SELECT toaster.json_size('person', 'doc', 7, '{roles}'), toaster.json_get('person', 'doc', 7, '{roles,2}');
SELECT toaster.json_get('person', 'doc', 7, '{roles}');
ROLLBACK;

-- The functions that the library calls return NULL for large values; the library then reads the rows itself.
INSERT INTO person VALUES (20, '{"id": "nm20"}');
SELECT toaster.json_set('person', 'doc', 20, '{all}', (SELECT jsonb_agg(i) FROM generate_series(1, 100000) i));
SELECT toaster.try_json_get('person', 'doc', 20, '{all}') IS NULL AS refused, toaster.try_json_expand('person', 'doc', 20) IS NULL AS whole_refused,
       jsonb_array_length(toaster.json_get('person', 'doc', 20, '{all}')) AS there, toaster.try_json_get('person', 'doc', 20, '{all,99999}') AS one;
-- The row's key may have several columns of any type.
CREATE TABLE region (part text COLLATE "C", n numeric, doc jsonb, PRIMARY KEY (part, n));
SELECT pgtoaster.attach('region', 'doc', 'keyed') AS store \gset
SELECT format('pgtoaster.store_%s_head', :store) AS head, format('pgtoaster.store_%s_node', :store) AS node \gset
INSERT INTO region VALUES ('north', 1.0, NULL);
INSERT INTO :head (owner_1, owner_2) VALUES ('north', 1.00) RETURNING id AS doc \gset
INSERT INTO :node (doc, id, kind, bytes, value) VALUES (:doc, 1, 'o', 60, '{"b": 1}');
UPDATE region SET doc = jsonb_build_object('a', '{"$pgtoaster": 1}'::jsonb, '$pgtoaster', jsonb_build_array(:doc));
SELECT toaster.json_get('region', 'doc', ROW('north', 1), '{a,b}');
DROP SCHEMA json_read CASCADE;
