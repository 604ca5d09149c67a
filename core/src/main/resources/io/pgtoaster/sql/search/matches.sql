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
  -- Try white space first, because other characters may be part of an address or a number.
  IF NOT starts THEN
    string := coalesce(substring(left(string, 500) FROM '\s.*$') || substr(string, 501), regexp_replace(string, '^\w+', ''));
  END IF;
  IF NOT ends THEN
    string := coalesce(left(string, -500) || substring(right(string, 500) FROM '^.*\s'), regexp_replace(string, '\w+$', ''));
  END IF;
  RETURN to_tsvector(config, string) @@ query;
END $$;

-- Returns the value at a path of keys. Returns an array that is a branch in parts, one for each leaf that may match: its elements,
-- and the position of the first one. parts: values that elements contain; filter: a jsonpath that finds values in the array;
-- words: a query for strings.
CREATE OR REPLACE FUNCTION pgtoaster.matching_leaves(document jsonb, path text[], parts jsonb[], filter jsonpath, vars jsonb,
  config regconfig, words tsquery)
RETURNS TABLE (start bigint, value jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
  h record;
  doc bigint;
  branch bigint;
  whole boolean;
  node text;
  hits bigint[];
BEGIN
  IF jsonb_typeof(document -> '$pgtoaster') = 'array' AND NOT pgtoaster.in_row(document, path) THEN
    h := pgtoaster.document_row(document);
    doc := h.id;
    IF doc IS NOT NULL AND cardinality(path) > 0 THEN
      branch := (SELECT p.branch FROM pgtoaster.document_place(document, doc, h.rest, path) p);
    ELSIF document - '$pgtoaster' = '{}' THEN
      branch := h.rest;
    END IF;
  END IF;
  IF branch IS NULL OR pgtoaster.branch_kind(doc, branch) <> 'a' THEN
    RETURN QUERY SELECT 0::bigint, pgtoaster.get(document, path);
    RETURN;
  END IF;
  node := pgtoaster.store_table((doc >> 40)::integer, 'node');
  IF words IS NOT NULL THEN
    EXECUTE format('SELECT array_agg(n.id) FROM %s n WHERE n.doc = $1 AND jsonb_to_tsvector(%L::regconfig, n.value, %L::jsonb) @@ $2',
                   node, config, '["string"]') INTO hits USING doc, words;
  END IF;
  FOR start, value, whole IN EXECUTE pgtoaster.branch_query(doc) || format($q$
      SELECT l.start, l.content, bool_or(NOT l.complete OR l.kids IS NOT NULL) OVER ()
      FROM (SELECT b.id, b.kids, b.content, bool_and(b.complete) OVER () AS complete,
                   sum(jsonb_array_length(b.content)) OVER (ORDER BY b.place) - jsonb_array_length(b.content) AS start
            -- Decompress the value once.
            FROM (SELECT b.id, b.kids, b.place, CASE jsonb_typeof(b.value) WHEN 'array' THEN b.value #> '{}' ELSE '[]' END AS content,
                         coalesce(b.kind = 'a' AND (b.value IS NULL OR jsonb_typeof(b.value) = 'array'), false) AS complete
                  FROM branch b OFFSET 0) b
            WHERE b.content <> '[]' OR NOT b.complete) l
      WHERE NOT l.complete
         OR CASE WHEN $6 IS NOT NULL
                 THEN l.id = ANY ($7) OR l.kids IS NOT NULL AND EXISTS (
                   WITH RECURSIVE below AS (
                     SELECT k.id FROM unnest(l.kids) k(id)
                     UNION
                     SELECT k.id FROM below b JOIN %1$s n ON n.doc = $1 AND n.id = b.id CROSS JOIN LATERAL unnest(n.kids) k(id))
                   SELECT FROM below b WHERE b.id = ANY ($7))
                 WHEN l.kids IS NOT NULL THEN true
                 WHEN $4 IS NOT NULL THEN jsonb_path_exists(l.content, $4, $5)
                 -- Split documents write some keys differently.
                 ELSE EXISTS (SELECT FROM unnest($3) p(p)
                              WHERE l.content @> jsonb_build_array(p.p) OR strpos(p.p::text, 'pgtoaster": ') > 0) END$q$, node)
      USING doc, branch, parts, filter, vars, words, hits LOOP
    -- Reading the branches of a leaf one by one takes longer than reading the whole array. An incomplete branch raises an error.
    IF whole THEN
      RETURN QUERY SELECT 0::bigint, pgtoaster.get(document, path);
      RETURN;
    END IF;
    value := pgtoaster.expanded_text(doc, value)::jsonb;
    RETURN NEXT;
  END LOOP;
END $$;

-- Returns the places of a document that match a search, in the order of the document: for contains, the elements of the outermost
-- arrays of the probe, and its values that are not in an array; for ranges, the values in the range; for words, the strings with
-- at least one of them. Reads the leaves that may contain these. config: of the text index.
CREATE OR REPLACE FUNCTION pgtoaster.document_matches(document jsonb, config regconfig, contains jsonb, matches text, ranges jsonb,
  matches_at text[], max_matches bigint)
RETURNS TABLE (path text[], value jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  -- The words and phrases that the document should contain.
  query tsquery;
  -- The longest word of each: it is probably rare. A phrase may be in two leaves.
  longest tsquery;
  -- The members of the row, as steps.
  members CONSTANT text[] :=
    CASE WHEN jsonb_typeof(document -> '$pgtoaster') = 'array' AND document #> '{$pgtoaster,1}' IS NULL
         THEN ARRAY(SELECT format('."%s"', pgtoaster.shown_key(k.k)) FROM jsonb_object_keys(document - '$pgtoaster') k(k)) END;
BEGIN
  IF matches IS NOT NULL THEN
    SELECT string_agg(a.atom::text, ' | ')::tsquery,
           string_agg((SELECT w.w::text FROM pgtoaster.phrase_words(a.atom) w(w) ORDER BY length(w.w::text) DESC LIMIT 1), ' | ')::tsquery
      INTO query, longest
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
    SELECT row_number() OVER () AS n, c.*, pgtoaster.path_top(c.steps) AS top, c.parts IS NULL AND c.filter IS NULL AS words
    FROM (SELECT p.steps, array_agg(p.part) AS parts, NULL::jsonpath AS filter, NULL::jsonb AS vars, NULL::jsonpath[] AS ends
          FROM probe p
          WHERE p.steps[cardinality(p.steps)] = '[*]' OR jsonb_typeof(p.part) NOT IN ('object', 'array') OR p.part IN ('{}', '[]')
          GROUP BY p.steps
          UNION ALL
          SELECT pgtoaster.path_steps(r.r ->> 'path'), NULL, s.ends[cardinality(s.ends)], s.vars, s.ends
          FROM jsonb_array_elements(CASE jsonb_typeof(ranges) WHEN 'array' THEN ranges ELSE jsonb_build_array(ranges) END) r(r)
          CROSS JOIN LATERAL pgtoaster.search_ranges(pgtoaster.path_names(ARRAY[r.r ->> 'path']), r.r) s
          WHERE ranges IS NOT NULL
          UNION ALL
          SELECT t.steps, NULL, NULL, NULL, NULL
          FROM (SELECT pgtoaster.path_steps(p.p) AS steps FROM unnest(matches_at) p(p)
                UNION ALL
                SELECT ARRAY[m.m] FROM unnest(members) m(m) WHERE matches_at IS NULL
                UNION ALL
                SELECT '{}' WHERE matches_at IS NULL AND members IS NULL) t
          WHERE query IS NOT NULL) c),
  walk AS (
    SELECT c.n, c.steps[cardinality(c.top) + 1:] AS steps, c.top AS path, m.start, m.value
    FROM condition c CROSS JOIN LATERAL (
      SELECT 0::bigint AS start, pgtoaster.get(document, c.top) AS value WHERE NOT c.words AND cardinality(c.steps) = cardinality(c.top)
      UNION ALL
      SELECT m.*
      FROM pgtoaster.matching_leaves(document, c.top, c.parts, c.ends[cardinality(c.top) + 1], c.vars, config,
                                     CASE WHEN c.words THEN longest END) m
      WHERE c.words OR cardinality(c.steps) > cardinality(c.top)) m
    WHERE m.value IS NOT NULL
    UNION ALL
    SELECT w.n, s.steps, s.path, 0, s.value
    FROM walk w JOIN condition c ON c.n = w.n
    CROSS JOIN LATERAL (SELECT substr(w.steps[1], 3, length(w.steps[1]) - 3) AS key, jsonb_typeof(w.value) AS type OFFSET 0) t
    CROSS JOIN LATERAL (
      SELECT w.steps[2:] AS steps, array_append(w.path, t.key) AS path, w.value -> t.key AS value
      WHERE t.type = 'object' AND w.steps[1] <> '[*]' AND w.value ? t.key
      UNION ALL
      SELECT w.steps, array_append(w.path, m.key), m.value
      FROM jsonb_each(CASE WHEN t.type = 'object' AND w.steps = '{}' THEN w.value ELSE '{}' END) m
      UNION ALL
      SELECT w.steps[2:], array_append(w.path, (w.start + e.n - 1)::text), e.e
      FROM jsonb_array_elements(CASE WHEN t.type = 'array' AND (w.steps = '{}' OR w.steps[1] = '[*]') THEN w.value ELSE '[]' END)
           WITH ORDINALITY e(e, n)) s
    WHERE (c.words OR w.steps <> '{}')
      -- Leave out small values without the words.
      AND CASE WHEN NOT c.words OR s.steps <> '{}' OR pg_column_size(s.value) > 16000 THEN true
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
