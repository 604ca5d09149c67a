-- Stores: their tables, triggers, functions and routines, and where they are.

-- Limits how long the following statements wait for locks; returns the previous setting, to be restored.
CREATE OR REPLACE FUNCTION pgtoaster.limit_wait(most text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  was CONSTANT text := current_setting('lock_timeout');
BEGIN
  IF was = '0' OR was::interval > most::interval THEN
    PERFORM set_config('lock_timeout', most, true);
  END IF;
  RETURN was;
END $$;

-- Returns the role that owns a store, or its table if the store has no tables; NULL if neither exists.
CREATE OR REPLACE FUNCTION pgtoaster.store_owner(store integer) RETURNS oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(h.relowner, o.relowner)
  FROM pgtoaster.store s LEFT JOIN pg_class h ON h.oid = s.head LEFT JOIN pg_class o ON o.oid = s.owner
  WHERE s.id = $1
$$;

-- Returns the quoted name of one table, or trigger function, of a store. Functions that are called often are written in
-- PL/pgSQL, so that the session keeps their plans. A SQL function that sets a parameter is planned again in each
-- statement, which took 0.2 ms.
CREATE OR REPLACE FUNCTION pgtoaster.store_table(store integer, part text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN coalesce((SELECT quote_ident(n.nspname) FROM pgtoaster.store s
                   JOIN pg_class c ON c.oid = s.head JOIN pg_namespace n ON n.oid = c.relnamespace
                   WHERE s.id = $1), 'pgtoaster') || '.' || quote_ident('store_' || store || '_' || part);
END $$;

-- Returns the column that the option leading_key adds to each table of a store: leading_key for blobs, owner_<n> for
-- documents, whose heads contain the whole key. No rows without that option.
CREATE OR REPLACE FUNCTION pgtoaster.lead_attribute(store integer) RETURNS SETOF pg_attribute
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT a.* FROM pg_attribute a
  WHERE a.attrelid = to_regclass(pgtoaster.store_table(store, 'garbage')) AND (a.attname = 'leading_key' OR a.attname ~ '^owner_[0-9]+$');
END $$;

-- Returns the name of that column, or NULL.
CREATE OR REPLACE FUNCTION pgtoaster.lead_column(store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT a.attname FROM pgtoaster.lead_attribute(store) a $$;

-- Returns the operator by which the store's indexes compare that column, for statements that run on the caller's search
-- path.
CREATE OR REPLACE FUNCTION pgtoaster.lead_operator(store integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('OPERATOR(%I.%s)', n.nspname, p.oprname)
  FROM pgtoaster.lead_attribute(store) a
  JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
  JOIN pg_opclass c ON c.oid = i.indclass[array_position(i.indkey::int2[], a.attnum)]
  JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype AND e.amoprighttype = c.opcintype AND e.amopstrategy = 3
  JOIN pg_operator p ON p.oid = e.amopopr
  JOIN pg_namespace n ON n.oid = p.oprnamespace
$$;

-- Returns whether the role has access to the schema of a store, which may belong to another role.
CREATE OR REPLACE FUNCTION pgtoaster.can_use_store(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce((SELECT has_schema_privilege(c.relnamespace, 'USAGE') FROM pgtoaster.store s JOIN pg_class c ON c.oid = s.head
                   WHERE s.id = $1), true)
$$;

-- Checks the option store_schema, which determines where the tables and functions of a store are created. Returns that
-- schema: pgtoaster, or with "owner" the schema of the table.
CREATE OR REPLACE FUNCTION pgtoaster.new_store_schema(owner regclass, options jsonb) RETURNS name
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  place text := coalesce(options->>'store_schema', 'pgtoaster');
BEGIN
  IF place = 'owner' THEN
    RETURN (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = owner);
  ELSIF place <> 'pgtoaster' THEN
    RAISE EXCEPTION 'store_schema "%" is not one of pgtoaster, owner', place USING ERRCODE = 'invalid_parameter_value';
  ELSIF NOT has_schema_privilege('pgtoaster', 'CREATE') THEN
    RAISE EXCEPTION 'permission denied to create tables in schema pgtoaster; give the option {"store_schema": "owner"}'
      USING ERRCODE = 'insufficient_privilege', HINT = 'The store is then created in the schema of the table.';
  END IF;
  RETURN place;
END $$;

-- Registers a column, whose table the caller has locked; returns the number of its store.
CREATE OR REPLACE FUNCTION pgtoaster.add_store(owner regclass, column_name name, toaster text, key_index name, options jsonb)
RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster, key_index, options) VALUES ('add', $1, $2, $3, $4, $5);
  RETURN (SELECT max(s.id) FROM pgtoaster.store s WHERE s.owner = $1 AND s.column_name = $2);
END $$;

-- Returns whether this database uses Citus.
CREATE OR REPLACE FUNCTION pgtoaster.on_citus() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT to_regclass('pg_catalog.pg_dist_local_group') IS NOT NULL $$;

-- Raises an error on a worker of Citus, which has the catalog's functions but not its tables. On all other servers, the
-- tables exist.
CREATE OR REPLACE FUNCTION pgtoaster.require_catalog() RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_regclass('pgtoaster.store') IS NULL THEN
    RAISE EXCEPTION 'functions that find a store by the content of a row do not work on a worker of Citus'
      USING ERRCODE = 'feature_not_supported',
            HINT = 'In a distributed schema, read documents with the library, '
                   'and blobs with the library or pgtoaster.blob_read(table, column, key, ..).';
  END IF;
END $$;

-- Returns whether a schema is distributed.
CREATE OR REPLACE FUNCTION pgtoaster.is_distributed(schema name) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found boolean;
BEGIN
  IF NOT pgtoaster.on_citus() THEN
    RETURN false;
  END IF;
  EXECUTE
    'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_schema d JOIN pg_catalog.pg_namespace n ON n.oid = d.schemaid WHERE n.nspname = $1)'
    INTO found USING schema;
  RETURN found;
END $$;

-- Returns whether a table is distributed, by its schema or by its rows.
CREATE OR REPLACE FUNCTION pgtoaster.is_distributed(relation regclass) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found boolean := false;
BEGIN
  IF pgtoaster.on_citus() THEN
    EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_partition p WHERE p.logicalrelid = $1)' INTO found USING relation;
  END IF;
  RETURN found;
END $$;

-- Returns whether the functions of a store run on the nodes where Citus has placed its tables, under other table names.
CREATE OR REPLACE FUNCTION pgtoaster.is_sharded(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT pgtoaster.on_citus() AND EXISTS (SELECT FROM pgtoaster.store s WHERE s.id = $1 AND s.options->>'distributed' = 'true') $$;

-- Returns the size in bytes of a table and its indexes, even if they are on another node.
CREATE OR REPLACE FUNCTION pgtoaster.total_size(relation regclass) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  bytes bigint;
BEGIN
  IF pgtoaster.is_distributed(relation) THEN
    EXECUTE 'SELECT pg_catalog.citus_total_relation_size($1)' INTO bytes USING relation;
    RETURN bytes;
  END IF;
  RETURN pg_total_relation_size(relation);
END $$;

-- Returns the tables of a store; an empty array if its toaster has no tables.
CREATE OR REPLACE FUNCTION pgtoaster.store_parts(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.parts, '{}') FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- Returns whether a store contains documents, with a stub of each in its row.
CREATE OR REPLACE FUNCTION pgtoaster.holds_documents(store integer) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM pgtoaster.store s JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1 AND 'node' = ANY (t.parts));
END $$;

-- Returns the name of a trigger of a store. Triggers that perform edits, or check them for a migration, fire after all
-- triggers whose names begin with a letter. Those triggers see the edited row, and if one of them skips the row, it is
-- not edited at all.
CREATE OR REPLACE FUNCTION pgtoaster.trigger_name(store integer, part text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT concat(CASE WHEN part IN ('edit', 'sync') THEN '~' END, 'pgtoaster_', store, '_', part) $$;

-- Returns the triggers of a store on its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.owner_triggers(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.triggers, '{}') FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- Returns the trigger functions of a store. If the catalog does not know the toaster, its functions are found by their
-- names.
CREATE OR REPLACE FUNCTION pgtoaster.store_functions(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.functions, ARRAY(SELECT regexp_replace(f.proname, '^store_[0-9]+_', '') FROM pg_proc f
                                   WHERE f.pronamespace = 'pgtoaster'::regnamespace AND f.proname ~ ('^store_' || $1 || '_[a-z]+$')
                                     AND f.prorettype = 'trigger'::regtype AND NOT f.prosecdef AND pg_has_role(f.proowner, 'USAGE')))
  FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- Returns the functions created for each store, with their templates (catalog/routine.sql): its trigger functions, then its
-- routines, each after the ones that it calls. The arguments are those of the template, with the columns of the row key in place
-- of key_names, and the leading key, or nothing, in place of lead_value. id is NULL if the function does not exist.
CREATE OR REPLACE FUNCTION pgtoaster.store_templates(store integer)
RETURNS TABLE (part text, template regprocedure, arguments text, id regprocedure)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH k AS MATERIALIZED (
    SELECT pgtoaster.store_table($1, '') AS prefix, x.first,
           string_agg(CASE a.attname WHEN 'leading_key' THEN 'lead' ELSE replace(a.attname, 'owner', 'key') END
                      || ' ' || format_type(a.atttypid, NULL), ', ' ORDER BY a.attnum) AS named,
           string_agg(format_type(a.atttypid, NULL), ', ' ORDER BY a.attnum) AS types
    FROM (VALUES ('key_names'), ('lead_value'), (NULL)) x(first) LEFT JOIN pgtoaster.store s ON s.id = $1
    LEFT JOIN pg_attribute a ON a.attrelid = s.head
      AND CASE x.first WHEN 'key_names' THEN a.attname ~ '^owner_[0-9]+$'
                       WHEN 'lead_value' THEN a.attname IN ('leading_key', (SELECT pgtoaster.lead_column($1))) END
    GROUP BY x.first
  )
  SELECT o.part, p.oid::regprocedure,
         concat_ws(', ', k.named, regexp_replace(pg_get_function_arguments(p.oid), '^(key_names|lead_value) text, ', '')),
         to_regprocedure(format('%s%s(%s)', k.prefix, o.part,
           concat_ws(', ', k.types, CASE WHEN k.first IS NULL THEN nullif(oidvectortypes(p.proargtypes), '')
                                         ELSE substr(oidvectortypes(p.proargtypes), 7) END)))
  FROM pgtoaster.store s JOIN pgtoaster.toaster t ON t.name = s.toaster
  CROSS JOIN LATERAL unnest(t.functions || t.own) WITH ORDINALITY o(part, n)
  JOIN pg_proc p ON p.pronamespace = 'pgtoaster'::regnamespace
    AND p.proname = concat('template_', CASE WHEN o.part = ANY (t.own) THEN '' WHEN 'node' = ANY (t.parts) THEN 'document_'
                                             ELSE 'blob_' END, o.part)
  JOIN k ON k.first IS NOT DISTINCT FROM CASE WHEN p.proargnames[1] IN ('key_names', 'lead_value') THEN p.proargnames[1] END
  WHERE s.id = $1 AND (o.part NOT IN ('change', 'hold') OR s.options->>'distributed' = 'true') ORDER BY o.n
$$;

-- Returns a function of a store without arguments; NULL if it does not exist.
CREATE OR REPLACE FUNCTION pgtoaster.store_routine(store integer, part text) RETURNS regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT to_regprocedure(pgtoaster.store_table(store, part) || '()') $$;

-- Returns all functions of a store, including those that are called by name.
CREATE OR REPLACE FUNCTION pgtoaster.store_routines(store integer) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.r::text
  FROM (SELECT pgtoaster.store_routine($1, f.f) FROM unnest(pgtoaster.store_functions($1)) f(f)
        UNION SELECT t.id FROM pgtoaster.store_templates($1) t) r(r)
  WHERE r.r IS NOT NULL
$$;
