-- Plain SQL on split documents: the plans and the results of statements.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA transparent;
SET search_path = transparent;
\set SHOW_CONTEXT never
CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb, n integer);
SELECT pgtoaster.attach('person', 'doc', 'keyed', '{"row_budget": 256, "leaf_size": 512, "keep_inline": ["/status"]}') > 0 AS attached;
INSERT INTO person SELECT i, jsonb_build_object('name', 'P' || i, 'status', 'new', 'roles', (
  SELECT jsonb_agg(jsonb_build_object('title', 'T' || k, 'year', 1900 + k)) FROM generate_series(0, 300) k)), i
FROM generate_series(1, 3) i;
SELECT bool_and(toaster.json_shrink('person', 'doc', id) > 0) AS split FROM person;
CREATE INDEX ON person ((doc->>'status'));

-- Off: statements see the stub in the row.
SHOW pgtoaster.transparent;
SELECT id, doc->'roles'->5->>'title' AS title, length(doc::text) < 200 AS short FROM person ORDER BY id;
SET pgtoaster.transparent = on;
SELECT id, doc->'roles'->5->>'title' AS title, length(doc::text) AS length FROM person ORDER BY id;

-- Reads with operators, functions and subscripts, with expressions as path steps, and of whole rows.
EXPLAIN (VERBOSE, COSTS OFF) SELECT doc->'roles'->5->>'title', doc #> '{roles,-1}', doc['roles'][n] FROM person WHERE doc->>'name' = 'P1';
SELECT doc->'roles'->5->>'title', doc #> '{roles,-1}', doc['roles'][n], jsonb_extract_path_text(doc, 'roles', n::text, 'year') FROM person WHERE doc->>'name' = 'P1';
SELECT doc->'roles'->'5', doc->0, doc->'name'->0, doc->'missing'->1, doc->NULL, doc #> ARRAY['roles', NULL] FROM person WHERE id = 1;
EXPLAIN (VERBOSE, COSTS OFF) SELECT p, row_to_json(p) FROM person p;
SELECT length(p::text), length(row_to_json(p)::text) FROM person p WHERE id = 1;
EXPLAIN (VERBOSE, COSTS OFF)
SELECT jsonb_array_length(doc->'roles'), jsonb_typeof(doc), doc ? 'roles', doc->'roles' ?| '{a,b}', doc @> '{"name": "P1"}', '{"name": "P1"}' <@ doc FROM person;
SELECT jsonb_array_length(doc->'roles'), jsonb_typeof(doc), doc ? 'roles', doc->'roles' ?| '{a,b}', doc @> '{"name": "P1"}', '{"name": "P1"}' <@ doc FROM person ORDER BY id;
SELECT jsonb_array_length(doc->'name') FROM person;
EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM person WHERE doc @? '$.roles[*] ? (@.year > 2199 && $.name == "P2")';
SELECT id FROM person WHERE doc @? '$.roles[*] ? (@.year > 2199 && $.name == "P2")';
CREATE FUNCTION path_of(jsonb, jsonpath) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $2 || '' '' || (SELECT count(*) FROM jsonb_object_keys($1))';
SELECT path_of(doc, '$.name') FROM person WHERE doc IS NOT NULL AND id = 1;
EXPLAIN (COSTS OFF) SELECT id FROM person WHERE doc IS NULL;
EXPLAIN (VERBOSE, COSTS OFF) SELECT count(*) FROM person, jsonb_array_elements(doc->'roles') e WHERE (e->>'year')::integer > 2000;
SELECT count(*) FROM person, jsonb_array_elements(doc->'roles') e WHERE (e->>'year')::integer > 2000;
SELECT jsonb_array_elements(doc) FROM person;
EXPLAIN (VERBOSE, COSTS OFF) SELECT count(doc), count(doc) FILTER (WHERE doc ? 'roles') FROM person;
SELECT count(doc), count(doc) FILTER (WHERE doc ? 'roles'), count(DISTINCT doc) FROM person;

-- Paths that are always in the row still use the operators and their indexes.
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM person WHERE doc->>'status' = 'new';
RESET enable_seqscan;

