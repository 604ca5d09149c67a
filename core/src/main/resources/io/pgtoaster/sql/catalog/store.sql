-- The toasters, the functions that all stores share, and the tables of the appendable toaster.

-- The toasters that the catalog knows: the built-in ones, and those registered with create_toaster. The catalog does not
-- refer to any of them by name; all differences are in this table.
CREATE TABLE IF NOT EXISTS pgtoaster.toaster (
  name      text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_-]{0,62}$'),
  handler   text,
  builtin   boolean NOT NULL DEFAULT false,
  parts     text[] NOT NULL DEFAULT '{}',
  content   text[] NOT NULL DEFAULT '{}',
  triggers  text[] NOT NULL DEFAULT '{}',
  functions text[] NOT NULL DEFAULT '{}',
  own       text[] NOT NULL DEFAULT '{}',
  routines  jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(routines) = 'object')
);
COMMENT ON COLUMN pgtoaster.toaster.handler IS 'schema.function(internal), a function of an extension; as text, so that it survives dump and restore';
COMMENT ON COLUMN pgtoaster.toaster.parts IS 'the tables store_<id>_* of a store, the head first; none: the toaster keeps no tables here';
COMMENT ON COLUMN pgtoaster.toaster.content IS 'those of them that hold content';
COMMENT ON COLUMN pgtoaster.toaster.triggers IS 'the triggers pgtoaster_<id>_* on the owner table';
COMMENT ON COLUMN pgtoaster.toaster.functions IS 'the trigger functions store_<id>_*';
COMMENT ON COLUMN pgtoaster.toaster.own IS 'the routines created for each store, each after the ones that it calls: see pgtoaster.own_routines()';
COMMENT ON COLUMN pgtoaster.toaster.routines IS 'by event, the name of the function that handles it: see pgtoaster.toaster_events()';
GRANT SELECT ON pgtoaster.toaster TO PUBLIC;

INSERT INTO pgtoaster.toaster (name, handler, builtin, parts, content, triggers, functions, own, routines) VALUES
  ('appendable', 'toaster.appendable(internal)', true, '{head,chunk,piece,token,follower,garbage}', '{chunk,piece}', '{delete,update,truncate}',
   '{release,truncate}', '{append,write,range}',
   '{"attach": "pgtoaster.attach_blob", "detach": "pgtoaster.detach_blob", "options": "pgtoaster.blob_options", '
   '"set_options": "pgtoaster.set_blob_options", "warnings": "pgtoaster.blob_warnings", "measure": "pgtoaster.measure_blobs", '
   '"blob_append": "pgtoaster.append_blob", "blob_read": "pgtoaster.read_blob", "blob_length": "pgtoaster.length_of_blob", '
   '"blob_write": "pgtoaster.write_blob", "blob_truncate": "pgtoaster.truncate_blob", "blob_seal": "pgtoaster.seal_blob"}'),
  ('keyed', 'toaster.keyed(internal)', true, '{head,node,garbage,aside}', '{node}', '{delete,edit,update,adopt,insert,inserted,truncate}',
   '{release,watch,truncate,watched}', '{read,contains,pack,move,fit,reshape,edit,apply,placed,change,hold}',
   '{"attach": "pgtoaster.attach_document", "detach": "pgtoaster.detach_document", "options": "pgtoaster.document_options", '
   '"set_options": "pgtoaster.set_document_options", "compare": "pgtoaster.compare_documents", '
   '"warnings": "pgtoaster.document_warnings", "measure": "pgtoaster.measure_documents"}'),
  ('default', NULL, true, '{}', '{}', '{}', '{}', '{}', '{"attach": "pgtoaster.attach_plain", '
   '"blob_append": "pgtoaster.append_plain", "blob_read": "pgtoaster.read_plain", "blob_length": "pgtoaster.length_of_plain", '
   '"blob_write": "pgtoaster.write_plain", "blob_truncate": "pgtoaster.truncate_plain"}')
ON CONFLICT (name) DO UPDATE SET handler = excluded.handler, builtin = excluded.builtin, parts = excluded.parts, content = excluded.content,
  triggers = excluded.triggers, functions = excluded.functions, own = excluded.own, routines = excluded.routines;

