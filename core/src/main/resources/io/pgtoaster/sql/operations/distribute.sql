-- Distribution by schema, on Citus: all tables of a schema, and the stores of their columns, are on one node, and the
-- coordinator routes queries to it. The catalog stays on the coordinator.

-- Moves the tables and functions of a store to the schema of its table.
CREATE OR REPLACE FUNCTION pgtoaster.move_to_owner(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place name := (SELECT n.nspname
                 FROM pgtoaster.store s
                 JOIN pg_class c ON c.oid = s.owner
                 JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE s.id = store);
  routines text[] := ARRAY(SELECT r FROM pgtoaster.store_routines(store) r);
  tables text[] := ARRAY(SELECT pgtoaster.store_table(store, p.part) FROM unnest(pgtoaster.store_parts(store)) p(part));
  name text;
BEGIN
  FOREACH name IN ARRAY tables LOOP
    EXECUTE format('ALTER TABLE %s SET SCHEMA %I', name, place);
  END LOOP;
  FOREACH name IN ARRAY routines LOOP
    EXECUTE format('ALTER FUNCTION %s SET SCHEMA %I', name, place);
  END LOOP;
END $$;

-- Returns what prevents distributing a table, by schema or by rows: a trigger that does not belong to pgtoaster; or
-- NULL.
CREATE OR REPLACE FUNCTION pgtoaster.foreign_trigger(relation oid) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('the trigger %s does not belong to pgtoaster, and Citus runs triggers on the workers: drop it', quote_ident(t.tgname))
  FROM pg_trigger t WHERE t.tgrelid = $1 AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_|^store_[0-9]+_sweep$' LIMIT 1
$$;

-- Returns what distribute does with the stores of columns: each of their tables, and the reason if a store is refused.
CREATE OR REPLACE FUNCTION pgtoaster.distribute_stores(stores integer[])
RETURNS TABLE (relation regclass, column_name name, store integer, bytes bigint, refused text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT to_regclass(pgtoaster.store_table(a.store, p.part)), a.column_name, a.store,
         pg_table_size(to_regclass(pgtoaster.store_table(a.store, p.part))),
         CASE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = a.owner AND t.tgname = pgtoaster.trigger_name(a.store, 'sync'))
                THEN 'an unfinished migration of the column: finish it, or abort it' END
  FROM pgtoaster.attached_column a CROSS JOIN LATERAL unnest(pgtoaster.store_parts(a.store)) p(part)
  WHERE a.store = ANY ($1)
  UNION ALL
  SELECT a.owner, a.column_name, a.store, 0::bigint, format('the toaster "%s" of the column is not built in', a.toaster)
  FROM pgtoaster.attached_column a LEFT JOIN pgtoaster.toaster t ON t.name = a.toaster
  WHERE a.store = ANY ($1) AND t.builtin IS NOT TRUE
$$;

-- Prepares stores for distribution: moves them to the schema of their table, with numbers that each node can generate.
CREATE OR REPLACE FUNCTION pgtoaster.prepare_stores(stores integer[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
BEGIN
  FOR a IN SELECT c.store, c.store_schema, c.schema_name FROM pgtoaster.attached_column c
           WHERE c.store = ANY (stores) AND c.store_schema IS NOT NULL ORDER BY c.store LOOP
    IF a.store_schema <> a.schema_name THEN
      PERFORM pgtoaster.move_to_owner(a.store);
    END IF;
    PERFORM pgtoaster.draw_numbers(a.store);
  END LOOP;
END $$;

-- Returns what distribute does with a schema: each table, the column whose store it belongs to, its bytes, and the reason
-- if it is refused.
CREATE OR REPLACE FUNCTION pgtoaster.distribute_plan(schema name)
RETURNS TABLE (relation regclass, column_name name, store integer, bytes bigint, refused text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = $1) THEN
    RAISE EXCEPTION 'schema "%" does not exist', $1 USING ERRCODE = 'undefined_object',
      HINT = 'To distribute a table by its rows: SELECT pgtoaster.distribute(''table''::regclass).';
  END IF;
  RETURN QUERY
  SELECT c.oid::regclass, NULL::name, NULL::integer, pg_table_size(c.oid),
         CASE WHEN quote_ident($1) <> $1
                THEN 'the name of the schema needs quotes, which Citus omits when it copies grants on functions: rename it'
              WHEN c.relkind = 'p' AND EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = c.oid)
                THEN 'a partitioned table with attached columns'
              WHEN c.relrowsecurity AND EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = c.oid)
                THEN 'row security, which depends on transactions that only one server knows: give each tenant a separate schema and role'
              ELSE pgtoaster.foreign_trigger(c.oid) END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pgtoaster.store s CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.id)) p(part)
                    WHERE to_regclass(pgtoaster.store_table(s.id, p.part)) = c.oid)
  UNION ALL
  SELECT * FROM pgtoaster.distribute_stores(ARRAY(SELECT a.store FROM pgtoaster.attached_column a WHERE a.schema_name = $1));
