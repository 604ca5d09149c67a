-- Scale-out on Citus by schema: all tables of a schema, and the stores of their columns, lie on one node, and the
-- coordinator routes to it. The catalog stays on the coordinator.

-- Moves the tables and functions of a store to the schema of its table.
CREATE OR REPLACE FUNCTION pgtoaster.move_to_owner(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place name := (SELECT n.nspname FROM pgtoaster.store s JOIN pg_class c ON c.oid = s.owner JOIN pg_namespace n ON n.oid = c.relnamespace WHERE s.id = store);
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

-- What distribute does with a schema: each table, the column whose store it belongs to, its bytes, and why it is refused.
CREATE OR REPLACE FUNCTION pgtoaster.distribute_plan(schema name)
RETURNS TABLE (relation regclass, column_name name, store integer, bytes bigint, refused text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = $1) THEN
    RAISE EXCEPTION 'schema "%" does not exist', $1 USING ERRCODE = 'undefined_object';
  END IF;
  RETURN QUERY
  SELECT c.oid::regclass, NULL::name, NULL::integer, pg_table_size(c.oid),
         CASE WHEN quote_ident($1) <> $1
                THEN 'the name of the schema needs quotes, which Citus leaves out where it passes grants of functions on: rename it'
              WHEN c.relkind = 'p' AND EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = c.oid)
                THEN 'a partitioned table with attached columns'
              WHEN c.relrowsecurity AND EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = c.oid)
                THEN 'row security, which goes by what one server knows of its transactions: give each tenant a schema and a role of its own'
              ELSE (SELECT format('the trigger %s is not one of pgtoaster''s, and Citus runs triggers on the workers: drop it', quote_ident(t.tgname))
                    FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_|^store_[0-9]+_sweep$' LIMIT 1) END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pgtoaster.store s CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.id)) p(part)
                    WHERE to_regclass(pgtoaster.store_table(s.id, p.part)) = c.oid)
  UNION ALL
  SELECT to_regclass(pgtoaster.store_table(a.store, p.part)), a.column_name, a.store, pg_table_size(to_regclass(pgtoaster.store_table(a.store, p.part))),
         CASE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = a.owner AND t.tgname = pgtoaster.trigger_name(a.store, 'sync'))
                THEN 'a migration of the column that has not ended: finish it, or break it off' END
  FROM pgtoaster.attached_column a CROSS JOIN LATERAL unnest(pgtoaster.store_parts(a.store)) p(part)
  WHERE a.schema_name = $1
  UNION ALL
  SELECT a.owner, a.column_name, a.store, 0::bigint,
         format('the toaster "%s" of the column is not one of pgtoaster''s own', a.toaster)
  FROM pgtoaster.attached_column a LEFT JOIN pgtoaster.toaster t ON t.name = a.toaster
  WHERE a.schema_name = $1 AND t.builtin IS NOT TRUE;
END $$;

-- Refuses where there is no Citus, or this is no coordinator of it.
CREATE OR REPLACE FUNCTION pgtoaster.require_citus() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  node integer;
BEGIN
  IF NOT pgtoaster.on_citus() THEN
    RAISE EXCEPTION 'the extension citus is not in this database' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Schemas are distributed by Citus: shared_preload_libraries = citus, CREATE EXTENSION citus, and its nodes.';
  END IF;
  EXECUTE 'SELECT groupid FROM pg_catalog.pg_dist_local_group' INTO node;
  IF node <> 0 THEN
    RAISE EXCEPTION 'this is a worker of Citus' USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Connect to the coordinator, which has the catalog.';
  END IF;
END $$;

-- Numbers of new content: drawn by chance, for a sequence would be drawn from on each node. In a store of a million
-- contents one in a million is taken already; its transaction is run again.
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

