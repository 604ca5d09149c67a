-- Finds the head of a document, and reads its branches from the nodes.

-- Raises a serialization failure if a table of the store, or the table of its rows, was rewritten after the caller's snapshot
-- was taken. REPACK (CONCURRENTLY) is not MVCC-safe: older snapshots then see the table as empty, but that is not
-- damage.
CREATE OR REPLACE FUNCTION pgtoaster.require_snapshot(store integer) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- relfilenode comes from the snapshot, and pg_relation_filenode returns the current one.
  -- A table that was detached from the owner table still has its trigger.
  rewritten regclass := (SELECT c.oid FROM pg_class c
                         WHERE (starts_with(c.relname, format('store_%s_', $1))
                                OR c.oid IN (
                                  SELECT s.owner FROM pgtoaster.store s WHERE s.id = $1
                                  UNION ALL
                                  SELECT p.relid FROM pgtoaster.store s CROSS JOIN LATERAL pg_partition_tree(s.owner) p WHERE s.id = $1
                                  UNION ALL
                                  SELECT t.tgrelid FROM pg_trigger t WHERE t.tgname = format('pgtoaster_%s_truncate', $1)))
                           AND c.relkind = 'r' AND c.relfilenode <> pg_relation_filenode(c.oid) LIMIT 1);
BEGIN
  IF rewritten IS NOT NULL THEN
    RAISE EXCEPTION 'table % was rewritten after this transaction took its snapshot', rewritten USING ERRCODE = 'serialization_failure',
      HINT = 'Run the transaction again.';
  END IF;
END $$;