-- The events that the catalog sends to a toaster, with the arguments and the result of the function that handles each. All
-- functions except attach are optional; attach is optional too if an extension provides a handler.
CREATE OR REPLACE FUNCTION pgtoaster.toaster_events() RETURNS TABLE (event text, arguments text, result text)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  VALUES
    -- The table (locked), the column, the unique index of the row key and the options. Checks the type and the options,
    -- creates the toaster's objects, and calls pgtoaster.add_store, whose store number it returns.
    ('attach', 'regclass, name, regclass, jsonb', 'integer'),
    -- Store, table, column, and whether content that rows still reference may be dropped. Drops the objects that attach
    -- created.
    ('detach', 'integer, regclass, name, boolean', 'void'),
    -- Options: checks them, and returns all options with their defaults.
    ('options', 'jsonb', 'jsonb'),
    -- Store, changes: checks the changes and applies them to the store.
    ('set_options', 'integer, jsonb', 'void'),
    -- Store, options: rejects options that the attached column does not meet; for attach_if_absent.
    ('compare', 'integer, jsonb', 'void'),
    -- A store whose table or column was dropped: drops its remaining objects.
    ('drop', 'integer', 'void'),
    -- Store: returns warnings for the administrator.
    ('warnings', 'integer', 'text[]'),
    -- Store: returns the number of contents, their bytes, and the number of rows that store them.
    ('measure', 'integer', 'bigint[]'),
    -- Store, grace period, whether to list only: finds or removes content that no row references.
    ('collect', 'integer, interval, boolean', 'TABLE(kind text, id bigint, bytes bigint, description text)'),
    -- Blobs, for pgtoaster.blob_append and similar functions; they run with the rights of the caller. All of them get the
    -- store, the table, the column, the condition that a row o of the table has the key in the texts $2, and these texts.
    -- They raise errors with pgtoaster.refuse_blob. This one also takes bytes, expected offset, writer and sequence; it
    -- returns offset, length and outcome.
    ('blob_append', 'integer, regclass, name, text, text[], bytea, bigint, uuid, bigint', 'record'),
    -- Offset from 0, number of bytes: returns the bytes, fewer at the end; NULL if the column is NULL.
    ('blob_read', 'integer, regclass, name, text, text[], bigint, integer', 'bytea'),
    -- NULL if the column is NULL.
    ('blob_length', 'integer, regclass, name, text, text[]', 'bigint'),
    -- Offset, bytes.
    ('blob_write', 'integer, regclass, name, text, text[], bigint, bytea', 'void'),
    -- Length.
    ('blob_truncate', 'integer, regclass, name, text, text[], bigint', 'void'),
    ('blob_seal', 'integer, regclass, name, text, text[]', 'void')
$$;

-- Returns the function of a toaster that handles an event; NULL if the toaster does not handle it. The caller runs the
-- function, so it must belong to the owner of the catalog or to a superuser.
CREATE OR REPLACE FUNCTION pgtoaster.toaster_routine(toaster text, event text) RETURNS regproc
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  signature text;
  found regprocedure;
BEGIN
  SELECT (t.routines->>e.event) || '(' || e.arguments || ')' INTO signature
  FROM pgtoaster.toaster t CROSS JOIN pgtoaster.toaster_events() e WHERE t.name = $1 AND e.event = $2;
  IF signature IS NULL THEN
    RETURN NULL;
  END IF;
  found := to_regprocedure(signature);
  IF found IS NULL THEN
    RAISE EXCEPTION 'function % of toaster "%" does not exist', signature, toaster USING ERRCODE = 'undefined_function',
      HINT = 'Create it again, or SELECT pgtoaster.drop_toaster(name) once no column is attached to the toaster.';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner WHERE p.oid = found
                 AND (r.rolsuper OR p.proowner = (SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass))) THEN
    RAISE EXCEPTION 'function % of toaster "%" belongs to a role that could change it to run code with the rights of other roles', found, toaster
      USING ERRCODE = 'insufficient_privilege', HINT = 'ALTER FUNCTION .. OWNER TO the owner of the catalog.';
  END IF;
  RETURN found::oid::regproc;
END $$;

-- Limits the lock wait of the following statements to this time; returns the previous setting, to be restored.
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

-- Returns the role that owns a store, or its table if the store has no tables; NULL if both are gone.
CREATE OR REPLACE FUNCTION pgtoaster.store_owner(store integer) RETURNS oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(h.relowner, o.relowner) FROM pgtoaster.store s LEFT JOIN pg_class h ON h.oid = s.head LEFT JOIN pg_class o ON o.oid = s.owner
  WHERE s.id = $1
$$;

-- Returns the quoted name of one table, or trigger function, of a store. In PL/pgSQL, like others that many calls use: the
-- session keeps the plan, and a function in SQL that sets a parameter is planned in each statement, which took 0.2 ms.
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

-- Whether the role has access to the schema of a store: another role's schema may be closed to it.
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
    RAISE EXCEPTION 'permission denied to create in schema pgtoaster; give the option {"store_schema": "owner"}'
      USING ERRCODE = 'insufficient_privilege', HINT = 'The store is then created in the schema of the table.';
  END IF;
  RETURN place;
END $$;

-- Registers a column, whose table is locked; returns the number of its store.
CREATE OR REPLACE FUNCTION pgtoaster.add_store(owner regclass, column_name name, toaster text, key_index name, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster, key_index, options) VALUES ('add', $1, $2, $3, $4, $5);
  RETURN (SELECT max(s.id) FROM pgtoaster.store s WHERE s.owner = $1 AND s.column_name = $2);
END $$;

-- Whether this database uses Citus.
CREATE OR REPLACE FUNCTION pgtoaster.on_citus() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT to_regclass('pg_catalog.pg_dist_local_group') IS NOT NULL $$;

-- Raises an error on a worker of Citus, which has the functions of the catalog but not its tables. They are never missing
-- elsewhere.
CREATE OR REPLACE FUNCTION pgtoaster.require_catalog() RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_regclass('pgtoaster.store') IS NULL THEN
    RAISE EXCEPTION 'functions that find a store by the content of a row do not work on a worker of Citus' USING ERRCODE = 'feature_not_supported',
      HINT = 'In a distributed schema, read documents with the library, and blobs with the library or pgtoaster.blob_read(table, column, key, ..).';
  END IF;
END $$;

-- Whether a schema is distributed.
CREATE OR REPLACE FUNCTION pgtoaster.is_distributed(schema name) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found boolean;
BEGIN
  IF NOT pgtoaster.on_citus() THEN
    RETURN false;
  END IF;
  EXECUTE 'SELECT EXISTS (SELECT FROM pg_catalog.pg_dist_schema d JOIN pg_catalog.pg_namespace n ON n.oid = d.schemaid WHERE n.nspname = $1)' INTO found USING schema;
  RETURN found;
