-- Documents of the toaster default: ordinary jsonb, changed as PostgreSQL's own operators change it.
\i test/install.sql
CREATE SCHEMA json_default;
SET search_path = json_default;
CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('person', 'doc', 'default') > 0 AS attached;
INSERT INTO person VALUES
  (1, '{"name": "Ada", "n": 1.50, "$pgtoaster": [7], "roles": [{"title": "A"}, {"title": "B"}, 3], "deep": {"a": {"b": null}}}'),
  (2, NULL), (3, '[1, 2, 3]'), (4, '"text"'), (5, '7');

-- Reading is #> at every path, also where a key looks like those of split documents.
SELECT p.id, path, toaster.json_get('person', 'doc', p.id, path) IS NOT DISTINCT FROM p.doc #> path AS same,
       toaster.json_exists('person', 'doc', p.id, path) AS there,
       toaster.json_type('person', 'doc', p.id, path) IS NOT DISTINCT FROM jsonb_typeof(p.doc #> path) AS same_type,
       toaster.json_size('person', 'doc', p.id, path) AS size
FROM person p, (VALUES ('{}'::text[]), ('{roles}'), ('{roles,1,title}'), ('{roles,-1}'), ('{roles,3}'), ('{$pgtoaster,0}'),
                       ('{deep,a,b}'), ('{0}'), ('{-4}'), ('{no,way}')) v(path)
WHERE p.id <> 2 ORDER BY p.id, path;
SELECT toaster.json_get('person', 'doc', 2, '{}') IS NULL AS nothing, toaster.json_exists('person', 'doc', 2, '{}');
SELECT toaster.json_slice('person', 'doc', 1, '{roles}', 1, 9), toaster.json_slice('person', 'doc', 3, '{}', 0, 2),
       toaster.json_slice('person', 'doc', 1, '{name}', 0, 2) IS NULL AS no_array;

-- Each edit beside the operator that does the same; false, and the document as it was, where there is nothing to change.
CREATE FUNCTION edited(call text, id bigint, expected jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  before jsonb := (SELECT p.doc FROM person p WHERE p.id = edited.id);
  result text;
  after jsonb;
BEGIN
  EXECUTE format('SELECT toaster.%s', call) INTO result;
  SELECT p.doc INTO after FROM person p WHERE p.id = edited.id;
  UPDATE person p SET doc = before WHERE p.id = edited.id;
  RETURN format('%s: %s, %s', call, coalesce(result, 'NULL'), CASE WHEN after IS NOT DISTINCT FROM expected THEN 'as expected' ELSE after::text END);
END $$;
SELECT edited(format('json_set(''person'', ''doc'', 1, %L, ''{"x": 1}'', %L)', path, create_missing), 1, jsonb_set(doc, path, '{"x": 1}', create_missing))
FROM person, (VALUES ('{name}'::text[]), ('{new}'), ('{roles,0,title}'), ('{roles,5}'), ('{roles,-9}'), ('{deep,c}'), ('{no,way}'), ('{}')) v(path),
     (VALUES (true), (false)) c(create_missing) WHERE id = 1;
SELECT edited(format('json_insert(''person'', ''doc'', 1, %L, ''9'', %L)', path, behind), 1, jsonb_insert(doc, path, '9', behind))
FROM person, (VALUES ('{new}'::text[]), ('{roles,0}'), ('{roles,-1}'), ('{roles,9}'), ('{no,way}')) v(path), (VALUES (true), (false)) b(behind)
WHERE id = 1;
SELECT edited(format('json_remove(''person'', ''doc'', 1, %L)', path), 1, doc #- path)
FROM person, (VALUES ('{name}'::text[]), ('{roles,1}'), ('{roles,-1}'), ('{roles,7}'), ('{deep,a}'), ('{no,way}')) v(path) WHERE id = 1;
SELECT edited(format('json_append(''person'', ''doc'', %s, ''{}'', %L)', id, v.value), id, doc || v.value)
FROM person, (VALUES ('[4, 5]'::jsonb), ('6'), ('{"name": "B"}')) v(value) WHERE id IN (1, 3, 4);
SELECT edited('json_append(''person'', ''doc'', 1, ''{roles}'', ''[4]'')', 1, jsonb_set(doc, '{roles}', doc -> 'roles' || '[4]')) FROM person WHERE id = 1;
SELECT edited('json_increment(''person'', ''doc'', 1, ''{n}'', 0.25)', 1, jsonb_set(doc, '{n}', '1.75')) FROM person WHERE id = 1;
SELECT edited('json_increment(''person'', ''doc'', 1, ''{visits}'', 1)', 1, doc || '{"visits": 1}') FROM person WHERE id = 1;
SELECT edited('json_increment(''person'', ''doc'', 5, ''{}'', -8)', 5, '-1');
SELECT edited('json_set(''person'', ''doc'', 2, ''{a}'', ''1'')', 2, NULL);

-- What cannot be done is an error, and NULL from the twin.
SELECT toaster.json_increment('person', 'doc', 1, '{name}', 1);
SELECT toaster.try_json_increment('person', 'doc', 1, '{name}', 1) IS NULL AS refused;
SELECT toaster.json_insert('person', 'doc', 1, '{name}', '1');
SELECT toaster.json_set('person', 'doc', 4, '{a}', '1');
SELECT toaster.json_get('person', 'doc', 99, '{}');
SELECT toaster.json_shrink('person', 'doc', 1);
SET client_min_messages = warning;
DROP SCHEMA json_default CASCADE;
