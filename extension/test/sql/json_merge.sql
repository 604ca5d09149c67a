-- RFC 7396: a patch names members to be set, and with null those to be removed.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA json_merge;
SET search_path = json_merge;
CREATE TABLE doc (id bigint PRIMARY KEY, body jsonb);
SELECT pgtoaster.attach('doc', 'body', 'keyed', '{"leaf_size": 512, "fan_out": 4, "row_budget": 256}') AS store \gset
SELECT format('pgtoaster.store_%s_node', :store) AS node \gset

-- The examples of the RFC.
CREATE TABLE example (id bigint PRIMARY KEY, original jsonb, patch jsonb, result jsonb);
INSERT INTO example VALUES
  (1, '{"a":"b"}', '{"a":"c"}', '{"a":"c"}'), (2, '{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'), (3, '{"a":"b"}', '{"a":null}', '{}'),
  (4, '{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'), (5, '{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'), (6, '{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
  (7, '{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'), (8, '{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
  (9, '["a","b"]', '["c","d"]', '["c","d"]'), (10, '{"a":"b"}', '["c"]', '["c"]'), (11, '{"a":"foo"}', 'null', 'null'),
  (12, '{"a":"foo"}', '"bar"', '"bar"'), (13, '{"e":null}', '{"a":1}', '{"e":null,"a":1}'), (14, '[1,2]', '{"a":"b","c":null}', '{"a":"b"}'),
  (15, '{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}');
INSERT INTO doc SELECT id, original FROM example;
SELECT id, toaster.json_merge('doc', 'body', id, '{}', patch) AS merged FROM example ORDER BY id;
SELECT id, toaster.json_expand('doc', 'body', id) AS wrong FROM example WHERE toaster.json_expand('doc', 'body', id) <> result;
-- An empty column becomes what the patch leaves of nothing.
INSERT INTO doc VALUES (20, NULL);
SELECT toaster.json_merge('doc', 'body', 20, '{}', '{"a": 1, "b": null, "c": {"d": null}}');
SELECT body FROM doc WHERE id = 20;

-- In a split document it touches what it names.
INSERT INTO doc VALUES (30, '{}');
SELECT toaster.json_merge('doc', 'body', 30, '{}', jsonb_build_object('list', (SELECT jsonb_agg(i) FROM generate_series(1, 300) i),
  'props', (SELECT jsonb_object_agg('p' || i, i) FROM generate_series(1, 200) i), 'name', 'x'));
CREATE TEMP TABLE before AS SELECT id, version FROM :node;
SELECT toaster.json_merge('doc', 'body', 30, '{}', '{"props": {"p7": "seven", "p8": null, "new": {"x": 1, "y": null}}, "name": "y"}');
SELECT count(*) FILTER (WHERE b.id IS NULL) AS new, count(*) FILTER (WHERE n.version <> b.version) BETWEEN 1 AND 3 AS few_changed
FROM :node n LEFT JOIN before b USING (id);
SELECT toaster.json_get('doc', 'body', 30, '{props,p7}'), toaster.json_get('doc', 'body', 30, '{props,p8}'), toaster.json_get('doc', 'body', 30, '{props,new}'),
       toaster.json_get('doc', 'body', 30, '{name}'), toaster.json_size('doc', 'body', 30, '{list}');
-- At a path.
SELECT toaster.json_merge('doc', 'body', 30, '{props,new}', '{"x": null, "z": [1]}'), toaster.json_merge('doc', 'body', 30, '{list,5}', '{"a": 1, "b": null}'),
       toaster.json_merge('doc', 'body', 30, '{other}', '{"a": 1}'), toaster.json_merge('doc', 'body', 30, '{no,parent}', '{"a": 1}') AS orphan;
SELECT toaster.json_get('doc', 'body', 30, '{props,new}'), toaster.json_get('doc', 'body', 30, '{list,5}'), toaster.json_get('doc', 'body', 30, '{other}');
-- Removing what has left takes its nodes along.
SELECT toaster.json_merge('doc', 'body', 30, '{}', '{"list": null, "props": null, "other": null}');
SELECT (SELECT count(*) FROM :node) AS nodes, toaster.json_expand('doc', 'body', 30) AS doc;
SELECT toaster.json_merge('doc', 'body', 31, '{}', '{"a": 1}');
SET client_min_messages = warning;
DROP SCHEMA json_merge CASCADE;
