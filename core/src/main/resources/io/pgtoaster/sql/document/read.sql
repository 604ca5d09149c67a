-- Functions that read documents in SQL, split or not: for psql, reports and other languages. They run with the rights and
-- in the snapshot of the caller, and find the store by the header of the document.

-- Returns the stored content of the row for a document, even if pgtoaster.transparent is on. The function is inlined,
-- so it costs nothing.
CREATE OR REPLACE FUNCTION pgtoaster.stored(document jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT $1';

-- Returns the result of a document with noted edits (document/edits.sql): the stub without the note if all edits are done
-- in it, otherwise a plain document.
CREATE OR REPLACE FUNCTION pgtoaster.as_edited(document jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  edits jsonb := document #> '{$pgtoaster,edits}';
  stub jsonb := jsonb_set(document, '{$pgtoaster}', document #> '{$pgtoaster,document}');
BEGIN
  RETURN CASE WHEN edits = '[]' THEN stub ELSE pgtoaster.edited(pgtoaster.expand(stub), edits) END;
END $$;

-- Raises an error for a value of a document without a header that contains markers of branches: the header was removed
-- while triggers were off. The number of a node has 13 digits or more, and a quote within a string is written with a
-- backslash.
CREATE OR REPLACE FUNCTION pgtoaster.require_unmarked(value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF value::text ~ '\{"\$pgtoaster": [0-9]{13,19}\}' THEN
    RAISE EXCEPTION 'the document has markers of members that are stored out of line, but no header' USING ERRCODE = 'data_corrupted',
      HINT = 'It was changed while triggers were off: SELECT * FROM pgtoaster.repair(table, column).';
  END IF;
  RETURN value;
END $$;

-- The implementation of the functions below for documents that are or may be split.
CREATE OR REPLACE FUNCTION pgtoaster.expand_split(document jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h record;
  shared bigint;
  whole text;
BEGIN
  IF jsonb_typeof(document #> '{$pgtoaster,edits}') = 'array' AND document #> '{$pgtoaster,document}' IS NOT NULL THEN
    document := pgtoaster.as_edited(document);
  END IF;
  IF document -> '$pgtoaster' IS NULL THEN
    RETURN pgtoaster.require_unmarked(document);
  END IF;
  h := pgtoaster.document_row(document);
  IF h.id IS NULL THEN
    RETURN document;
  END IF;
  shared := pgtoaster.shared_node(h.id);
  IF shared IS NOT NULL THEN
    PERFORM pgtoaster.corrupt_document(h.id, format('node %s has more than one reference', shared));
  END IF;
  whole := CASE WHEN document - '$pgtoaster' <> '{}' THEN pgtoaster.expanded_text(h.id, document - '$pgtoaster') END;
  IF h.rest IS NULL THEN
    RETURN coalesce(whole, '{}')::jsonb;
  END IF;
  IF whole IS NULL THEN
    RETURN pgtoaster.branch_text(h.id, h.rest)::jsonb;
  END IF;
  RETURN whole::jsonb || pgtoaster.branch_text(h.id, h.rest)::jsonb;
END $$;

-- Returns the whole document as plain jsonb. This function, get and get_text are inlined: reading content in the row
-- costs the same as an operator. Plain documents are searched for markers with a JSON path, because writing them as
-- text took three times as long.
CREATE OR REPLACE FUNCTION pgtoaster.expand(document jsonb) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL
                   AND (document OPERATOR(pg_catalog.@?) 'strict $.**."$pgtoaster"') IS NOT TRUE THEN document
              ELSE pgtoaster.expand_split(document) END
$$;

CREATE OR REPLACE FUNCTION pgtoaster.get_split(document jsonb, path text[]) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h record;
  p record;
BEGIN
  IF document IS NULL OR path IS NULL THEN
    RETURN NULL;
  END IF;
  IF jsonb_typeof(document #> '{$pgtoaster,edits}') = 'array' AND document #> '{$pgtoaster,document}' IS NOT NULL THEN
    document := pgtoaster.as_edited(document);
  END IF;
  IF document -> '$pgtoaster' IS NULL THEN
    FOR i IN 1 .. CASE WHEN document #> path IS NULL THEN cardinality(path) - 1 ELSE 0 END LOOP
      -- A marker on the path hides the value.
      EXIT WHEN document #> path[:i] IS NULL;
      PERFORM pgtoaster.require_unmarked(document #> path[:i]) WHERE jsonb_typeof(document #> path[:i] -> '$pgtoaster') = 'number';
    END LOOP;
    RETURN pgtoaster.require_unmarked(document #> path);
  END IF;
  IF cardinality(path) = 0 THEN
    RETURN pgtoaster.expand(document);
  END IF;
  h := pgtoaster.document_row(document, '{store}read({keys}, $3, $4, ''text'')',
                              ARRAY(SELECT pgtoaster.stored_key(s.s) FROM unnest(path) WITH ORDINALITY s(s, n) ORDER BY s.n));
  IF h.id IS NULL THEN
    RETURN document #> path;
  ELSIF h.called AND h.answer IS NULL THEN
    RETURN NULL;
  ELSIF starts_with(h.answer, E'\t') THEN
    RETURN to_jsonb(substr(h.answer, 2));
  ELSIF h.answer <> '' AND NOT starts_with(h.answer, E'\n') THEN
    RETURN h.answer::jsonb;
  END IF;
  -- The value is in several rows.
  SELECT * INTO p FROM pgtoaster.document_place(document, h.id, h.rest, path);
  RETURN CASE WHEN p.branch IS NOT NULL THEN pgtoaster.branch_text(h.id, p.branch) ELSE pgtoaster.expanded_text(h.id, p.value) END::jsonb;
END $$;

-- Returns whether document #> path is the value at the path: the value contains no marker and, if it is missing, neither
-- does the path.
CREATE OR REPLACE FUNCTION pgtoaster.in_row(document jsonb, path text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT (document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL
          OR pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array'
             AND pg_catalog.strpos(pg_catalog.array_to_string(path, ' '), 'pgtoaster') OPERATOR(pg_catalog.=) 0)
         AND coalesce(pg_catalog.strpos(document OPERATOR(pg_catalog.#>>) path, 'pgtoaster": ') OPERATOR(pg_catalog.=) 0,
                      -- The value is a JSON null, or it is neither in the row nor in an overflow branch. A document that is only
                      -- a header needs the full check.
                      document OPERATOR(pg_catalog.#>) path IS NOT NULL
                      OR pg_catalog.cardinality(path) OPERATOR(pg_catalog.=) 1 AND document OPERATOR(pg_catalog.#>) '{$pgtoaster,1}' IS NULL
                         AND document OPERATOR(pg_catalog.<>)
                             pg_catalog.jsonb_build_object('$pgtoaster', document OPERATOR(pg_catalog.->) '$pgtoaster'))
$$;

-- Returns the value at a path, as document #> path does for a plain document. Reads the nodes on the path and those of the
-- value.
CREATE OR REPLACE FUNCTION pgtoaster.get(document jsonb, path text[]) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pgtoaster.in_row(document, path) THEN document OPERATOR(pg_catalog.#>) path
              ELSE pgtoaster.get_split(document, path) END
$$;

-- Returns the value at a path as text, like document #>> path.
CREATE OR REPLACE FUNCTION pgtoaster.get_text(document jsonb, path text[]) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pgtoaster.in_row(document, path) THEN document OPERATOR(pg_catalog.#>>) path
              ELSE pgtoaster.get_split(document, path) OPERATOR(pg_catalog.#>>) '{}' END
$$;

CREATE OR REPLACE FUNCTION pgtoaster.contains_split(document jsonb, probe jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h record;
BEGIN
  IF jsonb_typeof(document #> '{$pgtoaster,edits}') = 'array' AND document #> '{$pgtoaster,document}' IS NOT NULL THEN
    document := pgtoaster.as_edited(document);
  END IF;
  IF document -> '$pgtoaster' IS NULL THEN
    RETURN pgtoaster.require_unmarked(document) @> probe;
  END IF;
  h := pgtoaster.document_row(document, '{store}contains({keys}, NULL::bigint, $3, $5)::text', probe => probe);
  RETURN CASE WHEN h.id IS NULL THEN document @> probe WHEN h.called THEN h.answer::boolean ELSE pgtoaster.expand(document) @> probe END;
END $$;

-- Checks only the members of the row that the probe names; NULL if one of them contains markers, or may be in the
-- overflow branch. names: the keys of the probe. All names are qualified, because setting a search_path takes half as
-- long as the whole function. It has no queries, which would take three times as long.
CREATE OR REPLACE FUNCTION pgtoaster.contains_in_row(document jsonb, probe jsonb, names jsonb) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  header CONSTANT pg_catalog.jsonb := document OPERATOR(pg_catalog.->) '$pgtoaster';
  away boolean := header IS NOT NULL AND probe OPERATOR(pg_catalog.=) '{}';
  name pg_catalog.text;
  member pg_catalog.jsonb;
BEGIN
  IF pg_catalog.jsonb_typeof(document) OPERATOR(pg_catalog.<>) 'object' OR pg_catalog.jsonb_typeof(probe) OPERATOR(pg_catalog.<>) 'object'
     OR pg_catalog.jsonb_typeof(header) OPERATOR(pg_catalog.<>) 'array' THEN
    RETURN NULL;
  END IF;
  FOR i IN 1 .. pg_catalog.jsonb_array_length(names) LOOP
    name := names OPERATOR(pg_catalog.->>) (i OPERATOR(pg_catalog.-) 1);
    member := document OPERATOR(pg_catalog.->) name;
    -- A member that is missing from a plain document may have been in the overflow branch of a lost header.
    IF (CASE WHEN header IS NULL AND member IS NULL THEN (document OPERATOR(pg_catalog.@?) 'strict $.**."$pgtoaster"') IS TRUE
             WHEN header IS NOT NULL AND pg_catalog.strpos(name, 'pgtoaster') OPERATOR(pg_catalog.>) 0 THEN true
             WHEN member IS NULL THEN header OPERATOR(pg_catalog.->) 1 IS NOT NULL
                                      OR document OPERATOR(pg_catalog.=) pg_catalog.jsonb_build_object('$pgtoaster', header)
             ELSE pg_catalog.strpos(CAST(member AS pg_catalog.text), 'pgtoaster": ') OPERATOR(pg_catalog.>) 0 END) THEN
      away := true;
      probe := probe OPERATOR(pg_catalog.-) name;
    END IF;
  END LOOP;
  RETURN CASE WHEN NOT document OPERATOR(pg_catalog.@>) probe THEN false WHEN NOT away THEN true END;
END $$;

-- Does the same for a probe whose keys are known. A probe of one or two keys is checked with operators if its members
-- are in the row and contain no markers.
CREATE OR REPLACE FUNCTION pgtoaster.contains_named(document jsonb, probe jsonb, names jsonb) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.strpos(document OPERATOR(pg_catalog.->>) (names OPERATOR(pg_catalog.->>) 0), 'pgtoaster": ')
                     OPERATOR(pg_catalog.=) 0
                   AND CASE WHEN names OPERATOR(pg_catalog.->>) 1 IS NULL THEN true
                            WHEN names OPERATOR(pg_catalog.->>) 2 IS NOT NULL THEN false
                            ELSE pg_catalog.strpos(document OPERATOR(pg_catalog.->>) (names OPERATOR(pg_catalog.->>) 1), 'pgtoaster": ')
                                   OPERATOR(pg_catalog.=) 0 END
                   AND (document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL
                        OR pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array'
                           AND pg_catalog.strpos(CAST(names AS pg_catalog.text), 'pgtoaster') OPERATOR(pg_catalog.=) 0)
              THEN document OPERATOR(pg_catalog.@>) probe
              ELSE coalesce(pgtoaster.contains_in_row(document, probe, names), pgtoaster.contains_split(document, probe)) END
$$;

-- Returns whether a document contains a probe, like document @> probe for a plain one. Reads the members that the probe
-- names. Inlined; the planner computes the keys of a constant probe.
CREATE OR REPLACE FUNCTION pgtoaster.contains(document jsonb, probe jsonb) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT pgtoaster.contains_named(document, probe, pg_catalog.jsonb_path_query_array(probe, '$.keyvalue().key', silent => true)) $$;

-- Returns the size and structure of one stored document; the sizes of members out of line are estimated, uncompressed.
-- JIT is off, because the planner cannot know how small a tree is, and would compile the statement that reads it (550
-- ms instead of 10).
CREATE OR REPLACE FUNCTION pgtoaster.document_stat(document jsonb, OUT split boolean, OUT inline_bytes bigint,
  OUT inline_members bigint, OUT split_members bigint, OUT leaves bigint, OUT inner_nodes bigint, OUT raw_bytes bigint,
  OUT stored_bytes bigint, OUT gain numeric, OUT depth integer, OUT largest jsonb)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  h record;
  inline jsonb := CASE WHEN jsonb_typeof(document) = 'object' THEN document - '$pgtoaster' ELSE '{}' END;
BEGIN
  h := pgtoaster.document_row(document);
  split := h.id IS NOT NULL;
  inline_bytes := pg_column_size(document);
  inline_members := (SELECT count(*) FROM jsonb_each(inline) m WHERE NOT split OR pgtoaster.marked_branch(h.id, m.value) IS NULL);
  raw_bytes := pg_column_size(document::text::jsonb);
  stored_bytes := inline_bytes;
  IF split THEN
    -- The members of the root: those of the stub, and those in the leaves of its overflow branch.
    EXECUTE pgtoaster.branch_query(h.id) || format($q$,
      root AS (
        SELECT m.key, m.value, false AS rest FROM jsonb_each($3) m
        UNION ALL
        SELECT m.key, m.value, true FROM branch b CROSS JOIN LATERAL jsonb_each(b.value) m WHERE b.kind = 'o' AND b.value IS NOT NULL
      ), tree AS (
        SELECT m.key, t.id, 1 AS depth FROM root m
        CROSS JOIN LATERAL (SELECT v::bigint AS id FROM jsonb_path_query(m.value, '$.**."$pgtoaster"') v) t
        UNION
        SELECT t.key, k, t.depth + 1 FROM tree t JOIN %1$s n ON n.doc = $1 AND n.id = t.id CROSS JOIN LATERAL unnest(n.kids) k
        WHERE t.depth < 256
      ), sized AS (
        SELECT m.key,
               CASE WHEN m.rest THEN pg_column_size(m.value) ELSE 0 END
                 + coalesce((SELECT sum(greatest(n.bytes, 0)) FROM tree t JOIN %1$s n ON n.doc = $1 AND n.id = t.id
                             WHERE t.key = m.key), 0) AS bytes
        FROM root m WHERE m.rest OR pgtoaster.marked_branch($1, m.value) IS NOT NULL
      )
      SELECT (SELECT count(*) FROM sized), greatest((SELECT max(depth) FROM tree), (SELECT max(cardinality(place)) + 1 FROM branch)),
             (SELECT coalesce(jsonb_agg(l), '[]') FROM (
                SELECT pgtoaster.shown_key(s.key) AS key, s.bytes FROM sized s ORDER BY s.bytes DESC, s.key LIMIT 10) l) $q$,
      pgtoaster.store_table((h.id >> 40)::integer, 'node'))
      INTO split_members, depth, largest USING h.id, h.rest, inline;
    EXECUTE format('SELECT count(value), count(*) - count(value), '
                   '$2 + coalesce(sum(greatest(bytes, 0)) FILTER (WHERE value IS NOT NULL), 0), '
                   '$3 + coalesce(sum(pg_column_size(value)), 0) FROM %s WHERE doc = $1',
                   pgtoaster.store_table((h.id >> 40)::integer, 'node'))
      INTO leaves, inner_nodes, raw_bytes, stored_bytes USING h.id, raw_bytes, stored_bytes;
  ELSE
    split_members := 0; leaves := 0; inner_nodes := 0; depth := 0; largest := '[]';
  END IF;
  gain := round(raw_bytes::numeric / nullif(stored_bytes, 0), 2);
END $$;

-- Returns the total sizes of all documents in a keyed column. Reads the whole column and store.
CREATE OR REPLACE FUNCTION pgtoaster.column_stat(owner regclass, column_name name, OUT documents bigint, OUT split bigint,
  OUT inline_bytes bigint, OUT leaves bigint, OUT inner_nodes bigint, OUT raw_bytes bigint, OUT stored_bytes bigint, OUT gain numeric)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  store integer := (SELECT a.store FROM pgtoaster.attached_column a
                    WHERE a.owner = column_stat.owner AND a.column_name = column_stat.column_name AND a.toaster = 'keyed');
BEGIN
  IF store IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to the toaster keyed', column_stat.column_name, column_stat.owner
      USING ERRCODE = 'undefined_object';
  END IF;
  EXECUTE format('/* pgtoaster */ SELECT count(o.%1$I), count(*) FILTER (WHERE o.%1$I -> ''$pgtoaster'' IS NOT NULL), '
                 'coalesce(sum(pg_column_size(o.%1$I)), 0), coalesce(sum(pg_column_size(o.%1$I::text::jsonb)), 0) FROM %2$s o',
                 column_stat.column_name, column_stat.owner) INTO documents, split, inline_bytes, raw_bytes;
  EXECUTE format('SELECT count(value), count(*) - count(value), '
                 '$1 + coalesce(sum(greatest(bytes, 0)) FILTER (WHERE value IS NOT NULL), 0), '
                 '$2 + coalesce(sum(pg_column_size(value)), 0) FROM %s', pgtoaster.store_table(store, 'node'))
    INTO leaves, inner_nodes, raw_bytes, stored_bytes USING raw_bytes, inline_bytes;
  gain := round(raw_bytes::numeric / nullif(stored_bytes, 0), 2);
END $$;