END $$;

-- Whether a table is distributed, by its schema or by its rows.
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

-- Whether the functions of a store run on the nodes where Citus has placed its tables, under different table names.
CREATE OR REPLACE FUNCTION pgtoaster.is_sharded(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT pgtoaster.on_citus() AND EXISTS (SELECT FROM pgtoaster.store s WHERE s.id = $1 AND s.options->>'distributed' = 'true') $$;

-- Returns the bytes of a table with its indexes, on whatever node it is.
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

-- Whether a store contains documents, with a stub of each in the row.
CREATE OR REPLACE FUNCTION pgtoaster.holds_documents(store integer) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM pgtoaster.store s JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1 AND 'node' = ANY (t.parts));
END $$;

-- Returns the name of such a trigger. Triggers that perform edits, or check them for a migration, fire after all triggers
-- whose names begin with a letter. Those triggers see the row as edited, and a row that one of them skips is not edited at
-- all.
CREATE OR REPLACE FUNCTION pgtoaster.trigger_name(store integer, part text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT concat(CASE WHEN part IN ('edit', 'sync') THEN '~' END, 'pgtoaster_', store, '_', part) $$;

-- Returns the triggers of a store on its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.owner_triggers(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.triggers, '{}') FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- Returns the trigger functions of a store. Those of a toaster that the catalog does not know are found by their names.
CREATE OR REPLACE FUNCTION pgtoaster.store_functions(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.functions, ARRAY(SELECT regexp_replace(f.proname, '^store_[0-9]+_', '') FROM pg_proc f
                                   WHERE f.pronamespace = 'pgtoaster'::regnamespace AND f.proname ~ ('^store_' || $1 || '_[a-z]+$')
                                     AND f.prorettype = 'trigger'::regtype AND NOT f.prosecdef AND pg_has_role(f.proowner, 'USAGE')))
  FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- The routines created for each store (catalog/routine.sql), each after the ones that it calls: their result types and
-- properties.
CREATE OR REPLACE FUNCTION pgtoaster.own_routines(store integer) RETURNS TABLE (part text, result text, properties text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.part, v.result, v.properties
  FROM pgtoaster.store s JOIN pgtoaster.toaster t ON t.name = s.toaster
  CROSS JOIN LATERAL unnest(t.own) WITH ORDINALITY o(part, n)
  JOIN (VALUES ('append', 'record', 'VOLATILE'), ('write', 'record', 'VOLATILE'), ('range', 'record', 'STABLE PARALLEL SAFE'),
    ('read', 'text', 'STABLE PARALLEL SAFE'), ('contains', 'boolean', 'STABLE PARALLEL SAFE'), ('pack', 'jsonb', 'VOLATILE'), ('move', 'jsonb', 'VOLATILE'), ('fit', 'jsonb', 'VOLATILE'), ('reshape', 'boolean', 'VOLATILE'), ('edit', 'record', 'VOLATILE'),
    ('apply', 'trigger', 'VOLATILE'), ('change', 'record', 'VOLATILE'), ('hold', 'boolean', 'VOLATILE'),
    ('placed', 'boolean', 'VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp')) v(part, result, properties) ON v.part = o.part
  WHERE s.id = $1 AND (v.part NOT IN ('change', 'hold') OR s.options->>'distributed' = 'true') ORDER BY o.n
$$;

-- Returns the arguments of a routine of a store, with or without names, and with those that it returns: the row key as the
-- head stores it, the document as its row contains it, the path, and the request (see document/read_template.sql,
-- document/edit_template.sql, blob/append_template.sql, document/nodes.sql, document/fit.sql).
CREATE OR REPLACE FUNCTION pgtoaster.routine_arguments(store integer, part text, named boolean) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT string_agg(CASE WHEN named THEN x.name || ' ' ELSE '' END || x.type, ', ' ORDER BY x.n)
  FROM (SELECT 'key_' || substr(a.attname, 7) AS name, format_type(a.atttypid, NULL) AS type, a.attnum AS n
        FROM pgtoaster.store s JOIN pg_attribute a ON a.attrelid = s.head AND a.attname ~ '^owner_[0-9]+$' WHERE s.id = $1
          AND (part NOT IN ('pack', 'move', 'fit', 'reshape', 'apply') OR part <> 'apply' AND a.attname = pgtoaster.lead_column(s.id))
        UNION ALL
        SELECT 'lead', format_type(a.atttypid, NULL), 32000
        FROM pgtoaster.store s JOIN pg_attribute a ON a.attrelid = s.head AND a.attname = 'leading_key' WHERE s.id = $1 AND part IN ('append', 'write', 'range')
        UNION ALL
        SELECT a.name, a.type, 32000 + a.n FROM (VALUES
          ('append', 1, 'blob', 'bigint'), ('append', 2, 'owner', 'text'), ('append', 3, 'handle', 'text'), ('append', 4, 'same', 'text'),
          ('append', 5, 'key', 'text[]'), ('append', 6, 'data', 'bytea'), ('append', 7, 'crc', 'integer'), ('append', 8, 'expected', 'bigint'),
          ('append', 9, 'author', 'uuid'), ('append', 10, 'number', 'bigint'),
          ('write', 1, 'blob', 'bigint'), ('write', 2, 'owner', 'text'), ('write', 3, 'handle', 'text'), ('write', 4, 'same', 'text'),
          ('write', 5, 'key', 'text[]'), ('write', 6, 'op', 'text'), ('write', 7, 'at', 'bigint'), ('write', 8, 'data', 'bytea'),
          ('write', 9, 'author', 'uuid'), ('write', 10, 'number', 'bigint'),
          ('range', 1, 'blob', 'bigint'), ('range', 2, 'at', 'bigint'), ('range', 3, 'count', 'integer'),
          ('read', 1, 'document', 'jsonb'), ('read', 2, 'path', 'text[]'), ('read', 3, 'what', 'text'),
          ('contains', 1, 'doc', 'bigint'), ('contains', 2, 'value', 'jsonb'), ('contains', 3, 'probe', 'jsonb'),
          ('pack', 1, 'doc', 'bigint'), ('pack', 2, 'value', 'jsonb'), ('move', 1, 'doc', 'bigint'), ('move', 2, 'value', 'jsonb'),
          ('fit', 1, 'document', 'jsonb'), ('fit', 2, 'room', 'integer'), ('fit', 3, 'free', 'boolean'),
          ('reshape', 1, 'doc', 'bigint'), ('reshape', 2, 'leaf', 'bigint'), ('reshape', 3, 'version', 'bigint'), ('reshape', 4, 'way', 'bigint[]'),
          ('reshape', 5, 'at', 'jsonb'), ('reshape', 6, 'here', 'text[]'), ('reshape', 7, 'op', 'text'), ('reshape', 8, 'value', 'jsonb'),
          ('reshape', 9, 'flag', 'boolean'), ('reshape', 10, 'number', 'text'), ('reshape', 11, 'becomes', 'jsonb'),
          ('reshape', 12, 'leaf_kids', 'bigint[]'), ('reshape', 13, 'old_kids', 'bigint[]'), ('reshape', 14, 'adds', 'integer'),
          ('edit', 1, 'document', 'jsonb'), ('edit', 2, 'generation', 'bigint'), ('edit', 3, 'path', 'text[]'), ('edit', 4, 'op', 'text'),
          ('edit', 5, 'value', 'jsonb'), ('edit', 6, 'flag', 'boolean'), ('edit', 7, 'conditional', 'boolean'), ('edit', 8, 'expected', 'jsonb'),
          ('edit', 9, 'room', 'integer'), ('edit', 10, 'special', 'boolean'), ('placed', 1, 'document', 'jsonb'),
          ('change', 1, 'owner', 'text'), ('change', 2, 'handle', 'text'), ('change', 3, 'same', 'text'), ('change', 4, 'key', 'text[]'),
          ('change', 5, 'path', 'text[]'), ('change', 6, 'stored_path', 'text[]'), ('change', 7, 'value', 'jsonb'), ('change', 8, 'stored_value', 'jsonb'),
          ('change', 9, 'op', 'text'), ('change', 10, 'flag', 'boolean'), ('change', 11, 'conditional', 'boolean'), ('change', 12, 'expected', 'jsonb'),
          ('change', 13, 'stored_expected', 'jsonb'), ('change', 14, 'special', 'boolean'), ('change', 15, 'budget', 'integer'),
          ('change', 16, 'locks', 'boolean'), ('change', 17, 'touches', 'boolean'),
          ('hold', 1, 'owner', 'text'), ('hold', 2, 'handle', 'text'), ('hold', 3, 'same', 'text'), ('hold', 4, 'key', 'text[]'),
          ('hold', 5, 'document', 'jsonb')) a(part, n, name, type)
        WHERE a.part = routine_arguments.part
        UNION ALL
        SELECT 'OUT ' || a.name, a.type, 32100 + a.n
        FROM (VALUES ('change', 1, 'outcome', 'text'), ('change', 2, 'number', 'text'), ('change', 3, 'written', 'boolean'), ('change', 4, 'in_row', 'boolean'),
                     ('edit', 1, 'outcome', 'text'), ('edit', 2, 'number', 'text'), ('edit', 3, 'result', 'jsonb'), ('edit', 4, 'grows', 'integer'),
                     ('append', 1, 'outcome', 'text'), ('append', 2, 'place', 'bigint'), ('write', 1, 'outcome', 'text'), ('write', 2, 'place', 'bigint'),
                     ('range', 1, 'outcome', 'text'), ('range', 2, 'place', 'bigint'), ('range', 3, 'bytes', 'bytea')) a(part, n, name, type)
        WHERE a.part = routine_arguments.part AND named) x
$$;

-- Returns a function of a store; NULL if it does not exist.
CREATE OR REPLACE FUNCTION pgtoaster.store_routine(store integer, part text) RETURNS regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT to_regprocedure(pgtoaster.store_table(store, part)
                         || CASE WHEN part = 'watched' THEN '(jsonb, jsonb)'
                                 WHEN part IN ('append', 'write', 'range', 'read', 'contains', 'edit', 'pack', 'move', 'fit', 'reshape', 'placed', 'change', 'hold') THEN '(' || pgtoaster.routine_arguments(store, part, false) || ')'
                                 ELSE '()' END)
$$;

-- Returns all functions of a store, including those that are called by name.
CREATE OR REPLACE FUNCTION pgtoaster.store_routines(store integer) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r::text FROM unnest(pgtoaster.store_functions(store) || ARRAY(SELECT k.part FROM pgtoaster.own_routines(store) k)) p(part) CROSS JOIN pgtoaster.store_routine(store, p.part) r
  WHERE r IS NOT NULL
$$;

-- Returns the id of the head that a document refers to; NULL for a plain document and for an invalid header.
-- All names are qualified and no search_path is set, so that the function is inlined.
CREATE OR REPLACE FUNCTION pgtoaster.document_id(document jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array' THEN
           CASE WHEN pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0) OPERATOR(pg_catalog.=) 'number' THEN
             CASE WHEN (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.numeric OPERATOR(pg_catalog.>=) 1
                   AND (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.numeric OPERATOR(pg_catalog.<=) 9223372036854775807
                   AND (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.numeric OPERATOR(pg_catalog.%) 1 OPERATOR(pg_catalog.=) 0
               THEN (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.int8 END END END
$$;

-- The mark of the tables whose rows own documents of a keyed store: an index that is always empty, over the columns of the
-- row key. Partitions get an index like it and keep it when they are detached; its columns show the names of the key
-- columns there.
CREATE OR REPLACE FUNCTION pgtoaster.row_mark(store integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT format('%L::text IS NOT NULL', 'pgtoaster_' || store) $$;

-- Returns a query of the tables whose rows may own documents of a store, with the index that marks them, the columns of
-- the row key, and the condition that a row o has the key that a head h refers to. The condition uses the operators of the
-- index, in whatever schema they are.
-- The mark alone proves nothing, since any role can create such an index. Only these tables count: the attached table, its
-- partitions (which have its trigger), and tables of the role that owns the heads whose keys can be compared with those of
-- the heads.
-- For other tables, pg_get_expr is not called on the mark, because it locks the table, which its owner may keep locked.
-- Nor is it called for an index whose stored predicate lacks the bytes of the mark: 2,000 partial indexes of one owner
-- took half a second. With quote_all_identifiers, the type is quoted.
-- Arguments are expressions. The text is part of trigger functions, so it calls only the server's own functions.
CREATE OR REPLACE FUNCTION pgtoaster.row_keys_source(store text, head text, attached text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$(
          WITH marked AS MATERIALIZED (
            SELECT i.indexrelid, i.indrelid, i.indkey, i.indclass, w.oid AS head, %4$s AS placed
            FROM pg_index i
            JOIN pg_class r ON r.oid = i.indrelid
            LEFT JOIN pg_class w ON w.oid = %2$s
            WHERE i.indpred IS NOT NULL
              AND CASE WHEN position((SELECT string_agg(ascii(u)::text, ' ') FROM string_to_table('pgtoaster_' || %1$s, NULL) u) IN i.indpred::text) = 0 THEN false
                       WHEN r.relowner = w.relowner AND r.relpersistence <> 't' OR %4$s
                       THEN position(format('%%L::text IS NOT NULL', 'pgtoaster_' || %1$s) IN replace(pg_get_expr(i.indpred, i.indrelid), '"', '')) > 0
                       ELSE false END)
          SELECT DISTINCT ON (i.indrelid) i.indrelid AS relation, i.indexrelid AS index_id, array_agg(a.attname ORDER BY x.position) AS columns,
                 string_agg(format('o.%%I OPERATOR(%%I.%%s) h.owner_%%s', a.attname, q.nspname, p.oprname, x.position), ' AND '
                            ORDER BY x.position) AS same_key
          FROM marked i
          CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY x(attnum, class, position)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = x.attnum
          JOIN pg_opclass c ON c.oid = x.class
          JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype AND e.amoprighttype = c.opcintype
            AND e.amopstrategy = 3
          JOIN pg_operator p ON p.oid = e.amopopr
          JOIN pg_namespace q ON q.oid = p.oprnamespace
          LEFT JOIN pg_attribute k ON k.attrelid = i.head AND k.attname = 'owner_' || x.position AND NOT k.attisdropped
          GROUP BY i.indexrelid, i.indrelid, i.placed
          HAVING i.placed
            OR bool_and(a.atttypid = k.atttypid
                        OR EXISTS (SELECT FROM pg_amop m WHERE m.amopfamily = c.opcfamily AND m.amopstrategy = 3
                                   AND m.amoplefttype = a.atttypid AND m.amoprighttype = k.atttypid))
          ORDER BY i.indrelid, i.indexrelid)$f$, store, head, attached,
    format($c$(i.indrelid = %2$s OR EXISTS (SELECT FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
                       WHERE t.tgrelid = i.indrelid AND t.tgname = 'pgtoaster_' || %1$s || '_update'
                         AND f.proname = 'store_' || %1$s || '_watch' AND f.pronamespace = w.relnamespace))$c$, store, attached))
$$;

-- The same query as a function, which keeps its plan.
DO $do$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.row_keys(store integer, head regclass, attached regclass) '
                 'RETURNS TABLE (relation oid, index_id oid, columns name[], same_key text) '
                 'LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
                 '#variable_conflict use_column' || E'\n' || 'BEGIN RETURN QUERY SELECT s.* FROM ' || pgtoaster.row_keys_source('$1', '$2', '$3') || ' s; END');
END $do$;

-- Returns the row key of one of these tables.
DO $do$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.owner_key(relation oid, store integer) '
                 'RETURNS TABLE (index_id oid, columns name[], same_key text) '
                 'LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS %L',
                 '#variable_conflict use_column' || E'\n' || 'BEGIN RETURN QUERY SELECT s.index_id, s.columns, s.same_key FROM '
                 || replace(pgtoaster.row_keys_source('$2', '(SELECT s.head FROM pgtoaster.store s WHERE s.id = $2)', '(SELECT s.owner FROM pgtoaster.store s WHERE s.id = $2)'),
                            'WHERE i.indpred', 'WHERE i.indrelid = $1 AND i.indpred') || ' s; END');
END $do$;

-- Returns every table whose rows may own documents of a keyed store, with the column of documents: the attached table, and
-- partitions that were detached from it or are being detached. If a table no longer has a column of that name, each of its
-- jsonb columns is returned. handle is NULL if the attached table has no such column.
CREATE OR REPLACE FUNCTION pgtoaster.naming_rows(store integer)
RETURNS TABLE (relation regclass, handle name, columns name[], same_key text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT k.relation::regclass, t.attname, k.columns, k.same_key
  FROM pgtoaster.attached_column a
  CROSS JOIN LATERAL pgtoaster.row_keys(a.store, to_regclass(pgtoaster.store_table(a.store, 'head')), a.owner) k
  LEFT JOIN pg_attribute t ON t.attrelid = k.relation AND t.atttypid = 'jsonb'::regtype AND t.attnum > 0 AND NOT t.attisdropped
    AND (t.attname = a.column_name OR k.relation <> a.owner AND NOT EXISTS (
           SELECT FROM pg_attribute u WHERE u.attrelid = k.relation AND u.atttypid = 'jsonb'::regtype AND u.attname = a.column_name
           AND NOT u.attisdropped))
  WHERE a.store = $1 AND pgtoaster.holds_documents(a.store) AND CASE WHEN k.relation = a.owner THEN a.column_exists ELSE t.attname IS NOT NULL END
    AND (NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.index_id)
         OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.relation AND h.inhdetachpending))
  ORDER BY k.relation <> a.owner, k.relation, t.attnum;
END $$;

-- Returns every foreign key that refers to blobs of an appendable store: of the attached table, of partitions that were
-- detached from it (they keep their keys), and of partitions that are being detached, whose rows the table no longer
-- shows. Content that any of them refers to is live. For a keyed store, returns the columns that contain its documents.
-- Searches by dependencies on the table of heads: pg_constraint has no index on the referenced table, and a scan of all
-- constraints reads a page for every other attached column.
CREATE OR REPLACE FUNCTION pgtoaster.naming_columns(store integer)
RETURNS TABLE (relation regclass, handle name)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.conrelid::regclass, a.attname
  FROM pg_depend d
  JOIN pg_constraint k ON k.oid = d.objid AND d.refobjsubid = k.confkey[cardinality(k.confkey)]
  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[cardinality(k.conkey)]
  WHERE d.classid = 'pg_constraint'::regclass AND d.deptype = 'n' AND d.refclassid = 'pg_class'::regclass
    AND d.refobjid = to_regclass(pgtoaster.store_table($1, 'head')) AND k.contype = 'f' AND k.confrelid = d.refobjid
    AND (k.conparentid = 0 OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = k.conrelid AND i.inhdetachpending))
  UNION ALL
  SELECT r.relation, r.handle FROM pgtoaster.naming_rows($1) r
$$;

-- Sets the storage of the column that stores the bytes: a plain chunk fills one page, and compressed chunks are larger.
-- With this target, the largest row that stays in line has 8,112 bytes with a checksum. A table of rows of 8,100 bytes
-- each is then 1.02 times the size of the data and has no TOAST table.
CREATE OR REPLACE FUNCTION pgtoaster.shape_data_column(part regclass, compression text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF compression = 'none' THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN data SET STORAGE EXTERNAL', part);
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 8160)', part);
  ELSE
    EXECUTE format('ALTER TABLE %s ALTER COLUMN data SET STORAGE MAIN', part);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN data SET COMPRESSION %I', part, compression);
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 8160)', part);
  END IF;
END $$;

-- Returns the grants of a store, which follow the grants on its owner table. A role that may read the column may read the
-- store. A role that may update the column may write the store, which does not let it read. Removing content needs no
-- grant (see catalog/cleanup.sql).
-- In a head, only the columns that writers change may be updated: not its number, when and by whom it was created, or its
-- row.
-- Numbers come from the sequence and cannot be chosen: a role could otherwise take numbers that rows still contain.
CREATE OR REPLACE FUNCTION pgtoaster.wanted_privileges(store integer)
RETURNS TABLE (part text, grantee oid, privilege text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH c AS (
    SELECT a.owner, a.column_name, r.relowner, r.relacl
    FROM pgtoaster.attached_column a JOIN pg_class r ON r.oid = a.owner WHERE a.store = $1
  ), granted AS (
    SELECT x.grantee, x.privilege_type FROM c, aclexplode(c.relacl) x WHERE x.grantee <> c.relowner
    UNION
    SELECT x.grantee, x.privilege_type FROM c
    JOIN pg_attribute t ON t.attrelid = c.owner AND t.attname = c.column_name, aclexplode(t.attacl) x
    WHERE x.grantee <> c.relowner
  )
  SELECT DISTINCT p.part, g.grantee, w.privilege
  FROM granted g
  CROSS JOIN unnest(array_remove(array_remove(pgtoaster.store_parts($1), 'garbage'), 'aside')) p(part)
  CROSS JOIN unnest(
    CASE WHEN g.privilege_type = 'UPDATE' AND p.part = 'head' THEN (
                SELECT ARRAY['DELETE', format('INSERT (%s)', string_agg(quote_ident(h.attname), ', ' ORDER BY h.attnum)),
                             format('UPDATE (%s)', string_agg(quote_ident(h.attname), ', ' ORDER BY h.attnum) FILTER (WHERE h.attname = ANY (ARRAY[
                               'base', 'piece_start', 'generation', 'chunk_size', 'piece_rows', 'sealed', 'tail', 'tokens_since'])))]
                FROM pg_attribute h WHERE h.attrelid = to_regclass(pgtoaster.store_table($1, 'head')) AND h.attnum > 0 AND NOT h.attisdropped
                  AND h.attname NOT IN ('id', 'created_at', 'created_by', 'created_as'))
         WHEN g.privilege_type = 'UPDATE' THEN ARRAY['INSERT', 'UPDATE', 'DELETE']
         -- A role that may read may also register as a follower.
         WHEN p.part = 'follower' THEN ARRAY['SELECT', 'INSERT', 'UPDATE']
         ELSE ARRAY['SELECT'] END) w(privilege)
  WHERE g.privilege_type IN ('SELECT', 'UPDATE')
$$;

CREATE OR REPLACE FUNCTION pgtoaster.actual_privileges(store integer)
RETURNS TABLE (part text, grantee oid, privilege text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.part, x.grantee, x.privilege_type
  FROM unnest(pgtoaster.store_parts(store)) p(part)
  JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, p.part)), aclexplode(r.relacl) x
  WHERE x.grantee <> r.relowner
  UNION ALL
  SELECT p.part, x.grantee, format('%s (%s)', x.privilege_type, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum))
  FROM unnest(pgtoaster.store_parts(store)) p(part)
  JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, p.part))
  JOIN pg_attribute a ON a.attrelid = r.oid AND NOT a.attisdropped, aclexplode(a.attacl) x
  WHERE x.grantee <> r.relowner
  GROUP BY p.part, x.grantee, x.privilege_type
