-- Plain SQL on split documents finds rows by a containment index.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA searching;
SET search_path = searching;
\set SHOW_CONTEXT never
CREATE TABLE product (id bigint PRIMARY KEY, doc jsonb, n integer);
SELECT pgtoaster.attach('product', 'doc', 'keyed', '{"row_budget": 256, "leaf_size": 512, "fan_out": 4}') AS store \gset
CREATE VIEW documents AS SELECT id, doc FROM product;
INSERT INTO product SELECT i, jsonb_build_object('brand', 'B' || i % 3, 'even', i % 2 = 0, 'variants', (
  SELECT jsonb_agg(jsonb_build_object('sku', 'S' || i || '-' || k, 'sizes', jsonb_build_array(k, k + 0.5), 'text', repeat('t', 40)))
  FROM generate_series(1, 60) k), 'text', jsonb_build_object('a"b\', 'T' || i, '$pgtoaster', i, 'pad', repeat('p', 600))), i
FROM generate_series(1, 40) i;
SELECT bool_and(toaster.json_shrink('product', 'doc', id) > 0) AS split FROM product WHERE id % 5 > 0;
INSERT INTO product VALUES (101, '["S1", {"sku": "S2-2"}]', 1), (102, '"S1"', 2), (103, NULL, 3), (104, '{"variants": [{"sku": "S2-2"}]}', 4), (105, '{}', 5),
  (106, '{"list": {"a": [7]}, "variants": "S1"}', 6), (107, '{"list": {"a": 7}, "nested": [["N1"]], "text": [8, {"sku": "S2-2"}]}', 7);
-- All documents, split and plain, as plain ones.
CREATE TABLE plain AS SELECT id, pgtoaster.expand(doc) AS doc FROM product;
SET pgtoaster.transparent = on;
SET enable_seqscan = off;
SET jit = off;

-- Whether the plan of a statement uses the index.
CREATE FUNCTION finds(statement text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN ' || statement LOOP
    IF line LIKE '%Index Cond: %toaster.document_candidates(%' THEN RETURN true; END IF;
  END LOOP;
  RETURN false;
END $$;

-- There is no index yet.
SELECT finds('SELECT id FROM product WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
PREPARE find AS SELECT id FROM product WHERE doc @> $1 ORDER BY id;
SET plan_cache_mode = force_generic_plan;
EXECUTE find('{"variants": [{"sku": "S2-2"}]}');
SELECT pgtoaster.create_index('product', 'doc', 'containment');

-- The plan of a prepared statement changes with each index, and searches for other values.
EXPLAIN (COSTS OFF) EXECUTE find('{}');
EXECUTE find('{"variants": [{"sku": "S2-2"}]}');
EXECUTE find('{"variants": [{"sku": "S3-60", "sizes": [60, 60.50]}]}');
EXECUTE find('{"variants": [{"sku": "S3-60", "sizes": [60, 61.50]}]}');
EXECUTE find(NULL);
RESET plan_cache_mode;
EXPLAIN (VERBOSE, COSTS OFF) SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' AND n < 50;
EXPLAIN (COSTS OFF) SELECT id FROM product WHERE '{"variants": [{"sku": "S2-2"}]}' <@ doc OR id = 103;
SELECT id FROM product WHERE '{"variants": [{"sku": "S2-2"}]}' <@ doc OR id = 103 ORDER BY id;
-- Through views and subqueries.
SELECT finds('SELECT id FROM documents WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT finds('SELECT id FROM (SELECT * FROM documents WHERE id > 0) s WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT id FROM documents WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY id;
SELECT p.id FROM product p JOIN (SELECT id, '{"sku": "S2-2"}'::jsonb AS doc FROM product) s ON s.doc <@ p.doc AND s.doc @> '{"sku": "S2-2"}' AND s.id = p.id;
SELECT bool_or(s.doc @> '{"variants": [{"sku": "S2-2"}]}') FROM (SELECT doc FROM product OFFSET 0) s;
-- At a path of keys. The step of a path text[] may be a position.
SELECT finds($$SELECT id FROM product WHERE doc->'variants' @> '[{"sku": "S2-2"}]'$$);
SELECT finds($$SELECT id FROM product WHERE doc #> '{variants}' @> '[{"sku": "S2-2"}]'$$);
SELECT finds($$SELECT id FROM product WHERE doc #> '{variants,1}' @> '{"sku": "S2-2"}'$$);
SELECT finds($$SELECT id FROM product WHERE doc->'variants'->1 @> '{"sku": "S2-2"}'$$);
SELECT id FROM product WHERE doc->'variants' @> '[{"sku": "S2-2"}]' ORDER BY id;
SELECT id FROM product WHERE doc->'variants'->1 @> '{"sku": "S2-2"}' ORDER BY id;
-- For each row of another table, and on the nullable side of a join.
EXPLAIN (COSTS OFF) SELECT v.v, p.id FROM (VALUES ('S2-2'), ('S7-7'), ('S0')) v(v) LEFT JOIN product p
ON p.doc @> jsonb_build_object('variants', jsonb_build_array(jsonb_build_object('sku', v.v))) ORDER BY v.v, p.id;
SELECT v.v, p.id FROM (VALUES ('S2-2'), ('S7-7'), ('S0')) v(v) LEFT JOIN product p
ON p.doc @> jsonb_build_object('variants', jsonb_build_array(jsonb_build_object('sku', v.v))) ORDER BY v.v, p.id;
-- Not if the condition is negated, or all rows may match.
SELECT finds('SELECT id FROM product WHERE NOT doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT finds('SELECT id FROM product WHERE doc @> ''{}''');
SELECT finds('SELECT id FROM product WHERE doc @> NULL');

-- The same rows as plain documents.
CREATE TABLE probe (probe jsonb);
INSERT INTO probe VALUES ('{}'), ('[]'), ('null'), ('"S1"'), ('["S1"]'), ('[{"sku": "S2-2"}]'), ('"T1"'), ('{"brand": "B1"}'), ('{"brand": "B1", "even": true}'),
  ('{"variants": [{"sku": "S4-4"}]}'), ('{"variants": [{"sku": "S5-5"}]}'), ('{"variants": [{"sku": "S4-4"}, {"sku": "S4-60"}]}'), ('{"variants": {"sku": "S4-4"}}'),
  ('{"variants": [{"sku": "S4-4"}, {"sku": "S5-5"}]}'), ('{"variants": [{"sizes": [60.5]}]}'), ('{"variants": [{"sizes": [60, 60.5, 60]}]}'), ('{"variants": [{}]}'),
  ('{"text": {"a\"b\\": "T7"}}'), ('{"text": {"$pgtoaster": 7}}'), ('{"text": {"$pgtoaster": 7, "a\"b\\": "T7"}}'), ('{"text": {"$pgtoaster": 7, "a\"b\\": "T8"}}'),
  (jsonb_build_object('text', jsonb_build_object('pad', repeat('p', 600)))), (jsonb_build_object('text', repeat('p', 8000))), ('{"a": [[[[1]]]]}'), ('7'), ('8'), ('{"$pgtoaster": 7}'), ('{"a\"b\\": "T7"}'), ('[7]');
CREATE FUNCTION differing() RETURNS SETOF jsonb LANGUAGE sql SET pgtoaster.transparent = on BEGIN ATOMIC
  SELECT p.probe FROM probe p
  WHERE ARRAY(SELECT o.id FROM product o WHERE o.doc @> p.probe ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc @> p.probe ORDER BY o.id)
    OR ARRAY(SELECT o.id FROM product o WHERE o.doc->'variants' @> p.probe ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc->'variants' @> p.probe ORDER BY o.id)
    OR ARRAY(SELECT o.id FROM product o WHERE o.doc->'text' @> p.probe ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc->'text' @> p.probe ORDER BY o.id)
    OR ARRAY(SELECT o.id FROM product o WHERE o.doc #> '{list,a}' @> p.probe ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc #> '{list,a}' @> p.probe ORDER BY o.id);
END;
SELECT finds('SELECT p.probe, ARRAY(SELECT o.id FROM product o WHERE o.doc @> p.probe) FROM probe p');
SELECT * FROM differing();

-- The same for jsonpath, of which some have no scalar that an index finds.
CREATE TABLE condition (path jsonpath, operator text, indexed boolean);
INSERT INTO condition SELECT p, '@?', true FROM (VALUES
  (jsonpath '$.variants[*] ? (@.sku == "S2-2")'), ('$.variants ? (@.sku == "S2-2")'), ('$.variants.sku ? ("S2-2" == @)'),
  ('strict $.variants[*] ? (@.sku == "S2-2")'), ('$.variants[1] ? (@.sku == "S2-2").sizes[*] ? (@ == 2.50)'), ('$.variants[0] ? (@.sku == "S2-2")'),
  ('$.variants[last] ? (@.sku == "S2-60" && $.brand == "B2")'), ('$.variants[*] ? (@.sku == "S2-2" || @.sku == "S4-60")'),
  ('$.variants[*] ? ((@.sku == "S2-2" || $.brand == "B1") && @.sizes[*] == 60.5)'), ('$ ? (exists(@.variants[*] ? (@.sku == "S2-2")))'),
  ('$.text ? (@."a\"b\\" == "T7")'), ('$ ? (@.text.pad == "p")'), ('$[*] ? (@ == "S1")'), ('$[*] ? (@.sku == "S2-2")'), ('$ ? (@ == "S1")'),
  ('$.list.a[*] ? (@ == 7)'), ('$.text[*] ? (@ == 8).double()'), ('$.variants[*].sizes[*] ? (@ == -1)'),
  ('$.variants[*] ? (@.sku == "S2-2").sizes.size() ? (@ == 2)'), ('$.none[*] ? (@ == null)'), ('$.variants[*][*].sku[*] ? (@ == "S2-2")'),
  ('$.even ? (@ == true)'), ('$.nested ? (@ == "N1")')) v(p);
INSERT INTO condition SELECT p, '@?', false FROM (VALUES
  (jsonpath '$.variants[*] ? (@.sku != "S2-2")'), ('$.variants[*] ? (!(@.sku == "S2-2"))'),
  ('$.variants[*] ? (@.sku == "S2-2" || @.sizes[0] < 2)'), ('$.variants[*] ? ((@.sku == "S2-2") is unknown)'), ('$.**.sku ? (@ == "S2-2")'),
  ('$.*[*] ? (@.sku == "S2-2")'), ('$.variants[*] ? (@.sku starts with "S2-2")'), ('$.variants[*] ? (@.sku like_regex "^S2-2")'),
  ('$.text."$pgtoaster" ? (@ == 7)'), ('$.variants.size() ? (@ == 60)'), ('$.variants.sku == "S2-2"'), ('$')) v(p);
INSERT INTO condition SELECT p, '@@', false FROM (VALUES
  (jsonpath '$.variants[*] ? (@.sku == "S2-2")'), ('!($.variants[*].sku == "S2-2")'), ('($.variants[*].sku == "S2-2") is unknown'),
  ('$.variants[*].sku == $.variants[1].sku'), ('$.variants[*].sku > "S2-2"'), ('1 == 1'), ('-$.list.a == 7'), ('$.list.a + 1 == 8')) v(p);
INSERT INTO condition SELECT p, '@@', true FROM (VALUES
  (jsonpath '$.variants[*].sku == "S2-2"'), ('"S2-2" == $.variants.sku'), ('$.variants[*].sku == "S2-2" && $.brand == "B2"'),
  ('$[*].sku == "S2-2" || $.variants == "S1"'), ('exists($.variants[*] ? (@.sku == "S2-2"))'), ('strict $.variants[*].sku == "S2-2"'), ('$ == "S1"'),
  ('$.list.a == 7'), ('$.list.a == 7e0'), ('$.list.a == -7')) v(p);
SELECT * FROM condition WHERE finds(format('SELECT id FROM product WHERE doc %s %L', operator, path)) <> indexed;
CREATE FUNCTION unequal() RETURNS SETOF text LANGUAGE sql SET pgtoaster.transparent = on BEGIN ATOMIC
  SELECT c.operator || ' ' || c.path::text FROM condition c WHERE c.operator = '@?' AND (
    ARRAY(SELECT o.id FROM product o WHERE o.doc @? c.path ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc @? c.path ORDER BY o.id)
    OR ARRAY(SELECT o.id FROM product o WHERE o.doc->'variants' @? c.path ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc->'variants' @? c.path ORDER BY o.id))
  UNION ALL SELECT c.operator || ' ' || c.path::text FROM condition c WHERE c.operator = '@@' AND (
    ARRAY(SELECT o.id FROM product o WHERE o.doc @@ c.path ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc @@ c.path ORDER BY o.id)
    OR ARRAY(SELECT o.id FROM product o WHERE o.doc->'text' @@ c.path ORDER BY o.id) <> ARRAY(SELECT o.id FROM plain o WHERE o.doc->'text' @@ c.path ORDER BY o.id));
END;
SELECT * FROM unequal();
EXPLAIN (COSTS OFF) SELECT id FROM product WHERE doc @? '$.variants[*] ? (@.sku == "S2-2")';
SELECT id FROM product WHERE doc @? '$.variants[*] ? (@.sku == "S2-2")' ORDER BY id;
EXPLAIN (COSTS OFF) SELECT id FROM product WHERE doc->'variants' @@ '$.sku == "S2-2"';
SELECT id FROM product WHERE doc->'variants' @@ '$.sku == "S2-2"' ORDER BY id;
SELECT finds($$SELECT id FROM documents WHERE doc @? '$.variants[*] ? (@.sku == "S2-2")'$$);
SELECT id FROM (SELECT * FROM documents WHERE id > 0) s WHERE doc @@ '$.variants[*].sku == "S2-2"' ORDER BY id;
SELECT bool_or(s.doc @? '$.variants[*] ? (@.sku == "S2-2")') FROM (SELECT doc FROM product OFFSET 0) s;
PREPARE match(jsonpath) AS SELECT id FROM product WHERE doc @@ $1 ORDER BY id;
SET plan_cache_mode = force_generic_plan;
SELECT finds('EXECUTE match(''$'')');
EXECUTE match('$.variants.sku == "S2-2"');
EXECUTE match('$.variants.sku starts with "S2-1"');
EXECUTE match(NULL);
RESET plan_cache_mode;

-- Changes of the same transaction, also of members out of line.
BEGIN;
UPDATE product SET doc = jsonb_set(doc, '{variants,3,sku}', '"S4-4"') WHERE doc @> '{"variants": [{"sku": "S7-7"}]}' RETURNING id;
UPDATE plain SET doc = jsonb_set(doc, '{variants,3,sku}', '"S4-4"') WHERE id = 7;
DELETE FROM product WHERE doc @> '{"variants": [{"sku": "S8-8"}]}' RETURNING id;
DELETE FROM plain WHERE id = 8;
UPDATE product SET id = 200 WHERE doc @> '{"variants": [{"sku": "S9-9"}]}' RETURNING id;
UPDATE plain SET id = 200 WHERE id = 9;
INSERT INTO product VALUES (9, '{"variants": [{"sku": "S4-4"}]}');
INSERT INTO plain VALUES (9, '{"variants": [{"sku": "S4-4"}]}');
SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S4-4"}]}' ORDER BY id;
SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S9-9"}]}' FOR UPDATE;
INSERT INTO probe VALUES ('{"variants": [{"sku": "S7-4"}]}'), ('{"variants": [{"sku": "S7-7"}]}'), ('{"variants": [{"sku": "S8-8"}]}'), ('{"variants": [{"sku": "S9-9"}]}');
SELECT * FROM differing();
SELECT * FROM unequal();
ROLLBACK;
SELECT * FROM differing();
-- A cursor keeps its snapshot.
BEGIN;
DECLARE c CURSOR FOR SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S4-4"}]}';
UPDATE product SET doc = '{}' WHERE id = 4;
FETCH ALL FROM c;
ROLLBACK;
-- So little memory that only pages are remembered.
SET work_mem = 64;
SELECT * FROM differing();
RESET work_mem;

-- No parallel index scan: its workers could find different candidates.
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_index_scan_size = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM product WHERE doc->'text' @> '{"$pgtoaster": 7}' AND id > 0;
EXPLAIN (COSTS OFF) SELECT id FROM product WHERE doc->'variants' @> '[{"sku": "S2-2"}]' AND id > 0;
SELECT count(*) FROM product WHERE doc->'variants' @> '[{"sku": "S2-2"}]' AND id > 0;
ROLLBACK;

-- With row security, a search reads all rows that the role may see. Nobody can call the function.
CREATE ROLE regress_pgt_searcher;
GRANT USAGE ON SCHEMA searching TO regress_pgt_searcher;
GRANT SELECT ON product, documents TO regress_pgt_searcher;
CREATE POLICY visible ON product TO regress_pgt_searcher USING (n <> 2);
ALTER TABLE product ENABLE ROW LEVEL SECURITY;
SET ROLE regress_pgt_searcher;
SELECT finds('SELECT id FROM product WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY id;
SELECT toaster.document_candidates('product.doc'::toaster.origin, 'product'::regclass, '{}', '@>', '{}'::jsonb, NULL::bigint);
SELECT toaster.document_candidates(NULL, 'product'::regclass, '{}', '@>', '{}'::jsonb, NULL::bigint);
RESET ROLE;
ALTER TABLE product DISABLE ROW LEVEL SECURITY;
SET ROLE regress_pgt_searcher;
-- Without policies, a role that may read the column uses the index, without rights on the store.
SELECT finds('SELECT id FROM product WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY id;
RESET ROLE;
REVOKE SELECT ON product FROM regress_pgt_searcher;
SET ROLE regress_pgt_searcher;
SELECT id FROM product WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY id;
RESET ROLE;

-- Without an index of the nodes, plans read all rows again.
SET plan_cache_mode = force_generic_plan;
SELECT finds('EXECUTE find(NULL)');
SELECT pgtoaster.store_table(:store, 'node_containment') AS node_index \gset
DROP INDEX :node_index;
SELECT finds('EXECUTE find(NULL)');
EXECUTE find('{"variants": [{"sku": "S2-2"}]}');
SELECT pgtoaster.create_index('product', 'doc', 'containment');
SELECT finds('EXECUTE find(NULL)');
SELECT pgtoaster.drop_index('product', 'doc', 'containment');
SELECT finds('EXECUTE find(NULL)');
RESET plan_cache_mode;

-- Keys of other types, partitions, and composite keys, of which only the last column has a condition.
CREATE TABLE named (id varchar(20) COLLATE "C" PRIMARY KEY, doc jsonb);
CREATE TABLE parted (id uuid PRIMARY KEY, doc jsonb) PARTITION BY HASH (id);
CREATE TABLE parted_0 (doc jsonb, id uuid NOT NULL);
ALTER TABLE parted ATTACH PARTITION parted_0 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE paired (a integer, b integer, doc jsonb, PRIMARY KEY (a, b));
CREATE TABLE led (doc jsonb, gone text, a integer, b text, c integer, PRIMARY KEY (a, b, c));
ALTER TABLE led DROP COLUMN gone;
SELECT pgtoaster.attach('led', 'doc', 'keyed', '{"row_budget": 256, "leading_key": "b"}') > 0 AS attached;
SELECT pgtoaster.create_index('led', 'doc', 'containment');
SELECT pgtoaster.attach(t.t::regclass, 'doc', 'keyed', '{"row_budget": 256}') > 0 AS attached FROM unnest('{named,parted,paired}'::text[]) t(t);
SELECT pgtoaster.create_index(t.t::regclass, 'doc', 'containment') FROM unnest('{named,parted,paired}'::text[]) t(t);
INSERT INTO named SELECT 'key ' || id, doc FROM product WHERE id < 20;
INSERT INTO parted SELECT md5(id::text)::uuid, doc FROM product WHERE id < 20;
INSERT INTO paired SELECT id, id, doc FROM product WHERE id < 20;
INSERT INTO led SELECT doc, id % 2, 'b', id + 7 FROM product WHERE id < 20 OR id = 104;
SELECT count(toaster.json_shrink('named', 'doc', id)) FROM named;
SELECT count(toaster.json_shrink('parted', 'doc', id)) FROM parted;
SELECT count(toaster.json_shrink('paired', 'doc', ROW(a, b))) FROM paired;
SELECT count(toaster.json_shrink('led', 'doc', ROW(a, b, c))) FROM led;
EXPLAIN (COSTS OFF) SELECT id FROM named WHERE doc @> '{"variants": [{"sku": "S2-2"}]}';
SELECT id FROM named WHERE doc @> '{"variants": [{"sku": "S2-2"}]}';
EXPLAIN (COSTS OFF) SELECT id FROM parted WHERE doc @> '{"variants": [{"sku": "S2-2"}]}';
SELECT id FROM parted WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' OR doc @> '{"variants": [{"sku": "S3-2"}]}' ORDER BY id;
SELECT finds('SELECT a, b FROM paired WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT a, b FROM paired WHERE doc @> '{"variants": [{"sku": "S2-2"}]}';
EXPLAIN (COSTS OFF) SELECT c FROM led WHERE a = 0 AND b = 'b' AND doc @> '{"variants": [{"sku": "S2-2"}]}';
SELECT a, c FROM led WHERE a = 0 AND b = 'b' AND doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY c;
SELECT a, c FROM led WHERE a = 1 AND b = 'b' AND doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY c;
SELECT finds('SELECT c FROM led WHERE doc @> ''{"variants": [{"sku": "S2-2"}]}''');
SELECT a, c FROM led WHERE doc @> '{"variants": [{"sku": "S2-2"}]}' ORDER BY c;
BEGIN;
SELECT a, c FROM led WHERE a = 0 AND b = 'b' AND doc @> '{"variants": [{"sku": "S2-2"}]}' FOR UPDATE;
UPDATE led SET doc = jsonb_set(doc, '{variants,3,sku}', '"S4-4"') WHERE a = 0 AND b = 'b' AND doc @> '{"variants": [{"sku": "S2-2"}]}' RETURNING c;
SELECT c FROM led WHERE a = 0 AND b = 'b' AND doc @> '{"variants": [{"sku": "S2-2"}, {"sku": "S4-4"}]}';
ROLLBACK;
RESET enable_seqscan;
-- Few rows have one of two values. A search for a value that all rows have reads the table.
INSERT INTO product SELECT i, jsonb_build_object('kind', 'x', 'nr', i) FROM generate_series(1000, 3000) i;
SELECT pgtoaster.create_index('product', 'doc', 'containment');
ANALYZE product;
SELECT finds('SELECT id FROM product WHERE doc @> ''{"kind": "x", "nr": 1500}''');
SELECT id FROM product WHERE doc @> '{"kind": "x", "nr": 1500}';
SELECT finds('SELECT id FROM product WHERE doc @> ''{"kind": "x"}''');
SELECT count(*) FROM product WHERE doc @> '{"kind": "x"}';

SET client_min_messages = warning;
DROP OWNED BY regress_pgt_searcher;
DROP ROLE regress_pgt_searcher;
SELECT pgtoaster.detach(t.t::regclass, 'doc') FROM unnest('{product,named,parted,paired,led}'::text[]) t(t);
DROP SCHEMA searching CASCADE;
