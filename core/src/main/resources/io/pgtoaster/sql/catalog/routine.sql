-- The routines that are created for each store. A routine refers only to the tables of its store, so that a session
-- plans its statements once. The calling statement refers to the owner's table. Routines run with the rights of their
-- caller. Renaming the schema makes a routine obsolete: it is not called until it is written again.
-- The template of a routine is a function, pgtoaster.template_*, that nothing calls. Line N of the routine comes from line N
-- of the template, counted from the one with AS; in a distributed column, from line N - 1. The routine does not get the
-- search_path of its template, so it qualifies all names. These names in a template stand for texts of the store:
--   store.node and so on     its tables and routines, and its options
--   store.number(..), ..     an expression of routine_parts(); PERFORM store.cut(); stands for statements
--   store.owned              the condition that a head h belongs to the row with the key; PERFORM store.refuse(); rejects that row
--   store.lead(m)            the condition on the leading key of a row m, or nothing
--   key_names, key_columns   the columns of the key, as parameters of the routine
--   lead_column, lead_value  the leading key, or nothing

-- Returns the texts that the templates share, each preceded by its name.
CREATE OR REPLACE FUNCTION pgtoaster.routine_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT pgtoaster.trigger_parts() OPERATOR(pg_catalog.||) pgtoaster.document_parts() OPERATOR(pg_catalog.||) pgtoaster.blob_parts()
$$;

-- Returns a template with these texts inserted, and with backticks around the names that stand for texts of the store.
CREATE OR REPLACE FUNCTION pgtoaster.marked_template(source text) RETURNS text
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts CONSTANT text[] := pgtoaster.routine_parts();
  name text;
