-- Search in the order of the values at a path. A path index has words that sort like the values, but GIN cannot return them in
-- order. So the search reads windows of words, one after the other, each with few documents, and sorts these.

-- Returns the lowest number or string of a document in a range, or the highest, and what it is sorted by, with down in
-- descending order. Numbers are lower than strings. The other parameters are columns of search_ranges.
CREATE OR REPLACE FUNCTION pgtoaster.first_value(document jsonb, top text[], path jsonpath, vars jsonb, ahead text, behind text,
  descending boolean, OUT value jsonb, OUT type integer, OUT number numeric, OUT up text, OUT down text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The value at the top, or the leaves of an array, each alone in an array.
  parts CONSTANT jsonb[] := CASE
    WHEN jsonb_typeof(document -> '$pgtoaster') = 'array'
    THEN ARRAY(SELECT jsonb_build_array(m.value) FROM pgtoaster.matching_leaves(document, top, NULL, '$', '{}', NULL, NULL) m)
    ELSE ARRAY[jsonb_build_array(document #> top)] END;
  sign CONSTANT integer := CASE WHEN descending THEN -1 ELSE 1 END;
  strings boolean;
BEGIN
  SELECT min(sign * CASE t.t WHEN 'number' THEN v.v::numeric END), bool_or(t.t = 'string') INTO number, strings
  FROM unnest(parts) p(p) CROSS JOIN LATERAL jsonb_path_query(p.p, path, vars) v(v) CROSS JOIN LATERAL jsonb_typeof(v.v) t(t);
  IF number IS NOT NULL AND NOT (strings AND descending) THEN
    value := to_jsonb(sign * number);
    type := 0;
    up := '';
    down := '';
    -- A jsonpath filter also applies to the elements of an array.
    IF EXISTS (SELECT FROM unnest(parts) p(p) WHERE p.p @> concat(ahead, value, behind)::jsonb) THEN
      RETURN;
    END IF;
  END IF;
  SELECT s.v, s.type, s.number, s.up, s.down INTO value, type, number, up, down
  -- The sort does not copy the parts.
  FROM (SELECT p.n, v.v, CASE t.t WHEN 'number' THEN 0 ELSE sign END AS type,
               CASE t.t WHEN 'number' THEN v.v::numeric * sign ELSE 0 END AS number,
               CASE WHEN t.t = 'number' OR descending THEN '' ELSE c.c END COLLATE "C" AS up,
               CASE WHEN t.t = 'string' AND descending THEN c.c ELSE '' END COLLATE "C" AS down
        FROM unnest(parts) WITH ORDINALITY p(p, n)
        CROSS JOIN LATERAL jsonb_path_query(p.p, path, vars) v(v) CROSS JOIN LATERAL jsonb_typeof(v.v) t(t)
        -- As in the index, whatever the encoding of the database is.
        CROSS JOIN LATERAL encode(convert_to(v.v #>> '{}', 'UTF8'), 'hex') c(c)
        WHERE t.t IN ('number', 'string')
        ORDER BY 3, 4, 5, 6 DESC OFFSET 0) s
  WHERE parts[s.n] @> concat(ahead, s.v, behind)::jsonb LIMIT 1;
END $$;

-- Returns the template of the statement that sorts rows by their first values. found: the statement that returns their keys.
CREATE OR REPLACE FUNCTION pgtoaster.ordered_template(found text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT pg_catalog.concat($q$WITH w AS MATERIALIZED (
        SELECT CAST({p}1 AS pg_catalog.tsquery) AS words, CAST({p}1 || '|x' AS pg_catalog.tsquery) AS terms),
      a AS MATERIALIZED (
        SELECT v.*, CAST({p}11 AS pg_catalog.text[]) AS a
        FROM pgtoaster.first_value(CAST({p}10 AS pg_catalog.jsonb), '{}', '$[*]', '{}', '[', ']', {p}7) v)
      SELECT CAST(o.* AS {owner}), v.value
      FROM (SELECT DISTINCT {key} FROM ($q$, found, $q$) k OFFSET 0) k
      CROSS JOIN LATERAL (SELECT o.* FROM {owner} o WHERE {same_key} LIMIT 1) o
      CROSS JOIN LATERAL pgtoaster.first_value(o.{column}, {p}2, {p}3, {p}4, {p}5, {p}6, {p}7) v
      CROSS JOIN w CROSS JOIN a
      WHERE v.value IS NOT NULL
        -- The value may belong to another window.
        AND (w.words IS NULL OR pgtoaster.path_terms(pg_catalog.jsonb_build_array(v.value), {p}8, '{$[*]}') @@ w.words)
        AND (a.value IS NULL
             OR (v.type, v.number, v.up COLLATE "C", a.down COLLATE "C", {key})
                > (a.type, a.number, a.up COLLATE "C", v.down COLLATE "C", {after}))
      ORDER BY v.type, v.number, v.up COLLATE "C", v.down COLLATE "C" DESC, {key} LIMIT (SELECT CAST({p}9 AS bigint))$q$)
$$;

-- Returns the rows that search finds and that have a number or string at a path, in the order of the lowest of these values or,
-- if descending, the highest. Numbers are lower than strings; strings are compared by their code points (COLLATE "C"). The
-- column needs a path index with the path. If ranges has a range for this path, only values in the first such range count.
-- after_value and after_key: the value and the row key of the last row of the previous page.
--   SELECT (f.found).id, f.value FROM pgtoaster.search_ordered(NULL::product, 'doc', 'variants[*].price') f
CREATE OR REPLACE FUNCTION pgtoaster.search_ordered(rows anyelement, column_name name, path text, descending boolean DEFAULT false,
  contains jsonb DEFAULT NULL, matches text DEFAULT NULL, max_rows bigint DEFAULT 100, ranges jsonb DEFAULT NULL,
  matches_at text[] DEFAULT NULL, after_value jsonb DEFAULT NULL, after_key text[] DEFAULT NULL)
RETURNS TABLE (found anyelement, value jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  owner CONSTANT regclass := pgtoaster.searched_table(pg_typeof(rows));
  s record := pgtoaster.search_statements(owner, column_name, '$', '{path}', '{ordered}');
  conditions CONSTANT jsonb := CASE WHEN jsonb_typeof(ranges) = 'array' THEN ranges
                                    WHEN ranges IS NULL THEN '[]' ELSE jsonb_build_array(ranges) END;
  own CONSTANT jsonb := coalesce(
    (SELECT c.c FROM jsonb_array_elements(conditions) WITH ORDINALITY c(c, n)
     WHERE pgtoaster.path_name(pgtoaster.path_steps(c.c ->> 'path')) = pgtoaster.path_name(pgtoaster.path_steps(path))
     ORDER BY c.n LIMIT 1),
    jsonb_build_object('path', path));
  r record;
  tag text;
  after_code text;
  -- The words that are left, in order, such as an4 or, for all words that begin with it, an4:*; and how many rows and leaves
  -- have each, up to the most that a window should have. NULL: not counted yet.
  words text[];
  hits bigint[];
  most CONSTANT bigint := least(max_rows, 1000000000000) + 10;
  part text;
  more text[];
  more_hits bigint[];
  counted bigint;
  missing bigint := max_rows;
  -- A document may have values in many windows. After this many hits, read the rest at once.
  budget bigint := 10 * most;
  read bigint;
BEGIN
  PERFORM pgtoaster.require_path_index(owner, column_name, s.paths);
  SELECT * INTO r FROM pgtoaster.search_ranges(s.paths, own);
  tag := left(r.low, 1) || 'a';
  IF num_nulls(after_value, after_key) = 1 OR jsonb_typeof(after_value) NOT IN ('number', 'string') THEN
    RAISE EXCEPTION 'after_value and after_key are not the value and the row key of a row' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Give both, or none. The value is a number or a string.';
  END IF;
  IF contains IS NOT NULL OR matches IS NOT NULL OR matches_at IS NOT NULL OR conditions NOT IN ('[]', jsonb_build_array(own))
     OR row_security_active(owner) THEN
    RETURN QUERY EXECUTE '/* pgtoaster */ ' || s.scan
      USING NULL, r.top, r.top_path, r.vars, r.top_ahead, r.top_behind, descending, tag, max_rows, after_value, after_key, column_name,
            contains, matches, CASE WHEN conditions = '[]' THEN own ELSE ranges END, matches_at;
    RETURN;
  END IF;
  IF after_value IS NOT NULL THEN
    after_code := (tsvector_to_array(pgtoaster.path_terms(jsonb_build_array(after_value), tag, '{$[*]}')))[1];
    r.low := CASE WHEN descending THEN r.low ELSE greatest(r.low, after_code COLLATE "C") END;
    r.high := CASE WHEN descending THEN least(r.high, after_code COLLATE "C") ELSE r.high END;
  END IF;
  -- Begin with the tag of the path, which all its words have.
  words := ARRAY[left(r.low, 1) || ':*'];
  hits := ARRAY[most];
  -- Rows and leaves with too many words, which may have any values.
  EXECUTE '/* pgtoaster */ ' || s.one INTO more USING ARRAY['x'], 1;
  IF more IS NOT NULL THEN
    budget := 0;
  END IF;
  WHILE cardinality(words) > 0 AND missing IS DISTINCT FROM 0 LOOP
    IF budget > 0 AND hits[1] IS NULL THEN
      -- The statement stops after the first word with many hits.
      EXECUTE '/* pgtoaster */ ' || s.one INTO more, more_hits, counted
        USING words[:(SELECT count(*) FROM unnest(hits) WITH ORDINALITY h(h, n)
                      WHERE h.n < ALL (SELECT c.n FROM unnest(hits) WITH ORDINALITY c(c, n) WHERE c.c IS NOT NULL))], most;
      words := more || words[counted + 1:];
      hits := more_hits || hits[counted + 1:];
      CONTINUE;
    ELSIF budget > 0 AND hits[1] >= most AND words[1] LIKE '%:*' THEN
      part := split_part(words[1], ':', 1);
      more := ARRAY(SELECT w.w || CASE WHEN w.n > 1 THEN ':*' ELSE '' END
                    FROM unnest(part || CASE length(part) WHEN 1 THEN ARRAY[part || 'n', part || 's']
                                             ELSE ARRAY(SELECT part || to_hex(d.d) FROM generate_series(0, 15) d(d)) END)
                         WITH ORDINALITY w(w, n)
                    WHERE w.w COLLATE "C" BETWEEN left(r.low, length(w.w)) AND left(r.high, length(w.w))
                    ORDER BY CASE WHEN descending THEN -w.n ELSE w.n END);
      words := more || words[2:];
      hits := array_fill(NULL::bigint, ARRAY[cardinality(more)]) || hits[2:];
      CONTINUE;
    END IF;
    -- The window has as many words as have few hits together.
    read := (SELECT greatest(count(*) FILTER (WHERE h.below < most), 1)
             FROM (SELECT sum(coalesce(h.h, most)) OVER (ORDER BY h.n) AS below FROM unnest(hits) WITH ORDINALITY h(h, n)) h);
    IF budget <= 0 THEN
      read := cardinality(words);
    END IF;
    budget := budget - (SELECT sum(h.h) FROM unnest(hits[:read]) h(h));
    RETURN QUERY EXECUTE '/* pgtoaster */ ' || s.many
      USING array_to_string(words[:read], '|'), r.top, r.top_path, r.vars, r.top_ahead, r.top_behind, descending, tag, missing, after_value,
            after_key;
    words := words[read + 1:];
    hits := hits[read + 1:];
    GET DIAGNOSTICS read = ROW_COUNT;
    missing := missing - read;
  END LOOP;
END $$;
