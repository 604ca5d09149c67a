-- Reads by path return values from the row and from the store.
\i begin.sql
INSERT INTO film VALUES (1, '{"title": "Metropolis", "year": 1927, "tags": ["a", ["b"]], "none": null}'), (2, NULL), (3, '"alone"'), (4, '[1, {"a": 2}]'),
  (7, jsonb_build_object('title', 'M', 'year', 1931.50, 'tags', '[]'::jsonb, '$pgtoaster', '{"$$pgtoaster": 5}'::jsonb,
    'cast', (SELECT jsonb_agg(jsonb_build_object('name', 'actor ' || i, 'roles', jsonb_build_array(i, i * 1.50))) FROM generate_series(0, 99) i),
    'crew', (SELECT jsonb_object_agg('job' || i, repeat('x', i)) FROM generate_series(1, 60) i),
    'plot', repeat('a "long" \ plot, ', 300), 'mixed', jsonb_build_object('near', 1, 'far', repeat('far ', 500), '$pgtoaster', true)) - '$pgtoaster');
UPDATE film SET plain = doc;
SELECT split(7);
SELECT s.*, doc ? '$pgtoaster' AS split, pg_column_size(doc) < 600 AS small_row FROM state() s JOIN film USING (id) ORDER BY id;

-- Every kind of path step, in split and in plain documents.
CREATE TABLE place (n serial, path text[]);
INSERT INTO place (path) VALUES ('{title}'), ('{year}'), ('{tags}'), ('{cast,0}'), ('{cast,57,name}'), ('{cast,-1,roles,1}'), ('{cast,+5,roles,0}'), ('{cast,99,name}'),
  ('{cast,100}'), ('{cast,-100,name}'), ('{cast,-101}'), ('{cast,x}'), ('{cast,2147483648}'), ('{cast,3,name,0}'), ('{crew,job3}'), ('{crew,job}'), ('{crew,0}'),
  ('{mixed,near}'), ('{mixed,$pgtoaster}'), ('{mixed,$$pgtoaster}'), ('{$pgtoaster}'), ('{$$pgtoaster}'), ('{plot,0}'), ('{nothing,below}'), ('{none}'), ('{tags,1,0}'), ('{1,a}'), ('{0}');
SELECT p.path, get(7, p.path) AS value, type(7, p.path) AS type, size(7, p.path) AS size FROM place p ORDER BY p.n;
SELECT f.id, p.path, get(f.id, p.path) AS value FROM film f, place p WHERE f.id < 7 AND get(f.id, p.path) IS NOT NULL ORDER BY f.id, p.n;
-- All values are the same as those PostgreSQL reads from the plain document.
SELECT count(*) AS places, count(*) FILTER (WHERE get(f.id, p.path)::text IS NOT DISTINCT FROM (f.plain #> p.path)::text) AS same,
       count(*) FILTER (WHERE type(f.id, p.path) IS NOT DISTINCT FROM jsonb_typeof(f.plain #> p.path)) AS same_type
FROM film f, place p;
-- Values stored in many rows.
SELECT path, type(7, path) AS type, size(7, path) AS size, get(7, path)::text = (plain #> path)::text AS same
FROM film, (VALUES ('{}'::text[]), ('{cast}'), ('{crew}'), ('{plot}'), ('{mixed}'), ('{mixed,far}')) p(path) WHERE id = 7;
SELECT id, whole(id)::text IS NOT DISTINCT FROM plain::text AS same FROM film ORDER BY id;
\i end.sql