BEGIN
  -- A part may refer to later parts.
  FOR i IN 1 .. cardinality(parts) BY 2 LOOP
    CONTINUE WHEN strpos(source, 'store.' || parts[i]) = 0;
    IF parts[i + 1] LIKE '%\\1%' THEN
      source := regexp_replace(
        source,
        CASE WHEN parts[i + 1] LIKE '%;' THEN 'PERFORM store\.' || parts[i] || '\(''?([^()'']*)''?\);'
             ELSE 'store\.' || parts[i] || '\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)' END,
        pgtoaster.one_line(replace(replace(parts[i + 1], '\', '\\'), '\\1', '\1')), 'g');
    ELSIF parts[i + 1] LIKE '%;' THEN
      source := replace(source, 'PERFORM store.' || parts[i] || '();', pgtoaster.one_line(parts[i + 1]));
    ELSE
      source := regexp_replace(source, 'store\.' || parts[i] || '\M', replace(pgtoaster.one_line(parts[i + 1]), '\', '\\'), 'g');
    END IF;
  END LOOP;
  -- The template uses the short name of the type record because pgspot's parser does not know any other.
  source := replace(regexp_replace(source, 'store\.[a-z_]+', '`\&`', 'g'), ' record;', ' pg_catalog.record;');
  FOREACH name IN ARRAY ARRAY['lead_column, ', 'lead_value, ', 'store_column', 'key_names', 'key_columns', 'owner_names'] LOOP
    source := replace(source, name, '`' || name || '`');
  END LOOP;
  -- These names also stand for what follows or precedes them. One regular expression for all names took 30 ms of install.
  source := replace(replace(source, '`store.lead` AND ', '`store.lead`'), '`key_names` text', '`key_variables`');
  source := replace(replace(source, 'PERFORM `store.refuse`()', '`store.refuse`'), 'PERFORM `store.read_keys`()', '`store.read_keys`');
  RETURN regexp_replace(source, '`store\.lead`(\([a-z]+\)) AND ', '`store.lead\1`', 'g');
END $$;

-- Marks all templates, so that creating a store need not search them. Then creates a function that returns their hash.
DO $$
DECLARE
  checks CONSTANT text := current_setting('check_function_bodies');
  t record;
BEGIN
  PERFORM set_config('check_function_bodies', 'off', true);
  FOR t IN SELECT p.oid, p.prosrc FROM pg_proc p
           WHERE p.pronamespace = 'pgtoaster'::regnamespace AND starts_with(p.proname, 'template_') LOOP
    EXECUTE replace(pg_get_functiondef(t.oid), t.prosrc, pgtoaster.marked_template(t.prosrc));
  END LOOP;
  PERFORM set_config('check_function_bodies', checks, true);
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.routine_hash() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
                 format('SELECT CAST(%L AS bigint)', (
    SELECT hashtextextended(string_agg(concat(p.proname, pg_get_function_arguments(p.oid), p.prosrc), ' ' ORDER BY p.proname), 0)
    FROM pg_proc p WHERE p.pronamespace = 'pgtoaster'::regnamespace AND starts_with(p.proname, 'template_'))));
END $$;

-- Returns the first line of the routines of a store in a schema. It shows from which sources, and in which schema, they
-- were created. Each lookup of a column compares it, so this function is inlined.
CREATE OR REPLACE FUNCTION pgtoaster.routine_mark(schema name) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT pg_catalog.concat('-- ', pgtoaster.routine_hash(), ' ', pg_catalog.hashtextextended(schema::pg_catalog.text, 0), E'\n')
$$;

-- Returns the condition that a head h belongs to the row whose key the routine was given, and the statement that rejects
-- that row.
CREATE OR REPLACE FUNCTION pgtoaster.owned_condition(store integer, OUT owned text, OUT refuse text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT string_agg(format('h.%I OPERATOR(%I.%s) key_%s%s', a.attname, n.nspname, p.oprname, k.position,
                           CASE WHEN a.attcollation <> 0 THEN format(' COLLATE %I.%I', d.nspname, l.collname) ELSE '' END),
                    ' AND ' ORDER BY k.position),
         format('PERFORM pgtoaster.require_snapshot(%s); '
                'RAISE EXCEPTION USING ERRCODE = ''data_corrupted'', MESSAGE = pg_catalog.concat(%L, pg_catalog.concat_ws('', '', %s), %L)',
                $1, 'the row with key ', string_agg('key_' || k.position, ', ' ORDER BY k.position),
                ' contains a stub that does not belong to it: it was copied from another row or changed by hand, or its '
                'branches are missing; store the document again, or set the column to NULL')
  FROM pgtoaster.store s
  JOIN pg_index i ON i.indexrelid = to_regclass(pgtoaster.store_table(s.id, 'head_owner'))
  CROSS JOIN LATERAL unnest(i.indclass) WITH ORDINALITY k(class, position)
  JOIN pg_attribute a ON a.attrelid = s.head AND a.attname = 'owner_' || k.position
  LEFT JOIN pg_collation l ON l.oid = a.attcollation
  LEFT JOIN pg_namespace d ON d.oid = l.collnamespace
  JOIN pg_opclass c ON c.oid = k.class
  JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype AND e.amoprighttype = c.opcintype AND e.amopstrategy = 3
  JOIN pg_operator p ON p.oid = e.amopopr
  JOIN pg_namespace n ON n.oid = p.oprnamespace
  WHERE s.id = $1
$$;

-- Returns the texts of a store for which the names in backticks stand. Writers of whole documents write large leaves. Edits
-- cut new and changed leaves to a quarter of that size.
CREATE OR REPLACE FUNCTION pgtoaster.store_texts(store integer) RETURNS TABLE (name text, text text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  prefix CONSTANT text := pgtoaster.store_table(store, '');
  s record;
  owned text;
  refuse text;
  columns name[];
  handle name;
BEGIN
  SELECT o.options,
         pgtoaster.lead_column(store) AS lead, pgtoaster.lead_operator(store) AS equals, k.has AS documents,
         k.names AS key_names, k.columns AS key_columns, k.variables AS key_variables INTO s
  FROM pgtoaster.store o JOIN pg_class h ON h.oid = o.head
  CROSS JOIN LATERAL (
    -- columns: the key from parameter $3, for a statement that uses $1 and $2 for other values.
    SELECT count(*) > 0 AS has, string_agg('key_' || n.n, ', ' ORDER BY n.n) AS names,
           string_agg('$' || 2 + n.n || ' AS key_' || n.n, ', ' ORDER BY n.n) AS columns,
           string_agg(format('key_%s %s', n.n, format_type(a.atttypid, a.atttypmod)), '; ' ORDER BY n.n) AS variables
    FROM pg_attribute a CROSS JOIN LATERAL (SELECT substr(a.attname, 7)::integer AS n) n
    WHERE a.attrelid = h.oid AND a.attname ~ '^owner_[0-9]+$') k
  WHERE o.id = store;
  IF s.documents THEN
    SELECT c.owned, c.refuse INTO owned, refuse FROM pgtoaster.owned_condition(store) c;
    SELECT a.column_name, k.columns INTO handle, columns
    FROM pgtoaster.attached_column a CROSS JOIN LATERAL pgtoaster.owner_key(a.owner, store) k WHERE a.store = store;
  END IF;
  RETURN QUERY
    SELECT 'store.' || t.name, prefix || t.name
    FROM unnest(pgtoaster.store_parts(store) || ARRAY(SELECT r.part FROM pgtoaster.store_templates(store) r)) t(name)
    UNION ALL
    -- In a store of documents with a leading key, the tables contain that column of the row key; key_N is its value in every
    -- routine.
    SELECT format('store.lead(%s)', t.name),
           coalesce(t.name || '.' || s.lead || ' ' || s.equals || ' ' || replace(s.lead, 'owner', 'key') || ' AND ', '')
    FROM unnest('{h,m,f}'::text[]) t(name)
    UNION ALL
    SELECT v.name, coalesce(v.text, '') FROM (VALUES
      ('store.head_text', quote_literal(prefix || 'head')),
      ('store.owned', owned),
      ('store.owned_text', quote_literal(owned)),
      ('key_columns', s.key_columns),
      ('store.refuse', refuse),
      ('store.leaf_size', greatest((s.options->>'leaf_size')::integer / 4, 512)::text),
      ('store.whole_leaf', s.options->>'leaf_size'),
      ('store.string_size', (16 * (s.options->>'leaf_size')::integer)::text),
      ('store.fan_out', s.options->>'fan_out'),
      ('key_names', s.key_names),
      ('owner_names', replace(s.key_names, 'key_', 'owner_')),
      ('store.row_budget', s.options->>'row_budget'),
      -- The steps of these paths, as stored keys.
      ('store.kept', quote_literal(ARRAY(
        SELECT regexp_replace(k.k, '(?<=/)([$]+pgtoaster)(?=/|$)', E'$\\1', 'g')
        FROM jsonb_array_elements_text(s.options->'keep_inline') k(k))::text)),
      ('store.pinned', format('CAST(%L AS pg_catalog.text[])', ARRAY(
        SELECT DISTINCT pgtoaster.stored_key(replace(replace(split_part(k.k, '/', 2), '~1', '/'), '~0', '~')) AS first
        FROM jsonb_array_elements_text(s.options->'keep_inline') k(k) ORDER BY first)::text)),
      ('store.chunk_size', s.options->>'chunk_size'),
      ('store.chunks', (1048576 / (s.options->>'chunk_size')::integer + 2)::text),
      ('store.tail', s.options->>'tail'),
      ('store.pieces', '64'),
      ('store.checksums', s.options->>'crc32c'),
      -- Listeners do not receive notifications from a worker.
      ('store.notify', CASE WHEN s.options->>'distributed' = 'true' THEN 'false' ELSE s.options->>'notify' END),
      ('lead_column, ', s.lead || ', '),
      ('lead_value, ', CASE WHEN s.documents THEN replace(s.lead, 'owner', 'key') WHEN s.lead IS NOT NULL THEN 'lead' END || ', '),
      ('store.lead', s.lead || ' ' || s.equals || ' lead AND '),
      -- Only the trigger functions contain the following.
      ('key_variables', s.key_variables),
      ('store.read_keys', (SELECT string_agg(format('key_%s := OLD.%I', k.o, k.k), '; ' ORDER BY k.o)
                                     FROM unnest(columns) WITH ORDINALITY k(k, o))),
      ('store.columns', quote_literal((columns || handle)::text)),
      ('store_column', quote_ident(handle)),
      ('store.adopt_trigger', quote_literal(pgtoaster.trigger_name(store, 'adopt'))),
      ('store.update_trigger', quote_literal(pgtoaster.trigger_name(store, 'update'))),
      ('store.delete_trigger', quote_literal(pgtoaster.trigger_name(store, 'delete'))),
      ('store.truncate_trigger', quote_literal(pgtoaster.trigger_name(store, 'truncate'))),
      ('store.edited_setting', quote_literal('pgtoaster.edited_' || store)),
      ('store.id', store::text),
      ('store.prefix', quote_literal('.store_' || store || '_')),
      ('store.first_document', quote_literal(store::bigint << 40)),
      ('store.next_document', quote_literal((store::bigint + 1) << 40)),
      ('store.document_id', (SELECT quote_literal(pgtoaster.one_line(f.prosrc)) FROM pg_proc f
                             WHERE f.oid = 'pgtoaster.document_id(jsonb)'::regprocedure)),
      ('store.stub_markers', (SELECT quote_literal(pgtoaster.one_line(f.prosrc)) FROM pg_proc f
                              WHERE f.oid = 'pgtoaster.stub_markers(jsonb)'::regprocedure)),
      ('store.owners', CASE WHEN handle IS NOT NULL THEN pgtoaster.owners_source(store, handle) END),
      ('store.lead_place', quote_nullable(replace(s.lead, 'owner_', ''))),
      ('store.lead_name', quote_nullable(', ' || s.lead)),
      ('store.lead_type', quote_nullable((SELECT format_type(l.atttypid, l.atttypmod)
                                           FROM pgtoaster.lead_attribute(store) l)))) v(name, text);
END $$;

-- Returns texts of marked_template() with the texts of a store in place of the names in backticks.
CREATE OR REPLACE FUNCTION pgtoaster.store_text(store integer, sources text[]) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT array_agg(t.source ORDER BY t.o)
  FROM (SELECT s.o, string_agg(CASE WHEN p.o % 2 = 1 THEN p.p ELSE coalesce(v.text, '`' || p.p || '`') END, '' ORDER BY p.o) AS source
        FROM unnest(sources) WITH ORDINALITY s(s, o)
        CROSS JOIN LATERAL string_to_table(s.s, '`') WITH ORDINALITY p(p, o)
        LEFT JOIN pgtoaster.store_texts(store) v ON v.name = p.p AND p.o % 2 = 0
        GROUP BY s.o) t
$$;

-- Returns the source of a function of a store whose table is distributed. On the nodes, Citus uses other names for the table
-- and its triggers. The table with the original name exists as well; queries on it in the function run on the node.
CREATE OR REPLACE FUNCTION pgtoaster.on_shards(source text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $f$
  SELECT CASE WHEN source LIKE '%TG_RELID%' THEN
    regexp_replace(
      replace(replace(source, 'TG_RELID', 'logical_relation'), 'TG_NAME', 'logical_trigger'), 'DECLARE\n',
      $d$DECLARE
  logical_relation CONSTANT pg_catalog.regclass := coalesce(
    (SELECT d.logicalrelid FROM pg_catalog.pg_dist_shard d WHERE d.shardid OPERATOR(pg_catalog.=)
       CAST(pg_catalog.substring(CAST(TG_TABLE_NAME AS pg_catalog.text), '_([0-9]{1,18})$') AS bigint)),
    CAST(TG_RELID AS pg_catalog.regclass));
  logical_trigger CONSTANT pg_catalog.name := pg_catalog.regexp_replace(
    CAST(TG_NAME AS pg_catalog.text), '^(~?(pgtoaster|store)_[0-9]+_[a-z]+)_[0-9]+$', '\\1');
$d$)
  ELSE source END
$f$;

-- Returns the functions of a store with their sources, whether only triggers call them, and whether they are current: from
-- this catalog, and on tables in their current schema. The mark of a routine takes the place of the empty first line of
-- its template. Names of the owner's columns in a routine do not count, because they may have changed.
CREATE OR REPLACE FUNCTION pgtoaster.store_sources(store integer)
RETURNS TABLE (part text, template regprocedure, arguments text, source text, hidden boolean, current boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH k AS MATERIALIZED (
    SELECT pgtoaster.routine_mark(n.nspname) AS mark, pgtoaster.is_sharded(s.id) AS sharded, pgtoaster.store_functions(s.id) AS functions
    FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head JOIN pg_namespace n ON n.oid = h.relnamespace WHERE s.id = $1
  ), t AS MATERIALIZED (
    SELECT t.*, p.prosrc FROM pgtoaster.store_templates($1) WITH ORDINALITY t(part, template, arguments, id, n)
    JOIN pg_proc p ON p.oid = t.template
  )
  SELECT t.part, t.template, t.arguments, w.source, h.hidden,
         EXISTS (SELECT FROM pg_proc p WHERE p.oid = t.id
                 AND (p.prosrc = w.source OR regexp_replace(p.prosrc, '[^\n]*-- as named\n', '', 'g')
                                             = regexp_replace(w.source, '[^\n]*-- as named\n', '', 'g')))
  FROM k CROSS JOIN t
  JOIN unnest((SELECT pgtoaster.store_text($1, array_agg(x.prosrc ORDER BY x.n)) FROM t x)) WITH ORDINALITY u(text, n) ON u.n = t.n
  CROSS JOIN LATERAL (SELECT t.part = ANY (k.functions) AS hidden) h
  CROSS JOIN LATERAL (
    SELECT CASE WHEN NOT k.sharded AND h.hidden THEN u.text
                -- Citus also empties the tables that refer to it, and the content that their rows release would not be recorded.
                WHEN t.part = 'truncate' THEN regexp_replace(pgtoaster.on_shards(u.text), '\nBEGIN\n', $b$
BEGIN
  IF current_setting('pgtoaster.distributing', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'TRUNCATE of %, which is distributed, would leave its content in the store', logical_relation
    USING ERRCODE = 'feature_not_supported', HINT = 'DELETE FROM the table; nothing was changed.';
$b$)
                WHEN h.hidden THEN pgtoaster.on_shards(u.text)
                WHEN k.sharded THEN k.mark || E'-- distributed\n' || pgtoaster.on_shards(substr(u.text, 2))
                ELSE k.mark || substr(u.text, 2) END AS source) w
  ORDER BY t.n
$$;

-- Returns whether the routines of a store are current; NULL if it has none.
CREATE OR REPLACE FUNCTION pgtoaster.has_routines(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT bool_and(s.current) FROM pgtoaster.store_sources($1) s WHERE NOT s.hidden $$;

-- Writes missing or outdated functions of a store, if the role may do so. If it may not, status() reports the routines.
-- PostgreSQL parses a function at its first call; parsing all of them here as well took a third of the time of attach.
CREATE OR REPLACE FUNCTION pgtoaster.write_routines(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET check_function_bodies = off
AS $$
#variable_conflict use_variable
DECLARE
  place oid;
  holder oid;
  f record;
  signature text;
BEGIN
  SELECT h.relnamespace, h.relowner INTO place, holder FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head WHERE s.id = store;
  IF place IS NULL OR NOT pg_has_role(holder, 'USAGE')
     OR NOT has_schema_privilege(place, 'USAGE') OR NOT has_schema_privilege(place, 'CREATE')
     -- The table, or the index that contains its key if heads refer to it, was dropped.
     OR (SELECT CASE WHEN EXISTS (SELECT FROM pg_attribute k WHERE k.attrelid = s.head AND k.attname = 'owner_1')
                     THEN NOT EXISTS (SELECT FROM pgtoaster.owner_key(s.owner, s.id)) END
         FROM pgtoaster.store s WHERE s.id = store) THEN
    RETURN;
  END IF;
  PERFORM pgtoaster.add_first(store);
  FOR f IN SELECT s.*, p.prorettype = 'trigger'::regtype AS fires, p.provolatile = 's' AS reads
           FROM pgtoaster.store_sources(store) s JOIN pg_proc p ON p.oid = s.template WHERE NOT s.current LOOP
    signature := format('%s(%s)', pgtoaster.store_table(store, f.part), f.arguments);
    EXECUTE format('CREATE OR REPLACE FUNCTION %s RETURNS %s LANGUAGE plpgsql %s %s %s AS %L',
                   signature, pg_get_function_result(f.template),
                   CASE WHEN f.hidden AND f.fires OR f.part = 'placed' THEN 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp'
                        WHEN f.reads THEN 'STABLE PARALLEL SAFE' END,
                   CASE WHEN NOT f.hidden THEN 'SET enable_seqscan = off' WHEN f.fires THEN 'SET row_security = off' END,
                   -- Citus sends the call to the node of the row; the tables that it uses are on the same node.
                   CASE WHEN NOT f.hidden AND pgtoaster.is_sharded(store) THEN 'SET citus.allow_nested_distributed_execution = on' END,
                   f.source);
    -- The installing role must not own them: the table's owner could not replace them, and some of them run with the
    -- rights of their owner.
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', signature, pg_get_userbyid(holder));
    -- EXECUTE does not give rights on the tables; pg_read_all_data has these without a grant. A function in the condition of a
    -- trigger is called by the updating role.
    EXECUTE format(CASE WHEN f.hidden AND f.fires THEN 'REVOKE ALL ON FUNCTION %s FROM PUBLIC'
                        ELSE 'GRANT EXECUTE ON FUNCTION %s TO PUBLIC' END, signature);
  END LOOP;
END $$;

-- Installing the catalog again updates the routines of the stores that the installing role may change. Neither an error
-- in one owner's store nor a lock that outlasts the timeout stops the installation.
DO $$
DECLARE
  store integer;
  holder oid;
  locked_by oid[] := CAST('{}' AS oid[]);
BEGIN
  FOR store, holder IN SELECT s.id, pgtoaster.store_owner(s.id) FROM pgtoaster.store s ORDER BY s.id LOOP
    IF holder = ANY (locked_by) THEN
      RAISE WARNING 'the routines of store % were not updated: another store of the same owner is locked', store;
      CONTINUE;
    END IF;
    BEGIN
      PERFORM pgtoaster.write_routines(store);
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE = '55P03' THEN
        locked_by := locked_by || holder;
      END IF;
      RAISE WARNING 'the routines of store % were not updated: %', store, SQLERRM;
    END;
  END LOOP;
END $$;
