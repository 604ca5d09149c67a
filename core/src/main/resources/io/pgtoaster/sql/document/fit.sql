-- Determines the part of a split document that stays in its row. docs/internals.md states the rule; StubBuilder.java
-- and json_row_stub.c also follow it, and SplitRuleIT compares them.

-- Returns the bytes of a value within a jsonb without its elements or the values of its members, as JsonbSize.java and
-- pgt_json_bytes count them, without alignment gaps. A marker has the same size whatever its number is. #> makes a
-- copy, because a number from a tuple may have a shorter header. All names are qualified and no search_path is set, so
-- that this function and the next are inlined.
CREATE OR REPLACE FUNCTION pgtoaster.node_bytes(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE
           WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'object' THEN
             CASE WHEN value OPERATOR(pg_catalog.?) '$pgtoaster' THEN 40
                  ELSE 4 OPERATOR(pg_catalog.+) (
                    SELECT coalesce(pg_catalog.sum(4 OPERATOR(pg_catalog.+) pg_catalog.octet_length(k)), 0)
                    FROM pg_catalog.jsonb_object_keys(value) k) END
           WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'array' THEN 4
           WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'string' THEN
             pg_catalog.octet_length(value OPERATOR(pg_catalog.#>>) '{}')
           WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'number' THEN
             (pg_catalog.pg_column_size(value OPERATOR(pg_catalog.#>) '{}') OPERATOR(pg_catalog.-) 9)
             OPERATOR(pg_catalog./) 4 OPERATOR(pg_catalog.*) 4
           ELSE 0 END
$$;

-- Returns the elements of an array, or the values of an object that is not a marker.
CREATE OR REPLACE FUNCTION pgtoaster.node_values(value jsonb) RETURNS SETOF jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT e.value FROM pg_catalog.jsonb_each(CASE WHEN pg_catalog.jsonb_typeof($1) OPERATOR(pg_catalog.=) 'object' THEN
                                              CASE WHEN $1 OPERATOR(pg_catalog.?) '$pgtoaster' THEN '{}' ELSE $1 END ELSE '{}' END) e
  UNION ALL
  SELECT e.e FROM pg_catalog.jsonb_array_elements(CASE WHEN pg_catalog.jsonb_typeof($1) OPERATOR(pg_catalog.=) 'array' THEN $1
                                                       ELSE '[]' END) e(e)
$$;

-- Returns the bytes of a value within a jsonb.
CREATE OR REPLACE FUNCTION pgtoaster.json_bytes(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE v AS (
    SELECT $1 AS v
    UNION ALL
    SELECT c.c FROM v CROSS JOIN LATERAL pgtoaster.node_values(v.v) c(c)
  )
  SELECT (4 * (count(*) - 1) + sum(pgtoaster.node_bytes(v.v)))::integer FROM v
$$;

-- Returns the bytes that a row stores of a split document, without the members that keep_inline names. pinned: JSON Pointers
-- in stored keys. The header has the size that SplitPolicy.java assumes.
CREATE OR REPLACE FUNCTION pgtoaster.size_beside_pinned(document jsonb, pinned text[]) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  pointer text;
  path text[];
BEGIN
  FOREACH pointer IN ARRAY pinned LOOP
    path := ARRAY(SELECT replace(replace(s.s, '~1', '/'), '~0', '~')
                  FROM unnest((string_to_array(pointer, '/'))[2:]) WITH ORDINALITY s(s, o) ORDER BY s.o);
    IF jsonb_typeof(document #> path[:cardinality(path) - 1]) = 'object' THEN
      document := document #- path;
    END IF;
  END LOOP;
  RETURN pgtoaster.json_bytes(document - '$pgtoaster') + 52;
END $$;

-- Returns the members of a stub that keep_inline does not keep in the row: those of the root and, next to a kept member,
-- those of the objects that contain it. Sorting by codes gives the order of keys in jsonb.
CREATE OR REPLACE FUNCTION pgtoaster.row_members(document jsonb, kept text[]) RETURNS TABLE (path text[], codes bytea[], value jsonb)
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE m AS (
    SELECT CAST('{}' AS text[]) AS path, CAST('{}' AS bytea[]) AS codes, CAST('' AS text) AS place,
           $1 - '$pgtoaster' AS value, true AS opens
    UNION ALL
    SELECT array_append(m.path, e.key), array_append(m.codes, pgtoaster.key_code(e.key)), p.place, e.value,
           jsonb_typeof(e.value) = 'object' AND NOT e.value ? '$pgtoaster'
             AND EXISTS (SELECT FROM unnest($2) k(k) WHERE starts_with(k.k, p.place || '/'))
    FROM m CROSS JOIN LATERAL jsonb_each(CASE WHEN m.opens THEN m.value ELSE '{}' END) e
    CROSS JOIN LATERAL (SELECT m.place || '/' || replace(replace(e.key, '~', '~0'), '/', '~1') AS place) p
    WHERE p.place <> ALL ($2)
  )
  SELECT m.path, m.codes, m.value FROM m WHERE NOT m.opens
$$;

-- Returns the same members with the bytes of each value, in one pass. JIT is off, because the planner expects millions
-- of rows.
CREATE OR REPLACE FUNCTION pgtoaster.sized_members(document jsonb, kept text[])
RETURNS TABLE (path text[], codes bytea[], value jsonb, size integer)
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
  WITH RECURSIVE m AS MATERIALIZED (
    SELECT r.path, r.codes, r.value, row_number() OVER () AS n FROM pgtoaster.row_members($1, $2) r
  ), v AS (
    SELECT m.n, m.value AS v FROM m
    UNION ALL
    SELECT v.n, c.c FROM v CROSS JOIN LATERAL pgtoaster.node_values(v.v) c(c)
  ), s AS MATERIALIZED (
    SELECT v.n, (4 * (count(*) - 1) + sum(pgtoaster.node_bytes(v.v)))::integer AS size FROM v GROUP BY v.n
  )
  SELECT m.path, m.codes, m.value, s.size FROM m JOIN s ON s.n = m.n
$$;

-- Returns the paths of the arrays and objects in a value that may have entries larger than this many bytes, the
-- innermost first.
CREATE OR REPLACE FUNCTION pgtoaster.large_containers(value jsonb, bytes integer) RETURNS SETOF text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE v AS (
    SELECT CAST('{}' AS text[]) AS path, $1 AS value
    UNION ALL
    SELECT array_append(v.path, e.step), e.value
    FROM v CROSS JOIN LATERAL (
      SELECT o.key AS step, o.value FROM jsonb_each(CASE jsonb_typeof(v.value) WHEN 'object' THEN v.value ELSE '{}' END) o
      UNION ALL
      SELECT CAST(a.n - 1 AS text), a.value
      FROM jsonb_array_elements(CASE jsonb_typeof(v.value) WHEN 'array' THEN v.value ELSE '[]' END) WITH ORDINALITY a(value, n)) e
    WHERE pg_column_size(e.value) > $2
  )
  SELECT p.p FROM (SELECT DISTINCT v.path[:cardinality(v.path) - 1] AS p FROM v WHERE cardinality(v.path) > 0) p
  ORDER BY cardinality(p.p) DESC
$$;

-- Writes a value to a branch and returns its marker.
CREATE OR REPLACE FUNCTION pgtoaster.template_move(lead_value text, doc bigint, value jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  packed pg_catalog.jsonb := store.pack(lead_value, doc, value);
  branch bigint := store.next_id;
BEGIN
  IF pg_catalog.jsonb_typeof(packed #> CAST('{$pgtoaster}' AS pg_catalog.text[])) = 'number' THEN
    RETURN packed;
  END IF;
  INSERT INTO store.node AS n (lead_column, doc, id, kind, bytes, value, kids)
  SELECT lead_value, doc, branch,
         CASE pg_catalog.jsonb_typeof(p.p) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END,
         pg_catalog.pg_column_size(p.p), p.p, store.kids_of_part
  FROM (SELECT packed AS p) p;
  RETURN pg_catalog.jsonb_build_object('$pgtoaster', branch);
END $$;

-- Returns a split document with as many of its members moved out of line as its row requires. room: the bytes that the
-- document may have there. The caller has locked the row and the head. free: whether markers may leave the row and the
-- header may change; otherwise the trigger that guards the row compares them.
CREATE OR REPLACE FUNCTION pgtoaster.template_fit(lead_value text, document jsonb, room integer, free boolean) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  doc bigint := store.number(document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]));
  kept pg_catalog.text[] := CAST(store.kept AS pg_catalog.text[]);
  overflows boolean := free AND document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) IS NULL;
  size integer;
  member record;
  inside pg_catalog.text[];
  value pg_catalog.jsonb;
  part pg_catalog.jsonb;
  key pg_catalog.text;
  keys pg_catalog.text[] := CAST('{}' AS pg_catalog.text[]);
BEGIN
  -- Move entries larger than half a leaf out of their members, the innermost first. Such a member alone exceeds the
  -- room, unless leaves are small.
  FOR member IN
    SELECT m.path, m.value
    FROM pgtoaster.row_members(CASE WHEN pg_catalog.pg_column_size(document) > store.whole_leaf / 2 THEN document ELSE '{}' END, kept) m
    WHERE pg_catalog.pg_column_size(m.value) > store.whole_leaf / 2
      AND (store.whole_leaf / 2 >= room OR pgtoaster.size_beside_pinned(document, kept) > room)
      AND (free OR pg_catalog.strpos(CAST(m.value AS pg_catalog.text), 'pgtoaster": ') = 0)
  LOOP
    value := member.value;
    FOR inside IN SELECT c.c FROM pgtoaster.large_containers(value, store.whole_leaf / 2) c(c) LOOP
      part := value #> inside;
      IF pg_catalog.jsonb_typeof(part) = 'array' THEN
        part := (SELECT pg_catalog.jsonb_agg(CASE WHEN store.large(e.e) THEN store.move(lead_value, doc, e.e) ELSE e.e END ORDER BY e.o)
                 FROM pg_catalog.jsonb_array_elements(part) WITH ORDINALITY e(e, o));
      ELSE
        part := (SELECT pg_catalog.jsonb_object_agg(e.k, CASE WHEN store.large(e.v) THEN store.move(lead_value, doc, e.v) ELSE e.v END)
                 FROM pg_catalog.jsonb_each(part) e(k, v));
      END IF;
      value := CASE WHEN pg_catalog.cardinality(inside) = 0 THEN part ELSE pg_catalog.jsonb_set(value, inside, part) END;
    END LOOP;
    IF pg_catalog.pg_column_size(value) > store.whole_leaf + 2 * room
       OR pgtoaster.json_bytes(value) > greatest(store.whole_leaf / 2, room) THEN
      value := store.move(lead_value, doc, value);
    END IF;
    document := pg_catalog.jsonb_set(document, member.path, value);
  END LOOP;
  size := pgtoaster.size_beside_pinned(document, kept);
  IF size <= room THEN
    RETURN document;
  ELSIF overflows AND pg_catalog.pg_column_size(document) > 131072
     AND (SELECT pg_catalog.sum(pg_catalog.length(m.path[1]) + pg_catalog.length(CAST(m.value AS pg_catalog.text)))
          FROM pgtoaster.row_members(document, kept) m) > 1048576 THEN
    keys := ARRAY(SELECT m.path[1] FROM pgtoaster.row_members(document, kept) m WHERE pg_catalog.cardinality(m.path) = 1);
  ELSE
    -- Move the largest members out until the others fit. keys receives those that could share leaves.
    FOR member IN
      SELECT m.path, m.value, m.size FROM pgtoaster.sized_members(document, kept) m
      WHERE m.size > 96 AND (free OR pg_catalog.strpos(CAST(m.value AS pg_catalog.text), 'pgtoaster": ') = 0)
      ORDER BY m.size DESC, m.codes
    LOOP
      EXIT WHEN size <= room;
      size := size - member.size + 40;
      IF pg_catalog.cardinality(member.path) = 1 AND member.size <= store.whole_leaf / 2 THEN
        keys := pg_catalog.array_append(keys, member.path[1]);
      ELSE
        document := pg_catalog.jsonb_set(document, member.path, store.move(lead_value, doc, member.value));
      END IF;
    END LOOP;
    IF NOT overflows OR pg_catalog.cardinality(keys) <= 16 THEN
      FOREACH key IN ARRAY keys LOOP
        document := pg_catalog.jsonb_set(document, ARRAY[key], store.move(lead_value, doc, document #> ARRAY[key]));
      END LOOP;
      keys := '{}';
    END IF;
    IF overflows AND size > room THEN
      -- If the remaining members are still too many, all but the smallest go to the overflow branch.
      keys := keys OPERATOR(pg_catalog.||) ARRAY(
        SELECT m.key
        FROM (SELECT m.path[1] AS key, z.size, m.codes, 8 + pg_catalog.sum(z.size) OVER () AS total,
                     8 + pg_catalog.sum(z.size) OVER (ORDER BY z.size, m.codes DESC) AS rest
              FROM pgtoaster.sized_members(document, kept) m
              CROSS JOIN LATERAL (SELECT 8 + pg_catalog.octet_length(m.path[1]) + m.size AS size) z
              WHERE pg_catalog.cardinality(m.path) = 1 AND m.path[1] <> ALL (keys)) m
        WHERE m.total > greatest(room, store.row_budget / 2) AND m.rest > greatest(room, store.row_budget / 2) / 2);
    END IF;
  END IF;
  IF pg_catalog.cardinality(keys) > 0 THEN
    value := store.move(lead_value, doc, (SELECT pg_catalog.jsonb_object_agg(m.k, m.v)
                                      FROM pg_catalog.jsonb_each(document) m(k, v) WHERE m.k = ANY (keys)));
    document := pg_catalog.jsonb_set(document - keys, CAST('{$pgtoaster,1}' AS pg_catalog.text[]),
                                     value #> CAST('{$pgtoaster}' AS pg_catalog.text[]));
  END IF;
  RETURN document;
END $$;