-- Reads of one row fetch its head and each node once. A read of another row, with another snapshot, or through a copied stub fetches them again.
CREATE TABLE shelf (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('shelf', 'doc', 'keyed', '{"row_budget": 256}') AS store \gset
INSERT INTO shelf SELECT id, doc FROM person;
SELECT bool_and(toaster.json_shrink('shelf', 'doc', id) > 0) AS split FROM shelf;
BEGIN;
SET LOCAL max_parallel_workers_per_gather = 0;
SELECT doc->'roles'->5->>'title', doc->'roles'->5->>'year', doc->'roles'->9->>'title', doc->'roles'->2->>'title', doc->'roles'->250->'year', doc->'roles'->2
FROM shelf WHERE doc->'roles'->5->>'title' = 'T5' ORDER BY id;
SELECT replace(relname, 'store_' || :'store', 'store') AS relation, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname ~ ('store_' || :'store' || '_(head|node)') ORDER BY 1;
CREATE FUNCTION change(number bigint) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
  UPDATE shelf SET doc = jsonb_set(doc, '{roles,5,title}', '"changed"') WHERE id = number;
  RETURN (SELECT doc->'roles'->5->>'title' FROM shelf WHERE id = number); END $$;
SELECT doc->'roles'->5->>'title' AS before, change(id), doc->'roles'->5->>'title' AS behind FROM shelf WHERE id = 1;
SET LOCAL session_replication_role = replica;
/* pgtoaster */ UPDATE shelf SET doc = (SELECT doc FROM shelf WHERE id = 2) WHERE id = 3;
SELECT p.doc->'roles'->5 IS NULL, q.doc->'roles'->5 FROM shelf p, shelf q WHERE p.id = 2 AND q.id = 3;
ROLLBACK;

-- Views, subqueries, functions in SQL, outer joins, grouping.
CREATE VIEW people AS SELECT id, doc FROM person;
CREATE FUNCTION all_people() RETURNS TABLE (id bigint, doc jsonb) LANGUAGE sql STABLE AS 'SELECT p.id, p.doc FROM person p';
EXPLAIN (VERBOSE, COSTS OFF) SELECT doc->'roles'->5 FROM people WHERE doc->>'status' = 'new';
EXPLAIN (VERBOSE, COSTS OFF) SELECT doc->'roles'->5 FROM all_people();
EXPLAIN (VERBOSE, COSTS OFF) WITH c AS (SELECT doc FROM person) SELECT doc->'roles'->5 FROM c;
EXPLAIN (VERBOSE, COSTS OFF) SELECT (doc)['roles']['5']->>'title', doc #> '{roles,5}' -> n FROM (SELECT doc, n FROM person OFFSET 0) s;
SELECT (doc)['roles']['5']->>'title', (doc)['name']->>0 FROM (SELECT doc, n FROM person OFFSET 0) s;
SELECT q.doc->>'name' AS next, q IS NULL AS last FROM person p LEFT JOIN person q ON q.id = p.id + 1 ORDER BY p.id;
SELECT doc->'roles'->5->>'title' AS title, count(*) FROM person GROUP BY doc->'roles'->5->>'title';
SELECT doc->'name' AS name, doc->'name'->>0 AS text, count(*) FROM person GROUP BY ROLLUP (doc, doc->'name') HAVING doc->>'name' IS NULL ORDER BY 1;
SELECT count(*) FROM (SELECT DISTINCT doc FROM person) d;
SELECT id FROM person p WHERE EXISTS (SELECT FROM person q WHERE q.doc->'roles'->1 = p.doc->'roles'->1 AND q.id > p.id) ORDER BY id;
PREPARE titles(text) AS SELECT doc->'roles'->5->>$1 AS title FROM person WHERE id = 1;
EXECUTE titles('title');
SET pgtoaster.transparent = off;
EXECUTE titles('title');
SET pgtoaster.transparent = on;
EXECUTE titles('title');

-- Changes become edits of leaves if possible; other changes write the whole document.
EXPLAIN (VERBOSE, COSTS OFF) UPDATE person SET doc = jsonb_set(doc, '{roles,5,title}', to_jsonb(doc->>'name')) || '{"a": 1}';
-- As usual, the planner folds expressions on NULL, so that no part of them is executed.
EXPLAIN (VERBOSE, COSTS OFF) UPDATE person SET doc = jsonb_set(doc #- '{a}', '{a}', doc -> NULL::text -> 'b');
PREPARE nothing(text) AS UPDATE person SET doc = jsonb_insert(doc || '1', '{a}', doc -> $1);
SET plan_cache_mode = force_custom_plan;
EXPLAIN (VERBOSE, COSTS OFF) EXECUTE nothing(NULL);
RESET plan_cache_mode;
-- An intermediate value may contain the reserved key.
BEGIN;
UPDATE person SET doc = jsonb_set(doc || '{"$pgtoaster": 1}', '{roles,0}', '0') || '1' WHERE id = 1 RETURNING doc->0->'roles'->0, doc->0->'$pgtoaster', doc->1;
ROLLBACK;
UPDATE person SET doc = jsonb_set(doc, '{roles,5,title}', to_jsonb(doc->>'name')) || '{"a": 1}' WHERE id = 1 RETURNING doc->'roles'->5, doc->'a', length(doc::text);
UPDATE person SET doc = CASE WHEN n = 1 THEN doc - 'a' ELSE COALESCE(doc, '{}') #- '{roles,0}' END WHERE id < 3;
SELECT id, doc ? 'a', jsonb_array_length(doc->'roles') FROM person ORDER BY id;
UPDATE person SET doc['roles'][0]['title'] = '"first"', n = n + 10 WHERE id = 2 RETURNING doc->'roles'->0;
SELECT pgtoaster.repair('person', 'doc');
SELECT count(*) FROM person WHERE doc = doc;
SET pgtoaster.transparent = off;
SELECT bool_and(doc ? '$pgtoaster') AS all_split FROM person;
SET pgtoaster.transparent = on;
UPDATE person SET doc = doc WHERE id = 1;
UPDATE person SET doc['made']['by'][2] = '"subscripts"' WHERE id = 2 RETURNING doc->'made';
UPDATE person p SET doc = q.doc FROM person q WHERE p.id = 3 AND q.id = 1 RETURNING p.doc = q.doc;
INSERT INTO person SELECT id + 10, doc, n FROM person WHERE id = 1 RETURNING doc->'roles'->5;
INSERT INTO person VALUES (1, '{"b": 2}') ON CONFLICT (id) DO UPDATE SET doc = person.doc || excluded.doc RETURNING doc->'b', doc->'roles'->5;
MERGE INTO person p USING (VALUES (1, 'M'), (99, 'N')) v (id, name) ON p.id = v.id AND p.doc->'roles'->0->>'title' = 'T0'
WHEN MATCHED THEN UPDATE SET doc = jsonb_set(p.doc, '{roles,0,title}', to_jsonb(v.name))
WHEN NOT MATCHED THEN INSERT (id, doc) VALUES (v.id, jsonb_build_object('name', v.name));
SELECT id, doc->'roles'->0 AS role, doc->'name' AS name FROM person ORDER BY id;
INSERT INTO person VALUES (1) ON CONFLICT (id) DO UPDATE SET doc = jsonb_set(person.doc, '{b}', person.doc->'roles'->1) RETURNING doc->'b';
MERGE INTO person p USING (VALUES (1), (2)) v (id) ON p.id = v.id
WHEN MATCHED THEN UPDATE SET doc = jsonb_set(p.doc, '{c}', to_jsonb(jsonb_array_length(p.doc->'roles')));
UPDATE person p SET doc = jsonb_set(p.doc, '{c}', q.doc->'c') FROM person q WHERE p.id = 1 AND q.id = 2 RETURNING p.doc->'c', q.doc->'c';
-- RETURNING reads the document after its row's key changed, but does not read another row's document.
UPDATE person SET id = id + 100, doc = doc - 'b' WHERE id = 1 RETURNING id, doc->'roles'->1, length(doc::text) > 9000;
UPDATE person SET id = id - 100 WHERE id = 101 RETURNING doc->'c';
/* pgtoaster */ SELECT doc->'$pgtoaster' AS header FROM person WHERE id = 1 \gset
\set VERBOSITY sqlstate
UPDATE person SET doc = jsonb_build_object('$pgtoaster', :'header'::jsonb) WHERE id = 3 RETURNING doc->'c';
\set VERBOSITY default
-- A value with the reserved key that is not a split document is an error, whatever else is in it.
UPDATE person SET doc = '{"$pgtoaster": "x", "c": {"$pgtoaster": "y"}}' WHERE id = 3 RETURNING doc->'c'->'d';
UPDATE person SET doc = '{"$pgtoaster": "x", "c": [{"$pgtoaster": 1}]}' WHERE id = 3 RETURNING doc->'c';
UPDATE person SET doc = '{"$pgtoaster": "x", "c": [{"$pgtoaster": 1}]}' WHERE id = 3 RETURNING doc;
DELETE FROM person WHERE id > 3 RETURNING id, doc->'roles'->0;
SELECT doc->'roles'->1 FROM person WHERE id = 1 FOR UPDATE;
BEGIN;
DECLARE each CURSOR FOR SELECT doc->'roles'->1 AS role FROM person ORDER BY id;
FETCH 1 FROM each;
UPDATE person SET doc = jsonb_set(doc, '{roles,1}', '0');
FETCH 1 FROM each;
ROLLBACK;

-- If triggers do not fire, the whole document is written.
BEGIN;
SET LOCAL session_replication_role = replica;
UPDATE person SET doc = jsonb_set(doc, '{roles,1}', '1') WHERE id = 1;
/* pgtoaster */ SELECT doc ? '$pgtoaster' AS split, doc->'roles'->1 AS role FROM person WHERE id = 1;
ROLLBACK;

-- Not rewritten: COPY of a table, the library's functions, and statements with the comment.
COPY (SELECT length(doc::text) > 9000 FROM person WHERE id = 1) TO STDOUT;
CREATE TABLE stored (line text);
COPY person TO '/dev/null';
SELECT pgtoaster.get(doc, '{roles,1}') = doc->'roles'->1 AS same, pgtoaster.expand(doc) = doc AS whole, doc ? '$pgtoaster' AS split FROM person WHERE id = 1;
/* pgtoaster */ SELECT doc->'$pgtoaster' IS NOT NULL AS split FROM person WHERE id = 1;

-- Reads require privileges on the column only, not on the store's tables. Users cannot create an origin.
CREATE ROLE transparent_reader;
GRANT USAGE ON SCHEMA transparent TO transparent_reader;
GRANT SELECT (doc) ON person TO transparent_reader;
CREATE ROLE transparent_viewer;
GRANT USAGE ON SCHEMA transparent TO transparent_viewer;
GRANT SELECT ON people TO transparent_viewer;
SET ROLE transparent_reader;
SELECT count(doc->'roles'->1) FROM person;
SELECT count(doc->'roles'->1) FROM people;
SET ROLE transparent_viewer;
SELECT count(doc->'roles'->1) FROM people;
SELECT count(doc->'roles'->1) FROM person;
SELECT toaster.document_whole('person.doc', '{"$pgtoaster": [1]}', 1);
SELECT toaster.document_whole(281474976710656::bigint::toaster.origin, '{"$pgtoaster": [1]}', 1);
RESET ROLE;

-- Row security, partitions, keys of several columns.
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON person USING (id % 2 = 1);
SET ROLE transparent_reader;
SELECT count(*), bool_and(doc ? 'roles') FROM person WHERE doc->'roles'->1 IS NOT NULL;
RESET ROLE;
CREATE TABLE part (region text, number integer, doc jsonb, PRIMARY KEY (region, number)) PARTITION BY LIST (region);
CREATE TABLE part_north (doc jsonb, more text, number integer NOT NULL, region text NOT NULL);
ALTER TABLE part_north DROP COLUMN more;
ALTER TABLE part ATTACH PARTITION part_north FOR VALUES IN ('north');
SELECT pgtoaster.attach('part', 'doc', 'keyed', '{"row_budget": 256, "leaf_size": 512}') > 0 AS attached;
INSERT INTO part SELECT 'north', id, doc FROM person WHERE id = 1;
SELECT toaster.json_shrink('part', 'doc', ROW('north', 1)) > 0 AS split;
SELECT doc->'roles'->7 FROM part UNION ALL SELECT doc->'roles'->7 FROM part_north;
EXPLAIN (VERBOSE, COSTS OFF) SELECT doc->'roles'->7 FROM part_north;
UPDATE part_north SET doc = jsonb_set(doc, '{roles,7}', '7') RETURNING doc->'roles'->7;
UPDATE part SET doc = doc - '{roles}'::text[] RETURNING doc;

-- Blobs as bytea: a statement for the length or a part reads only that, also through a view.
CREATE TABLE recording (id bigint PRIMARY KEY);
SELECT pgtoaster.attach('recording', 'audio') > 0 AS attached;
INSERT INTO recording VALUES (1), (2);
SELECT * FROM toaster.blob_append('recording', 'audio', 1, convert_to(repeat('0123456789', 100000), 'UTF8'));
SELECT pgtoaster.create_view('recording', 'recordings');
EXPLAIN (VERBOSE, COSTS OFF) SELECT octet_length(audio), substring(audio FROM 8 FOR 6) FROM recordings WHERE length(audio) > 3;
SELECT octet_length(audio), substring(audio FROM 8 FOR 6), md5(audio) FROM recordings WHERE length(audio) > 3;
SELECT length(pgtoaster.bytes(audio)), substr(pgtoaster.bytes(audio), 999999), substring(pgtoaster.bytes(audio) FROM 0 FOR 3) FROM recording ORDER BY id;
SELECT substring(audio FROM 8 FOR -6) FROM recordings;
INSERT INTO recordings VALUES (3, 'three'), (4, NULL);
UPDATE recordings SET audio = audio || ' and more' WHERE id >= 3 RETURNING id, convert_from(audio, 'UTF8');
UPDATE recordings SET audio = convert_to('fourth', 'UTF8'), id = 5 WHERE id = 4;
UPDATE recordings SET audio = overlay(audio PLACING 'T' FROM 1) WHERE id = 3;
UPDATE recordings SET audio = NULL WHERE id = 1;
DELETE FROM recordings WHERE id = 2;
SELECT id, convert_from(audio, 'UTF8') FROM recordings ORDER BY id;
CREATE VIEW strange AS SELECT id, pgtoaster.bytes(audio) AS audio, 1 AS other FROM recording;
CREATE TRIGGER write INSTEAD OF UPDATE ON strange FOR EACH ROW EXECUTE FUNCTION pgtoaster.write_view();
UPDATE strange SET audio = 'x';
-- A view of whole documents reads only the requested paths and uses the indexes.
SELECT pgtoaster.create_view('person');
EXPLAIN (VERBOSE, COSTS OFF) SELECT doc->'roles'->3->>'title', doc->'missing' FROM person_view WHERE doc->>'status' = 'new';
SELECT doc->'roles'->3->>'title' AS title, jsonb_array_length(doc->'roles') FROM person_view WHERE id = 1;
UPDATE person_view SET doc = jsonb_set(doc, '{roles,3,title}', '"through a view"') WHERE id = 1 RETURNING doc->'roles'->3->>'title' AS title;
SELECT doc->'roles'->3->>'title' AS title, pgtoaster.stored(doc) ? '$pgtoaster' AS split FROM person WHERE id = 1;
SELECT length(x), substring(x FROM 2 FOR 1) FROM (SELECT '\x010203'::bytea AS x FROM recording OFFSET 0) s;

-- The planner keeps calls of the extension's functions that it cannot have created.
SET plan_cache_mode = force_generic_plan;
PREPARE by_path(text[]) AS SELECT toaster.value_get('{"a": {"1": 5}}', $1, 'kk');
EXECUTE by_path('{a,1}');
EXECUTE by_path('{a}');
SELECT toaster.value_get('[7]', '{x}', 'i'), toaster.value_get('[7]', '{99999999999}', 'i');
PREPARE by_step(text) AS SELECT toaster.value_get('{"a": [7]}', ARRAY['a', $1], 'ki'), toaster.value_get('{"a": [7]}', ARRAY['a', $1], 'kik'),
  toaster.value_get('{"a": [7]}', ARRAY['a', $1], 'k'), toaster.value_get('[7]', ARRAY[now()::text], 'i'),
  toaster.value_get('[7]', ARRAY[ARRAY[$1]], 'k');
EXECUTE by_step('0');
PREPARE by_origin(toaster.origin) AS SELECT toaster.value_get(toaster.document_whole($1, doc, id), '{status}', 'k') FROM person
WHERE toaster.document_contains($1, doc, '{}', '', '{"a": 1}', id);
EXECUTE by_origin(NULL);
RESET plan_cache_mode;

-- A schema with the extension's name is not the extension.
BEGIN;
DROP EXTENSION pgtoaster;
CREATE SCHEMA toaster;
CREATE DOMAIN toaster.origin AS bigint;
SELECT doc FROM person;
ROLLBACK;
DROP SCHEMA transparent CASCADE;
DROP ROLE transparent_reader, transparent_viewer;
