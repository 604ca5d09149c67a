-- Search for words: the parts of the statements of search_statements that find phrases and rank.

-- Returns the words and phrases of a text query, and the query with the number of each in its place. wanted: the same without
-- those that documents must not contain.
CREATE OR REPLACE FUNCTION pgtoaster.text_atoms(query tsquery, OUT atoms tsquery[], OUT formula tsquery, OUT wanted tsquery)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- A word may have a weight or a star; in a phrase, <-> or <2> follows it.
  word CONSTANT text := $re$'(?:[^']|'')*'(?::[*A-D]+)?$re$;
  atom CONSTANT text := word || $re$(?: <(?:-|\d+)> $re$ || word || ')*';
  rest text := query::text;
BEGIN
  IF query IS NULL THEN
    atoms := '{}';
    RETURN;
  END IF;
  atoms := ARRAY(SELECT m.m[1]::tsquery FROM regexp_matches(query::text, '(' || atom || ')', 'g') WITH ORDINALITY m(m, n) ORDER BY m.n);
  FOR i IN 1 .. cardinality(atoms) LOOP
    rest := regexp_replace(rest, atom, i::text);
  END LOOP;
  IF rest LIKE '%<%' THEN
    RAISE EXCEPTION 'a phrase in a text search may contain only words' USING ERRCODE = 'invalid_parameter_value';
  ELSIF cardinality(atoms) = 0 THEN
    RAISE EXCEPTION 'the text search contains no word that is indexed' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'The text search configuration of the index leaves out stop words.';
  END IF;
  formula := rest::tsquery;
  IF array_to_tsvector('{}') @@ formula THEN
    RAISE EXCEPTION 'the text search would also find documents that contain none of its words' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Add a word that the documents must contain.';
  END IF;
  -- T is the result for a query without such words, such as !(!1).
  wanted := coalesce(nullif(querytree(formula), 'T')::tsquery, formula);
END $$;

-- Returns the strings of a document at paths and below, and their words.
CREATE OR REPLACE FUNCTION pgtoaster.strings_at(document jsonb, paths text[], config regconfig, OUT strings jsonb, OUT words tsvector)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  SELECT jsonb_agg(v.v) INTO strings
  FROM unnest(paths) p(p)
  CROSS JOIN LATERAL (SELECT pgtoaster.path_steps(p.p) AS steps) s
  CROSS JOIN LATERAL (SELECT pgtoaster.path_top(s.steps) AS top) t
  CROSS JOIN LATERAL jsonb_path_query(
    jsonb_build_array(pgtoaster.get(document, t.top)),
    -- A lax path would also apply a key to the elements of an array. A strict one needs a filter for each step that may be missing.
    concat('strict $[*]',
      (SELECT string_agg(CASE r.r WHEN '[*]' THEN ' ? (@.type() == "array")[*]' ELSE format(' ? (exists(@%1$s))%1$s', r.r) END, ''
                         ORDER BY r.n)
       FROM unnest(s.steps[cardinality(t.top) + 1:]) WITH ORDINALITY r(r, n)))::jsonpath) v(v);
  words := jsonb_to_tsvector(config, strings, '["string"]');
END $$;

-- Returns the words of a word or phrase.
CREATE OR REPLACE FUNCTION pgtoaster.phrase_words(phrase tsquery) RETURNS SETOF tsquery
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT m.m[1]::tsquery FROM regexp_matches(phrase::text, $re$('(?:[^']|'')*'(?::[*A-D]+)?)$re$, 'g') m(m);
END $$;

-- Returns the end of a piece of a string and the start of the next one, long enough for a phrase and without parts of words.
CREATE OR REPLACE FUNCTION pgtoaster.border(piece jsonb, next jsonb, phrase tsquery) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The text must be longer than the phrase: words are longer than their stems, and the phrase has no stop words.
  most CONSTANT integer := 1500 + 4 * length(phrase::text);
  ends CONSTANT text := right(piece #>> '{}', most);
  starts CONSTANT text := left(next #>> '{}', most);
BEGIN
  -- Try white space first, because other characters may be part of an address or a number.
  RETURN concat(
    CASE WHEN length(ends) < most THEN ends
         ELSE coalesce(substring(left(ends, 500), E'\\s.*$') || right(ends, -500), substring(ends, E'\\W.*$')) END,
    CASE WHEN length(starts) < most THEN starts
         ELSE coalesce(left(starts, -500) || substring(right(starts, 500), E'^.*\\s'), substring(starts, E'^.*\\W')) END);
END $$;

-- Returns where a phrase starts in one piece of a string and ends in the next: the first piece, and the text around its end.
-- lead: the leading key, or NULL if the column does not have that option. Looks for the longest word of the phrase,
-- which is probably rare, and then, in the documents that contain it, for strings stored in pieces. docs: the numbers of the
-- documents to look in, or NULL.
CREATE OR REPLACE FUNCTION pgtoaster.border_hits(store integer, config regconfig, phrase tsquery, docs bigint[])
RETURNS TABLE (lead text, doc bigint, id bigint, border text)
LANGUAGE plpgsql STABLE ROWS 1 SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET jit = off
AS $$
DECLARE
  node CONSTANT text := pgtoaster.store_table(store, 'node');
  lead_column CONSTANT text := quote_ident(pgtoaster.lead_column(store));
  has_word CONSTANT text := format('n.kind = ''s'' AND jsonb_to_tsvector(%L::regconfig, n.value, %L::jsonb) @@ $1', config, '["string"]')
    || CASE WHEN docs IS NULL THEN '' ELSE ' AND n.doc = ANY ($3)' END;
  longest CONSTANT tsquery := (SELECT w.w FROM pgtoaster.phrase_words(phrase) w(w) ORDER BY length(w.w::text) DESC LIMIT 1);
BEGIN
  IF numnode(phrase) = 1 THEN
    RETURN;
  END IF;
  RETURN QUERY EXECUTE format($q$
    SELECT n.lead::text, n.doc, p.id, t.border
    FROM (SELECT s.doc, %3$s AS lead, array_agg(s.id) AS ids
          FROM (SELECT n.* FROM %1$s n WHERE %2$s OFFSET 0) s GROUP BY 1, 2 OFFSET 0) n
    CROSS JOIN LATERAL (SELECT FROM %1$s m WHERE m.doc = n.doc%4$s AND m.kind = 's' AND m.value IS NULL LIMIT 1) inner_node
    CROSS JOIN LATERAL (
      WITH RECURSIVE i AS MATERIALIZED (
        SELECT m.id, m.kids FROM %1$s m WHERE m.doc = n.doc%4$s AND m.kind = 's' AND m.value IS NULL),
      -- Starts at each inner node: nodes below other nodes give no additional pairs.
      below AS (
        SELECT i.id AS top, '{}'::bigint[] AS place, i.id, i.kids FROM i
        UNION ALL
        SELECT b.top, b.place || k.o, k.id, i.kids
        FROM below b CROSS JOIN unnest(b.kids) WITH ORDINALITY k(id, o) LEFT JOIN i ON i.id = k.id
        WHERE cardinality(b.place) < 30)
      SELECT DISTINCT p.id, p.next
      FROM (SELECT b.id, lead(b.id) OVER (PARTITION BY b.top ORDER BY b.place) AS next FROM below b WHERE b.kids IS NULL) p
      WHERE p.next IS NOT NULL AND (p.id = ANY (n.ids) OR p.next = ANY (n.ids))) p
    CROSS JOIN LATERAL (
      SELECT pgtoaster.border((SELECT m.value FROM %1$s m WHERE m.doc = n.doc%4$s AND m.id = p.id),
                              (SELECT m.value FROM %1$s m WHERE m.doc = n.doc%4$s AND m.id = p.next), $2) AS border OFFSET 0) t
    WHERE to_tsvector(%5$L::regconfig, t.border) @@ $2$q$,
    node, has_word, coalesce('s.' || lead_column, 'NULL::text'),
    coalesce(' AND m.' || lead_column || ' ' || pgtoaster.lead_operator(store) || ' n.lead', ''), config)
    USING longest, phrase, docs;
END $$;

-- Returns the template of a statement that ranks the rows that another statement finds. It reads only leaves that contain a word.
CREATE OR REPLACE FUNCTION pgtoaster.ranked_template(found text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT pg_catalog.concat($q$
      SELECT {key}, k.rank, pg_catalog.ts_headline(CAST({config} AS pg_catalog.regconfig), s.string, k.query) AS snippet
      FROM (SELECT {key}, r.rank, r.query, r.content
        FROM ($q$, found, $q$ ORDER BY {row_key} LIMIT 10000) k
        CROSS JOIN LATERAL (
          WITH x AS MATERIALIZED (
            SELECT l.doc, l.id, l.border, a.condition, a.atom, pg_catalog.ts_rank(v.words, a.atom) AS rank
            FROM (SELECT h.doc, h.id, h.border, pg_catalog.array_agg(h.condition) AS conditions
                  FROM ROWS FROM (pg_catalog.unnest(k.conditions), pg_catalog.unnest(k.docs), pg_catalog.unnest(k.ids),
                                  pg_catalog.unnest(k.borders)) h(condition, doc, id, border)
                  -- Words, without those that the query excludes.
                  WHERE h.condition ~ '^[0-9]'
                    AND pg_catalog.strpos((SELECT CAST(t.formula AS pg_catalog.text) FROM t),
                                          pg_catalog.concat('!''', h.condition, '''')) = 0
                  GROUP BY h.doc, h.id, h.border
                  ORDER BY pg_catalog.count(*) DESC, h.doc NULLS FIRST, h.id LIMIT 100) l
            CROSS JOIN LATERAL (SELECT pg_catalog.jsonb_to_tsvector(CAST({config} AS pg_catalog.regconfig),
              CASE WHEN l.border IS NOT NULL THEN pg_catalog.to_jsonb(l.border) WHEN l.doc IS NULL THEN k.content
                   ELSE (SELECT n.value FROM {head} h, {node} n WHERE h.id = l.doc{row_lead} AND n.doc = h.id AND n.id = l.id{lead}) END,
              CAST('["string"]' AS pg_catalog.jsonb)) AS words OFFSET 0) v
            JOIN a ON a.condition = ANY (l.conditions))
          SELECT pg_catalog.ts_rank(s.words, t.query) AS rank, t.query, s.strings AS content
          FROM t CROSS JOIN LATERAL pgtoaster.strings_at(
            k.content, (SELECT CAST({p}10 AS pg_catalog.text[])), CAST({config} AS pg_catalog.regconfig)) s
          WHERE (SELECT CAST({p}10 AS pg_catalog.text[])) IS NOT NULL
          UNION ALL
          SELECT (SELECT pg_catalog.sum(m.best)
                  FROM (SELECT pg_catalog.max(x.rank) AS best FROM x GROUP BY x.condition) m) AS rank, b.query,
            CASE WHEN b.border IS NOT NULL THEN pg_catalog.to_jsonb(b.border) WHEN b.doc IS NULL THEN k.content
                 ELSE (SELECT n.value FROM {head} h, {node} n
                       WHERE h.id = b.doc{row_lead} AND n.doc = h.id AND n.id = b.id{lead}) END AS content
          FROM (SELECT x.doc, x.id, x.border,
                       CAST(pg_catalog.string_agg(CAST(x.atom AS pg_catalog.text), ' | ') AS pg_catalog.tsquery) AS query
                FROM x GROUP BY x.doc, x.id, x.border ORDER BY pg_catalog.sum(x.rank) DESC, x.doc NULLS FIRST, x.id LIMIT 1) b
          WHERE (SELECT CAST({p}10 AS pg_catalog.text[])) IS NULL) r
        ORDER BY r.rank DESC, {key} LIMIT (SELECT CAST({p}8 AS bigint))) k
      CROSS JOIN LATERAL (
        SELECT e.e #>> CAST('{}' AS pg_catalog.text[]) AS string
        FROM pg_catalog.jsonb_path_query(k.content, 'strict $.**') WITH ORDINALITY e(e, n)
        WHERE pg_catalog.jsonb_typeof(e.e) = 'string'
        ORDER BY pg_catalog.ts_rank(pg_catalog.to_tsvector(CAST({config} AS pg_catalog.regconfig),
                                                           e.e #>> CAST('{}' AS pg_catalog.text[])), k.query) DESC, e.n
        LIMIT 1) s
      ORDER BY k.rank DESC, {key}$q$)
$$;
