-- Growing leaves are split and shrinking leaves are merged; empty ones are deleted.
\i begin.sql
INSERT INTO film VALUES (1, jsonb_build_object('list', (SELECT jsonb_agg(repeat('element ', 5) || i) FROM generate_series(1, 60) i),
                                               'map', (SELECT jsonb_object_agg('key' || i, repeat('v', 40)) FROM generate_series(1, 60) i)));
UPDATE film SET plain = doc;
SELECT split(1);
CREATE FUNCTION nodes() RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM pgtoaster.store_1_node $$;
SELECT nodes() AS before \gset

-- At both ends, in the middle, and at many keys.
SELECT count(change('append', '{list}', jsonb_build_array('behind ' || i))) FROM generate_series(1, 50) i;
SELECT count(change('insert', '{list,0}', to_jsonb('before ' || i))) FROM generate_series(1, 50) i;
SELECT count(change('insert', ARRAY['list', (i * 37 % 100)::text], to_jsonb('between ' || i))) FROM generate_series(1, 50) i;
SELECT count(change('set', ARRAY['map', 'new' || i * 7919 % 1000], to_jsonb(i))) FROM generate_series(1, 100) i;
SELECT *, size(1, '{list}') AS elements, size(1, '{map}') AS members, nodes() > :before + 3 AS more_nodes FROM state();
SELECT nodes() AS most \gset
-- Larger values replace small ones, and small ones replace them again.
SELECT count(change('set', ARRAY['list', (i * 20)::text], to_jsonb(repeat(i || ' ', 200)))) FROM generate_series(1, 10) i;
SELECT * FROM state();
SELECT count(change('set', ARRAY['list', (i * 20)::text], to_jsonb(i))) FROM generate_series(1, 10) i;
SELECT * FROM state();
-- Removing most of the content.
SELECT count(change('remove', ARRAY['list', CASE i % 3 WHEN 0 THEN '0' WHEN 1 THEN '-1' ELSE '10' END])) FROM generate_series(1, 195) i;
SELECT count(change('remove', ARRAY['map', k])) FROM (SELECT k FROM film, jsonb_object_keys(plain->'map') WITH ORDINALITY k(k, o) ORDER BY o OFFSET 5) k;
SELECT *, size(1, '{list}') AS elements, size(1, '{map}') AS members, nodes() < :most / 2 AS fewer_nodes FROM state();
SELECT count(change('remove', '{list,0}')) FROM generate_series(1, 15);
SELECT get(1, '{list}') AS list, nodes() < :most / 4 AS few_nodes;
DELETE FROM film;
SELECT nodes(), (SELECT count(*) FROM pgtoaster.store_1_head) AS heads;
\i end.sql
