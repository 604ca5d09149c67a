-- Search in split documents: the statement that uses the indexes. A leaf contains part of a document without the path
-- above it. So a search looks for each possible end of a path, and then checks the document.

-- Returns the forms in which a leaf or a row may contain each string, number, boolean and null of a probe: an array of
-- arrays. The last form has the whole path. These values have no form: empty objects and arrays, strings that a store may
-- keep in pieces, and values below a key that split documents write differently. SearchForms.java does the same.
CREATE OR REPLACE FUNCTION pgtoaster.search_forms(probe jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found jsonb := CAST('[]' AS jsonb);
  step record;
  below jsonb;
BEGIN
  IF jsonb_typeof(probe) NOT IN ('object', 'array') THEN
    RETURN CASE WHEN octet_length(probe::text) < 8000 THEN jsonb_build_array(jsonb_build_array(probe)) ELSE '[]' END;
  END IF;
  FOR step IN
    SELECT m.key, m.value FROM jsonb_each(CASE jsonb_typeof(probe) WHEN 'object' THEN probe ELSE '{}' END) m
    WHERE m.key !~ '^[$]+pgtoaster$'
    UNION ALL
    SELECT NULL, e.value FROM jsonb_array_elements(CASE jsonb_typeof(probe) WHEN 'array' THEN probe ELSE '[]' END) e LOOP
    FOR below IN SELECT b.b FROM jsonb_array_elements(pgtoaster.search_forms(step.value)) b(b) LOOP
      found := found || jsonb_build_array(below || jsonb_build_array(
        CASE WHEN step.key IS NULL THEN jsonb_build_array(below -> -1) ELSE jsonb_build_object(step.key, below -> -1) END));
    END LOOP;
  END LOOP;
  RETURN found;
END $$;

-- Returns a text with the value of each name in place of {name}. Inserted values are not searched for names.
CREATE OR REPLACE FUNCTION pgtoaster.fill(template text, names jsonb) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (SELECT string_agg(
                   CASE WHEN p.n > 1
                        THEN coalesce((names ->> split_part(p.p, '}', 1)) || substr(p.p, strpos(p.p, '}') + 1), '{' || p.p)
                        ELSE p.p END, '' ORDER BY p.n)
          FROM string_to_table(template, '{') WITH ORDINALITY p(p, n));
END $$;

-- Returns the statements that search a column, each with the columns of the row key, in their order. after: a row key
-- as texts, or NULL; rows that follow it are returned, and at most limit. parameter: the text of a parameter before its
-- number. kinds: the indexes that may be used; contained and config say which of them the statements use. secured: the
-- statements ask the extension which rows may match, because of row security; any_role among the statements wanted: even if it
-- does not apply to this role. one or many is NULL if it is not requested, or if there is no index for it. rows: the text that follows
-- each of them, in parentheses, in a FROM clause of the rows o. A sub-select hides each parameter from the planner. Otherwise
-- a plan for known values looks cheaper, and the server makes one for each execution, which takes longer than the search.
--   scan: the parameters of many, but uses only probe, after and limit. Reads all documents or, if secured, those found.
--   one: forms, the path of each in the row to the number of its branch (NULL if it leads through an array), probe, after,
--        limit. For a probe with one value. The index finds the leaf. If the stub, or the inner node that it refers to, has the
--        leaf, the document matches; otherwise the routine checks it. (A leaf has kids, too: branches of its values.)
--   many: for each form of each condition the condition, the form, and whether it is the last; the text query, its conditions
--         as a formula, probe, after, limit, ranges, paths of the words. Documents that meet the formula are checked if there is
--         a probe, a range or a path.
--   many, if ranked is requested: the same without after; each row with rank and snippet, best first. The rank is the sum, over
--         the words and phrases found, of ts_rank in the best leaf. Ranks at most 10,000 rows, and 100 leaves of each.
--   if ordered is requested, for search_ordered: one counts the hits of words; many reads a window, scan what search finds.
-- LATERAL with OFFSET 0 makes the planner use the indexes: it does not know how few rows each step returns.
CREATE OR REPLACE FUNCTION pgtoaster.search_statements(owner regclass, column_name name, parameter text,
  kinds text[] DEFAULT '{containment,path,text}', wanted text[] DEFAULT '{one,many,any_role}',
  OUT scan text, OUT one text, OUT many text, OUT contained boolean, OUT secured boolean, OUT config regconfig,
  OUT paths text[], OUT rows text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  store CONSTANT integer := pgtoaster.searched_store(owner, column_name);
  prefix CONSTANT text := pgtoaster.store_table(store, '');
  key record := pgtoaster.document_store(store);
  lead CONSTANT pg_attribute := (SELECT l FROM pgtoaster.lead_attribute(store) l);
  ranked CONSTANT boolean := 'ranked' = ANY (wanted);
  hits text := '';
  found text;
  -- The names of both parts of each index.
  indexes jsonb;
  names jsonb;
  -- Whether the row o has the leaf k.id of the document k.doc in the branch whose number is at k.path in the row.
  leaf_of_row CONSTANT text := $q$
        o.{column} #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]) = CAST(k.doc AS pg_catalog.text)
        AND (o.{column} #>> CAST(k.path AS pg_catalog.text[]) = CAST(k.id AS pg_catalog.text)
             OR k.id = ANY (CAST((
               SELECT i.kids FROM {node} i
               WHERE i.doc = k.doc AND i.id = CAST(o.{column} #>> CAST(k.path AS pg_catalog.text[]) AS bigint)
                 AND i.value IS NULL) AS bigint[])))$q$;
BEGIN
  IF key.same_key IS NULL THEN
    SELECT * INTO key FROM pgtoaster.owner_key(owner, store);
  END IF;
  SELECT coalesce(bool_or(i.kind = 'containment'), false), max(i.config::oid), max(i.paths),
         jsonb_object_agg(i.kind, jsonb_build_array(i.rows::text, i.leaves::text))
    INTO contained, config, paths, indexes FROM pgtoaster.search_index(store, kinds) i WHERE i.rows IS NOT NULL;
  secured := (contained OR config IS NOT NULL OR paths IS NOT NULL) AND cardinality(key.columns) = 1 AND lead.attname IS NULL
    AND EXISTS (SELECT FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
                WHERE c.oid = owner AND c.relrowsecurity AND c.relkind = 'r' AND a.attname = key.columns[1] AND t.typtype <> 'd')
    AND ('any_role' = ANY (wanted) OR row_security_active(owner))
    -- A function of the extension, not one that somebody else has created.
    AND EXISTS (SELECT FROM pg_extension e
                JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
                  AND d.classid = 'pg_proc'::regclass
                JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = p.pronamespace
                WHERE e.extname = 'pgtoaster' AND n.nspname = 'toaster' AND p.proname = 'search_visible'
                  AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE'));
  -- Then the extension looks for the probe.
  contained := contained AND NOT secured;
  SELECT jsonb_build_object('p', parameter, 'owner', owner::text, 'column', quote_ident(column_name), 'head', prefix || 'head',
           'node', prefix || 'node', 'contains', prefix || 'contains', 'config', quote_literal(config),
           'paths', quote_literal(paths),
           'row_terms', CASE WHEN paths IS NOT NULL
                             THEN pgtoaster.path_expression(paths, 'o.' || quote_ident(column_name), false, 'pg_catalog.') END,
           'leaf_terms', CASE WHEN paths IS NOT NULL THEN pgtoaster.path_expression(paths, 'n.value', true, 'pg_catalog.') END,
           'probe', CASE WHEN paths IS NOT NULL THEN ', CAST(NULL AS pg_catalog.jsonb) AS probe' ELSE '' END,
           'row_key', string_agg(format('o.%I', c.c), ', ' ORDER BY c.n), 'key', string_agg('k.key_' || c.n, ', ' ORDER BY c.n),
           'row_as_key', string_agg(format('o.%I AS key_%s', c.c, c.n), ', ' ORDER BY c.n),
           'head_as_key', string_agg(format('h.owner_%s AS key_%1$s', c.n), ', ' ORDER BY c.n),
           'same_as_visible', replace(key.same_key, 'h.owner_1', ''),
           'same_as_found', replace(key.same_key, 'h.owner_1', 'ANY (s.keys)'),
           'seen', CASE WHEN secured THEN '(SELECT v.docs FROM v)' ELSE 'NULL' END,
           'seen_node', CASE WHEN secured THEN ' AND n.doc = ANY (CAST((SELECT v.docs FROM v) AS bigint[]))' ELSE '' END,
           'seen_row', CASE WHEN secured
                            THEN string_agg(' AND ' || replace(key.same_key, 'h.owner_1', format(
                              'ANY (CAST((SELECT v.keys FROM v) AS %s[]))', format_type(a.atttypid, a.atttypmod))), '') ELSE '' END,
           'terms', CASE WHEN paths IS NULL THEN 'CAST(NULL AS pg_catalog.tsquery[])' ELSE 'ARRAY(SELECT r.terms FROM r LIMIT 1)' END,
           'text_rows', quote_nullable(indexes #>> '{text,0}'), 'text_leaves', quote_nullable(indexes #>> '{text,1}'),
           'path_rows', quote_nullable(indexes #>> '{path,0}'), 'path_leaves', quote_nullable(indexes #>> '{path,1}'),
           'table', quote_literal(owner), 'attribute', quote_literal(column_name),
           'key_type', string_agg(format_type(a.atttypid, a.atttypmod), ', '),
           'after', string_agg(format('CAST(a.a[%s] AS %s)', c.n, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY c.n),
           'head_key', key.same_key, 'same_key', replace(key.same_key, 'h.owner_', 'k.key_'),
           'row_leaf', CASE WHEN ranked THEN ', CAST(NULL AS bigint) AS doc, CAST(NULL AS bigint) AS id, '
                                             'CAST(NULL AS pg_catalog.text) AS border' ELSE '' END,
           'leaf', CASE WHEN ranked THEN ', n.doc, n.id, CAST(NULL AS pg_catalog.text)' ELSE '' END,
           'border', CASE WHEN ranked THEN ', b.doc, b.id, b.border' ELSE '' END,
           'row_lead', CASE WHEN lead.attname <> 'leading_key'
                            THEN format(' AND h.%s = k.%s', lead.attname, replace(lead.attname, 'owner_', 'key_')) ELSE '' END,
           -- The function is never called. It makes a scan of all leaves look as expensive as it is: the planner does not count their
           -- decompression. It preferred such a scan to an index with many pending changes (1,000 of 20 KB: 0.7 s instead of 8 ms).
           'costly', ' AND (n.doc > CAST(0 AS bigint) OR pg_catalog.ts_match_tt(CAST(n.kind AS pg_catalog.text), ''''))',
           'lead', CASE WHEN lead.attname IS NULL THEN '' ELSE format(' AND h.%1$s = n.%1$s', lead.attname) END,
           'border_lead', CASE WHEN lead.attname IS NULL THEN ''
                               ELSE format(' AND h.%s = CAST(b.lead AS %s)', lead.attname, format_type(lead.atttypid, lead.atttypmod)) END,
           'store', store),
         format('k(%s) JOIN %s o ON %s', string_agg('key_' || c.n, ', ' ORDER BY c.n), owner, replace(key.same_key, 'h.owner_', 'k.key_'))
    INTO names, rows
  FROM unnest(key.columns) WITH ORDINALITY c(c, n) JOIN pg_attribute a ON a.attrelid = owner AND a.attname = c.c;
  scan := pgtoaster.fill(CASE WHEN secured THEN $q$SELECT {row_key} FROM {owner} o
    WHERE {same_as_visible} ANY (CAST((SELECT toaster.search_visible(CAST({table} AS pg_catalog.regclass), {attribute},
        (SELECT CAST({p}6 AS pg_catalog.jsonb)), NULL, NULL, NULL, CAST(NULL AS {key_type}))) AS {key_type}[]))
      AND (SELECT a.a IS NULL OR ({row_key}) > ({after}) FROM (SELECT (SELECT CAST({p}7 AS pg_catalog.text[])) AS a) a)
    ORDER BY {row_key} LIMIT (SELECT CAST({p}8 AS bigint))$q$
    ELSE $q$SELECT {row_key} FROM {owner} o
    WHERE {contains}({row_key}, CAST(NULL AS bigint), o.{column}, (SELECT CAST({p}6 AS pg_catalog.jsonb)))
      AND (SELECT a.a IS NULL OR ({row_key}) > ({after}) FROM (SELECT (SELECT CAST({p}7 AS pg_catalog.text[])) AS a) a)
    ORDER BY {row_key} LIMIT (SELECT CAST({p}8 AS bigint))$q$ END, names);
  IF 'ordered' = ANY (wanted) THEN
    one := pgtoaster.fill($q$WITH RECURSIVE w AS (
        SELECT 0 AS n, CAST(NULL AS pg_catalog.text) AS word, CAST(0 AS bigint) AS hits
        UNION ALL
        SELECT q.n, q.word,
               (SELECT pg_catalog.count(*)
                FROM (SELECT FROM {owner} o WHERE {row_terms} @@ q.q LIMIT (SELECT CAST({p}2 AS bigint))) o)
               + (SELECT pg_catalog.count(*)
                  FROM (SELECT FROM {node} n WHERE {leaf_terms} @@ q.q LIMIT (SELECT CAST({p}2 AS bigint))) n)
        FROM w CROSS JOIN LATERAL (
          SELECT w.n + 1 AS n, {p}1[w.n + 1] AS word, CAST({p}1[w.n + 1] AS pg_catalog.tsquery) AS q OFFSET 0) q
        WHERE w.hits < {p}2 AND q.word IS NOT NULL)
      SELECT pg_catalog.array_agg(w.word ORDER BY w.n) FILTER (WHERE w.hits > 0) AS words,
             pg_catalog.array_agg(w.hits ORDER BY w.n) FILTER (WHERE w.hits > 0) AS hits, pg_catalog.max(w.n) AS n
      FROM w$q$, names);
    many := pgtoaster.fill(pgtoaster.ordered_template($q$
        SELECT {row_as_key} FROM w CROSS JOIN LATERAL (SELECT o.* FROM {owner} o WHERE {row_terms} @@ w.terms OFFSET 0) o
        UNION ALL
        SELECT {head_as_key} FROM w CROSS JOIN LATERAL (SELECT n.* FROM {node} n WHERE {leaf_terms} @@ w.terms OFFSET 0) n
        CROSS JOIN LATERAL (SELECT h.* FROM {head} h WHERE h.id = n.doc{lead} LIMIT 1) h$q$), names);
    scan := pgtoaster.fill(pgtoaster.ordered_template($q$
        SELECT {row_as_key}
        FROM pgtoaster.search(CAST(NULL AS {owner}), {p}12, {p}13, {p}14, CAST(NULL AS bigint), {p}15, {p}16) o$q$), names);
    RETURN;
  END IF;
  IF contained AND 'one' = ANY (wanted) THEN
    one := pgtoaster.fill($q$SELECT DISTINCT {key} FROM (
      SELECT {row_as_key} FROM {owner} o WHERE o.{column} @> (SELECT CAST({p}3 AS pg_catalog.jsonb))
      UNION ALL
      SELECT {key} FROM (
        SELECT {head_as_key}, n.doc, n.id, f.path
        FROM ROWS FROM (pg_catalog.unnest((SELECT CAST({p}1 AS pg_catalog.jsonb[]))),
                        pg_catalog.unnest((SELECT CAST({p}2 AS pg_catalog.text[])))) f(form, path)
        CROSS JOIN LATERAL (SELECT n.* FROM {node} n WHERE n.value @> f.form{costly} OFFSET 0) n
        CROSS JOIN LATERAL (SELECT h.* FROM {head} h WHERE h.id = n.doc{lead} LIMIT 1) h OFFSET 0) k
      CROSS JOIN LATERAL (SELECT o.* FROM {owner} o WHERE {same_key} LIMIT 1) o
      WHERE CASE WHEN $q$ || leaf_of_row || $q$ THEN true
                 WHEN o.{column} #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL
                 THEN {contains}({row_key}, CAST(NULL AS bigint), o.{column}, (SELECT CAST({p}3 AS pg_catalog.jsonb))) END) k
      WHERE (SELECT a.a IS NULL OR ({key}) > ({after}) FROM (SELECT (SELECT CAST({p}4 AS pg_catalog.text[])) AS a) a)
      ORDER BY {key} LIMIT (SELECT CAST({p}5 AS bigint))$q$, names);
  END IF;
  IF contained THEN
    hits := $q$
      SELECT c.condition, {row_as_key}{row_leaf}{probe} FROM c
      CROSS JOIN LATERAL (SELECT o.* FROM {owner} o WHERE o.{column} @> c.form OFFSET 0) o WHERE c.whole
      UNION ALL
      SELECT c.condition, {head_as_key}{leaf}{probe} FROM c CROSS JOIN LATERAL (
        SELECT n.* FROM {node} n WHERE n.value @> c.form{costly} OFFSET 0) n
      CROSS JOIN LATERAL (SELECT h.* FROM {head} h WHERE h.id = n.doc{lead} LIMIT 1) h$q$;
  END IF;
  IF config IS NOT NULL THEN
    hits := hits || CASE WHEN hits <> '' THEN ' UNION ALL' ELSE '' END || $q$
      SELECT c.condition, {row_as_key}{row_leaf}{probe} FROM a c CROSS JOIN LATERAL (
        SELECT o.* FROM {owner} o
        WHERE pg_catalog.jsonb_to_tsvector(CAST({config} AS pg_catalog.regconfig), o.{column},
                                           CAST('["string"]' AS pg_catalog.jsonb)) @@ c.atom{seen_row} OFFSET 0) o
      UNION ALL
      SELECT c.condition, {head_as_key}{leaf}{probe} FROM a c CROSS JOIN LATERAL (
        SELECT n.* FROM {node} n
        WHERE pg_catalog.jsonb_to_tsvector(CAST({config} AS pg_catalog.regconfig), n.value,
                                           CAST('["string"]' AS pg_catalog.jsonb)) @@ c.atom{seen_node} OFFSET 0) n
      CROSS JOIN LATERAL (SELECT h.* FROM {head} h WHERE h.id = n.doc{lead} LIMIT 1) h
      UNION ALL
      SELECT c.condition, {head_as_key}{border}{probe}
      FROM a c CROSS JOIN LATERAL pgtoaster.border_hits({store}, CAST({config} AS pg_catalog.regconfig), c.atom, {seen}) b
      CROSS JOIN LATERAL (SELECT h.* FROM {head} h WHERE h.id = b.doc{border_lead} LIMIT 1) h$q$;
  END IF;
  IF paths IS NOT NULL THEN
    -- The probe "true" means that the document has a value in the range: its row contains the value, or a leaf that belongs to it.
    -- Other probes contain the value found; a few are enough. A string out of line may be only a piece, so it has no probe.
    hits := hits || CASE WHEN hits <> '' THEN ' UNION ALL' ELSE '' END || $q$
      SELECT r.condition, {row_as_key}{row_leaf}, CASE WHEN o.{column} @> v.probe THEN CAST('true' AS pg_catalog.jsonb) ELSE v.probe END
      FROM r CROSS JOIN LATERAL (SELECT o.* FROM {owner} o WHERE {row_terms} @@ r.terms{seen_row} OFFSET 0) o
      CROSS JOIN LATERAL (
        SELECT DISTINCT CAST(pg_catalog.concat(r.ahead[1], v.v, r.behind[1]) AS pg_catalog.jsonb) AS probe
        FROM pg_catalog.jsonb_path_query(o.{column}, r.ends[1], r.vars) v(v)
        -- A jsonpath filter also applies to the elements of an array.
        WHERE pg_catalog.jsonb_typeof(v.v) <> 'array' LIMIT 3) v
      UNION ALL
      SELECT r.condition, {head_as_key}{leaf}, v.probe
      -- Decompress the value once.
      FROM r CROSS JOIN LATERAL (
        SELECT n.*, n.value #> CAST('{}' AS pg_catalog.text[]) AS content FROM {node} n WHERE {leaf_terms} @@ r.terms{seen_node} OFFSET 0) n
      CROSS JOIN LATERAL (SELECT h.* FROM {head} h WHERE h.id = n.doc{lead} LIMIT 1) h
      CROSS JOIN LATERAL (
        SELECT CAST(NULL AS pg_catalog.jsonb) AS probe WHERE n.kind = 's'
        UNION ALL
        SELECT CASE WHEN e.current AND n.content @> CAST(pg_catalog.concat(e.ahead, v.v, e.behind) AS pg_catalog.jsonb)
                    THEN CAST('true' AS pg_catalog.jsonb)
                    ELSE CAST(pg_catalog.concat(r.ahead[1], v.v, r.behind[1]) AS pg_catalog.jsonb) END
        FROM (SELECT e.*, (SELECT $q$ || leaf_of_row || $q$ FROM {owner} o WHERE {head_key} LIMIT 1) AS current
              FROM e CROSS JOIN LATERAL (SELECT n.doc, n.id, e.place AS path) k
              WHERE n.kind <> 's' AND e.condition = r.condition AND e.kind = pgtoaster.path_kind(n.content) OFFSET 0) e
        CROSS JOIN LATERAL (
          SELECT DISTINCT v.v FROM pg_catalog.jsonb_path_query(n.content, e.path, r.vars) v(v)
          WHERE pg_catalog.jsonb_typeof(v.v) <> 'array' LIMIT 3) v) v$q$;
  END IF;
  found := $q$SELECT $q$ || CASE WHEN ranked THEN '{row_as_key}' ELSE '{row_key}' END
    || CASE WHEN ranked THEN ', k.conditions, k.docs, k.ids, k.borders, o.{column} AS content' ELSE '' END
    || $q$ FROM (SELECT {key}$q$
    || CASE WHEN paths IS NULL THEN '' ELSE ', pg_catalog.array_agg(k.condition) AS names, pg_catalog.array_agg(k.probe) AS probes' END
    || CASE WHEN ranked THEN ', pg_catalog.array_agg(k.condition) AS conditions, pg_catalog.array_agg(k.doc) AS docs, '
                             'pg_catalog.array_agg(k.id) AS ids, pg_catalog.array_agg(k.border) AS borders' ELSE '' END
    || $q$ FROM ($q$ || hits || $q$) k GROUP BY {key}
        HAVING pg_catalog.array_to_tsvector(pg_catalog.array_agg(DISTINCT k.condition))
          @@ (SELECT f.f FROM f)) k
      CROSS JOIN LATERAL (SELECT o.* FROM {owner} o WHERE {same_key} LIMIT 1) o
      WHERE ((SELECT CAST({p}6 AS pg_catalog.jsonb)) IS NULL
             OR {contains}({row_key}, CAST(NULL AS bigint), o.{column}, (SELECT CAST({p}6 AS pg_catalog.jsonb))))$q$
    || CASE WHEN config IS NULL THEN '' ELSE $q$
        AND ((SELECT CAST({p}10 AS pg_catalog.text[])) IS NULL
             OR (SELECT s.words @@ (SELECT t.query FROM t)
                 FROM pgtoaster.strings_at(
                   o.{column}, (SELECT CAST({p}10 AS pg_catalog.text[])), CAST({config} AS pg_catalog.regconfig)) s))$q$ END
    || CASE WHEN paths IS NULL THEN '' ELSE $q$
        AND NOT EXISTS (
          SELECT FROM r
          CROSS JOIN LATERAL (
            SELECT pg_catalog.array_agg(DISTINCT p.probe) AS probes
            FROM ROWS FROM (pg_catalog.unnest(k.names), pg_catalog.unnest(k.probes)) p(condition, probe)
            WHERE p.condition = r.condition) p
          WHERE pg_catalog.array_position(p.probes, CAST('true' AS pg_catalog.jsonb)) IS NULL
            AND NOT EXISTS (
              SELECT FROM pg_catalog.unnest(p.probes[:2]) q(probe)
              WHERE q.probe IS NOT NULL AND {contains}({row_key}, CAST(NULL AS bigint), o.{column}, q.probe))
            AND (pg_catalog.cardinality(p.probes) <= 2 AND pg_catalog.array_position(p.probes, NULL) IS NULL
                 OR coalesce(pgtoaster.in_range(pgtoaster.get(o.{column}, r.top), r.top_path, r.vars, r.top_ahead, r.top_behind),
                             false) = false))$q$ END;
  IF hits <> '' AND ('many' = ANY (wanted) OR ranked) THEN
    many := pgtoaster.fill($q$WITH t AS MATERIALIZED (
        SELECT q.query, t.atoms, t.wanted,
               CASE WHEN (SELECT CAST({p}10 AS pg_catalog.text[])) IS NULL THEN t.formula ELSE t.wanted END AS formula
        FROM (SELECT $q$
      || CASE WHEN config IS NULL THEN 'CAST((SELECT CAST({p}4 AS pg_catalog.text)) AS pg_catalog.tsquery)'
              ELSE 'pg_catalog.websearch_to_tsquery(CAST({config} AS pg_catalog.regconfig), '
                   '(SELECT CAST({p}4 AS pg_catalog.text)))' END
      || $q$ AS query) q CROSS JOIN LATERAL pgtoaster.text_atoms(q.query) t),
      a AS NOT MATERIALIZED (
        SELECT CAST(a.n AS pg_catalog.text) AS condition, a.atom
        FROM t CROSS JOIN LATERAL pg_catalog.unnest(t.atoms) WITH ORDINALITY a(atom, n)),
      c AS NOT MATERIALIZED (
        SELECT c.*
        FROM ROWS FROM (pg_catalog.unnest((SELECT CAST({p}1 AS pg_catalog.text[]))),
                        pg_catalog.unnest((SELECT CAST({p}2 AS pg_catalog.jsonb[]))),
                        pg_catalog.unnest((SELECT CAST({p}3 AS boolean[])))) c(condition, form, whole))$q$
      || CASE WHEN paths IS NULL THEN '' ELSE $q$,
      r AS MATERIALIZED (
        SELECT r.* FROM pgtoaster.search_ranges(CAST({paths} AS pg_catalog.text[]), (SELECT CAST({p}9 AS pg_catalog.jsonb))) r),
      e AS MATERIALIZED (
        SELECT r.condition, e.*
        FROM r CROSS JOIN LATERAL ROWS FROM (pg_catalog.unnest(r.ends), pg_catalog.unnest(r.kinds), pg_catalog.unnest(r.places),
          pg_catalog.unnest(r.ahead), pg_catalog.unnest(r.behind)) e(path, kind, place, ahead, behind))$q$ END
      || CASE WHEN secured THEN $q$,
      v AS MATERIALIZED (
        SELECT s.keys, ARRAY(SELECT CAST(o.{column} #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]) AS bigint)
                             FROM {owner} o WHERE {same_as_found}) AS docs
        FROM (SELECT toaster.search_visible(CAST({table} AS pg_catalog.regclass), {attribute}, NULL,
                CASE WHEN (SELECT CAST({p}4 AS pg_catalog.text)) IS NOT NULL
                     -- The words of a phrase may be in two pieces of a string.
                     THEN ARRAY(SELECT (SELECT w.w FROM pgtoaster.phrase_words(a.atom) w(w)
                                        ORDER BY pg_catalog.length(CAST(w.w AS pg_catalog.text)) DESC LIMIT 1)
                                FROM a WHERE pg_catalog.strpos((SELECT CAST(t.wanted AS pg_catalog.text) FROM t),
                                                               pg_catalog.concat('''', a.condition, '''')) > 0)
                     ELSE {terms} END,
                pg_catalog.to_regclass(CASE WHEN (SELECT CAST({p}4 AS pg_catalog.text)) IS NOT NULL THEN {text_rows} ELSE {path_rows} END),
                pg_catalog.to_regclass(
                  CASE WHEN (SELECT CAST({p}4 AS pg_catalog.text)) IS NOT NULL THEN {text_leaves} ELSE {path_leaves} END),
                CAST(NULL AS {key_type})) AS keys OFFSET 0) s)$q$ ELSE '' END
      || $q$,
      f AS NOT MATERIALIZED (
        SELECT CAST(pg_catalog.string_agg(pg_catalog.concat('(', q.q, ')'), ' & ') AS pg_catalog.tsquery) AS f
        FROM (SELECT CAST(t.formula AS pg_catalog.text) AS q FROM t UNION ALL SELECT (SELECT CAST({p}5 AS pg_catalog.text))$q$
      || CASE WHEN paths IS NULL THEN '' ELSE ' UNION ALL SELECT r.condition FROM r' END || $q$) q WHERE q.q <> '')
      $q$ || CASE WHEN ranked THEN pgtoaster.ranked_template(found) ELSE found || $q$
        AND (SELECT a.a IS NULL OR ({row_key}) > ({after}) FROM (SELECT (SELECT CAST({p}7 AS pg_catalog.text[])) AS a) a)
      ORDER BY {row_key} LIMIT (SELECT CAST({p}8 AS bigint))$q$ END, names);
  END IF;
END $$;

-- Returns the table with a row type.
CREATE OR REPLACE FUNCTION pgtoaster.searched_table(row_type regtype) RETURNS regclass
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found regclass := (SELECT t.typrelid FROM pg_type t WHERE t.oid = row_type AND t.typrelid <> 0);
BEGIN
  IF found IS NULL THEN
    RAISE EXCEPTION 'the first argument has type %, which is not the row type of a table', row_type USING ERRCODE = 'wrong_object_type',
      HINT = 'SELECT * FROM pgtoaster.search(NULL::product, ''doc'', contains => ..).';
  END IF;
  RETURN found;
END $$;

-- Raises an exception if config is NULL: the column then has no text index.
CREATE OR REPLACE FUNCTION pgtoaster.require_text_index(owner regclass, column_name name, config regconfig) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF config IS NULL THEN
    RAISE EXCEPTION 'column "%" of % has no text index', column_name, owner USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'SELECT pgtoaster.create_index(table, column, ''text'', ''{"config": "english"}'').';
  END IF;
END $$;

-- Raises an exception if paths is NULL: the column then has no path index.
CREATE OR REPLACE FUNCTION pgtoaster.require_path_index(owner regclass, column_name name, paths text[]) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF paths IS NULL THEN
    RAISE EXCEPTION 'column "%" of % has no path index', column_name, owner USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'SELECT pgtoaster.create_index(table, column, ''path'', ''{"paths": ["variants[*].price"]}'').';
  END IF;
END $$;

-- Returns the first parameters of the statement "many": for each form, its condition, the form itself, and whether it
-- is the last one of its condition; then the conditions as a formula.
CREATE OR REPLACE FUNCTION pgtoaster.search_parameters(conditions jsonb, OUT names text[], OUT forms jsonb[], OUT whole boolean[],
  OUT formula tsquery)
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(array_agg('c' || c.n ORDER BY c.n, f.n), '{}'), coalesce(array_agg(f.f ORDER BY c.n, f.n), '{}'),
         coalesce(array_agg(f.n = jsonb_array_length(c.c) ORDER BY c.n, f.n), '{}'), string_agg(DISTINCT 'c' || c.n, ' & ')::tsquery
  FROM jsonb_array_elements(conditions) WITH ORDINALITY c(c, n) CROSS JOIN jsonb_array_elements(c.c) WITH ORDINALITY f(f, n)
$$;

-- Returns the rows of a table whose documents contain a probe, as document @> probe does, and match a text query as
-- websearch_to_tsquery reads it: all words, "a phrase", or, -not. Words may be in different strings of the document. rows:
-- a NULL of the table's row type. ranges: {"path": .., ">=": .., "<": ..}, or an array of such objects; a document must have
-- a value in each range. matches_at: search only the strings at these paths, and below them, for the words.
--   SELECT p.id FROM pgtoaster.search(NULL::product, 'doc', contains => '{"variants": [{"sku": "S1"}]}') p
--   SELECT p.id FROM pgtoaster.search(NULL::product, 'doc', ranges => '{"path": "variants[*].price", ">=": 10, "<": 20}') p
CREATE OR REPLACE FUNCTION pgtoaster.search(rows anyelement, column_name name, contains jsonb DEFAULT NULL,
  matches text DEFAULT NULL, max_rows bigint DEFAULT NULL, ranges jsonb DEFAULT NULL, matches_at text[] DEFAULT NULL)
RETURNS SETOF anyelement
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT regclass := pgtoaster.searched_table(pg_typeof(rows));
  s record;
  p record;
  conditions jsonb;
  forms jsonb[];
  -- Whether the probe as a whole is a single condition.
  single boolean;
  -- From the row to the number of the branch whose leaves contain each form; NULL if it leads through an array.
  paths text[] := CAST('{}' AS text[]);
  path text[] := CAST('{}' AS text[]);
BEGIN
  ranges := nullif(ranges, '[]');
  conditions := coalesce(pgtoaster.search_forms(contains), '[]');
  p := pgtoaster.search_parameters(conditions);
  forms := p.forms;
  single := matches IS NULL AND ranges IS NULL AND jsonb_array_length(conditions) = 1 AND forms[cardinality(forms)] = contains;
  s := pgtoaster.search_statements(
    owner, column_name, '$',
    ARRAY['containment'] || CASE WHEN matches IS NOT NULL THEN ARRAY['text'] END || CASE WHEN ranges IS NOT NULL THEN ARRAY['path'] END,
    CASE WHEN single THEN ARRAY['one']
         WHEN conditions <> '[]' OR matches IS NOT NULL OR ranges IS NOT NULL THEN ARRAY['many'] ELSE '{}' END);
  -- Report invalid conditions here: an error in the statement would show all of it.
  IF matches IS NOT NULL THEN
    PERFORM pgtoaster.require_text_index(owner, column_name, s.config);
    PERFORM pgtoaster.text_atoms(websearch_to_tsquery(s.config, matches));
  ELSIF matches_at IS NOT NULL THEN
    RAISE EXCEPTION 'matches_at needs matches' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'SELECT * FROM pgtoaster.search(NULL::product, ''doc'', matches => ''gift'', matches_at => ''{reviews[*].text}'').';
  END IF;
  IF ranges IS NOT NULL THEN
    PERFORM pgtoaster.require_path_index(owner, column_name, s.paths);
    PERFORM pgtoaster.search_ranges(s.paths, ranges);
  END IF;
  IF NOT s.contained THEN
    p := pgtoaster.search_parameters('[]');
  END IF;
  IF s.one IS NOT NULL THEN
    FOR i IN REVERSE cardinality(forms) .. 1 LOOP
      -- An array also contains the scalars that are its elements, so a leaf with the bare value proves nothing.
      paths := array_prepend(CASE WHEN path = '{}' THEN '{$pgtoaster,1}'
                                  WHEN i > 1 AND path IS NOT NULL THEN array_append(path, '$pgtoaster')::text END, paths);
      -- A key that looks like a number could be a position in the row.
      path := CASE WHEN path IS NOT NULL AND jsonb_typeof(forms[i]) = 'object'
                   THEN (SELECT path || k.k FROM jsonb_object_keys(forms[i]) k(k) WHERE k.k !~ '^\s*[-+]?[0-9]+$') END;
    END LOOP;
    RETURN QUERY EXECUTE format('/* pgtoaster */ SELECT o.* FROM (%s) %s', s.one, s.rows) USING forms, paths, contains, NULL, max_rows;
  ELSE
    RETURN QUERY EXECUTE format('/* pgtoaster */ SELECT o.* FROM (%s) %s', coalesce(s.many, s.scan), s.rows)
      USING p.names, p.forms, p.whole, matches, p.formula,
            coalesce(contains, CASE WHEN matches IS NULL AND ranges IS NULL THEN '{}'::jsonb END), NULL, max_rows, ranges,
            nullif(matches_at, '{}');
  END IF;
END $$;

-- Returns the rows that search finds by words, best first, each with its rank and a snippet: what ts_headline returns for the
-- best string. A snippet is not escaped for HTML.
--   SELECT (f.found).id, f.snippet FROM pgtoaster.search_ranked(NULL::product, 'doc', 'wonderful gift') f
CREATE OR REPLACE FUNCTION pgtoaster.search_ranked(rows anyelement, column_name name, matches text,
  contains jsonb DEFAULT NULL, max_rows bigint DEFAULT 100, matches_at text[] DEFAULT NULL)
RETURNS TABLE (found anyelement, rank real, snippet text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT regclass := pgtoaster.searched_table(pg_typeof(rows));
  s record := pgtoaster.search_statements(owner, column_name, '$', '{containment,text}', '{ranked}');
  p record;
BEGIN
  PERFORM pgtoaster.require_text_index(owner, column_name, s.config);
  PERFORM pgtoaster.text_atoms(websearch_to_tsquery(s.config, matches));
  p := pgtoaster.search_parameters(CASE WHEN s.contained THEN coalesce(pgtoaster.search_forms(contains), '[]') ELSE '[]' END);
  RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT (o.*)::%s, k.rank, k.snippet FROM (%s) %s ORDER BY k.rank DESC, %s', owner, s.many, s.rows,
      (SELECT string_agg('k.key_' || n, ', ' ORDER BY n) FROM generate_series(1, regexp_count(split_part(s.rows, ')', 1), 'key_')) n))
    USING p.names, p.forms, p.whole, matches, p.formula, contains, NULL, max_rows, NULL, nullif(matches_at, '{}');
END $$;
