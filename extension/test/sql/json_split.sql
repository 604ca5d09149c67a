-- Splitting moves members out of the row and fills leaves; the expanded document is the same as before.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA json_split;
SET search_path = json_split;
CREATE TABLE doc (id bigint PRIMARY KEY, body jsonb, original jsonb);
ALTER TABLE doc ALTER original SET STORAGE EXTERNAL;
SELECT pgtoaster.attach('doc', 'body', 'keyed', '{"leaf_size": 512, "fan_out": 4, "row_budget": 256}') AS store \gset
SELECT format('pgtoaster.store_%s_head', :store) AS head, format('pgtoaster.store_%s_node', :store) AS node \gset

-- Documents of different shapes.
INSERT INTO doc (id, original) VALUES
  (1, '{}'), (2, '[]'), (3, '"short"'), (4, 'null'),
  (5, to_jsonb(repeat('long string with "quotes", \ and ', 400))),
  (6, (SELECT jsonb_agg(jsonb_build_object('n', i, 'price', (i * 1.5)::numeric(8, 2))) FROM generate_series(1, 1000) i)),
  (7, (SELECT jsonb_object_agg('key' || i, repeat('v', i % 50)) FROM generate_series(1, 1000) i)),
  (8, (SELECT jsonb_object_agg(repeat(chr(96 + i % 26), i % 60) || i, i) FROM generate_series(1, 300) i) || '{"$pgtoaster": {"$$pgtoaster": 1}}'),
  (9, jsonb_build_object('a', jsonb_build_object('b', jsonb_build_object('c', (SELECT jsonb_agg(to_jsonb(repeat('deep', i))) FROM generate_series(1, 200) i))))),
  (10, (SELECT jsonb_agg(jsonb_build_array(i, jsonb_build_array())) FROM generate_series(1, 20) i)),
  (11, jsonb_build_object('number', (repeat('7', 3000) || '.' || repeat('3', 50))::numeric, 'true', true, 'null', NULL, 'empty', '')),
  (12, (SELECT jsonb_object_agg(repeat('same beginning ', 40) || i, i) FROM generate_series(1, 40) i)),
  (13, to_jsonb(repeat('äß😀', 1500)));
UPDATE doc SET body = original WHERE id NOT IN (8);
INSERT INTO doc SELECT 80, '{}', original FROM doc WHERE id = 8;
-- Only the extension and the library can store the reserved key at the root.
SELECT toaster.json_append('doc', 'body', 80, '{}', original) FROM doc WHERE id = 80;
DELETE FROM doc WHERE id = 8;
SELECT id, toaster.json_shrink('doc', 'body', id) > 0 AS rewritten, toaster.json_shrink('doc', 'body', id) AS again,
       toaster.json_expand('doc', 'body', id)::text = original::text AS same FROM doc ORDER BY id;
-- Small documents are plain; the others are stubs with members, with an overflow branch, or with only that branch.
SELECT id, body ? '$pgtoaster' AS split, jsonb_array_length(body->'$pgtoaster') = 2 AS rest, body - '$pgtoaster' = '{}' AS bare
FROM doc WHERE jsonb_typeof(body) = 'object' ORDER BY id;
-- Leaves, pieces of strings and inner nodes stay within their limits; roots and counts are consistent. Only keys with the same
-- length and the same first 512 bytes are indistinguishable, so they stay in one leaf.
SELECT max(bytes) FILTER (WHERE kind IN ('a', 'o') AND NOT coalesce(value::text LIKE '{"same beginning%', false)) <= 768 AS leaves, max(bytes) FILTER (WHERE kind = 's') BETWEEN 2048 AND 8192 AS pieces, max(cardinality(kids)) FILTER (WHERE value IS NULL) <= 4 AS fan_out,
       bool_and(starts[1] = 0 AND cardinality(starts) = cardinality(kids) + 1) FILTER (WHERE kind = 'a' AND value IS NULL) AS starts,
       bool_and(lows[1] = '' AND cardinality(lows) = cardinality(kids)) FILTER (WHERE kind = 'o' AND value IS NULL) AS lows
