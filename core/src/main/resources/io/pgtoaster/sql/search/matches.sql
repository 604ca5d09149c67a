-- Where a document matches a search: the paths and values of the elements, strings and numbers that it looks for.

-- Returns whether a long string contains a word or phrase. A tsvector has a maximum size, so the function reads parts that overlap.
-- starts and ends: whether the text begins and ends with a whole word.
CREATE OR REPLACE FUNCTION pgtoaster.has_words(config regconfig, string text, query tsquery, starts boolean, ends boolean) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  half CONSTANT integer := length(string) / 2 + 1000;
BEGIN
  IF half > 16000 THEN
    RETURN pgtoaster.has_words(config, left(string, half), query, starts, false)
        OR pgtoaster.has_words(config, right(string, half), query, false, ends);
  END IF;
  string := CASE WHEN starts THEN string ELSE regexp_replace(string, '^\S+', '') END;
  RETURN to_tsvector(config, CASE WHEN ends THEN string ELSE regexp_replace(string, '\S+$', '') END) @@ query;
END $$;

-- Returns the places of a document that match a search, in the order of the document: for contains, the elements of the outermost
-- arrays of the probe, and its values that are not in an array; for ranges, the values in the range; for words, the strings with
-- at least one of them. Reads the members that the search names. config: of the text index.
CREATE OR REPLACE FUNCTION pgtoaster.document_matches(document jsonb, config regconfig, contains jsonb, matches text, ranges jsonb,
  matches_at text[], max_matches bigint)
