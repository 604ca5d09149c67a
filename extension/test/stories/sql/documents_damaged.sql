-- Stored content may be damaged by hand. Reads of it fail as damaged; undamaged content can still be read.
\i begin.sql
INSERT INTO film VALUES (1, jsonb_build_object('title', 'M', 'list', (SELECT jsonb_agg(repeat('element ', 10) || i) FROM generate_series(0, 99) i),
                                               'text', repeat('a long text, ', 300)));
UPDATE film SET plain = doc;
SELECT split(1);
-- Returns the result of an expression, or the SQLSTATE of its error.
CREATE FUNCTION tried(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  EXECUTE 'SELECT left((' || expression || ')::text, 20)' INTO result;
  RETURN result;
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$;

-- A stub copied to another row can neither read nor change content of the first row.
SET session_replication_role = replica;
INSERT INTO film SELECT 8, doc FROM film WHERE id = 1;
RESET session_replication_role;
SELECT call, tried(call) FROM unnest(ARRAY['get(8, ''{list,5}'')', 'get(8, ''{list}'')', 'type(8, ''{list}'')', 'size(8, ''{list}'')', 'whole(8)',
  'set(8, ''{list,5}'', ''1'')', 'insert(8, ''{list,5}'', ''1'')', 'append(8, ''{list}'', ''[1]'')', 'remove(8, ''{list,5}'')', 'remove(8, ''{list}'')',
  'set(8, ''{title}'', ''"W"'')']) call;
DELETE FROM film WHERE id = 8;
SELECT * FROM state();

-- If one leaf is lost, the others can still be read and changed.
DELETE FROM :node WHERE value::text LIKE '%element 50"%';
SELECT call, tried(call) FROM unnest(ARRAY['get(1, ''{list,50}'')', 'get(1, ''{list,0}'')', 'get(1, ''{list,-1}'')', 'get(1, ''{list}'')', 'get(1, ''{title}'')', 'whole(1)',
  'size(1, ''{list}'')', 'set(1, ''{list,50}'', ''1'')', 'remove(1, ''{list,50}'')', 'set(1, ''{list,0}'', ''"first"'')', 'get(1, ''{list,0}'')',
  'set(1, ''{title}'', ''"W"'')', 'get(1, ''{title}'')']) call;
-- A whole document replaces the damaged one.
UPDATE film SET doc = plain;
SELECT *, (SELECT count(*) FROM pgtoaster.store_1_node) AS nodes FROM state();

-- Invalid headers.
CREATE FUNCTION forged(header text) RETURNS TABLE (call text, result text) LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL session_replication_role = replica;
  UPDATE film SET doc = format('{"title": "M", "list": {"$pgtoaster": 1}, "$pgtoaster": %s}', header)::jsonb;
  SET LOCAL session_replication_role = origin;
  RETURN QUERY SELECT c, tried(c) FROM unnest(ARRAY['get(1, ''{list,0}'')', 'type(1, ''{list}'')', 'whole(1)', 'set(1, ''{list,0}'', ''1'')']) c;
END $$;
SELECT h.header, f.* FROM unnest(ARRAY['1', '"x"', 'null', '[]', '[1]', '["x"]', '[1.5]', '[-1]', '[1e400]', '[9223372036854775807]', '[1099511627776]',
  '[1099511627777, "x"]']) h(header) CROSS JOIN LATERAL forged(h.header) f;
\i end.sql