END $$;

-- Raises an error if Citus is not installed, or if this node is not its coordinator.
CREATE OR REPLACE FUNCTION pgtoaster.require_citus() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  node integer;
BEGIN
  IF NOT pgtoaster.on_citus() THEN
    RAISE EXCEPTION 'the extension citus is not installed in this database' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Distribution needs Citus: set shared_preload_libraries = citus, CREATE EXTENSION citus, and add its nodes.';
  END IF;
  EXECUTE 'SELECT groupid FROM pg_catalog.pg_dist_local_group' INTO node;
  IF node <> 0 THEN
    RAISE EXCEPTION 'this is a worker of Citus'
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Connect to the coordinator, which has the catalog.';
  END IF;
END $$;

-- Generates random numbers for new content, because each node would have its own sequence. In a store of a million
-- contents, one new number in a million is already taken; that transaction is retried.
CREATE OR REPLACE FUNCTION pgtoaster.draw_numbers(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ALTER COLUMN id DROP IDENTITY IF EXISTS, ALTER COLUMN id SET DEFAULT %s + floor(random() * %s)::bigint',
                 pgtoaster.store_table(store, 'head'), (store::bigint << 40) + 1, (1::bigint << 40) - 2);
  IF 'aside' = ANY (pgtoaster.store_parts(store)) THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN id DROP IDENTITY IF EXISTS, ALTER COLUMN id SET DEFAULT floor(random() * %s)::bigint',
                   pgtoaster.store_table(store, 'aside'), 1::bigint << 62);
  END IF;
END $$;

