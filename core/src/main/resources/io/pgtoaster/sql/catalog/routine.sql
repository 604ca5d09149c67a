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

-- Creates a function that returns a hash of all templates and of what they share.
DO $$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.routine_hash() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS %L',
                 format('SELECT CAST(%L AS bigint)', (
    SELECT hashtextextended(concat(string_agg(concat(p.proname, pg_get_function_arguments(p.oid), p.prosrc), ' ' ORDER BY p.proname),
                                   array_to_string(pgtoaster.routine_parts(), ' ')), 0)
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

-- Returns the source of a template with the names of a store's tables and the options. Writers of whole documents write
-- large leaves. Edits cut new and changed leaves to a quarter of that size.
CREATE OR REPLACE FUNCTION pgtoaster.store_text(store integer, source text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  parts text[] := pgtoaster.routine_parts();
  mark CONSTANT text := md5(random()::text || clock_timestamp()::text);
  s record;
  place record;
  columns name[];
  handle name;
BEGIN
  SELECT o.options, c.owned, c.refuse,
         pgtoaster.lead_column(store) AS lead, pgtoaster.lead_operator(store) AS equals, k.has AS documents,
         k.names AS key_names, k.columns AS key_columns, k.variables AS key_variables INTO s
  FROM pgtoaster.store o JOIN pg_class h ON h.oid = o.head
  CROSS JOIN pgtoaster.owned_condition(o.id) c
  CROSS JOIN LATERAL (
    -- columns: the key from parameter $3, for a statement that uses $1 and $2 for other values.
    SELECT count(*) > 0 AS has, string_agg('key_' || n.n, ', ' ORDER BY n.n) AS names,
           string_agg('$' || 2 + n.n || ' AS key_' || n.n, ', ' ORDER BY n.n) AS columns,
           string_agg(format('key_%s %s', n.n, format_type(a.atttypid, a.atttypmod)), '; ' ORDER BY n.n) AS variables
    FROM pg_attribute a CROSS JOIN LATERAL (SELECT substr(a.attname, 7)::integer AS n) n
    WHERE a.attrelid = h.oid AND a.attname ~ '^owner_[0-9]+$') k
  WHERE o.id = store;
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
  IF s.documents AND source ~ 'store_column|store\.(columns|owners|read_keys)' THEN
    SELECT a.column_name, k.columns INTO handle, columns
    FROM pgtoaster.attached_column a CROSS JOIN LATERAL pgtoaster.owner_key(a.owner, store) k WHERE a.store = store;
  END IF;
  -- In a store of documents with a leading key, the tables contain that column of the row key; key_N is its value in every
  -- routine.
  source := regexp_replace(source, 'store\.lead\(([a-z]+)\) AND ',
                           coalesce('\1.' || s.lead || ' ' || s.equals || ' ' || replace(s.lead, 'owner', 'key') || ' AND ', ''), 'g');
  -- Do not search inserted text again: names of tables, columns and collations may look like a placeholder.
  source := regexp_replace(source, '\m(PERFORM store\.(refuse|read_keys)\(\)|store\.lead AND |lead_column, |lead_value, |key_names text|'
                                   'store\.[a-z_]+|store_column|key_names|key_columns|owner_names)',
                           mark || ':\1:', 'g');
  FOR place IN
    SELECT 'store.' || t.name AS name, pgtoaster.store_table(store, t.name) AS text
    FROM unnest(pgtoaster.store_parts(store) || ARRAY(SELECT r.part FROM pgtoaster.store_templates(store) r)) t(name)
    WHERE strpos(source, mark || ':store.' || t.name || ':') > 0
    UNION ALL
    SELECT v.name, coalesce(v.text, '') FROM (VALUES
      ('store.head_text', quote_literal(pgtoaster.store_table(store, 'head'))),
      ('store.owned', s.owned),
      ('store.owned_text', quote_literal(s.owned)),
      ('key_columns', s.key_columns),
      ('PERFORM store.refuse()', s.refuse),
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
      ('store.lead AND ', s.lead || ' ' || s.equals || ' lead AND '),
      -- Only the trigger functions contain the following.
      ('key_names text', s.key_variables),
      ('PERFORM store.read_keys()', (SELECT string_agg(format('key_%s := OLD.%I', k.o, k.k), '; ' ORDER BY k.o)
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
                                           FROM pgtoaster.lead_attribute(store) l)))) v(name, text)
  LOOP
    source := replace(source, mark || ':' || place.name || ':', place.text);
  END LOOP;
  IF strpos(source, mark) > 0 THEN
    RAISE EXCEPTION 'a template contains an unknown name: %', substring(source FROM mark || ':([^:]*)');
  END IF;
  RETURN source;
END $$;

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

-- Returns the source of a routine of a store. The mark takes the place of the empty first line of the template, which uses
-- the short name of the type record because pgspot's parser does not know any other.
CREATE OR REPLACE FUNCTION pgtoaster.routine_source(store integer, part text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT pgtoaster.routine_mark(n.nspname)
    || CASE WHEN pgtoaster.is_sharded($1) THEN E'-- distributed\n' || pgtoaster.on_shards(t.text) ELSE t.text END
  FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head JOIN pg_namespace n ON n.oid = h.relnamespace
  CROSS JOIN pgtoaster.store_templates(s.id) r JOIN pg_proc f ON f.oid = r.template
  CROSS JOIN LATERAL (SELECT substr(pgtoaster.store_text(s.id, replace(f.prosrc, ' record;', ' pg_catalog.record;')), 2) AS text) t
  WHERE s.id = $1 AND r.part = $2
$$;

-- Returns whether the routines of a store are from this catalog and refer to its tables in their current schema. Ignores
-- names of the owner's columns, which may have changed.
CREATE OR REPLACE FUNCTION pgtoaster.has_routines(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT bool_and(EXISTS (SELECT FROM pg_proc f WHERE f.oid = pgtoaster.store_routine($1, p.part)
                          AND regexp_replace(f.prosrc, '[^\n]*-- as named\n', '', 'g')
                              = regexp_replace(pgtoaster.routine_source($1, p.part), '[^\n]*-- as named\n', '', 'g')))
  FROM pgtoaster.store_templates($1) p
$$;

-- Writes missing or outdated routines of a store, and its outdated trigger functions, if the role may do so. If it may
-- not, status() reports them.
CREATE OR REPLACE FUNCTION pgtoaster.write_routines(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place oid;
  holder oid;
  current boolean;
  routine record;
BEGIN
  SELECT h.relnamespace, h.relowner INTO place, holder FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head WHERE s.id = store;
  IF place IS NULL OR NOT pg_has_role(holder, 'USAGE')
     OR NOT has_schema_privilege(place, 'USAGE') OR NOT has_schema_privilege(place, 'CREATE')
     -- The table, or the index that contains its key if heads refer to it, was dropped.
     OR EXISTS (SELECT FROM pgtoaster.store s JOIN pg_attribute k ON k.attrelid = s.head AND k.attname = 'owner_1' WHERE s.id = store)
       AND NOT EXISTS (SELECT FROM pgtoaster.attached_column a
                       CROSS JOIN LATERAL pgtoaster.owner_key(a.owner, store) k
                       WHERE a.store = store) THEN
    RETURN;
  END IF;
  PERFORM pgtoaster.add_first(store);
  current := pgtoaster.has_routines(store);
  -- attach creates these functions, for the owner of the table.
  IF current IS NOT NULL AND pgtoaster.store_routine(store, 'release') IS NOT NULL THEN
    PERFORM pgtoaster.write_trigger_functions(store);
  END IF;
  IF coalesce(current, true) THEN
    RETURN;
  END IF;
  FOR routine IN SELECT * FROM pgtoaster.store_templates(store) LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION %s(%s) RETURNS %s LANGUAGE plpgsql %s SET enable_seqscan = off %s AS %L',
                   pgtoaster.store_table(store, routine.part), pgtoaster.routine_arguments(store, routine.part, true),
                   pg_get_function_result(routine.template),
                   CASE WHEN routine.part = 'placed' THEN 'SECURITY DEFINER SET search_path = pg_catalog, pg_temp'
                        WHEN (SELECT p.provolatile FROM pg_proc p WHERE p.oid = routine.template) = 's' THEN 'STABLE PARALLEL SAFE' END,
                   -- Citus sends the call to the node of the row; the tables that it uses are on the same node.
                   CASE WHEN pgtoaster.is_sharded(store) THEN 'SET citus.allow_nested_distributed_execution = on' END,
                   pgtoaster.routine_source(store, routine.part));
    -- The installing role must not own them: the table's owner could not replace them, and one of them runs with the
    -- rights of its owner.
    IF (SELECT f.proowner FROM pg_proc f WHERE f.oid = pgtoaster.store_routine(store, routine.part)) <> holder THEN
      EXECUTE format('ALTER FUNCTION %s OWNER TO %I', pgtoaster.store_routine(store, routine.part), pg_get_userbyid(holder));
    END IF;
    -- EXECUTE does not give rights on the tables; pg_read_all_data has these without a grant.
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', pgtoaster.store_routine(store, routine.part));
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
