-- Edits of split and of other documents have the same result as PostgreSQL's own functions.
\i begin.sql
INSERT INTO film SELECT i, jsonb_build_object('title', 'M', 'year', 1931, 'tags', '["a", "b"]'::jsonb, 'in', '{"x": 1}'::jsonb,
  'cast', (SELECT jsonb_agg(jsonb_build_object('name', 'actor ' || j, 'n', j)) FROM generate_series(0, 99) j),
  'crew', (SELECT jsonb_object_agg('job' || j, j) FROM generate_series(1, 200) j),
  'plot', repeat('a long plot, ', 300)) FROM generate_series(1, 2) i;
UPDATE film SET plain = doc;
SELECT split(1);
SELECT s.*, doc ? '$pgtoaster' AS split FROM state() s JOIN film USING (id) ORDER BY id;

-- Existing values, in the row and in leaves.
SELECT * FROM edit('set', '{title}', '"Mörder"');
SELECT * FROM edit('set', '{cast,50,name}', '"Peter"');
SELECT * FROM edit('set', '{cast,-1}', '{"last": [1]}');
SELECT * FROM edit('set', '{crew,job100}', 'null');
-- Missing values, some of which must not be created.
SELECT * FROM edit('set', '{crew,grip}', '"new"');
SELECT * FROM edit('set', '{cast,-1,last,5}', '2');
SELECT * FROM edit('set', '{cast,-1,last,-5}', '0');
SELECT * FROM edit('set', '{cast,1000}', '"behind"');
SELECT * FROM edit('set', '{cast,-1000}', '"before"');
SELECT * FROM edit('set', '{seen}', '1', false);
SELECT * FROM edit('set', '{nothing,below}', '1');
SELECT * FROM edit('set', '{cast,0,x}', '1', false);
-- Inserted elements and members.
SELECT * FROM edit('insert', '{tags,0}', '"front"');
SELECT * FROM edit('insert', '{tags,-1}', '"end"', true);
SELECT * FROM edit('insert', '{cast,60}', '{"name": "between"}');
SELECT * FROM edit('insert', '{cast,60,n}', '60');
SELECT * FROM edit('insert', '{crew,best boy}', '"member"');
SELECT * FROM edit('append', '{tags}', '["x", ["y"]]');
SELECT * FROM edit('append', '{cast,60,nothing}', '[1]');
SELECT (e.now)->-1 AS last, e.same FROM edit('append', '{cast}', '[1, 2]') e;
-- Numbers keep their digits; a missing member counts as 0.
SELECT * FROM edit('increment', '{year}', '0.50');
SELECT * FROM edit('increment', '{cast,10,n}', '-10');
SELECT * FROM edit('increment', '{crew,job7}', '12345678901234567890.125');
SELECT * FROM edit('increment', '{in,count}', '1');
-- Removals.
SELECT * FROM edit('remove', '{cast,-2}');
SELECT * FROM edit('remove', '{cast,60,n}');
SELECT * FROM edit('remove', '{crew,job100}');
SELECT * FROM edit('remove', '{tags,99}');
SELECT * FROM edit('remove', '{nothing,below}');
-- Below the root, users may use keys that look like the reserved key.
SELECT * FROM edit('set', '{in,$pgtoaster}', '{"$pgtoaster": [1], "$$pgtoaster": 5}');
SELECT * FROM edit('increment', '{in,$pgtoaster,$$pgtoaster}', '1');
SELECT * FROM edit('remove', '{in,$pgtoaster,$pgtoaster}');
SELECT * FROM edit('set', '{cast,5,$$pgtoaster}', '"leaf"');
-- Values stored in many rows are replaced, changed in the middle, and removed.
SELECT length(e.now #>> '{}') AS length, e.same FROM edit('set', '{plot}', to_jsonb(repeat('another, ', 400))) e;
SELECT jsonb_array_length(e.now) AS length, e.same FROM edit('set', '{cast,3}', (SELECT jsonb_agg(i) FROM generate_series(1, 900) i)) e;
SELECT * FROM edit('set', '{cast,3,450}', '"in the midst"');
SELECT * FROM edit('remove', '{cast,3}');
SELECT * FROM edit('remove', '{plot}');
SELECT * FROM edit('set', '{crew}', '"nobody"');
SELECT * FROM state();

-- Edits that PostgreSQL rejects are rejected and change nothing.
SELECT * FROM refused('set', '{cast,x}', '1');
SELECT * FROM refused('set', '{cast,x,name}', '1');
SELECT * FROM refused('remove', '{cast,x}');
SELECT * FROM refused('insert', '{cast,1.5}', '1');
SELECT * FROM refused('insert', '{title}', '1');
SELECT * FROM refused('insert', '{cast,1,name}', '1');
-- A scalar has no members to edit.
SELECT * FROM refused('insert', '{title,name}', '1');
-- PostgreSQL has no increment function; its cast to numeric rejects other values with a different code.
SELECT * FROM refused('increment', '{title}', '1');
SELECT * FROM refused('increment', '{cast}', '1');
\i end.sql