-- Records in stores whether they are distributed, and adapts their functions.
CREATE OR REPLACE FUNCTION pgtoaster.mark_distributed(stores integer[], distributed boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
  routine regprocedure;
BEGIN
  FOR a IN SELECT s.id, s.options FROM pgtoaster.store s
           WHERE s.id = ANY (stores) AND pgtoaster.store_parts(s.id) <> '{}'
           ORDER BY s.id LOOP
    IF NOT $2 THEN
      FOR routine IN SELECT k.id FROM pgtoaster.store_templates(a.id) k
                     WHERE k.part IN ('change', 'hold') LOOP
        EXECUTE format('DROP FUNCTION %s', routine);
      END LOOP;
    END IF;
    INSERT INTO pgtoaster.catalog_change (what, store, options)
    VALUES ('set', a.id, CASE WHEN $2 THEN a.options || '{"distributed": true}' ELSE a.options - 'distributed' END);
    PERFORM pgtoaster.write_routines(a.id);
  END LOOP;
END $$;

-- Distributes a schema: its tables and the stores of their columns are then on one node of Citus. Run it on the
-- coordinator as the owner of the catalog and the tables; nothing may write to the tables while it runs.
-- pgtoaster.distribute_plan returns what prevents it.
CREATE OR REPLACE FUNCTION pgtoaster.distribute(schema name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
AS $$
DECLARE
  p record;
  triggers text;
  stores CONSTANT integer[] := ARRAY(SELECT a.store FROM pgtoaster.attached_column a WHERE a.schema_name = $1);
BEGIN
  PERFORM pgtoaster.require_citus();
  PERFORM pgtoaster.require_read_committed();
  SELECT * INTO p FROM pgtoaster.distribute_plan($1) d WHERE d.refused IS NOT NULL ORDER BY d.relation LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'schema "%" cannot be distributed, because of %: %', $1, p.relation, p.refused
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'SELECT * FROM pgtoaster.distribute_plan(schema) lists all reasons; nothing was changed.';
  END IF;
  IF pgtoaster.is_distributed($1) THEN
    RAISE EXCEPTION 'schema "%" is already distributed', $1 USING ERRCODE = 'duplicate_object',
      HINT = 'To distribute columns that are attached later, call pgtoaster.undistribute and distribute again.';
  END IF;
  PERFORM pgtoaster.prepare_stores(stores);
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  PERFORM pgtoaster.mark_distributed(stores, true);
  triggers := current_setting('citus.enable_unsafe_triggers');
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  EXECUTE 'SELECT pg_catalog.citus_schema_distribute($1::text::regnamespace)' USING quote_ident($1);
  PERFORM set_config('citus.enable_unsafe_triggers', triggers, true);
  -- Copied rows are still in the local tables, where only queries that bypass Citus see them.
  PERFORM set_config('pgtoaster.distributing', 'on', true);
  FOR p IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = $1 AND c.relkind = 'r'
           ORDER BY c.oid LOOP
    EXECUTE 'SELECT pg_catalog.truncate_local_data_after_distributing_table($1)' USING p.oid::regclass;
  END LOOP;
  PERFORM set_config('pgtoaster.distributing', '', true);
END $$;

-- Moves a schema back to the coordinator, where Citus creates its tables again.
CREATE OR REPLACE FUNCTION pgtoaster.undistribute(schema name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
AS $$
DECLARE
  triggers text;
  stores integer[];
  owners text[];
  heads text[];
BEGIN
  PERFORM pgtoaster.require_citus();
  PERFORM pgtoaster.require_read_committed();
  IF NOT pgtoaster.is_distributed($1) THEN
    RAISE EXCEPTION 'schema "%" is not distributed', $1 USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See citus_schemas.';
  END IF;
  SELECT array_agg(s.id ORDER BY s.id), array_agg(s.owner::text ORDER BY s.id), array_agg(s.head::text ORDER BY s.id)
    INTO stores, owners, heads
  FROM pgtoaster.attached_column a JOIN pgtoaster.store s ON s.id = a.store WHERE a.schema_name = $1;
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  triggers := current_setting('citus.enable_unsafe_triggers');
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  EXECUTE 'SELECT pg_catalog.citus_schema_undistribute($1::text::regnamespace)' USING quote_ident($1);
  PERFORM set_config('citus.enable_unsafe_triggers', triggers, true);
  UPDATE pgtoaster.store s SET owner = u.owner::regclass, head = u.head::regclass
  FROM unnest(stores, owners, heads) u(id, owner, head) WHERE s.id = u.id;
  PERFORM pgtoaster.mark_distributed(stores, false);
END $$;

-- Returns the node of each distributed schema, its number of tables, and their bytes.
CREATE OR REPLACE FUNCTION pgtoaster.schema_places() RETURNS TABLE (schema name, node text, tables bigint, bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF pgtoaster.on_citus() THEN
    RETURN QUERY EXECUTE
      'SELECT c.relnamespace::regnamespace::text::name, min(s.nodename || '':'' || s.nodeport), count(*), sum(s.shard_size)::bigint '
      'FROM pg_catalog.citus_shards s JOIN pg_catalog.pg_class c ON c.oid = s.table_name '
      'WHERE s.citus_table_type = ''schema'' AND c.relnamespace IN ('
      'SELECT o.relnamespace FROM pgtoaster.store t JOIN pg_catalog.pg_class o ON o.oid = t.owner) '
      'GROUP BY c.relnamespace ORDER BY 1';
  END IF;
END $$;

-- Returns what distribute does with a table, for the table and for the tables of its columns' stores.
CREATE OR REPLACE FUNCTION pgtoaster.distribute_plan(owner regclass)
RETURNS TABLE (relation regclass, column_name name, store integer, bytes bigint, refused text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  leads text[] := ARRAY(SELECT DISTINCT a.options->>'leading_key' FROM pgtoaster.attached_column a WHERE a.owner = $1);
BEGIN
  RETURN QUERY
  SELECT c.oid::regclass, NULL::name, NULL::integer, pg_table_size(c.oid),
         CASE WHEN leads = '{}' THEN 'no column of it is attached, so Citus can distribute it by itself: create_distributed_table'
              WHEN cardinality(leads) > 1 OR leads[1] IS NULL
                THEN
                  'its columns have no leading_key, or different ones: attach them with one leading_key, by which the rows are distributed'
              WHEN c.relkind = 'p' THEN 'a partitioned table with attached columns'
              WHEN c.relrowsecurity THEN 'row security, which depends on transactions that only one server knows'
              ELSE coalesce(pgtoaster.foreign_trigger(c.oid),
                (SELECT format(
                          'the unique index %s does not contain the leading key, which Citus requires: drop it, or add %s to it',
                          i.indexrelid::regclass, quote_ident(leads[1]))
                 FROM pg_index i
                 WHERE i.indrelid = c.oid AND i.indisunique
                   AND i.indexrelid::regclass::text !~ '(^|\.)"?pgtoaster_[0-9]+_handle"?$'
                   AND NOT EXISTS (SELECT FROM unnest(i.indkey) k(attnum)
                                   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum AND a.attname = leads[1])
                 LIMIT 1)) END
  FROM pg_class c WHERE c.oid = $1
  UNION ALL
  SELECT * FROM pgtoaster.distribute_stores(ARRAY(SELECT a.store FROM pgtoaster.attached_column a WHERE a.owner = $1));
END $$;

-- Creates the references to handles of a store of blobs in a table. They are dropped and created again around the
-- distribution of the tables: the foreign key, because Citus rejects a key to a table that is not distributed; and the
-- index, because Citus requires the leading key in all unique indexes.
CREATE OR REPLACE FUNCTION pgtoaster.name_handles(store integer, distributed boolean, relation regclass, lead name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = name_handles.store;
  EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I, %I) REFERENCES %s (leading_key, id) DEFERRABLE', relation,
                 'pgtoaster_' || store || '_head', lead, a.column_name, pgtoaster.store_table(store, 'head'));
  EXECUTE format('CREATE UNIQUE INDEX %I ON %s (%I %s) WHERE %3$I IS NOT NULL', 'pgtoaster_' || store || '_handle', relation,
                 a.column_name, CASE WHEN distributed THEN ',' || quote_ident(lead) END);
END $$;

-- Distributes a table by its rows: the rows with one leading key, and their content in the stores of its columns, are
-- together on one node of Citus. The rules for distributing a schema apply; see above.
CREATE OR REPLACE FUNCTION pgtoaster.distribute(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
AS $$
#variable_conflict use_variable
DECLARE
  p record;
  triggers text;
  lead name;
  stores integer[];
  blobs integer[];
  tables regclass[];
  store integer;
BEGIN
  PERFORM pgtoaster.require_citus();
  PERFORM pgtoaster.require_read_committed();
  SELECT * INTO p FROM pgtoaster.distribute_plan(relation) d WHERE d.refused IS NOT NULL ORDER BY d.relation LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'table % cannot be distributed, because of %: %', relation, p.relation, p.refused
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'SELECT * FROM pgtoaster.distribute_plan(table::regclass) lists all reasons; nothing was changed.';
  END IF;
  IF pgtoaster.is_distributed(relation) THEN
    RAISE EXCEPTION '% is already distributed', relation USING ERRCODE = 'duplicate_object',
      HINT = 'To distribute columns that are attached later, call pgtoaster.undistribute and distribute again.';
  END IF;
  SELECT array_agg(a.store ORDER BY a.store), min(a.options->>'leading_key'),
         coalesce(array_agg(a.store) FILTER (WHERE a.toaster = 'appendable'), '{}')
    INTO stores, lead, blobs
  FROM pgtoaster.attached_column a WHERE a.owner = relation AND a.store_schema IS NOT NULL;
  PERFORM pgtoaster.prepare_stores(stores);
  tables := ARRAY(SELECT pgtoaster.store_table(s.s, k.part)::regclass
                  FROM unnest(stores) s(s) CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.s)) k(part));
  FOREACH store IN ARRAY blobs LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, 'pgtoaster_' || store || '_head');
    PERFORM pgtoaster.drop_index(relation, 'pgtoaster_' || store || '_handle');
  END LOOP;
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  PERFORM pgtoaster.mark_distributed(stores, true);
  triggers := current_setting('citus.enable_unsafe_triggers');
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  EXECUTE 'SELECT pg_catalog.create_distributed_table($1, $2)' USING relation, lead::text;
  FOR p IN SELECT pgtoaster.store_table(s.s, k.part)::regclass AS id, pgtoaster.lead_column(s.s) AS lead
           FROM unnest(stores) s(s) CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.s)) k(part) LOOP
    EXECUTE 'SELECT pg_catalog.create_distributed_table($1, $2, colocate_with := $3)' USING p.id, p.lead::text, relation::text;
  END LOOP;
  PERFORM set_config('citus.enable_unsafe_triggers', triggers, true);
  -- Copied rows are still in the local tables, where only queries that bypass Citus see them.
  PERFORM set_config('pgtoaster.distributing', 'on', true);
  FOR p IN SELECT relation AS id UNION ALL SELECT t FROM unnest(tables) t LOOP
    EXECUTE 'SELECT pg_catalog.truncate_local_data_after_distributing_table($1)' USING p.id;
  END LOOP;
  PERFORM set_config('pgtoaster.distributing', '', true);
  FOREACH store IN ARRAY blobs LOOP
    PERFORM pgtoaster.name_handles(store, true, relation, lead);
  END LOOP;