$$;

-- Sets the owner, the grants and the row security (see security/policy.sql) of a store to those of its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  new_owner oid := (SELECT r.relowner FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner WHERE s.id = store);
  old_owner oid := (SELECT r.relowner FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.head WHERE s.id = store);
  table_name text := (SELECT s.owner FROM pgtoaster.store s WHERE s.id = store);
  place name;
  part text;
  p record;
BEGIN
  PERFORM pgtoaster.write_routines(store);
  SELECT n.nspname INTO place FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head JOIN pg_namespace n ON n.oid = h.relnamespace
  WHERE s.id = store AND NOT has_schema_privilege(n.oid, 'CREATE');
  IF place IS NOT NULL AND NOT pgtoaster.has_routines(store) THEN
    RAISE EXCEPTION 'role % may not replace the outdated routines of the store of % in schema %', quote_ident(current_user), table_name, quote_ident(place)
      USING ERRCODE = 'insufficient_privilege',
            HINT = format('A superuser runs SELECT pgtoaster.mirror_privileges(%L); nothing was changed.', table_name);
  END IF;
  -- Tables of a migration in progress (operations/migrate.sql). Relations of other roles may have these names.
  IF old_owner <> new_owner THEN
    FOR part IN SELECT format('TABLE %s', r.oid::regclass) FROM unnest('{migration,copied}'::text[]) m(part)
                JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, m.part)) WHERE r.relkind = 'r' AND r.relowner = old_owner
                UNION ALL
                SELECT format('FUNCTION %s', f.oid::regprocedure) FROM pg_proc f
                WHERE f.oid = to_regprocedure(pgtoaster.store_table(store, 'sync') || '()') AND f.proowner = old_owner LOOP
      EXECUTE format('ALTER %s OWNER TO %I', part, pg_get_userbyid(new_owner));
    END LOOP;
  END IF;
  FOREACH part IN ARRAY pgtoaster.store_parts(store) LOOP
    IF (SELECT r.relowner FROM pg_class r WHERE r.oid = pgtoaster.store_table(store, part)::regclass) <> new_owner THEN
      EXECUTE format('ALTER TABLE %s OWNER TO %I', pgtoaster.store_table(store, part), pg_get_userbyid(new_owner));
    END IF;
  END LOOP;
  FOR part IN SELECT r FROM pgtoaster.store_routines(store) r LOOP
    IF (SELECT f.proowner FROM pg_proc f WHERE f.oid = part::regprocedure) <> new_owner THEN
      EXECUTE format('ALTER FUNCTION %s OWNER TO %I', part, pg_get_userbyid(new_owner));
    END IF;
  END LOOP;
  FOR p IN SELECT * FROM pgtoaster.actual_privileges(store) a EXCEPT SELECT * FROM pgtoaster.wanted_privileges(store) LOOP
    EXECUTE format('REVOKE %s ON %s FROM %s', p.privilege, pgtoaster.store_table(store, p.part),
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  FOR p IN SELECT * FROM pgtoaster.wanted_privileges(store) EXCEPT SELECT * FROM pgtoaster.actual_privileges(store) LOOP
    EXECUTE format('GRANT %s ON %s TO %s', p.privilege, pgtoaster.store_table(store, p.part),
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  PERFORM pgtoaster.mirror_policies(store);
END $$;

-- Creates the tables of one store. leading_key_type: type of the optional leading key column, or NULL.
CREATE OR REPLACE FUNCTION pgtoaster.create_store_tables(store integer, schema name, leading_key_type text, options jsonb)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  head text := format('%I.%I', schema, 'store_' || store || '_head');
  first_id bigint := (store::bigint << 40) + 1;
  last_id bigint := ((store::bigint + 1) << 40) - 1;
  lk_column text := CASE WHEN leading_key_type IS NULL THEN '' ELSE format('leading_key %s NOT NULL, ', leading_key_type) END;
  lk text := CASE WHEN leading_key_type IS NULL THEN '' ELSE 'leading_key, ' END;
  part text;
BEGIN
  -- Leave space for one more version of the largest head on its page, so that updates stay there.
  EXECUTE format(
    'CREATE TABLE %s (%s id bigint GENERATED BY DEFAULT AS IDENTITY (MINVALUE %s MAXVALUE %s), '
    'base bigint NOT NULL DEFAULT 0, piece_start bigint NOT NULL DEFAULT 0, generation bigint NOT NULL DEFAULT 0, '
    'created_at timestamptz NOT NULL DEFAULT clock_timestamp(), created_by xid8 NOT NULL DEFAULT pg_current_xact_id(), '
    'created_as oid NOT NULL DEFAULT to_regrole(quote_ident(current_user)), chunk_size integer NOT NULL, piece_rows integer NOT NULL DEFAULT 0, '
    'sealed boolean NOT NULL DEFAULT false, tail bytea NOT NULL DEFAULT '''', tokens_since timestamptz, '
    'PRIMARY KEY (%s id)) WITH (fillfactor = 85)',
    head, lk_column, first_id, last_id, lk);
  INSERT INTO pgtoaster.catalog_change (what, store, head) VALUES ('set', store, head::regclass);
  -- Statistics would show other users bytes of the content in plan estimates.
  EXECUTE format('ALTER TABLE %s ALTER COLUMN tail SET STORAGE PLAIN, ALTER COLUMN tail SET STATISTICS 0', pgtoaster.store_table(store, 'head'));
  EXECUTE format('CREATE TABLE %s (%s blob_id bigint NOT NULL, start bigint NOT NULL, crc integer, data bytea NOT NULL, '
                 'PRIMARY KEY (%s blob_id, start))', pgtoaster.store_table(store, 'chunk'), lk_column, lk);
  -- Pieces are reused again and again. The start is not indexed and pages are left half empty, so that a piece is replaced
  -- within its page and no VACUUM is needed.
  EXECUTE format('CREATE TABLE %s (%s blob_id bigint NOT NULL, slot integer NOT NULL, start bigint NOT NULL, crc integer, '
                 'data bytea NOT NULL, PRIMARY KEY (%s blob_id, slot)) WITH (fillfactor = 50)',
                 pgtoaster.store_table(store, 'piece'), lk_column, lk);
  FOREACH part IN ARRAY ARRAY['chunk', 'piece'] LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN data SET STATISTICS 0', pgtoaster.store_table(store, part));
    PERFORM pgtoaster.shape_data_column(pgtoaster.store_table(store, part)::regclass, options->>'compression');
  END LOOP;
  EXECUTE format('CREATE TABLE %s (%s blob_id bigint NOT NULL, writer uuid NOT NULL, sequence bigint NOT NULL, '
                 'start bigint NOT NULL, length bigint NOT NULL, at timestamptz NOT NULL DEFAULT now(), '
                 'PRIMARY KEY (%s blob_id, writer))', pgtoaster.store_table(store, 'token'), lk_column, lk);
  EXECUTE format('CREATE TABLE %s (%s blob_id bigint NOT NULL, expires timestamptz NOT NULL, '
                 'notified_at timestamptz NOT NULL DEFAULT ''-infinity'', PRIMARY KEY (%s blob_id))',
                 pgtoaster.store_table(store, 'follower'), lk_column, lk);
  EXECUTE format('CREATE TABLE %s (%s id bigint NOT NULL, released boolean NOT NULL, at timestamptz NOT NULL DEFAULT now(), '
                 'given_as name, PRIMARY KEY (%s id))', pgtoaster.store_table(store, 'garbage'), lk_column, lk);
END $$;

-- Raises the error that the role may not read a store, and says how to grant it the rights that it has on the table.
CREATE OR REPLACE FUNCTION pgtoaster.deny(store integer) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  owner regclass := (SELECT s.owner FROM pgtoaster.store s WHERE s.id = store);
BEGIN
  RAISE EXCEPTION 'permission denied for the content of %', owner USING ERRCODE = 'insufficient_privilege',
    HINT = format('If the role may read the column, the owner of the table must run SELECT pgtoaster.mirror_privileges(%L).', owner);
END $$;

-- Sets the owner, the grants and the row security of all stores of a table to those of the table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(owner regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  store integer;
BEGIN
  FOR store IN SELECT s.id FROM pgtoaster.store s WHERE s.owner = mirror_privileges.owner ORDER BY s.id LOOP
    PERFORM pgtoaster.mirror_privileges(store);
  END LOOP;
  IF store IS NULL THEN
    RAISE EXCEPTION 'no column of % is attached', owner USING ERRCODE = 'undefined_object',
      HINT = 'See pgtoaster.attached_column.';
  END IF;
END $$;

-- Does the same for the name of a table, as in SELECT pgtoaster.mirror_privileges('public.item').
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(owner text) RETURNS void
LANGUAGE sql
AS $$ SELECT pgtoaster.mirror_privileges(owner::pg_catalog.regclass) $$;
