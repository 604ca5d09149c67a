-- Edits as values, which an UPDATE of the row applies. The results are the same with the extension.
\i begin.sql
INSERT INTO film SELECT i, jsonb_build_object('title', 'M', 'year', 1931, 'tags', '["a"]'::jsonb, 'in', '{"x": 1, "z": {"far": 1}}'::jsonb,
  'cast', (SELECT jsonb_agg(jsonb_build_object('name', 'actor ' || j, 'n', j)) FROM generate_series(0, 99) j),
  'plot', repeat('a long plot, ', 300)) FROM generate_series(1, 2) i;
UPDATE film SET plain = doc;
SELECT split(1);
SELECT s.*, doc ? '$pgtoaster' AS split FROM state() s JOIN film USING (id) ORDER BY id;

-- Nested edits of many rows apply from the inside out.
UPDATE film SET doc = pgtoaster.append(pgtoaster.remove(pgtoaster.set(doc, '{cast,10,name}', '"ten"'), '{cast,0}'), '{tags}', '["b", "c"]'),
                plain = jsonb_set(jsonb_set(plain, '{cast,10,name}', '"ten"') #- '{cast,0}', '{tags}', '["a", "b", "c"]');
WITH changed AS (
  UPDATE film SET doc = pgtoaster.increment(pgtoaster.increment(doc, '{year}'), '{cast,5,n}', 0.5),
                  plain = jsonb_set(jsonb_set(plain, '{year}', '1932'), '{cast,5,n}', '6.5') RETURNING id, doc->>'year' AS year)
SELECT * FROM changed ORDER BY id;
SELECT * FROM state();
-- Conditional edits: with a condition in the statement, and through the routine that compares and sets for the library.
UPDATE film SET doc = pgtoaster.set(doc, '{cast,6,n}', '"seven"'), plain = jsonb_set(plain, '{cast,6,n}', '"seven"') WHERE pgtoaster.get(doc, '{cast,6,n}') = '7';
UPDATE film SET doc = pgtoaster.set(doc, '{cast,6,n}', '"eight"') WHERE pgtoaster.get(doc, '{cast,6,n}') = '8';
SELECT * FROM state();
CREATE FUNCTION set_if(path text[], expected jsonb, value jsonb) RETURNS text LANGUAGE sql AS $$
  SELECT e.outcome FROM (SELECT * FROM film WHERE id = 1 FOR UPDATE) f
  CROSS JOIN LATERAL pgtoaster.store_1_edit(f.id, f.doc, NULL, path, 'set', value, true, true, expected, 2147483647, false) e $$;
SELECT set_if('{cast,7,n}', '9', '"nine"') AS other, set_if('{cast,7,n}', '8', '"nine"') AS expected, set_if('{cast,7,new}', '1', '2') AS nothing, set_if('{cast,7,new}', NULL, '1') AS absent;
UPDATE film SET plain = jsonb_set(jsonb_set(plain, '{cast,7,n}', '"nine"'), '{cast,7,new}', '1') WHERE id = 1;
SELECT * FROM state();
-- A merge patch and a JSON patch.
UPDATE film SET doc = pgtoaster.merge(doc, '{"in": {"y": 2, "z": null}, "seen": {"at": null, "by": "me"}, "title": {"de": "M"}}'),
                plain = plain || '{"in": {"x": 1, "y": 2}, "seen": {"by": "me"}, "title": {"de": "M"}}';
UPDATE film SET doc = pgtoaster.patch(doc, '[{"op": "test", "path": "/cast/9/name", "value": "ten"}, {"op": "move", "from": "/cast/9", "path": "/cast/0"},
                  {"op": "add", "path": "/tags/-", "value": {"d": 1}}, {"op": "copy", "from": "/tags/3/d", "path": "/in/copy"}, {"op": "remove", "path": "/year"}]'),
                plain = jsonb_set(jsonb_insert(jsonb_insert(plain #- '{cast,9}' #- '{year}', '{cast,0}', plain #> '{cast,9}'), '{tags,-1}', '{"d": 1}', true), '{in,copy}', '1');
SELECT * FROM state();
-- Edits in ON CONFLICT and in MERGE.
INSERT INTO film (id, doc) VALUES (1, '{"note": "again"}'), (2, '{"note": "again"}')
  ON CONFLICT (id) DO UPDATE SET doc = pgtoaster.set(film.doc, '{note}', excluded.doc->'note'), plain = jsonb_set(film.plain, '{note}', '"again"');
MERGE INTO film f USING (VALUES (1, 'x'), (2, 'y')) v (id, name) ON f.id = v.id
  WHEN MATCHED THEN UPDATE SET doc = pgtoaster.insert(f.doc, '{cast,50}', to_jsonb(v.name)), plain = jsonb_insert(f.plain, '{cast,50}', to_jsonb(v.name));
SELECT * FROM state();
-- A rollback, also to a savepoint, undoes the edits.
BEGIN;
UPDATE film SET doc = pgtoaster.remove(doc, '{cast}');
SAVEPOINT s;
UPDATE film SET doc = pgtoaster.set(doc, '{cast}', '"gone"');
ROLLBACK TO s;
SELECT id, pgtoaster.get(doc, '{cast}') AS nothing FROM film ORDER BY id;
ROLLBACK;
SELECT * FROM state();

-- Rejected edits change nothing. If PostgreSQL also rejects the edit, the error is PostgreSQL's. The message says what to do instead.
UPDATE film SET doc = pgtoaster.set(doc, '{cast,x,name}', '1') WHERE id = 1;
UPDATE film SET doc = pgtoaster.insert(doc, '{cast,0,name}', '1') WHERE id = 1;
UPDATE film SET doc = pgtoaster.set(doc, ARRAY['cast', NULL], '1') WHERE id = 1;
UPDATE film SET doc = pgtoaster.increment(doc, '{tags}') WHERE id = 1;
UPDATE film SET doc = pgtoaster.patch(doc, '[{"op": "remove", "path": "/cast/0"}, {"op": "test", "path": "/tags/0", "value": "b"}]') WHERE id = 1;
UPDATE film SET doc = pgtoaster.patch(doc, '[{"op": "add", "path": "/tags/01", "value": 1}]') WHERE id = 1;
UPDATE film SET doc = pgtoaster.patch(doc, '[{"op": "change"}]') WHERE id = 1;
UPDATE film SET doc = pgtoaster.append(doc, '{}', '[1]') WHERE id = 1;
UPDATE film SET doc = pgtoaster.set(doc, '{cast,0}', '1') || '{"cast": 2}' WHERE id = 1;
UPDATE film f SET doc = pgtoaster.set(o.doc, '{a}', '1') FROM film o WHERE o.id = 1 AND f.id = 2;
INSERT INTO film SELECT 3, pgtoaster.set(doc, '{a}', '1') FROM film WHERE id = 1;
SELECT pgtoaster.expand(pgtoaster.set(doc, '{cast,0}', '1')) = jsonb_set(plain, '{cast,0}', '1') AS as_edited FROM film WHERE id = 2;
SELECT * FROM state();

-- Replacing a split document with a whole one deletes its nodes.
UPDATE film SET doc = pgtoaster.set(pgtoaster.expand(doc), '{cast}', '[]'), plain = jsonb_set(plain, '{cast}', '[]') WHERE id = 1;
SELECT * FROM state();
SELECT split(1);
UPDATE film SET doc = '{"small": 1}', plain = '{"small": 1}' WHERE id = 1;
SELECT *, (SELECT count(*) FROM pgtoaster.store_1_node) AS nodes, (SELECT count(*) FROM pgtoaster.store_1_head) AS heads FROM state();
\i end.sql