END $$;

-- Moves a table back to the coordinator, where Citus creates its tables again.
CREATE OR REPLACE FUNCTION pgtoaster.undistribute(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
AS $$
#variable_conflict use_variable
DECLARE
  triggers text;
  stores integer[];
  heads text[];
  names text[];
  blobs integer[];
  store integer;
  name text;
  owner text := relation::text;
  lead name := (SELECT a.options->>'leading_key' FROM pgtoaster.attached_column a WHERE a.owner = relation ORDER BY a.store LIMIT 1);
BEGIN
  PERFORM pgtoaster.require_citus();
  PERFORM pgtoaster.require_read_committed();
  SELECT array_agg(s.id ORDER BY s.id), array_agg(s.head::text ORDER BY s.id),
         coalesce(array_agg(s.id) FILTER (WHERE s.toaster = 'appendable'), '{}')
    INTO stores, heads, blobs
  FROM pgtoaster.store s WHERE s.owner = relation AND s.options->>'distributed' = 'true' AND s.options ? 'leading_key';
  IF stores IS NULL OR NOT pgtoaster.is_distributed(relation) THEN
    RAISE EXCEPTION '% is not distributed by its rows', relation
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See citus_tables.';
  END IF;
  names := owner || ARRAY(SELECT pgtoaster.store_table(s.s, k.part)
                          FROM unnest(stores) s(s) CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.s)) k(part));
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  triggers := current_setting('citus.enable_unsafe_triggers');
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  FOREACH store IN ARRAY blobs LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', relation, 'pgtoaster_' || store || '_head');
    PERFORM pgtoaster.drop_index(relation, 'pgtoaster_' || store || '_handle');
  END LOOP;
  FOREACH name IN ARRAY names LOOP
    EXECUTE 'SELECT pg_catalog.undistribute_table($1::regclass)' USING name;
  END LOOP;
  PERFORM set_config('citus.enable_unsafe_triggers', triggers, true);
  UPDATE pgtoaster.store s SET owner = owner::regclass, head = u.head::regclass
  FROM unnest(stores, heads) u(id, head) WHERE s.id = u.id;
  FOREACH store IN ARRAY blobs LOOP
    PERFORM pgtoaster.name_handles(store, false, owner::regclass, lead);
  END LOOP;
  PERFORM pgtoaster.mark_distributed(stores, false);