RETURNS TABLE (path text[], value jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  -- The words and phrases that the document should contain.
  query tsquery;
BEGIN
  IF matches IS NOT NULL THEN
    SELECT string_agg(a.atom::text, ' | ')::tsquery INTO query
    FROM pgtoaster.text_atoms(websearch_to_tsquery(config, matches)) t CROSS JOIN LATERAL unnest(t.atoms) WITH ORDINALITY a(atom, n)
    WHERE strpos(t.wanted::text, concat('''', a.n, '''')) > 0;
  END IF;
  RETURN QUERY
  WITH RECURSIVE probe AS (
    SELECT '{}'::text[] AS steps, contains AS part WHERE contains IS NOT NULL
    UNION ALL
    -- At the root, an array also contains the scalars that are its elements.
    SELECT '{[*]}', contains WHERE jsonb_typeof(contains) NOT IN ('object', 'array')
    UNION ALL
    SELECT array_append(p.steps, s.step), s.part
    FROM probe p CROSS JOIN LATERAL (
      SELECT format('."%s"', m.key) AS step, m.value AS part
      FROM jsonb_each(CASE jsonb_typeof(p.part) WHEN 'object' THEN p.part ELSE '{}' END) m
      UNION ALL
      SELECT '[*]', e.e FROM jsonb_array_elements(CASE jsonb_typeof(p.part) WHEN 'array' THEN p.part ELSE '[]' END) e(e)) s
    WHERE coalesce(p.steps[cardinality(p.steps)], '') <> '[*]'),
  condition AS MATERIALIZED (
    SELECT row_number() OVER () AS n, c.*, pgtoaster.path_top(c.steps) AS top
    FROM (SELECT p.steps, array_agg(p.part) AS parts, NULL::jsonpath AS filter, NULL::jsonb AS vars
          FROM probe p
          WHERE p.steps[cardinality(p.steps)] = '[*]' OR jsonb_typeof(p.part) NOT IN ('object', 'array') OR p.part IN ('{}', '[]')
          GROUP BY p.steps
          UNION ALL
          SELECT pgtoaster.path_steps(r.r ->> 'path'), NULL, s.ends[cardinality(s.ends)], s.vars
          FROM jsonb_array_elements(CASE jsonb_typeof(ranges) WHEN 'array' THEN ranges ELSE jsonb_build_array(ranges) END) r(r)
          CROSS JOIN LATERAL pgtoaster.search_ranges(pgtoaster.path_names(ARRAY[r.r ->> 'path']), r.r) s
          WHERE ranges IS NOT NULL
          UNION ALL
          SELECT pgtoaster.path_steps(p.p), NULL, NULL, NULL FROM unnest(matches_at) p(p) WHERE query IS NOT NULL
          UNION ALL
          SELECT '{}', NULL, NULL, NULL WHERE query IS NOT NULL AND matches_at IS NULL) c),
  -- Read each member once.
  member AS MATERIALIZED (
    SELECT t.top, pgtoaster.get(document, t.top) AS value FROM (SELECT DISTINCT c.top FROM condition c) t),
  walk AS (
    SELECT c.n, c.steps[cardinality(c.top) + 1:] AS steps, c.top AS path, m.value
    FROM condition c JOIN member m ON m.top = c.top WHERE m.value IS NOT NULL
    UNION ALL
    SELECT w.n, s.steps, s.path, s.value
    FROM walk w JOIN condition c ON c.n = w.n
    CROSS JOIN LATERAL (SELECT c.parts IS NULL AND c.filter IS NULL AS words, substr(w.steps[1], 3, length(w.steps[1]) - 3) AS key,
                               jsonb_typeof(w.value) AS type OFFSET 0) t
    CROSS JOIN LATERAL (
      SELECT w.steps[2:] AS steps, array_append(w.path, t.key) AS path, w.value -> t.key AS value
      WHERE t.type = 'object' AND w.steps[1] <> '[*]' AND w.value ? t.key
      UNION ALL
      SELECT w.steps, array_append(w.path, m.key), m.value
      FROM jsonb_each(CASE WHEN t.type = 'object' AND w.steps = '{}' THEN w.value ELSE '{}' END) m
      UNION ALL
      -- The jsonpath that finds words also applies a key to the elements of an array, and [*] to a value that is not in an array.
      SELECT CASE w.steps[1] WHEN '[*]' THEN w.steps[2:] ELSE w.steps END, array_append(w.path, (e.n - 1)::text), e.e
      FROM jsonb_array_elements(CASE WHEN t.type = 'array' AND (t.words OR w.steps[1] = '[*]') THEN w.value ELSE '[]' END)
           WITH ORDINALITY e(e, n)
      WHERE w.steps[1] = '[*]' OR w.steps = '{}' OR jsonb_typeof(e.e) = 'object'
      UNION ALL
      SELECT w.steps[2:], w.path, w.value WHERE t.words AND w.steps[1] = '[*]' AND t.type <> 'array') s
    WHERE (t.words OR w.steps <> '{}')
      -- Leave out small values without the words.
      AND CASE WHEN NOT t.words OR s.steps <> '{}' OR pg_column_size(s.value) > 16000 THEN true
               WHEN jsonb_typeof(s.value) IN ('object', 'array', 'string')
               THEN jsonb_to_tsvector(config, s.value, '["string"]') @@ query END)
  SELECT DISTINCT ON (f.place) f.path, f.value
  FROM (SELECT w.path, w.value,
               -- Longer keys and positions follow shorter ones.
               ARRAY(SELECT lpad(octet_length(s.s)::text, 10, '0') || s.s FROM unnest(w.path) WITH ORDINALITY s(s, n) ORDER BY s.n)
                 COLLATE "C" AS place
        FROM walk w JOIN condition c ON c.n = w.n
        WHERE w.steps = '{}'
          AND CASE WHEN c.parts IS NOT NULL
                   THEN EXISTS (SELECT FROM unnest(c.parts) p(p) WHERE jsonb_build_array(w.value) @> jsonb_build_array(p.p))
                   WHEN c.filter IS NOT NULL
                   THEN jsonb_typeof(w.value) NOT IN ('object', 'array') AND jsonb_path_exists(w.value, c.filter, c.vars)
                   WHEN jsonb_typeof(w.value) <> 'string' THEN false
                   WHEN pg_column_size(w.value) <= 16000 THEN jsonb_to_tsvector(config, w.value, '["string"]') @@ query
                   ELSE pgtoaster.has_words(config, w.value #>> '{}', query, true, true) END) f
  ORDER BY f.place LIMIT max_matches;
END $$;

-- Returns the places where a row that pgtoaster.search finds matches: paths for pgtoaster.get, and the values there. The arguments
-- are those of the search.
--   SELECT p.id, m.path FROM pgtoaster.search(NULL::product, 'doc', matches => 'gift') p
--   CROSS JOIN LATERAL pgtoaster.search_matches(p, 'doc', matches => 'gift') m
CREATE OR REPLACE FUNCTION pgtoaster.search_matches(hit anyelement, column_name name, contains jsonb DEFAULT NULL,
  matches text DEFAULT NULL, ranges jsonb DEFAULT NULL, matches_at text[] DEFAULT NULL, max_matches bigint DEFAULT 100)
RETURNS TABLE (path text[], value jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT regclass := pgtoaster.searched_table(pg_typeof(hit));
  store CONSTANT integer := pgtoaster.searched_store(owner, column_name);
  config regconfig;
  document jsonb;
BEGIN
  IF matches IS NOT NULL THEN
    config := (SELECT i.config FROM pgtoaster.search_index(store, '{text}') i);
    PERFORM pgtoaster.require_text_index(owner, column_name, config);
  END IF;
  EXECUTE format('/* pgtoaster */ SELECT ($1).%I', column_name) INTO document USING hit;
  RETURN QUERY SELECT m.* FROM pgtoaster.document_matches(document, config, contains, matches, ranges, nullif(matches_at, '{}'),
                                                          max_matches) m;
END $$;