-- Says of the stores of a schema whether they are distributed, and has their functions follow.
CREATE OR REPLACE FUNCTION pgtoaster.mark_distributed(schema name, distributed boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
  routine regprocedure;
BEGIN
  FOR a IN SELECT c.store, c.toaster, s.options, pgtoaster.store_parts(c.store) <> '{}' AS stored
           FROM pgtoaster.attached_column c JOIN pgtoaster.store s ON s.id = c.store WHERE c.schema_name = $1 ORDER BY c.store LOOP
    IF a.stored THEN
      IF NOT $2 THEN
        FOR routine IN SELECT pgtoaster.store_routine(a.store, k.part) FROM pgtoaster.own_routines(a.store) k WHERE k.part IN ('change', 'hold') LOOP
          EXECUTE format('DROP FUNCTION %s', routine);
        END LOOP;
      END IF;
      INSERT INTO pgtoaster.catalog_change (what, store, options)
      VALUES ('set', a.store, CASE WHEN $2 THEN a.options || '{"distributed": true}' ELSE a.options - 'distributed' END);
      PERFORM pgtoaster.write_routines(a.store);
      PERFORM pgtoaster.write_trigger_functions(a.store);
    END IF;
  END LOOP;
END $$;

-- Distributes a schema: its tables and the stores of their columns lie on one node of Citus from then on. Run it as who
-- owns the catalog and the tables, on the coordinator; nobody may write the tables meanwhile. What stands in its way is told
-- by pgtoaster.distribute_plan.
CREATE OR REPLACE FUNCTION pgtoaster.distribute(schema name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET client_min_messages = warning
AS $$
DECLARE
  p record;
  triggers text;
BEGIN
  PERFORM pgtoaster.require_citus();
  PERFORM pgtoaster.require_read_committed();
  SELECT * INTO p FROM pgtoaster.distribute_plan($1) d WHERE d.refused IS NOT NULL ORDER BY d.relation LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'schema "%" cannot be distributed, because of %: %', $1, p.relation, p.refused
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'SELECT * FROM pgtoaster.distribute_plan(schema) tells all; nothing was changed.';
  END IF;
  IF pgtoaster.is_distributed($1) THEN
    RAISE EXCEPTION 'schema "%" is distributed already', $1 USING ERRCODE = 'duplicate_object',
      HINT = 'What is attached in it later is distributed by pgtoaster.undistribute and distribute.';
  END IF;
  FOR p IN SELECT a.store, a.store_schema FROM pgtoaster.attached_column a WHERE a.schema_name = $1 AND a.store_schema IS NOT NULL ORDER BY a.store LOOP
    IF p.store_schema <> $1 THEN
      PERFORM pgtoaster.move_to_owner(p.store);
    END IF;
    PERFORM pgtoaster.draw_numbers(p.store);
  END LOOP;
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  PERFORM pgtoaster.mark_distributed($1, true);
  triggers := current_setting('citus.enable_unsafe_triggers');
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  EXECUTE 'SELECT pg_catalog.citus_schema_distribute($1::text::regnamespace)' USING quote_ident($1);
  PERFORM set_config('citus.enable_unsafe_triggers', triggers, true);
  -- Rows that were copied are still in the tables here, where nobody sees them but who looks past Citus.
  PERFORM set_config('pgtoaster.distributing', 'on', true);
  FOR p IN SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY c.oid LOOP
    EXECUTE 'SELECT pg_catalog.truncate_local_data_after_distributing_table($1)' USING p.oid::regclass;
  END LOOP;
  PERFORM set_config('pgtoaster.distributing', '', true);
END $$;

-- Takes a schema back to the coordinator. Citus makes its tables anew there.
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
  SELECT array_agg(s.id ORDER BY s.id), array_agg(s.owner::text ORDER BY s.id), array_agg(s.head::text ORDER BY s.id) INTO stores, owners, heads
  FROM pgtoaster.attached_column a JOIN pgtoaster.store s ON s.id = a.store WHERE a.schema_name = $1;
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  triggers := current_setting('citus.enable_unsafe_triggers');
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  EXECUTE 'SELECT pg_catalog.citus_schema_undistribute($1::text::regnamespace)' USING quote_ident($1);
  PERFORM set_config('citus.enable_unsafe_triggers', triggers, true);
  UPDATE pgtoaster.store s SET owner = u.owner::regclass, head = u.head::regclass
  FROM unnest(stores, owners, heads) u(id, owner, head) WHERE s.id = u.id;
  PERFORM pgtoaster.mark_distributed($1, false);
END $$;

-- Where the content of a schema lies and what it weighs: its node, its tables and their bytes.
CREATE OR REPLACE FUNCTION pgtoaster.schema_places() RETURNS TABLE (schema name, node text, tables bigint, bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF pgtoaster.on_citus() THEN
    RETURN QUERY EXECUTE
      'SELECT c.relnamespace::regnamespace::text::name, min(s.nodename || '':'' || s.nodeport), count(*), sum(s.shard_size)::bigint '
      'FROM pg_catalog.citus_shards s JOIN pg_catalog.pg_class c ON c.oid = s.table_name '
      'WHERE s.citus_table_type = ''schema'' AND c.relnamespace IN (SELECT o.relnamespace FROM pgtoaster.store t JOIN pg_catalog.pg_class o ON o.oid = t.owner) '
      'GROUP BY c.relnamespace ORDER BY 1';
  END IF;
END $$;