END $$;

-- For each table that is distributed by its rows, returns the nodes that have its rows and their content, and the bytes
-- on each node.
CREATE OR REPLACE FUNCTION pgtoaster.table_places() RETURNS TABLE (relation regclass, node text, shards bigint, bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF pgtoaster.on_citus() THEN
    RETURN QUERY EXECUTE
      'SELECT o.owner::regclass, concat(s.nodename, '':'', s.nodeport), '
      'count(*) FILTER (WHERE s.table_name = o.owner), sum(s.shard_size)::bigint '
      'FROM (SELECT t.owner, t.owner AS part FROM pgtoaster.store t UNION '
      '      SELECT t.owner, to_regclass(pgtoaster.store_table(t.id, p.part)) '
      'FROM pgtoaster.store t CROSS JOIN LATERAL unnest(pgtoaster.store_parts(t.id)) p(part)) o '
      'JOIN pg_catalog.citus_shards s ON s.table_name = o.part '
      'WHERE s.citus_table_type = ''distributed'' GROUP BY 1, 2 ORDER BY 1, 2';
  END IF;
END $$;

-- Returns the node of the rows with one leading key, and the bytes of their content.
CREATE OR REPLACE FUNCTION pgtoaster.tenant_place(relation regclass, leading_key text, OUT node text, OUT bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  s record;
  part bigint;
BEGIN
  IF NOT pgtoaster.is_distributed(relation) THEN
    RAISE EXCEPTION '% is not distributed', relation
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See pgtoaster.table_places().';
  END IF;
  EXECUTE 'SELECT concat(p.nodename, '':'', p.nodeport) FROM pg_catalog.citus_shards p '
          'WHERE p.shardid = pg_catalog.get_shard_id_for_distribution_column($1, $2)' INTO node USING relation, leading_key;
  bytes := 0;
  FOR s IN SELECT a.store, a.toaster, l.attname
           FROM pgtoaster.attached_column a CROSS JOIN LATERAL pgtoaster.lead_attribute(a.store) l
           WHERE a.owner = relation LOOP
    EXECUTE CASE s.toaster
      WHEN 'keyed' THEN
        format('SELECT sum(greatest(n.bytes, 0)) FROM %s n WHERE n.%s = %L',
               pgtoaster.store_table(s.store, 'node'), s.attname, leading_key)
      ELSE
        format('SELECT sum(h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0)) FROM %s h WHERE h.%s = %L',
               pgtoaster.store_table(s.store, 'head'), s.attname, leading_key)
      END INTO part;
    bytes := bytes + coalesce(part, 0);
  END LOOP;
END $$;