FROM :node;
SELECT count(*) AS named_by_nothing FROM :node n WHERE NOT EXISTS (
  SELECT FROM :node p WHERE p.doc = n.doc AND n.id = ANY (p.kids))
  AND NOT EXISTS (SELECT FROM doc d WHERE (d.body->'$pgtoaster'->>0)::bigint = n.doc AND strpos(d.body::text, n.id::text) > 0);
-- Inserting an element at the front does not change all leaves after it: the content determines where leaves end.
SELECT count(*) AS before FROM :node n JOIN doc d ON n.doc = (d.body->'$pgtoaster'->>0)::bigint WHERE d.id = 6 \gset
UPDATE doc SET original = jsonb_insert(original, '{0}', '"new"') WHERE id = 6;
SELECT toaster.json_insert('doc', 'body', 6, '{0}', '"new"');
SELECT toaster.json_shrink('doc', 'body', 6) BETWEEN 0 AND 12 AS few;
SELECT toaster.json_expand('doc', 'body', 6)::text = original::text AS same FROM doc WHERE id = 6;

-- Growing leaves are split and shrinking leaves are merged: here from many elements to few, at random positions.
SELECT setseed(0.5) IS NOT NULL AS seeded;
DO $$
DECLARE
  place int;
  size int := 500;
BEGIN
  UPDATE json_split.doc SET original = body, body = NULL WHERE id = 10;
  UPDATE json_split.doc SET body = (SELECT jsonb_agg(i) FROM generate_series(1, 500) i), original = (SELECT jsonb_agg(i) FROM generate_series(1, 500) i) WHERE id = 10;
  PERFORM toaster.json_shrink('json_split.doc', 'body', 10);
  FOR i IN 1..700 LOOP
    place := floor(random() * size);
    IF i % 3 = 0 AND i < 300 THEN
      PERFORM toaster.json_insert('json_split.doc', 'body', 10, ARRAY[place::text], to_jsonb('inserted ' || i));
      UPDATE json_split.doc SET original = jsonb_insert(original, ARRAY[place::text], to_jsonb('inserted ' || i)) WHERE id = 10;
      size := size + 1;
    ELSE
      PERFORM toaster.json_remove('json_split.doc', 'body', 10, ARRAY[place::text]);
      UPDATE json_split.doc SET original = original - place WHERE id = 10;
      size := size - 1;
    END IF;
    EXIT WHEN size < 5;
  END LOOP;
END $$;
SELECT toaster.json_expand('doc', 'body', 10) = original AS same, toaster.json_size('doc', 'body', 10, '{}') = jsonb_array_length(original) AS counted FROM doc WHERE id = 10;
SELECT count(*) <= 30 AS few_nodes, count(value) <= 12 AS few_leaves FROM :node n JOIN doc d ON n.doc = (d.body->'$pgtoaster'->>0)::bigint WHERE d.id = 10;
-- The same for the keys of an object.
SELECT count(*) FILTER (WHERE toaster.json_remove('doc', 'body', 7, ARRAY['key' || i])) AS removed FROM generate_series(1, 1100) i WHERE i % 10 <> 0;
SELECT count(*) FILTER (WHERE toaster.json_insert('doc', 'body', 7, ARRAY['new' || i], to_jsonb(i))) AS inserted FROM generate_series(1, 200) i;
SELECT toaster.json_expand('doc', 'body', 7) = (SELECT jsonb_object_agg(k, v) FROM jsonb_each(original) o(k, v) WHERE k LIKE '%0')
         || (SELECT jsonb_object_agg('new' || i, i) FROM generate_series(1, 200) i) AS same FROM doc WHERE id = 7;
-- A shrink applies changed options: here the whole document fits in the row again.
UPDATE pgtoaster.store SET options = options || '{"row_budget": 8000, "leaf_size": 4096}' WHERE id = :store;
SELECT toaster.json_shrink('doc', 'body', 11) > 0 AS rewritten;
SELECT body ? '$pgtoaster' AS split, body = original AS same FROM doc WHERE id = 11;
DELETE FROM doc;
SELECT (SELECT count(*) FROM :head) AS heads, (SELECT count(*) FROM :node) AS nodes;
SET client_min_messages = warning;
DROP SCHEMA json_split CASCADE;