-- Raises the error for content that pgtoaster cannot have written.
CREATE OR REPLACE FUNCTION pgtoaster.corrupt_document(document bigint, what text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pgtoaster.require_snapshot((document >> 40)::integer);
  RAISE EXCEPTION '%: %', coalesce('document ' || document, 'no document'), what USING ERRCODE = 'data_corrupted';
END $$;

-- A member that was moved out of line leaves {"$pgtoaster": branch} in its place. A user's key that looks like this one
-- is stored with one more $ in front. All names are qualified and no search_path is set, so that these functions are
-- inlined.
CREATE OR REPLACE FUNCTION pgtoaster.stored_key(key text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN key OPERATOR(pg_catalog.~) '^[$]+pgtoaster$' THEN '$' OPERATOR(pg_catalog.||) key ELSE key END $$;

CREATE OR REPLACE FUNCTION pgtoaster.shown_key(key text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN key OPERATOR(pg_catalog.~) '^[$][$]+pgtoaster$' THEN pg_catalog.substr(key, 2) ELSE key END $$;

-- Returns the value by which keys of an object are sorted: the length in bytes, then the first 512 bytes.
CREATE OR REPLACE FUNCTION pgtoaster.key_code(key text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(key, 'UTF8')))
         OPERATOR(pg_catalog.||) pg_catalog.substr(pg_catalog.convert_to(key, 'UTF8'), 1, 512)
$$;

-- Returns the branch that a marker refers to; NULL if the value is not a marker.
CREATE OR REPLACE FUNCTION pgtoaster.marked_branch(document bigint, value jsonb) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  mark jsonb := CASE WHEN jsonb_typeof(value) = 'object' THEN value -> '$pgtoaster' END;
BEGIN
  IF mark IS NULL THEN
    RETURN NULL;
  END IF;
  IF value - '$pgtoaster' <> '{}' OR jsonb_typeof(mark) <> 'number' OR mark::numeric % 1 <> 0
     OR mark::numeric NOT BETWEEN -9223372036854775808 AND 9223372036854775807 THEN
    PERFORM pgtoaster.corrupt_document(document, 'a marker does not name a branch');
  END IF;
  RETURN mark::bigint;
END $$;

-- Returns what statements need to find the rows of a store of documents: the attached table, the condition that a row o
-- has the key of a head h, and the columns of that key in both tables. same_key is NULL if naming_rows must search: the
-- key has types that are not the server's own, or Citus has placed the tables. routines: whether the routines of the
-- store refer to its tables. Called for each document, so it consists of small queries whose plans the session keeps.
CREATE OR REPLACE FUNCTION pgtoaster.document_store(store integer, OUT head regclass, OUT keys text, OUT routines boolean,
  OUT relation regclass, OUT handle name, OUT columns name[], OUT same_key text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  -- The triggers of the column, and of the key.
  updates CONSTANT name := 'pgtoaster_' || store || '_update';
  adopts CONSTANT name := 'pgtoaster_' || store || '_adopt';
BEGIN
  SELECT s.head, s.owner, min(a.attname) FILTER (WHERE t.tgname = updates),
         string_agg('h.owner_' || k.position, ', ' ORDER BY k.position) FILTER (WHERE t.tgname = adopts),
         array_agg(a.attname ORDER BY k.position) FILTER (WHERE t.tgname = adopts),
         CASE WHEN max(a.atttypid) FILTER (WHERE t.tgname = adopts) < 16384 AND s.options->>'distributed' IS DISTINCT FROM 'true'
              THEN string_agg(format('o.%I OPERATOR(pg_catalog.=) h.owner_%s', a.attname, k.position), ' AND ')
                     FILTER (WHERE t.tgname = adopts) END
    INTO head, relation, handle, keys, columns, same_key
  FROM pgtoaster.store s
  LEFT JOIN pg_trigger t ON t.tgrelid = s.owner AND t.tgname IN (updates, adopts)
  LEFT JOIN LATERAL unnest(t.tgattr) WITH ORDINALITY k(attnum, position) ON true
  LEFT JOIN pg_attribute a ON a.attrelid = s.owner AND a.attnum = k.attnum
  WHERE s.id = $1 AND s.toaster = 'keyed'
  GROUP BY s.id;
  -- Compare the second number of pgtoaster.routine_mark.
  routines := same_key IS NOT NULL
    AND (SELECT split_part(split_part(substr(f.prosrc, 1, 60), chr(10), 1), ' ', 3)
                  = hashtextextended((parse_ident(head::text))[1], 0)::text
         FROM pg_proc f WHERE f.oid = to_regproc(replace(head::text, '_head', '_read')));
END $$;

-- Finds the row that holds a split document: the head of the document exists, and the row that it refers to contains the
-- header. Returns the id of the document and of the overflow branch of its root; no id for a plain document. Raises an error
-- for an invalid header. The setting pgtoaster.forged_header makes that a warning, so that one row cannot prevent reading
-- the others; such a row is then treated as plain.
-- call: an expression to evaluate for that row, such as {read}({keys}, $3, $4). $3 is the document, $4 the path, $5 the
-- probe.
-- called: false if the routines of the store cannot be called.
CREATE OR REPLACE FUNCTION pgtoaster.document_row(document jsonb, call text DEFAULT NULL, path text[] DEFAULT NULL,
  probe jsonb DEFAULT NULL, OUT id bigint, OUT rest bigint, OUT called boolean, OUT answer text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  header jsonb := document -> '$pgtoaster';
  found bigint := pgtoaster.document_id(document);
  s record;
  n record;
  held boolean := false;
BEGIN
  IF header IS NULL THEN
    RETURN;
  END IF;
  IF to_regclass('pgtoaster.store') IS NULL THEN
    PERFORM pgtoaster.require_catalog();
  END IF;
  s := pgtoaster.document_store((found >> 40)::integer);
  called := coalesce(s.routines, false) AND call IS NOT NULL;
  IF s.head IS NOT NULL THEN
    IF NOT has_table_privilege(s.head, 'SELECT') THEN
      PERFORM pgtoaster.deny((found >> 40)::integer);
    END IF;
    call := CASE WHEN called THEN replace(replace(call, '{store}', left(s.head::text, -4)), '{keys}', s.keys) ELSE 'NULL::text' END;
    -- The planner would take three times as long for a join.
    IF s.same_key IS NOT NULL THEN
      EXECUTE format('/* pgtoaster */ SELECT true, %s FROM %s h '
                     'WHERE h.id = $1 AND (SELECT true FROM %s o WHERE %s AND o.%I -> ''$pgtoaster'' = $2 LIMIT 1)',
                     call, s.head, s.relation, s.same_key, s.handle) INTO held, answer USING found, header, document, path, probe;
    END IF;
    IF held IS NOT TRUE THEN
      FOR n IN SELECT r.relation, r.handle, r.same_key FROM pgtoaster.naming_rows((found >> 40)::integer) r WHERE r.handle IS NOT NULL LOOP
        EXECUTE format('/* pgtoaster */ SELECT true, %s FROM %s h JOIN %s o ON %s WHERE h.id = $1 AND o.%I -> ''$pgtoaster'' = $2',
                       call, s.head, n.relation, n.same_key, n.handle) INTO held, answer USING found, header, document, path, probe;
        EXIT WHEN held;
      END LOOP;
    END IF;
  END IF;
  IF held IS NOT TRUE AND current_setting('pgtoaster.forged_header', true) = 'warning' THEN
    RAISE WARNING '%: the row that owns it does not contain its header; it is shown as it is stored',
      coalesce('document ' || found, 'no document')
      USING ERRCODE = 'data_corrupted';
    RETURN;
  END IF;
  IF held IS NOT TRUE AND header ? 'edits' THEN
    RAISE EXCEPTION 'the document contains edits that were not performed' USING ERRCODE = 'feature_not_supported',
      HINT = 'An UPDATE of its row performs them. To see the result: pgtoaster.set(pgtoaster.expand(...), path, value).';
  END IF;
  IF held IS NOT TRUE THEN
    PERFORM pgtoaster.require_snapshot((found >> 40)::integer);
    RAISE EXCEPTION '%: the row that owns it does not contain its header', coalesce('document ' || found, 'no document')
      USING ERRCODE = 'data_corrupted',
            HINT = 'SET pgtoaster.forged_header = warning; shows such rows as they are stored, and continues.';
  END IF;
  id := found;
  rest := CASE WHEN header -> 1 IS NOT NULL
               THEN pgtoaster.marked_branch(id, jsonb_build_object('$pgtoaster', header -> 1)) END;
END $$;

-- Returns the query of all nodes of a branch ($1 document, $2 branch), with their positions in order. A leaf has a
-- value. A node that is missing, or that is below itself, has no kind. A tree contains each node once: if nodes are
-- shared, there is one row too many, the last one, which has no kind either. Counting all nodes of a document takes a
-- long time and most branches are small, so they are counted only for a large branch.
CREATE OR REPLACE FUNCTION pgtoaster.branch_query(document bigint) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format(
    'WITH RECURSIVE walk AS ('
    'SELECT n.id, n.kind, n.bytes, n.value, n.kids, ''{}''::integer[] AS place, ARRAY[n.id] AS above FROM %1$s n '
    'WHERE n.doc = $1 AND n.id = $2 '
    'UNION ALL '
    'SELECT k.id, n.kind, n.bytes, n.value, n.kids, b.place || k.position::integer, b.above || k.id FROM walk b '
    'CROSS JOIN LATERAL unnest(b.kids) WITH ORDINALITY k(id, position) '
    'LEFT JOIN %1$s n ON n.doc = $1 AND n.id = CASE WHEN k.id = ANY (b.above) THEN NULL ELSE k.id END '
    'WHERE b.value IS NULL AND cardinality(b.place) < 64), '
    'nodes AS (SELECT CASE WHEN (SELECT count(*) FROM (SELECT FROM walk LIMIT 1000) few) < 1000 THEN 1000 '
    'ELSE (SELECT count(*) FROM %1$s n WHERE n.doc = $1) END AS n), '
    'branch AS (SELECT w.id, CASE WHEN row_number() OVER () <= t.n THEN w.kind END AS kind, w.bytes, w.value, w.kids, w.place '
    'FROM nodes t CROSS JOIN (SELECT * FROM walk LIMIT (SELECT n + 1 FROM nodes)) w)',
    pgtoaster.store_table((document >> 40)::integer, 'node'))
$$;

-- Returns the kind of node whose leaf contains a value: o, a, s, or v for values that are neither containers nor strings.
CREATE OR REPLACE FUNCTION pgtoaster.leaf_kind(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) ANY ('{object,array,string}'::pg_catalog.text[])
              THEN pg_catalog."left"(pg_catalog.jsonb_typeof(value), 1) ELSE 'v' END
$$;

-- Returns the JSON text of a whole branch.
CREATE OR REPLACE FUNCTION pgtoaster.branch_text(document bigint, branch bigint) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  b record;
BEGIN
  EXECUTE pgtoaster.branch_query(document)
    || $q$ SELECT min(kind) AS kind, count(*) > 0 AND bool_and(kind IS NOT NULL) AND min(kind) = max(kind) AS complete,
             CASE min(kind)
               WHEN 's' THEN to_json(string_agg(value #>> '{}', '' ORDER BY place))::text
               WHEN 'v' THEN min(value::text)
               ELSE string_agg(nullif(substr(t.expanded, 2, length(t.expanded) - 2), ''), ', ' ORDER BY place) END AS content,
             min(id) FILTER (WHERE kind NOT IN ('o', 'a', 's', 'v') OR pgtoaster.leaf_kind(value) <> kind::text AND value IS NOT NULL
                                   OR value IS NULL AND coalesce(cardinality(kids), 0) = 0
                                   OR kind = 'o' AND left(t.expanded, 1) <> '{') AS odd
           FROM branch LEFT JOIN LATERAL (
             SELECT CASE WHEN kind IN ('o', 'a') AND pgtoaster.leaf_kind(value) = kind::text
                         THEN pgtoaster.expanded_text($1, value) END AS expanded) t ON value IS NOT NULL $q$
    INTO b USING document, branch;
  IF NOT b.complete THEN
    PERFORM pgtoaster.corrupt_document(document, format('branch %s is not complete', branch));
  ELSIF b.odd IS NOT NULL THEN
    PERFORM pgtoaster.corrupt_document(document, format('node %s does not have the kind that its row states', b.odd));
  END IF;
  RETURN CASE b.kind WHEN 'o' THEN '{' || coalesce(b.content, '') || '}'
                     WHEN 'a' THEN '[' || coalesce(b.content, '') || ']'
                     ELSE b.content END;
END $$;

-- Returns the JSON text of a value of a split document: markers are replaced by their branches, and keys are as the
-- user writes them.
CREATE OR REPLACE FUNCTION pgtoaster.expanded_text(document bigint, value jsonb) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  plain text := value::text;
  branch bigint;
BEGIN
  IF strpos(plain, '$pgtoaster') = 0 THEN
    RETURN plain;
  END IF;
  CASE jsonb_typeof(value)
    WHEN 'object' THEN
      branch := pgtoaster.marked_branch(document, value);
      IF branch IS NOT NULL THEN
        RETURN pgtoaster.branch_text(document, branch);
      END IF;
      RETURN '{' || (SELECT string_agg(
                              to_json(pgtoaster.shown_key(m.key))::text || ': ' || pgtoaster.expanded_text(document, m.value), ', ')
                     FROM jsonb_each(expanded_text.value) m) || '}';
    WHEN 'array' THEN
      RETURN '[' || (SELECT string_agg(pgtoaster.expanded_text(document, e.value), ', ' ORDER BY e.place)
                     FROM jsonb_array_elements(expanded_text.value) WITH ORDINALITY e(value, place)) || ']';
    ELSE
      RETURN plain;
  END CASE;
END $$;

-- Returns the kind of the value in a branch: o, a, s, or v for a number.
CREATE OR REPLACE FUNCTION pgtoaster.branch_kind(document bigint, branch bigint) RETURNS "char"
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  kind "char";
BEGIN
  EXECUTE format('SELECT kind FROM %s WHERE doc = $1 AND id = $2', pgtoaster.store_table((document >> 40)::integer, 'node'))
    INTO kind USING document, branch;
  IF kind IS NULL THEN
    PERFORM pgtoaster.corrupt_document(document, format('branch %s is missing', branch));
  END IF;
  RETURN kind;
END $$;

-- Returns the position in a step of a path; NULL if the step is not a position.
CREATE OR REPLACE FUNCTION pgtoaster.step_position(step text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN step OPERATOR(pg_catalog.~) E'^[ \\t-\\r]*[-+]?[0-9]{1,9}$' THEN step::pg_catalog.int4 END $$;

-- Returns the value at one step of a path below a value, in its stored form.
CREATE OR REPLACE FUNCTION pgtoaster.value_member(value jsonb, step text) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'object'
              THEN value OPERATOR(pg_catalog.->) pgtoaster.stored_key(step)
              WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'array'
              THEN value OPERATOR(pg_catalog.->) pgtoaster.step_position(step) END
$$;

-- Returns the value at one step of a path below a branch. Reads the nodes on the way to one leaf.
CREATE OR REPLACE FUNCTION pgtoaster.branch_member(document bigint, branch bigint, step text) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  query text := format('SELECT kind, value, kids, starts, lows FROM %s WHERE doc = $1 AND id = $2',
                       pgtoaster.store_table((document >> 40)::integer, 'node'));
  at bigint := branch;
  place bigint := pgtoaster.step_position(step);
  child integer;
  n record;
BEGIN
  FOR depth IN 1..64 LOOP
    EXECUTE query INTO n USING document, at;
    CASE
      WHEN n.kind IS NULL THEN
        PERFORM pgtoaster.corrupt_document(document, format('node %s is missing', at));
      WHEN n.kind = 's' OR n.kind = 'a' AND place IS NULL THEN
        RETURN NULL;
      WHEN n.value IS NOT NULL THEN
        RETURN CASE n.kind WHEN 'a' THEN n.value -> place::integer ELSE pgtoaster.value_member(n.value, step) END;
      WHEN n.kind = 'a' THEN
        place := CASE WHEN place < 0 THEN place + n.starts[cardinality(n.starts)] ELSE place END;
        child := width_bucket(place, n.starts);
        place := place - n.starts[child];
      ELSE
        child := width_bucket(pgtoaster.key_code(pgtoaster.stored_key(step)), n.lows);
    END CASE;
    at := n.kids[child];
    IF at IS NULL THEN
      RETURN NULL;
    END IF;
  END LOOP;
  PERFORM pgtoaster.corrupt_document(document, format('branch %s is too deep', branch));
END $$;

-- Finds the value at a path of a split document: in the stored form of a row, or the branch that contains it.
CREATE OR REPLACE FUNCTION pgtoaster.document_place(document jsonb, id bigint, rest bigint, path text[],
                                                    OUT value jsonb, OUT branch bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first_step integer := 2;
BEGIN
  value := pgtoaster.value_member(document, path[1]);
  IF value IS NULL AND rest IS NOT NULL THEN
    -- A root that is not an object, or a member of its overflow branch.
    branch := rest;
    first_step := 1;
  END IF;
  FOR i IN first_step..cardinality(path) + 1 LOOP
    IF value IS NOT NULL THEN
      branch := pgtoaster.marked_branch(id, value);
    END IF;
    IF branch IS NOT NULL THEN
      value := NULL;
    END IF;
    EXIT WHEN i > cardinality(path) OR value IS NULL AND branch IS NULL;
    value := CASE WHEN branch IS NOT NULL THEN pgtoaster.branch_member(id, branch, path[i])
                  ELSE pgtoaster.value_member(value, path[i]) END;
    branch := NULL;
  END LOOP;
END $$;

-- Returns the first node of a document with more than one reference, from nodes above it or markers in leaves: a tree
-- contains each node once. A node that is shared, or below itself, would be read once for each path to it.
CREATE OR REPLACE FUNCTION pgtoaster.shared_node(document bigint) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  found bigint;
BEGIN
  EXECUTE format(
    'SELECT k.id FROM %s n CROSS JOIN LATERAL unnest(CASE WHEN n.value IS NULL THEN n.kids '
    'WHEN strpos(n.value::text, ''"$pgtoaster"'') > 0 THEN pgtoaster.value_branches(n.value) END) k(id) '
    'WHERE n.doc = $1 AND k.id IS NOT NULL GROUP BY k.id HAVING count(*) > 1 ORDER BY k.id LIMIT 1',
    pgtoaster.store_table((document >> 40)::integer, 'node')) INTO found USING document;
  RETURN found;
END $$;
