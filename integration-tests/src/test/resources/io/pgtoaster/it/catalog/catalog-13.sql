-- pgtoaster catalog: which columns are attached, to which toaster, with which options.
-- Run the numbered files of this folder in order, in one transaction, as any role that may create a
-- schema in the database:  psql -1 -v ON_ERROR_STOP=1 -f 1-catalog.sql -f 2-store.sql ...
-- Running them again is harmless.

-- What is installed means the server's own functions, operators and types, whatever else is on the path, and literals with
-- backslashes mean the same everywhere. The last file, 99-path.sql, restores both settings.
DO $$ BEGIN
  PERFORM pg_catalog.set_config('pgtoaster.search_path', pg_catalog.current_setting('search_path'), true);
  PERFORM pg_catalog.set_config('pgtoaster.conforming_strings', pg_catalog.current_setting('standard_conforming_strings'), true);
END $$;
SET LOCAL standard_conforming_strings = on;
SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL client_min_messages = warning;

DO $$
BEGIN
  -- With quote_all_identifiers the server quotes what SET was given.
  IF replace(current_setting('search_path'), '"', '') <> 'pg_catalog, pg_temp' THEN
    RAISE EXCEPTION 'the pgtoaster catalog is installed in one transaction' USING ERRCODE = 'no_active_sql_transaction',
      HINT = 'BEGIN before the first file and COMMIT after the last, or psql -1; nothing was changed.';
  END IF;
  CREATE SCHEMA IF NOT EXISTS pgtoaster;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'role % may not create the schema pgtoaster in database %', quote_ident(current_user), quote_ident(current_database())
    USING ERRCODE = 'insufficient_privilege',
          HINT = format('GRANT CREATE ON DATABASE %I TO %I, or install as the owner of the database; nothing was changed.',
                        current_database(), current_user);
WHEN unique_violation OR duplicate_schema THEN
  -- Another installation has made it, and this one has waited for it.
  NULL;
END $$;

-- Nobody else may have laid out what is installed here, or own what it then consists of.
DO $$
DECLARE
  other record;
BEGIN
  SELECT format('schema %I', n.nspname) AS what, n.nspowner AS owner INTO other
  FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner
  WHERE n.nspname = 'pgtoaster' AND r.rolname <> current_user AND NOT r.rolsuper;
  IF NOT FOUND THEN
    -- Tables and functions of stores belong to the owners of their tables, and nothing here calls them by name.
    SELECT o.what, o.owner INTO other
    FROM (
      SELECT format('function %s', p.oid::regprocedure) AS what, p.proowner AS owner, p.pronamespace AS schema
      FROM pg_proc p WHERE NOT (p.proname ~ '^store_[0-9]+_[a-z]+$')
      UNION ALL
      SELECT format('operator %s', p.oid::regoperator), p.oprowner, p.oprnamespace FROM pg_operator p
      UNION ALL
      SELECT format('relation %s', c.oid::regclass), c.relowner, c.relnamespace
      FROM pg_class c WHERE c.relname !~ '^store_[0-9]+_[a-z_]+$'
      UNION ALL
      SELECT format('type %s', t.oid::regtype), t.typowner, t.typnamespace FROM pg_type t WHERE t.typrelid = 0 AND t.typelem = 0
    ) o
    JOIN pg_roles r ON r.oid = o.owner
    WHERE o.schema = to_regnamespace('pgtoaster') AND r.rolname <> current_user AND NOT r.rolsuper
    LIMIT 1;
  END IF;
  IF other.what IS NOT NULL THEN
    RAISE EXCEPTION '% belongs to role %, who could change it to run with the rights of others', other.what,
                    quote_ident(pg_get_userbyid(other.owner))
      USING ERRCODE = 'insufficient_privilege',
            HINT = format('If that role installed the catalog, install as it: SET ROLE %I. Otherwise drop what it made; nothing was changed.',
                          pg_get_userbyid(other.owner));
  END IF;
END $$;

DO $$
BEGIN
  CREATE TABLE IF NOT EXISTS pgtoaster.version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version  integer NOT NULL
  );
EXCEPTION WHEN unique_violation OR duplicate_table THEN
  NULL;
END $$;

-- One installation at a time: by a lock that no other role can hold, as it could an advisory one.
LOCK TABLE pgtoaster.version IN SHARE ROW EXCLUSIVE MODE;
-- Whoever reads the catalog in a transaction that does not end must not keep this one, and with it everybody, waiting.
DO $$ BEGIN
  PERFORM set_config('pgtoaster.lock_timeout', current_setting('lock_timeout'), true);
  IF current_setting('lock_timeout') = '0' THEN
    SET LOCAL lock_timeout = '10s';
  END IF;
END $$;

-- A catalog of another version stays as it is.
DO $$
DECLARE
  this CONSTANT integer := 13;
  found integer;
BEGIN
  SELECT version INTO found FROM pgtoaster.version;
  IF found < this THEN
    RAISE EXCEPTION 'the pgtoaster catalog has version %, and this script installs version %, which cannot read its stores', found, this
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Nothing was changed. Take the content out with the pgtoaster that made it (detach makes documents plain jsonb, "pgtoaster cat" '
                   'copies a blob to a file), then DROP SCHEMA pgtoaster CASCADE, install, attach, and put the content back.';
  ELSIF found > this THEN
    RAISE EXCEPTION 'the pgtoaster catalog has version %, newer than the version % of this script', found, this
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Install with a pgtoaster of at least that version; nothing was changed.';
  END IF;
  INSERT INTO pgtoaster.version (version) VALUES (this) ON CONFLICT DO NOTHING;
END $$;

CREATE TABLE IF NOT EXISTS pgtoaster.store (
  id          integer GENERATED BY DEFAULT AS IDENTITY (MINVALUE 1 MAXVALUE 8388607) PRIMARY KEY,
  owner       regclass NOT NULL,
  column_name name NOT NULL,
  toaster     text NOT NULL,
  key_index   name,
  options     jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(options) = 'object'),
  head        regclass,
  created_at  timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE pgtoaster.store IS 'one row per attached column; the store of a column is the set of tables store_<id>_* in the schema of its head';
COMMENT ON COLUMN pgtoaster.store.head IS 'table store_<id>_head; NULL: the toaster keeps no tables here';
COMMENT ON COLUMN pgtoaster.store.key_index IS 'name of the unique index that addresses rows of the owner table; NULL: its primary key';

GRANT USAGE ON SCHEMA pgtoaster TO PUBLIC;
GRANT SELECT ON pgtoaster.version, pgtoaster.store TO PUBLIC;
-- Roles that attach tables of their own have no right on the table of stores, whose rows they could lock, and with them
-- everybody else, but INSERT here: the first trigger tells, as the role, whether it may, the second does it as the owner of
-- the catalog, and no row is left. what: add, set (columns that are NULL stay), drop, lock.
CREATE TABLE IF NOT EXISTS pgtoaster.catalog_change (
  what text NOT NULL,
  store integer,
  owner regclass,
  column_name name,
  toaster text,
  key_index name,
  options jsonb,
  head regclass
);
COMMENT ON TABLE pgtoaster.catalog_change IS 'INSERT changes pgtoaster.store, for the owner of the table in question; always empty';

CREATE OR REPLACE FUNCTION pgtoaster.check_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  s pgtoaster.store;
  other regclass;
  toaster text;
  sound jsonb;
BEGIN
  IF pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'USAGE') THEN
    RETURN NEW;
  END IF;
  IF NEW.what <> 'add' THEN
    SELECT * INTO s FROM pgtoaster.store t WHERE t.id = NEW.store;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'there is no store %', NEW.store USING ERRCODE = 'undefined_object';
    END IF;
  END IF;
  SELECT c.oid INTO other FROM unnest(ARRAY[s.owner, s.head, NEW.owner, NEW.head]) t JOIN pg_class c ON c.oid = t
  WHERE NOT pg_has_role(c.relowner, 'USAGE') LIMIT 1;
  IF other IS NOT NULL THEN
    RAISE EXCEPTION 'must be owner of table %', other USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.what IN ('drop', 'lock') THEN
    RETURN NEW;
  END IF;
  -- A number that is no table's yet may become another's.
  IF NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = CASE NEW.what WHEN 'add' THEN NEW.owner ELSE s.owner END) THEN
    RAISE EXCEPTION 'a store has a table that is there' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.what = 'set' AND (NEW.owner <> s.owner OR NEW.toaster <> s.toaster) THEN
    RAISE EXCEPTION 'a store keeps its table and what is kept there' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- What is beside the head is taken for the store.
  IF NEW.head IS NOT NULL AND (NEW.what = 'add' OR s.head IS NOT NULL
                               OR NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = NEW.head AND c.relkind = 'r' AND c.relname = 'store_' || s.id || '_head')) THEN
    RAISE EXCEPTION '% is not the head of a new store', NEW.head USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = coalesce(s.owner, NEW.owner) AND a.column_name = NEW.column_name
             AND a.store IS DISTINCT FROM s.id) THEN
    RAISE EXCEPTION 'column "%" of % is attached already', NEW.column_name, coalesce(s.owner, NEW.owner) USING ERRCODE = 'duplicate_object';
  END IF;
  -- Others read the options of all stores.
  IF octet_length(NEW.toaster) > 63 THEN
    RAISE EXCEPTION 'the name of a toaster has at most 63 bytes' USING ERRCODE = 'name_too_long';
  ELSIF octet_length(NEW.options::text) > 65536 THEN
    RAISE EXCEPTION 'the options of a store have % bytes, and may have 65536', octet_length(NEW.options::text) USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Name fewer paths in keep_inline: a path stands for all below it.';
  END IF;
  toaster := coalesce(NEW.toaster, s.toaster);
  IF pgtoaster.toaster_routine(toaster, 'options') IS NOT NULL THEN
    sound := pgtoaster.checked_options(toaster, coalesce(NEW.options, '{}'));
  END IF;
  IF sound <> NEW.options OR NEW.what = 'add' AND sound IS NOT NULL AND NEW.options IS NULL THEN
    RAISE EXCEPTION 'the options % are not as pgtoaster writes them: %', NEW.options, sound USING ERRCODE = 'invalid_parameter_value',
      HINT = 'SELECT pgtoaster.set_options(table, column, changes).';
  END IF;
  -- A table has no more stores than columns.
  IF NEW.column_name IS NOT NULL AND NOT EXISTS (
       SELECT FROM pg_attribute a WHERE a.attrelid = coalesce(s.owner, NEW.owner) AND a.attname = NEW.column_name AND a.attnum > 0 AND NOT a.attisdropped) THEN
    RAISE EXCEPTION 'column "%" of % does not exist', NEW.column_name, coalesce(s.owner, NEW.owner) USING ERRCODE = 'undefined_column';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.do_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  CASE NEW.what
    WHEN 'add' THEN
      INSERT INTO pgtoaster.store (owner, column_name, toaster, key_index, options)
      VALUES (NEW.owner, NEW.column_name, NEW.toaster, NEW.key_index, coalesce(NEW.options, '{}'));
    WHEN 'set' THEN
      UPDATE pgtoaster.store s SET column_name = coalesce(NEW.column_name, s.column_name), toaster = coalesce(NEW.toaster, s.toaster),
        key_index = coalesce(NEW.key_index, s.key_index), options = coalesce(NEW.options, s.options), head = coalesce(NEW.head, s.head)
      WHERE s.id = NEW.store;
    WHEN 'drop' THEN
      DELETE FROM pgtoaster.store s WHERE s.id = NEW.store;
    WHEN 'lock' THEN
      -- A store without tables is everybody's to drop, and nobody's to keep from that.
      IF EXISTS (SELECT FROM pgtoaster.store s JOIN pg_class c ON c.oid IN (s.owner, s.head) WHERE s.id = NEW.store) THEN
        PERFORM FROM pgtoaster.store s WHERE s.id = NEW.store FOR UPDATE;
      ELSE
        PERFORM FROM pgtoaster.store s WHERE s.id = NEW.store FOR UPDATE NOWAIT;
      END IF;
  END CASE;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pgtoaster.do_change() FROM PUBLIC;

-- Left as they are where they are: a trigger is made under a lock that whoever attaches in an open transaction keeps away.
DO $$
BEGIN
  IF (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = 'pgtoaster.catalog_change'::regclass AND t.tgname IN ('check_change', 'do_change')) < 2 THEN
    CREATE OR REPLACE TRIGGER check_change BEFORE INSERT ON pgtoaster.catalog_change FOR EACH ROW EXECUTE FUNCTION pgtoaster.check_change();
    CREATE OR REPLACE TRIGGER do_change BEFORE INSERT ON pgtoaster.catalog_change FOR EACH ROW EXECUTE FUNCTION pgtoaster.do_change();
  END IF;
END $$;

-- The attached columns under their present names. A renamed table is followed by its oid, a renamed
-- column by the update trigger that attach made for it, a renamed leading key by the foreign key, or the index of the row key: all
-- survive renames, dump and restore.
CREATE OR REPLACE VIEW pgtoaster.attached_column AS
SELECT s.id AS store, s.owner, n.nspname AS schema_name, c.relname AS table_name,
       coalesce(followed.attname, named.attname, s.column_name) AS column_name,
       coalesce(followed.attname, named.attname) IS NOT NULL AS column_exists,
       s.toaster, s.key_index,
       CASE WHEN first_key.attname IS NULL THEN s.options
            ELSE s.options || jsonb_build_object('leading_key', first_key.attname) END AS options,
       s.created_at, place.nspname AS store_schema
FROM pgtoaster.store s
LEFT JOIN pg_catalog.pg_class c ON c.oid = s.owner
LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_class head ON head.oid = s.head
LEFT JOIN pg_catalog.pg_namespace place ON place.oid = head.relnamespace
LEFT JOIN LATERAL (
  SELECT a.attname FROM pg_catalog.pg_trigger t
  JOIN pg_catalog.pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = t.tgattr[0]
  WHERE t.tgrelid = s.owner AND t.tgname = 'pgtoaster_' || s.id || '_update') followed ON true
LEFT JOIN LATERAL (
  SELECT a.attname FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  WHERE k.conrelid = s.owner AND k.conname = 'pgtoaster_' || s.id || '_head' AND cardinality(k.conkey) = 2
  UNION ALL
  -- Of documents by its place in the index over the row key that marks the table.
  SELECT a.attname FROM pg_catalog.pg_class g
  JOIN pg_catalog.pg_attribute l ON l.attrelid = g.oid AND l.attname ~ '^owner_[0-9]+$'
  JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace AND m.relname = 'pgtoaster_' || s.id || '_owner'
  JOIN pg_catalog.pg_index i ON i.indexrelid = m.oid AND i.indrelid = s.owner
  JOIN pg_catalog.pg_attribute a ON a.attrelid = s.owner AND a.attnum = i.indkey[substr(l.attname, 7)::integer - 1]
  WHERE s.options->'leading_key' IS NOT NULL AND g.relnamespace = head.relnamespace AND g.relname = 'store_' || s.id || '_garbage') first_key ON true
LEFT JOIN pg_catalog.pg_attribute named
  ON named.attrelid = s.owner AND named.attname = s.column_name AND named.attnum > 0 AND NOT named.attisdropped;
GRANT SELECT ON pgtoaster.attached_column TO PUBLIC;
-- The toasters, what all stores have in common, and the tables of the appendable toaster.

-- The toasters that the catalog knows: our own, and those that create_toaster has entered. The catalog calls none by its
-- name: what differs stands here.
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
COMMENT ON COLUMN pgtoaster.toaster.own IS 'the routines that each store has of its own, each behind those that it calls: see pgtoaster.own_routines()';
COMMENT ON COLUMN pgtoaster.toaster.routines IS 'by event, the name of the function that answers: see pgtoaster.toaster_events()';
GRANT SELECT ON pgtoaster.toaster TO PUBLIC;

INSERT INTO pgtoaster.toaster (name, handler, builtin, parts, content, triggers, functions, own, routines) VALUES
  ('appendable', 'toaster.appendable(internal)', true, '{head,chunk,piece,token,follower,garbage}', '{chunk,piece}', '{delete,update,truncate}',
   '{release,truncate}', '{append,write,range}',
   '{"attach": "pgtoaster.attach_blob", "detach": "pgtoaster.detach_blob", "options": "pgtoaster.blob_options", '
   '"set_options": "pgtoaster.set_blob_options", "warnings": "pgtoaster.blob_warnings", "measure": "pgtoaster.measure_blobs", '
   '"blob_append": "pgtoaster.append_blob", "blob_read": "pgtoaster.read_blob", "blob_length": "pgtoaster.length_of_blob", '
   '"blob_write": "pgtoaster.write_blob", "blob_truncate": "pgtoaster.truncate_blob", "blob_seal": "pgtoaster.seal_blob"}'),
  ('keyed', 'toaster.keyed(internal)', true, '{head,node,garbage,aside}', '{node}', '{delete,edit,update,adopt,insert,inserted,truncate}',
   '{release,watch,truncate,watched}', '{read,pack,reshape,edit,apply,placed,change,hold}',
   '{"attach": "pgtoaster.attach_document", "detach": "pgtoaster.detach_document", "options": "pgtoaster.document_options", '
   '"set_options": "pgtoaster.set_document_options", "compare": "pgtoaster.compare_documents", '
   '"warnings": "pgtoaster.document_warnings", "measure": "pgtoaster.measure_documents"}'),
  ('default', NULL, true, '{}', '{}', '{}', '{}', '{}', '{"attach": "pgtoaster.attach_plain", '
   '"blob_append": "pgtoaster.append_plain", "blob_read": "pgtoaster.read_plain", "blob_length": "pgtoaster.length_of_plain", '
   '"blob_write": "pgtoaster.write_plain", "blob_truncate": "pgtoaster.truncate_plain"}')
ON CONFLICT (name) DO UPDATE SET handler = excluded.handler, builtin = excluded.builtin, parts = excluded.parts, content = excluded.content,
  triggers = excluded.triggers, functions = excluded.functions, own = excluded.own, routines = excluded.routines;

-- What the catalog asks of a toaster: the event, arguments and result of the function that answers. All but attach may be
-- missing, and attach where an extension has a handler.
CREATE OR REPLACE FUNCTION pgtoaster.toaster_events() RETURNS TABLE (event text, arguments text, result text)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  VALUES
    -- Table, which is locked, column, unique index of the row key, options: checks type and options, makes what the toaster
    -- needs, and calls pgtoaster.add_store, whose number it returns.
    ('attach', 'regclass, name, regclass, jsonb', 'integer'),
    -- Store, table, column, whether content that rows still name may go: drops what attach made.
    ('detach', 'integer, regclass, name, boolean', 'void'),
    -- Options: checks them, and returns all with their defaults.
    ('options', 'jsonb', 'jsonb'),
    -- Store, changes: checks them, and has the store follow.
    ('set_options', 'integer, jsonb', 'void'),
    -- Store, options: refuses those that an attached column does not fulfil; for attach_if_absent.
    ('compare', 'integer, jsonb', 'void'),
    -- Store, whose table or column was dropped: drops what is left of it.
    ('drop', 'integer', 'void'),
    -- Store: what should be looked after.
    ('warnings', 'integer', 'text[]'),
    -- Store: contents, their bytes, and the rows that hold them.
    ('measure', 'integer', 'bigint[]'),
    -- Store, grace period, whether to list only: finds, or removes, what no row names.
    ('collect', 'integer, interval, boolean', 'TABLE(kind text, id bigint, bytes bigint, description text)'),
    -- Blobs, for pgtoaster.blob_append and its like, with the rights of whoever calls them. All get store, table, column, the
    -- condition on a row o of the table that its key is the texts $2, and these texts; what is refused is told by
    -- pgtoaster.refuse_blob. Bytes, expected offset, writer and sequence: offset, length and outcome.
    ('blob_append', 'integer, regclass, name, text, text[], bytea, bigint, uuid, bigint', 'record'),
    -- Offset from 0, number of bytes: the bytes, fewer at the end; NULL if the column is.
    ('blob_read', 'integer, regclass, name, text, text[], bigint, integer', 'bytea'),
    -- NULL if the column is.
    ('blob_length', 'integer, regclass, name, text, text[]', 'bigint'),
    -- Offset, bytes.
    ('blob_write', 'integer, regclass, name, text, text[], bigint, bytea', 'void'),
    -- Length.
    ('blob_truncate', 'integer, regclass, name, text, text[], bigint', 'void'),
    ('blob_seal', 'integer, regclass, name, text, text[]', 'void')
$$;

-- The function by which a toaster answers an event; NULL: it does not. Whoever asks runs it, so it must belong to the owner
-- of the catalog or a superuser.
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
    RAISE EXCEPTION 'function % of toaster "%" belongs to a role that could change it to run with the rights of others', found, toaster
      USING ERRCODE = 'insufficient_privilege', HINT = 'ALTER FUNCTION .. OWNER TO the owner of the catalog.';
  END IF;
  RETURN found::oid::regproc;
END $$;

-- Has what follows wait for a lock no longer than this; returns what was set, to be set again.
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

-- The role that owns a store, or its table where it has none; NULL if both have gone.
CREATE OR REPLACE FUNCTION pgtoaster.store_owner(store integer) RETURNS oid
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(h.relowner, o.relowner) FROM pgtoaster.store s LEFT JOIN pg_class h ON h.oid = s.head LEFT JOIN pg_class o ON o.oid = s.owner
  WHERE s.id = $1
$$;

-- Name of one table, or trigger function, of a store, quoted.
CREATE OR REPLACE FUNCTION pgtoaster.store_table(store integer, part text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce((SELECT quote_ident(n.nspname) FROM pgtoaster.store s
                   JOIN pg_class c ON c.oid = s.head JOIN pg_namespace n ON n.oid = c.relnamespace
                   WHERE s.id = $1), 'pgtoaster') || '.' || quote_ident('store_' || store || '_' || part)
$$;

-- The column that each table of a store has of its rows by the option leading_key: leading_key for blobs, owner_<n> for documents,
-- whose heads have the whole key. None without that option.
CREATE OR REPLACE FUNCTION pgtoaster.lead_attribute(store integer) RETURNS SETOF pg_attribute
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a FROM pg_attribute a
  WHERE a.attrelid = to_regclass(pgtoaster.store_table(store, 'garbage')) AND (a.attname = 'leading_key' OR a.attname ~ '^owner_[0-9]+$')
$$;

-- Its name; NULL if there is none.
CREATE OR REPLACE FUNCTION pgtoaster.lead_column(store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT a.attname FROM pgtoaster.lead_attribute(store) a $$;

-- The operator by which the store's indexes compare it, for statements that run on the caller's search path.
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

-- Whether the role may look into the schema of a store: one of another role's own schema may be closed to it.
CREATE OR REPLACE FUNCTION pgtoaster.can_use_store(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce((SELECT has_schema_privilege(c.relnamespace, 'USAGE') FROM pgtoaster.store s JOIN pg_class c ON c.oid = s.head
                   WHERE s.id = $1), true)
$$;

-- Checks the option store_schema, which tells where the tables and functions of a store are made, and returns
-- that schema: pgtoaster, or with "owner" the one that the table is in.
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
      USING ERRCODE = 'insufficient_privilege', HINT = 'The store is made in the schema of the table then.';
  END IF;
  RETURN place;
END $$;

-- Enters a column, whose table is locked; returns the number of its store.
CREATE OR REPLACE FUNCTION pgtoaster.add_store(owner regclass, column_name name, toaster text, key_index name, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  INSERT INTO pgtoaster.catalog_change (what, owner, column_name, toaster, key_index, options) VALUES ('add', $1, $2, $3, $4, $5);
  RETURN (SELECT max(s.id) FROM pgtoaster.store s WHERE s.owner = $1 AND s.column_name = $2);
END $$;

-- Whether this is a database with Citus.
CREATE OR REPLACE FUNCTION pgtoaster.on_citus() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT to_regclass('pg_catalog.pg_dist_local_group') IS NOT NULL $$;

-- Refuses on a worker of Citus, which has the functions of the catalog and no catalog. Nothing else is ever without it.
CREATE OR REPLACE FUNCTION pgtoaster.require_catalog() RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_regclass('pgtoaster.store') IS NULL THEN
    RAISE EXCEPTION 'functions that find a store by what a row holds do not know the stores on a worker of Citus' USING ERRCODE = 'feature_not_supported',
      HINT = 'In a distributed schema read documents by the library, and blobs by it or by pgtoaster.blob_read(table, column, key, ..).';
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

-- Whether a table is distributed, with its schema or by its rows.
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

-- Whether the functions of a store run where Citus has put its tables, as tables of other names.
CREATE OR REPLACE FUNCTION pgtoaster.is_sharded(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT pgtoaster.on_citus() AND EXISTS (SELECT FROM pgtoaster.store s WHERE s.id = $1 AND s.options->>'distributed' = 'true') $$;

-- Bytes of a table with its indexes, wherever it is.
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

-- The tables of a store; none if its toaster has none.
CREATE OR REPLACE FUNCTION pgtoaster.store_parts(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.parts, '{}') FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- Whether rows hold its content as documents, of which a stub stays in the row.
CREATE OR REPLACE FUNCTION pgtoaster.holds_documents(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT coalesce('node' = ANY (pgtoaster.store_parts($1)), false) $$;

-- The name of such a trigger. What does edits, or judges them for a migration, fires behind all triggers whose names begin with a letter: those see what
-- stands in the row as edited, and a row that one of them skips is not edited at all.
CREATE OR REPLACE FUNCTION pgtoaster.trigger_name(store integer, part text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT concat(CASE WHEN part IN ('edit', 'sync') THEN '~' END, 'pgtoaster_', store, '_', part) $$;

-- The triggers that it has on its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.owner_triggers(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.triggers, '{}') FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- Its trigger functions; those of a toaster that the catalog does not know by their names.
CREATE OR REPLACE FUNCTION pgtoaster.store_functions(store integer) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(t.functions, ARRAY(SELECT regexp_replace(f.proname, '^store_[0-9]+_', '') FROM pg_proc f
                                   WHERE f.pronamespace = 'pgtoaster'::regnamespace AND f.proname ~ ('^store_' || $1 || '_[a-z]+$')
                                     AND f.prorettype = 'trigger'::regtype AND NOT f.prosecdef AND pg_has_role(f.proowner, 'USAGE')))
  FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster WHERE s.id = $1
$$;

-- The routines that a store has of its own (18-routine.sql), each behind those that it calls: what they return and are.
CREATE OR REPLACE FUNCTION pgtoaster.own_routines(store integer) RETURNS TABLE (part text, result text, properties text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.part, v.result, v.properties
  FROM pgtoaster.store s JOIN pgtoaster.toaster t ON t.name = s.toaster
  CROSS JOIN LATERAL unnest(t.own) WITH ORDINALITY o(part, n)
  JOIN (VALUES ('append', 'record', 'VOLATILE'), ('write', 'record', 'VOLATILE'), ('range', 'record', 'STABLE PARALLEL SAFE'),
    ('read', 'text', 'STABLE PARALLEL SAFE'), ('pack', 'jsonb', 'VOLATILE'), ('reshape', 'boolean', 'VOLATILE'), ('edit', 'record', 'VOLATILE'),
    ('apply', 'trigger', 'VOLATILE'), ('change', 'record', 'VOLATILE'), ('hold', 'boolean', 'VOLATILE'),
    ('placed', 'boolean', 'VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp')) v(part, result, properties) ON v.part = o.part
  WHERE s.id = $1 AND (v.part NOT IN ('change', 'hold') OR s.options->>'distributed' = 'true') ORDER BY o.n
$$;

-- The arguments of a routine of a store, with their names or without, and with those that are returned: the row key
-- as the head has it, the document as its row holds it, the path, and what is wanted (see 14-read.sql, 15-edit.sql, 16-append.sql, 17-nodes.sql).
CREATE OR REPLACE FUNCTION pgtoaster.routine_arguments(store integer, part text, named boolean) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT string_agg(CASE WHEN named THEN x.name || ' ' ELSE '' END || x.type, ', ' ORDER BY x.n)
  FROM (SELECT 'key_' || substr(a.attname, 7) AS name, format_type(a.atttypid, NULL) AS type, a.attnum AS n
        FROM pgtoaster.store s JOIN pg_attribute a ON a.attrelid = s.head AND a.attname ~ '^owner_[0-9]+$' WHERE s.id = $1
          AND (part NOT IN ('pack', 'reshape', 'apply') OR part <> 'apply' AND a.attname = pgtoaster.lead_column(s.id))
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
          ('pack', 1, 'doc', 'bigint'), ('pack', 2, 'value', 'jsonb'),
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

-- A function of a store; NULL if it is not there.
CREATE OR REPLACE FUNCTION pgtoaster.store_routine(store integer, part text) RETURNS regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT to_regprocedure(pgtoaster.store_table(store, part)
                         || CASE WHEN part = 'watched' THEN '(jsonb, jsonb)'
                                 WHEN part IN ('append', 'write', 'range', 'read', 'edit', 'pack', 'reshape', 'placed', 'change', 'hold') THEN '(' || pgtoaster.routine_arguments(store, part, false) || ')'
                                 ELSE '()' END)
$$;

-- All functions of a store, those that are called by name included.
CREATE OR REPLACE FUNCTION pgtoaster.store_routines(store integer) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r::text FROM unnest(pgtoaster.store_functions(store) || ARRAY(SELECT k.part FROM pgtoaster.own_routines(store) k)) p(part) CROSS JOIN pgtoaster.store_routine(store, p.part) r
  WHERE r IS NOT NULL
$$;

-- Id of the head that a document names; NULL for a plain document, and for a header that is none.
-- Qualified throughout and without a search_path of its own, so that it is inlined.
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

-- What marks the tables whose rows own documents of a keyed store: an index that is always empty, over the
-- columns of the row key. Partitions get one of their own and keep it when they are detached; its columns
-- tell how the key is called there.
CREATE OR REPLACE FUNCTION pgtoaster.row_mark(store integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT format('%L::text IS NOT NULL', 'pgtoaster_' || store) $$;

-- A query of the tables whose rows may own documents of a store, with the index that marks them, the columns of the
-- row key, and the condition that a row o has the key that a head h names, by the operators of the index, wherever
-- they are. The mark alone says nothing, since anybody may make such an index: what counts is the attached table,
-- its partitions, which have its trigger, and tables of the role that owns the heads, whose keys compare with those
-- of the heads. Of no other is pg_get_expr asked for the mark, for it locks the table, which its owner may keep locked; nor
-- of an index whose stored predicate has none of its bytes: 2,000 partial indexes of one owner took it half a second. With
-- quote_all_identifiers the type is quoted.
-- Arguments are expressions. Trigger functions have it in theirs, so it calls nothing but the server's own functions.
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

-- The same as a function, which keeps its plan.
DO $do$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.row_keys(store integer, head regclass, attached regclass) '
                 'RETURNS TABLE (relation oid, index_id oid, columns name[], same_key text) '
                 'LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
                 '#variable_conflict use_column' || E'\n' || 'BEGIN RETURN QUERY SELECT s.* FROM ' || pgtoaster.row_keys_source('$1', '$2', '$3') || ' s; END');
END $do$;

-- The row key of one of these tables.
CREATE OR REPLACE FUNCTION pgtoaster.owner_key(relation oid, store integer)
RETURNS TABLE (index_id oid, columns name[], same_key text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.index_id, k.columns, k.same_key
  FROM pgtoaster.store s CROSS JOIN pgtoaster.row_keys(s.id, to_regclass(pgtoaster.store_table(s.id, 'head')), s.owner) k
  WHERE s.id = $2 AND k.relation = $1
$$;

-- Every table whose rows may own documents of a keyed store: the attached one, and partitions that were or are being
-- detached from it, with the column of documents. In a table that has none of its name any more that is each jsonb
-- column. handle is NULL where the attached table has none.
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

-- Every foreign key that names blobs of an appendable store: of the attached table, and of partitions that were
-- detached from it (they keep theirs), or are being detached, whose rows the table no longer shows.
-- Content that any of them names is live. For a keyed store, the columns that hold its documents.
-- By what depends on the table of heads: no index of pg_constraint knows which table a foreign key refers to, and a
-- scan of all constraints takes a page for every other attached column.
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

-- Shapes the column that holds the bytes: plain chunks fill one page each; compressed ones are larger. With this target the largest
-- row that stays in line holds 8,112 bytes with a checksum, so that a table of 8,100 each is 1.02 times the data and has no TOAST.
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

-- Grants on a store follow the grants on its owner table: who may read the column may read the store,
-- who may update the column may write it, and does not read it for that. Removing content needs no grant
-- (see 3-cleanup.sql). Of a head only what writers change may be updated: not its number, when and who created it, and to which row it belongs.
-- Numbers are drawn, not chosen: those that rows have kept would be taken.
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
         -- Who may read may also say that it follows.
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

-- Brings owner, grants and row security (see 11-policy.sql) of a store in line with those of its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  new_owner oid := (SELECT r.relowner FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner WHERE s.id = store);
  old_owner oid := (SELECT r.relowner FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.head WHERE s.id = store);
  part text;
  p record;
BEGIN
  PERFORM pgtoaster.write_routines(store);
  -- A migration that has begun (22-migrate.sql); of these names there may be relations of anybody.
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

-- The tables of one store. leading_key_type: type of the optional leading key column, or NULL.
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
  -- Room for one more version of the largest head on its page, so that updates stay there.
  EXECUTE format(
    'CREATE TABLE %s (%s id bigint GENERATED BY DEFAULT AS IDENTITY (MINVALUE %s MAXVALUE %s), '
    'base bigint NOT NULL DEFAULT 0, piece_start bigint NOT NULL DEFAULT 0, generation bigint NOT NULL DEFAULT 0, '
    'created_at timestamptz NOT NULL DEFAULT clock_timestamp(), created_by xid8 NOT NULL DEFAULT pg_current_xact_id(), '
    'created_as oid NOT NULL DEFAULT to_regrole(quote_ident(current_user)), chunk_size integer NOT NULL, piece_rows integer NOT NULL DEFAULT 0, '
    'sealed boolean NOT NULL DEFAULT false, tail bytea NOT NULL DEFAULT '''', tokens_since timestamptz, '
    'PRIMARY KEY (%s id)) WITH (fillfactor = 85)',
    head, lk_column, first_id, last_id, lk);
  INSERT INTO pgtoaster.catalog_change (what, store, head) VALUES ('set', store, head::regclass);
  -- Estimates of plans would tell of the bytes of others.
  EXECUTE format('ALTER TABLE %s ALTER COLUMN tail SET STORAGE PLAIN, ALTER COLUMN tail SET STATISTICS 0', pgtoaster.store_table(store, 'head'));
  EXECUTE format('CREATE TABLE %s (%s blob_id bigint NOT NULL, start bigint NOT NULL, crc integer, data bytea NOT NULL, '
                 'PRIMARY KEY (%s blob_id, start))', pgtoaster.store_table(store, 'chunk'), lk_column, lk);
  -- Pieces are used again and again: the start is in no index, and pages are left half empty, so that a
  -- piece is replaced within its page and no VACUUM is needed.
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

-- Says that the role may not read a store, and what gives it on the store what it has on the table.
CREATE OR REPLACE FUNCTION pgtoaster.deny(store integer) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  owner regclass := (SELECT s.owner FROM pgtoaster.store s WHERE s.id = store);
BEGIN
  RAISE EXCEPTION 'permission denied for the content of %', owner USING ERRCODE = 'insufficient_privilege',
    HINT = format('If the role may read the column, its owner runs SELECT pgtoaster.mirror_privileges(%L).', owner);
END $$;

-- Brings owner, grants and row security of all stores of a table in line with it.
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

-- The same by the name of the table, as SELECT pgtoaster.mirror_privileges('public.item') gives it.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(owner text) RETURNS void
LANGUAGE sql
AS $$ SELECT pgtoaster.mirror_privileges(owner::pg_catalog.regclass) $$;
-- Clean-up: content goes when the last row that names it goes, at commit, and never before.

-- Removes one blob, or document, unless a row still names it; true if it was removed. It is put on the garbage
-- list, whose trigger judges it at once.
CREATE OR REPLACE FUNCTION pgtoaster.release(store integer, blob bigint, leading_key text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  head regclass := pgtoaster.store_table(store, 'head')::regclass;
  lk pg_attribute := (SELECT a FROM pgtoaster.lead_attribute(store) a);
  lk_value text := CASE WHEN lk IS NULL THEN '' ELSE format('CAST(%L AS %s), ', leading_key, format_type(lk.atttypid, lk.atttypmod)) END;
  lk_name text := CASE WHEN lk IS NULL THEN '' ELSE lk.attname || ', ' END;
  lk_equal text := CASE WHEN lk IS NULL THEN '' ELSE format('%s = CAST(%L AS %s) AND ', lk.attname, leading_key, format_type(lk.atttypid, lk.atttypmod)) END;
  sweep text;
  found_id bigint;
BEGIN
  EXECUTE format('SELECT id FROM %s WHERE %s id = $1 FOR UPDATE', head, lk_equal) INTO found_id USING blob;
  IF found_id IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('INSERT INTO %s (%s id, released) VALUES (%s $1, false) ON CONFLICT DO NOTHING',
                 pgtoaster.store_table(store, 'garbage'), lk_name, lk_value) USING blob;
  sweep := pgtoaster.store_table(store, 'sweep');
  EXECUTE format('SET CONSTRAINTS %s IMMEDIATE', sweep);
  EXECUTE format('SET CONSTRAINTS %s DEFERRED', sweep);
  EXECUTE format('SELECT id FROM %s WHERE %s id = $1', head, lk_equal) INTO found_id USING blob;
  RETURN found_id IS NULL;
END $$;

-- The column of a table that holds the leading key, NULL in a store without one: the first of the foreign key.
CREATE OR REPLACE FUNCTION pgtoaster.leading_key_column(relation oid, store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  WHERE k.conrelid = $1 AND k.contype = 'f' AND cardinality(k.conkey) = 2
    AND k.confrelid = to_regclass(pgtoaster.store_table($2, 'head'))
$$;

-- Only triggers call the functions of a store; what is in the condition of one is called by whoever updates.
CREATE OR REPLACE FUNCTION pgtoaster.hide_functions(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part text;
BEGIN
  FOREACH part IN ARRAY array_remove(pgtoaster.store_functions(store), 'watched') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s() FROM PUBLIC', pgtoaster.store_table(store, part));
  END LOOP;
END $$;

-- Trigger functions of a store run with the rights of the owner of the attached table, to whom they belong:
-- whoever may delete a row releases its content without any grant on the store. They therefore call nothing
-- but the server's own functions, also none of pgtoaster's: their text is put together here, once.

-- Where the store is by now, and what the column is called in the table that fired the trigger (a partition
-- has column numbers of its own): into the variables prefix and handle. Tables and functions of a store are in
-- one schema; the update trigger follows renames of the column.
CREATE OR REPLACE FUNCTION pgtoaster.place_source(store integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$
      SELECT quote_ident(s.nspname) || '.store_%1$s_', a.attname INTO prefix, handle
      FROM pg_trigger t
      JOIN pg_proc p ON p.oid = t.tgfoid
      JOIN pg_namespace s ON s.oid = p.pronamespace
      LEFT JOIN pg_trigger u ON u.tgrelid = t.tgrelid AND u.tgname = 'pgtoaster_%1$s_update'
      LEFT JOIN pg_attribute a ON a.attrelid = u.tgrelid AND a.attnum = u.tgattr[0]
      WHERE t.tgrelid = TG_RELID AND t.tgname = TG_NAME;$f$, store)
$$;

-- Creates a trigger function of a store.
CREATE OR REPLACE FUNCTION pgtoaster.create_trigger_function(store integer, part text, body text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER '
                 'SET search_path = pg_catalog, pg_temp SET row_security = off AS %L',
                 pgtoaster.store_table(store, part), body);
END $$;

-- The trigger on the garbage list that judges at commit what TRUNCATE noted, and at once what release() did.
CREATE OR REPLACE FUNCTION pgtoaster.create_sweep(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (NOT NEW.released) EXECUTE FUNCTION %s()',
                 'store_' || store || '_sweep', pgtoaster.store_table(store, 'garbage'), pgtoaster.store_table(store, 'release'));
END $$;

-- The tables whose TRUNCATE a store must notice, the owner table and its partitions, and does not:
-- triggers for whole statements are not handed down to partitions, least of all to those that are made later.
CREATE OR REPLACE FUNCTION pgtoaster.unwatched_truncate(store integer) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.oid::regclass FROM pgtoaster.store s
  CROSS JOIN LATERAL (SELECT s.owner AS relid UNION SELECT p.relid FROM pg_partition_tree(s.owner) p) t
  JOIN pg_class c ON c.oid = t.relid AND c.relkind IN ('r', 'p')
  WHERE s.id = $1 AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'pgtoaster_' || $1 || '_truncate')
  ORDER BY c.oid
$$;

-- Has TRUNCATE of the owner table, and of each partition that is there now, give content up; returns how many tables
-- that is new for. Run it for the owner after partitions have been made.
CREATE OR REPLACE FUNCTION pgtoaster.watch_truncate(store integer) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  t regclass;
  made integer := 0;
BEGIN
  FOR t IN SELECT u FROM pgtoaster.unwatched_truncate(store) u JOIN pg_class c ON c.oid = u
           WHERE pg_has_role(c.relowner, 'USAGE') LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_truncate', t, pgtoaster.store_table(store, 'truncate'));
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.create_triggers(store integer, owner regclass, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  release_function text := pgtoaster.store_table(store, 'release');
  lk_column text := $f$(
        SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
        WHERE k.conrelid = TG_RELID AND k.contype = 'f' AND cardinality(k.conkey) = 2 AND k.confrelid = (prefix || 'head')::regclass)$f$;
BEGIN
  -- At commit of a DELETE, or of an UPDATE of the handle, and for the garbage list. The lock on the head makes two
  -- transactions that drop the last two names of a blob take turns, so that the second one removes it (at
  -- REPEATABLE READ neither sees the other, and the blob is left to gc). Content of up to 64 MB goes at once;
  -- more is put on the garbage list, which gc sweeps in batches.
  PERFORM pgtoaster.create_trigger_function(store, 'release', $f$
    #variable_conflict use_variable
    DECLARE
      prefix text;
      handle name;
      blob bigint;
      lk text;
      lk_type text;
      lk_name text := '';
      lk_equal text := '';
      listed boolean;
      n record;
      part text;
      named boolean;
      several boolean := false;
      size bigint;
    BEGIN$f$ || pgtoaster.place_source(store) || $f$
      listed := TG_RELID = (prefix || 'garbage')::regclass;
      IF listed THEN
        blob := NEW.id;
        lk := to_jsonb(NEW)->>'leading_key';
      ELSE
        EXECUTE format('SELECT ($1).%I, CAST(%s AS text)', handle, coalesce('($1).' || quote_ident($f$ || lk_column || $f$), 'NULL'))
          INTO blob, lk USING OLD;
        IF blob IS NULL THEN
          RETURN NULL;
        END IF;
      END IF;
      SELECT format_type(a.atttypid, a.atttypmod) INTO lk_type FROM pg_attribute a
      WHERE a.attrelid = (prefix || 'head')::regclass AND a.attname = 'leading_key';
      IF lk_type IS NOT NULL THEN
        lk_name := 'leading_key, ';
        lk_equal := format('leading_key = CAST(%L AS %s) AND ', lk, lk_type);
      END IF;
      IF listed THEN
        EXECUTE format('DELETE FROM %sgarbage WHERE %s id = $1 AND NOT released', prefix, lk_equal) USING blob;
      END IF;
      EXECUTE format('SELECT base FROM %shead WHERE %s id = $1 FOR UPDATE', prefix, lk_equal) INTO size USING blob;
      IF size IS NULL THEN
        RETURN NULL;
      END IF;
      -- As naming_columns() finds them.
      FOR n IN
        SELECT k.conrelid::regclass AS relation, a.attname AS handle, pg_has_role(c.relowner, 'USAGE') AS mine, c.relkind,
               (SELECT format('%I = CAST(%L AS %s) AND ', l.attname, lk, lk_type) FROM pg_attribute l
                WHERE lk_type IS NOT NULL AND l.attrelid = k.conrelid AND l.attnum = k.conkey[1]) AS leads
        FROM pg_depend d
        JOIN pg_constraint k ON k.oid = d.objid AND d.refobjsubid = k.confkey[cardinality(k.confkey)]
        JOIN pg_class c ON c.oid = k.conrelid
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[cardinality(k.conkey)]
        WHERE d.classid = 'pg_constraint'::regclass AND d.deptype = 'n' AND d.refclassid = 'pg_class'::regclass
          AND d.refobjid = (prefix || 'head')::regclass AND k.contype = 'f' AND k.confrelid = d.refobjid
          AND (k.conparentid = 0 OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = k.conrelid AND i.inhdetachpending))
      LOOP
        several := named IS NOT NULL OR n.relkind = 'p';
        named := true;
        -- Tables that belong to others are not read with the rights of this one; gc judges what they may name.
        EXIT WHEN NOT n.mine;
        EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s %I = $1)', n.relation, n.leads, n.handle) INTO named USING blob;
        EXIT WHEN named;
      END LOOP;
      -- Without the foreign key nobody can tell who names what.
      IF named IS NULL OR named THEN
        RETURN NULL;
      END IF;
      IF size > 67108864 THEN
        EXECUTE format('INSERT INTO %1$sgarbage (%2$s id, released) SELECT %2$s id, true FROM %1$shead WHERE %3$s id = $1 '
                       'ON CONFLICT (%2$s id) DO UPDATE SET released = true', prefix, lk_name, lk_equal) USING blob;
      ELSE
        FOREACH part IN ARRAY ARRAY['chunk', 'piece', 'token'] LOOP
          EXECUTE format('DELETE FROM %s%s WHERE %s blob_id = $1', prefix, part, lk_equal) USING blob;
        END LOOP;
      END IF;
      EXECUTE format('DELETE FROM %sfollower WHERE %s blob_id = $1', prefix, lk_equal) USING blob;
      IF NOT several OR current_setting('transaction_isolation') = 'read committed' THEN
        EXECUTE format('DELETE FROM %shead WHERE %s id = $1', prefix, lk_equal) USING blob;
        RETURN NULL;
      END IF;
      -- A second row may name the blob since this transaction's snapshot was taken. The foreign key sees it: that is
      -- a conflict of two transactions, no mistake of the one.
      BEGIN
        EXECUTE format('DELETE FROM %shead WHERE %s id = $1', prefix, lk_equal) USING blob;
      EXCEPTION WHEN foreign_key_violation THEN
        RAISE EXCEPTION 'could not serialize access: blob % got another name in a concurrent transaction', blob
          USING ERRCODE = 'serialization_failure', HINT = 'The transaction might succeed if it is run again.';
      END;
      RETURN NULL;
    END $f$);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER DELETE ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_delete', owner, handle, release_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER UPDATE OF %I ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL AND OLD.%I IS DISTINCT FROM NEW.%I) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_update', handle, owner, handle, handle, handle, release_function);
  -- TRUNCATE: the handles are noted before they vanish; the deferred trigger on the notes judges them at
  -- commit, so that rows put back in the same transaction keep their content.
  PERFORM pgtoaster.create_trigger_function(store, 'truncate', $f$
    #variable_conflict use_variable
    DECLARE
      prefix text;
      handle name;
      lk text;
    BEGIN$f$ || pgtoaster.place_source(store) || $f$
      -- A partition that was detached has lost its other triggers; gc finds what it releases.
      IF handle IS NULL THEN
        RETURN NULL;
      END IF;
      lk := quote_ident($f$ || lk_column || $f$) || ', ';
      EXECUTE format('INSERT INTO %sgarbage (%s id, released) SELECT %s %I, false FROM %s WHERE %I IS NOT NULL ON CONFLICT DO NOTHING',
                     prefix, CASE WHEN lk IS NULL THEN '' ELSE 'leading_key, ' END, coalesce(lk, ''), handle,
                     TG_RELID::regclass, handle);
      RETURN NULL;
    END $f$);
  PERFORM pgtoaster.watch_truncate(store);
  PERFORM pgtoaster.create_sweep(store);
  PERFORM pgtoaster.hide_functions(store);
END $$;
-- attach and detach.

-- What stands in the options of a store that is distributed: set by pgtoaster.distribute, and kept by whoever changes others.
CREATE OR REPLACE FUNCTION pgtoaster.distributed_option(given jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN (given->>'distributed')::boolean THEN '{"distributed": true}' ELSE '{}' END::jsonb $$;

-- Checks the options of an appendable column and fills in the defaults; unknown names are refused.
CREATE OR REPLACE FUNCTION pgtoaster.blob_options(given jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  o jsonb;
  unknown text;
  compression text;
  crc boolean;
BEGIN
  SELECT k INTO unknown FROM jsonb_object_keys(given) k
  WHERE k NOT IN ('chunk_size', 'tail', 'crc32c', 'compression', 'text', 'leading_key', 'key', 'notify', 'store_schema', 'distributed') LIMIT 1;
  IF unknown IS NOT NULL THEN
    RAISE EXCEPTION 'unknown option "%"', unknown USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Options are chunk_size, tail, crc32c, compression, text, leading_key, key, notify and store_schema.';
  END IF;
  compression := coalesce(given->>'compression', 'none');
  crc := coalesce((given->>'crc32c')::boolean, false);
  IF compression NOT IN ('none', 'pglz', 'lz4') THEN
    RAISE EXCEPTION 'compression "%" is not one of none, pglz, lz4', compression USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- At wal_level logical PostgreSQL logs the whole new row of a head, else only the middle that differs: so the tail is short there.
  o := jsonb_build_object(
    'compression', compression,
    'crc32c', crc,
    'chunk_size', coalesce((given->>'chunk_size')::integer, CASE compression WHEN 'none' THEN 8100 ELSE 32768 END),
    'tail', coalesce((given->>'tail')::integer, CASE WHEN crc THEN 0
                                                     WHEN current_setting('wal_level') = 'logical' THEN 96 ELSE 1012 END),
    'text', coalesce((given->>'text')::boolean, false),
    'notify', coalesce((given->>'notify')::boolean, false));
  IF (o->>'chunk_size')::integer NOT BETWEEN 512 AND 1048576 THEN
    RAISE EXCEPTION 'chunk_size % is not between 512 and 1048576 bytes', o->>'chunk_size' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF (o->>'tail')::integer NOT BETWEEN 0 AND 4000 THEN
    RAISE EXCEPTION 'tail % is not between 0 and 4000 bytes', o->>'tail' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF crc AND (o->>'tail')::integer > 0 THEN
    RAISE EXCEPTION 'a store with crc32c cannot have a tail' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Leave the option tail out, or set it to 0: each byte of a checksummed store is under a checksum.';
  END IF;
  IF given ? 'leading_key' THEN
    o := o || jsonb_build_object('leading_key', given->>'leading_key');
  END IF;
  RETURN o || pgtoaster.distributed_option(given);
END $$;

-- The unique index whose columns address a row: the primary key, or the named index.
CREATE OR REPLACE FUNCTION pgtoaster.row_key(owner regclass, key_index name) RETURNS regclass
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  k regclass;
BEGIN
  IF key_index IS NULL THEN
    SELECT i.indexrelid INTO k FROM pg_index i WHERE i.indrelid = owner AND i.indisprimary;
    IF k IS NULL THEN
      RAISE EXCEPTION 'table % has no primary key', owner USING ERRCODE = 'invalid_table_definition',
        HINT = 'Name a unique index over NOT NULL columns with the option "key".';
    END IF;
    IF NOT (SELECT i.indimmediate FROM pg_index i WHERE i.indexrelid = k) THEN
      RAISE EXCEPTION 'the primary key of % is deferrable, and two rows may have one key for a while', owner
        USING ERRCODE = 'invalid_table_definition',
              HINT = 'Make it NOT DEFERRABLE, or name another unique index over NOT NULL columns with the option "key".';
    END IF;
  ELSE
    SELECT i.indexrelid INTO k FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = owner AND c.relname = key_index AND i.indisunique AND i.indimmediate
      AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indisvalid
      AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = owner AND a.attnum = ANY (i.indkey) AND NOT a.attnotnull);
    IF k IS NULL THEN
      RAISE EXCEPTION 'index "%" cannot address the rows of %', key_index, owner USING ERRCODE = 'invalid_table_definition',
        HINT = 'It must be a valid, immediate, unique index of that table over NOT NULL columns, not partial and without expressions.';
    END IF;
  END IF;
  IF EXISTS (SELECT FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey, i.indcollation) x(attnum, coll)
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = x.attnum
             WHERE i.indexrelid = k AND x.coll <> a.attcollation) THEN
    RAISE EXCEPTION 'index "%" cannot address the rows of %: it has another collation than its column', k, owner
      USING ERRCODE = 'invalid_table_definition', HINT = 'Keys that differ in the index would be equal in queries.';
  END IF;
  RETURN k;
END $$;

-- attach and detach look whether a column is empty after they have locked the table; a transaction whose
-- snapshot is older than the lock could not see what was committed while it waited.
CREATE OR REPLACE FUNCTION pgtoaster.require_read_committed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'columns are attached and detached at isolation level READ COMMITTED only'
      USING ERRCODE = 'active_sql_transaction', HINT = 'BEGIN ISOLATION LEVEL READ COMMITTED; nothing was changed.';
  END IF;
END $$;

-- Drops an index of a store beside its owner table, if it is there: a catalog that was dropped as a whole
-- has left its indexes behind.
CREATE OR REPLACE FUNCTION pgtoaster.drop_index(owner regclass, index_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found regclass;
BEGIN
  SELECT i.oid INTO found FROM pg_class t JOIN pg_class i ON i.relnamespace = t.relnamespace
  WHERE t.oid = owner AND i.relname = index_name AND i.relkind IN ('i', 'I');
  IF found IS NOT NULL THEN
    EXECUTE format('DROP INDEX %s', found);
  END IF;
END $$;

-- Refuses what changes tables, triggers and indexes of a schema, or a table, while it is distributed.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_distributed(owner regclass, what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  schema name := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = owner);
BEGIN
  IF pgtoaster.is_distributed(schema) THEN
    RAISE EXCEPTION '% is in the distributed schema "%", where no column is %', owner, schema, what USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.undistribute(%L), then this, then SELECT pgtoaster.distribute(%1$L).', schema);
  ELSIF pgtoaster.is_distributed(owner) THEN
    RAISE EXCEPTION '% is distributed, and no column of it is %', owner, what USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.undistribute(%L::regclass), then this, then SELECT pgtoaster.distribute(%1$L::regclass).', owner);
  END IF;
END $$;

-- Checks what every toaster asks of a table to which a column is attached, and locks it; returns the unique index that
-- addresses its rows: the one named, or that of the primary key.
CREATE OR REPLACE FUNCTION pgtoaster.lock_to_attach(owner regclass, column_name name, key_index name) RETURNS regclass
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  rel pg_class;
BEGIN
  SELECT * INTO rel FROM pg_class WHERE oid = owner;
  IF rel.relkind NOT IN ('r', 'p') THEN
    RAISE EXCEPTION '% is not a table', owner USING ERRCODE = 'wrong_object_type';
  END IF;
  IF rel.relispartition THEN
    RAISE EXCEPTION '% is a partition', owner USING ERRCODE = 'wrong_object_type',
      HINT = 'Attach the column of the partitioned table that it belongs to.';
  END IF;
  IF rel.relpersistence = 't' THEN
    RAISE EXCEPTION '% is a temporary table, and its content would stay behind when it goes', owner
      USING ERRCODE = 'wrong_object_type', HINT = 'Use a plain or an UNLOGGED table; the toaster "default" works on a '
                                                  'bytea, text or jsonb column of any table without being attached.';
  END IF;
  IF NOT pg_has_role(rel.relowner, 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', owner USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pgtoaster.require_read_committed();
  PERFORM pgtoaster.refuse_distributed(owner, 'attached');
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', owner);
  IF EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = lock_to_attach.owner AND a.column_name = lock_to_attach.column_name) THEN
    RAISE EXCEPTION 'column "%" of % is attached already', column_name, owner USING ERRCODE = 'duplicate_object',
      HINT = 'Detach it first, or see pgtoaster.status() for its store.';
  END IF;
  RETURN pgtoaster.row_key(owner, key_index);
END $$;

-- Enters a column for a toaster that the catalog does not know, as a jar brings one: it has checked the column and the
-- options and makes what else it needs, with names that begin with store_<number>_ and pgtoaster_<number>_, by which what
-- is left of it is found. Returns the number of the store.
CREATE OR REPLACE FUNCTION pgtoaster.add_column(owner regclass, column_name name, toaster text, options jsonb DEFAULT '{}') RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = add_column.toaster) THEN
    RAISE EXCEPTION 'toaster "%" is one of the catalog', toaster USING ERRCODE = 'invalid_parameter_value',
      HINT = 'SELECT pgtoaster.attach(table, column, toaster).';
  END IF;
  PERFORM pgtoaster.lock_to_attach(owner, column_name, (options->>'key')::name);
  RETURN pgtoaster.add_store(owner, column_name, toaster, (options->>'key')::name, options - 'key');
END $$;

-- Attaches a column, or adds one that does not exist, as its toaster does; returns the number of its store.
CREATE OR REPLACE FUNCTION pgtoaster.attach(owner regclass, column_name name, toaster text DEFAULT 'appendable',
                                            options jsonb DEFAULT '{}') RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  known pgtoaster.toaster;
  settings jsonb;
  key_index regclass;
  new_store integer;
  taken text;
  hint text;
BEGIN
  SELECT * INTO known FROM pgtoaster.toaster t WHERE t.name = toaster;
  IF known.name IS NULL THEN
    RAISE EXCEPTION 'toaster "%" is not known to pgtoaster.attach', toaster USING ERRCODE = 'invalid_parameter_value',
      HINT = format('SQL attaches to %s; a toaster from elsewhere is attached through its library.',
                    (SELECT string_agg(t.name, ', ' ORDER BY t.name) FROM pgtoaster.toaster t));
  END IF;
  IF NOT known.builtin AND known.handler IS NOT NULL THEN
    PERFORM pgtoaster.validate(toaster);
  END IF;
  key_index := pgtoaster.lock_to_attach(owner, column_name, (options->>'key')::name);
  IF known.parts <> '{}' THEN
    IF EXISTS (SELECT FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhparent WHERE c.oid = owner AND c.relkind = 'r') THEN
      RAISE EXCEPTION 'tables inherit from %, and have none of its triggers', owner USING ERRCODE = 'wrong_object_type',
        HINT = 'ALTER TABLE ... NO INHERIT, or make it a partitioned table.';
    END IF;
    IF (SELECT c.relforcerowsecurity FROM pg_class c WHERE c.oid = owner) THEN
      RAISE EXCEPTION '% forces row security on its owner, so clean-up could not see every row', owner
        USING ERRCODE = 'object_not_in_prerequisite_state',
              HINT = 'ALTER TABLE ... NO FORCE ROW LEVEL SECURITY; policies for other roles may stay.';
    END IF;
  END IF;
  IF known.routines ? 'attach' THEN
    BEGIN
      EXECUTE format('SELECT %s($1, $2, $3, $4)', pgtoaster.toaster_routine(toaster, 'attach'))
        INTO new_store USING owner, column_name, key_index, options;
    EXCEPTION WHEN duplicate_table OR duplicate_function OR duplicate_object THEN
      GET STACKED DIAGNOSTICS taken = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
      RAISE EXCEPTION '%', taken USING ERRCODE = SQLSTATE,
        HINT = CASE WHEN taken ~ '(store|pgtoaster)_[0-9]+_' THEN 'Names that begin with store_<number>_ and pgtoaster_<number>_ are those of '
                 'stores, and this one is taken: drop what has it, or call this again, which takes the next number.' ELSE hint END;
    END;
  ELSE
    settings := pgtoaster.checked_options(toaster, options - 'key');
    new_store := pgtoaster.add_store(owner, column_name, toaster, (options->>'key')::name, settings);
    EXECUTE 'SELECT toaster.attach_callback($1, $2, $3, $4)' USING to_regprocedure(known.handler), owner, column_name, new_store;
  END IF;
  -- Adding the store has waited for a drop_toaster that was under way.
  IF NOT EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = toaster) THEN
    RAISE EXCEPTION 'toaster "%" was dropped', toaster USING ERRCODE = 'undefined_object';
  END IF;
  RETURN new_store;
END $$;

-- The options of a column as its toaster has checked them; one that takes none refuses them.
CREATE OR REPLACE FUNCTION pgtoaster.checked_options(toaster text, options jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  routine regproc := pgtoaster.toaster_routine(toaster, 'options');
BEGIN
  IF routine IS NOT NULL THEN
    EXECUTE format('SELECT %s($1)', routine) INTO options USING options;
  ELSIF options <> '{}' THEN
    RAISE EXCEPTION 'the toaster "%" has no option but "key"', toaster USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN options;
END $$;

-- The toaster "default": the value of the column is the content.
CREATE OR REPLACE FUNCTION pgtoaster.attach_plain(owner regclass, column_name name, key_index regclass, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = column_name AND NOT a.attisdropped
                 AND a.atttypid IN ('bytea'::regtype, 'text'::regtype, 'jsonb'::regtype)) THEN
    RAISE EXCEPTION 'the default toaster needs a bytea, text or jsonb column, and "%" of % is not one', column_name, owner
      USING ERRCODE = 'datatype_mismatch';
  END IF;
  IF options - 'key' <> '{}' THEN
    RAISE EXCEPTION 'the default toaster has no option but "key"' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN pgtoaster.add_store(owner, column_name, 'default', (options->>'key')::name, '{}');
END $$;

-- Gives blobs a new or empty column, of which it makes a bigint.
CREATE OR REPLACE FUNCTION pgtoaster.attach_blob(owner regclass, handle name, key_index regclass, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  settings jsonb;
  col pg_attribute;
  lk name;
  lk_type text;
  populated boolean;
  new_store integer;
BEGIN
  settings := pgtoaster.blob_options(options);
  lk := settings->>'leading_key';
  IF lk IS NOT NULL THEN
    SELECT format_type(a.atttypid, a.atttypmod) INTO lk_type FROM pg_attribute a
    WHERE a.attrelid = owner AND a.attname = lk AND a.attnotnull AND NOT a.attisdropped;
    IF lk_type IS NULL THEN
      RAISE EXCEPTION 'leading key "%" is not a NOT NULL column of %', lk, owner USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END IF;

  SELECT * INTO col FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = handle AND NOT a.attisdropped;
  IF col.attnum IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I bigint', owner, handle);
  ELSE
    IF EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = key_index AND col.attnum = ANY (i.indkey)) THEN
      RAISE EXCEPTION 'column "%" of % is part of the row key and cannot hold a handle', handle, owner
        USING ERRCODE = 'invalid_column_definition';
    END IF;
    IF col.attnum < 0 OR col.attgenerated <> '' OR col.attidentity <> '' OR handle = lk THEN
      RAISE EXCEPTION 'column "%" of % cannot hold a handle', handle, owner USING ERRCODE = 'invalid_column_definition';
    END IF;
    IF col.atttypid NOT IN ('bigint'::regtype, 'bytea'::regtype, 'text'::regtype) THEN
      RAISE EXCEPTION 'column "%" of % has type %, not bigint, bytea or text', handle, owner, col.atttypid::regtype
        USING ERRCODE = 'datatype_mismatch';
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NOT NULL)', owner, handle) INTO populated;
    IF populated THEN
      RAISE EXCEPTION 'column "%" of % holds values already, and only a new or empty column can be attached', handle, owner
        USING ERRCODE = 'object_not_in_prerequisite_state',
              HINT = format('CALL pgtoaster.migrate(%L, %L), or "pgtoaster migrate" on the command line, brings a column with its content.', owner, handle);
    END IF;
    IF col.atttypid <> 'bigint'::regtype THEN
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT, ALTER COLUMN %I TYPE bigint USING NULL', owner, handle, handle);
    END IF;
    settings := CASE WHEN col.atttypid = 'text'::regtype THEN settings || '{"text": true}' ELSE settings END;
  END IF;

  new_store := pgtoaster.add_store(owner, handle, 'appendable', (options->>'key')::name, settings);
  PERFORM pgtoaster.create_store_tables(new_store, pgtoaster.new_store_schema(owner, options), lk_type, settings);

  -- One row per blob, where the table can have a unique index on the handle alone; an index in any case.
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || new_store || '_handle');
  -- Partial, so that it does not make the handle a key column, whose first setting would take the lock of
  -- a key update and meet foreign keys to the owner table.
  EXECUTE format('CREATE %s INDEX %I ON %s (%I) WHERE %I IS NOT NULL', CASE (SELECT c.relkind FROM pg_class c WHERE c.oid = owner) WHEN 'r' THEN 'UNIQUE' ELSE '' END,
                 'pgtoaster_' || new_store || '_handle', owner, handle, handle);
  IF lk IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %s (id) DEFERRABLE',
                   owner, 'pgtoaster_' || new_store || '_head', handle, pgtoaster.store_table(new_store, 'head'));
  ELSE
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I, %I) REFERENCES %s (leading_key, id) DEFERRABLE',
                   owner, 'pgtoaster_' || new_store || '_head', lk, handle, pgtoaster.store_table(new_store, 'head'));
  END IF;
  PERFORM pgtoaster.create_triggers(new_store, owner, handle);
  PERFORM pgtoaster.mirror_privileges(new_store);
  RETURN new_store;
END $$;

-- Attaches a column unless it is attached to that toaster already, and then leaves it as it is, with the options
-- that it has; returns the number of its store. For schema tools, which run the same statements again. Queries
-- rely on what stays in the row: if keep_inline names more than the column keeps, it is refused.
CREATE OR REPLACE FUNCTION pgtoaster.attach_if_absent(owner regclass, column_name name, toaster text DEFAULT 'appendable',
                                                      options jsonb DEFAULT '{}') RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  target regclass := attach_if_absent.owner;
  handle name := attach_if_absent.column_name;
  a pgtoaster.attached_column;
  routine regproc;
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.owner = target AND c.column_name = handle;
  IF a.store IS NULL THEN
    -- Another may be about to attach it.
    PERFORM pgtoaster.require_read_committed();
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', target);
    SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.owner = target AND c.column_name = handle;
    IF a.store IS NULL THEN
      RETURN pgtoaster.attach(target, handle, attach_if_absent.toaster, attach_if_absent.options);
    END IF;
  END IF;
  IF a.toaster <> attach_if_absent.toaster THEN
    RAISE EXCEPTION 'column "%" of % is attached to the toaster "%", not to "%"', handle, target, a.toaster, attach_if_absent.toaster
      USING ERRCODE = 'duplicate_object', HINT = 'Detach it first.';
  END IF;
  routine := pgtoaster.toaster_routine(a.toaster, 'compare');
  IF routine IS NOT NULL THEN
    EXECUTE format('SELECT %s($1, $2)', routine) USING a.store, attach_if_absent.options;
  END IF;
  RETURN a.store;
END $$;

-- Refuses options that want more kept in the row than an attached column of documents does.
CREATE OR REPLACE FUNCTION pgtoaster.compare_documents(store integer, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a pgtoaster.attached_column;
  keep jsonb := pgtoaster.document_options(options)->'keep_inline';
  missing jsonb;
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.store = compare_documents.store;
  SELECT jsonb_agg(e) INTO missing FROM jsonb_array_elements(keep) e WHERE NOT a.options->'keep_inline' @> e;
  IF missing IS NOT NULL THEN
    keep := (SELECT jsonb_agg(DISTINCT e) FROM jsonb_array_elements(a.options->'keep_inline' || keep) e);
    RAISE EXCEPTION 'column "%" of % is attached already and does not keep % in the row', a.column_name, a.owner, missing
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('SELECT pgtoaster.set_options(%L, %L, %L); then compact the column, which brings it back into the row.',
                          a.owner, a.column_name, jsonb_build_object('keep_inline', keep));
  END IF;
END $$;

-- Drops the triggers of a store. DROP COLUMN leaves those that name no column. Anybody may give triggers of his own tables
-- such a name.
CREATE OR REPLACE FUNCTION pgtoaster.drop_triggers(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  t record;
BEGIN
  FOR t IN SELECT g.tgname, g.tgrelid::regclass AS relation FROM pg_trigger g
           JOIN unnest(pgtoaster.owner_triggers(store) || 'sync'::text) p(part) ON g.tgname = pgtoaster.trigger_name(store, p.part)
           JOIN pg_class c ON c.oid = g.tgrelid AND pg_has_role(c.relowner, 'USAGE')
           JOIN pg_proc f ON f.oid = g.tgfoid AND f.proname LIKE 'store\_' || store || '\_%'
           WHERE g.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.relation);
  END LOOP;
END $$;

-- Detaches a column: its triggers, foreign key, index and store go, the column stays. A column of blobs is
-- refused while it, or a table that was detached from the owner, still names content, unless told to drop
-- it; split documents become plain ones.
CREATE OR REPLACE FUNCTION pgtoaster.detach(owner regclass, column_name name, drop_content boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  target regclass := detach.owner;
  a pgtoaster.attached_column;
  routine regproc;
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.owner = target AND c.column_name = detach.column_name;
  IF a.store IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached', detach.column_name, target USING ERRCODE = 'undefined_object';
  END IF;
  PERFORM pgtoaster.refuse_distributed(target, 'detached');
  routine := pgtoaster.toaster_routine(a.toaster, 'detach');
  IF routine IS NOT NULL THEN
    PERFORM pgtoaster.require_read_committed();
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', target);
    EXECUTE format('SELECT %s($1, $2, $3, $4)', routine) USING a.store, target, detach.column_name, drop_content;
  ELSE
    PERFORM pgtoaster.detach_from_extension(a.store, target, detach.column_name, a.toaster);
  END IF;
  INSERT INTO pgtoaster.catalog_change (what, store) VALUES ('drop', a.store);
END $$;

-- Takes a column back from blobs, for pgtoaster.detach.
CREATE OR REPLACE FUNCTION pgtoaster.detach_blob(store integer, owner regclass, handle name, drop_content boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  n record;
  named boolean;
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_columns(store) LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NOT NULL)', n.relation, n.handle) INTO named;
    IF named AND (NOT drop_content OR n.relation <> owner) THEN
      RAISE EXCEPTION 'column "%" of % still names content', n.handle, n.relation
        USING ERRCODE = 'dependent_objects_still_exist',
              HINT = 'Copy what you need, set the column to NULL, and detach again; or detach with drop_content.';
    END IF;
  END LOOP;
  PERFORM pgtoaster.drop_triggers(store);
  EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', owner, 'pgtoaster_' || store || '_head');
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || store || '_handle');
  EXECUTE format('UPDATE %s SET %I = NULL WHERE %I IS NOT NULL', owner, handle, handle);
  PERFORM pgtoaster.drop_store(store);
END $$;

-- Drops something of a store. What others have made of it is theirs, and stays: the error names it, and what to do.
CREATE OR REPLACE FUNCTION pgtoaster.drop_part(statement text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  what text;
  dependents text;
BEGIN
  EXECUTE statement;
EXCEPTION WHEN dependent_objects_still_exist THEN
  GET STACKED DIAGNOSTICS what = MESSAGE_TEXT, dependents = PG_EXCEPTION_DETAIL;
  RAISE EXCEPTION '%', what USING ERRCODE = 'dependent_objects_still_exist', DETAIL = dependents,
    HINT = 'Have it dropped by who owns it, or by a superuser: DROP VIEW, DROP CAST (source AS target), ALTER TABLE .. DROP COLUMN; '
           'then call this again. Nothing was changed.';
END $$;

-- Drops the tables, functions and triggers of a store whose column is gone.
CREATE OR REPLACE FUNCTION pgtoaster.drop_store(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- Without the head nobody knows where the others are.
  tables text[] := ARRAY(SELECT pgtoaster.store_table(store, p.part) FROM unnest(pgtoaster.store_parts(store)) p(part));
  functions text[] := ARRAY(SELECT pgtoaster.store_routines(store));
  name text;
BEGIN
  PERFORM pgtoaster.drop_triggers(store);
  PERFORM pgtoaster.drop_policies(store);
  PERFORM pgtoaster.drop_migration(store);
  FOREACH name IN ARRAY tables LOOP
    PERFORM pgtoaster.drop_part(format('DROP TABLE IF EXISTS %s', name));
  END LOOP;
  FOREACH name IN ARRAY functions LOOP
    PERFORM pgtoaster.drop_part(format('DROP FUNCTION IF EXISTS %s', name));
  END LOOP;
END $$;

-- Changes options of an attached column. New content follows them as soon as its writer looks the column
-- up again; what is stored follows when it is compacted. A new compression locks the store for a
-- moment.
CREATE OR REPLACE FUNCTION pgtoaster.set_options(owner regclass, column_name name, changes jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  a pgtoaster.attached_column;
  routine regproc;
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c
  WHERE c.owner = set_options.owner AND c.column_name = set_options.column_name;
  routine := pgtoaster.toaster_routine(a.toaster, 'set_options');
  IF routine IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to a toaster that has options', set_options.column_name, set_options.owner
      USING ERRCODE = 'undefined_object';
  END IF;
  EXECUTE format('SELECT %s($1, $2)', routine) USING a.store, changes;
END $$;

-- Refuses to change options that say what attach makes.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_fixed_options(changes jsonb, fixed text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  SELECT k INTO found FROM jsonb_object_keys(changes) k WHERE k = ANY (fixed) LIMIT 1;
  IF found IS NOT NULL THEN
    RAISE EXCEPTION 'option "%" is fixed when a column is attached', found USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Attach a new column with it and copy the content.';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.set_document_options(store integer, changes jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a pgtoaster.attached_column;
  settings jsonb;
BEGIN
  PERFORM pgtoaster.refuse_fixed_options(changes, '{leading_key,key,store_schema,distributed}');
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.store = set_document_options.store;
  settings := pgtoaster.keep_used_members(a.owner, a.column_name, pgtoaster.document_options(a.options || changes));
  IF settings->>'compression' <> a.options->>'compression' THEN
    PERFORM pgtoaster.shape_leaves(pgtoaster.store_table(a.store, 'node')::regclass, settings->>'compression');
  END IF;
  IF settings->>'unchanged' IS DISTINCT FROM a.options->>'unchanged' THEN
    PERFORM pgtoaster.create_update_trigger(a.store, a.owner, a.column_name, settings);
  END IF;
  INSERT INTO pgtoaster.catalog_change (what, store, options) VALUES ('set', a.store, settings);
  PERFORM pgtoaster.write_routines(a.store);
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.set_blob_options(store integer, changes jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a pgtoaster.attached_column;
  settings jsonb;
  part text;
BEGIN
  PERFORM pgtoaster.refuse_fixed_options(changes, '{leading_key,key,text,crc32c,store_schema,distributed}');
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.store = set_blob_options.store;
  -- A changed compression brings its own default chunk size.
  settings := a.options || pgtoaster.blob_options(
    CASE WHEN changes ? 'compression' THEN a.options - 'chunk_size' ELSE a.options END || changes);
  -- Reshaping waits for whoever uses the store, and they wait for it.
  IF settings->>'compression' <> a.options->>'compression' THEN
    FOREACH part IN ARRAY ARRAY['chunk', 'piece'] LOOP
      PERFORM pgtoaster.shape_data_column(pgtoaster.store_table(a.store, part)::regclass, settings->>'compression');
    END LOOP;
  END IF;
  INSERT INTO pgtoaster.catalog_change (what, store, options) VALUES ('set', a.store, settings);
  PERFORM pgtoaster.write_routines(a.store);
END $$;
-- What stands where: sizes, dead share, options, drift and warnings of every attached column, and what
-- gc would remove.

-- Whether the role may have queries of a store planned without running what another put there: the expressions of its
-- tables' indexes run then. Their owner gains nothing by that where he has the rights of the role, as a superuser has.
CREATE OR REPLACE FUNCTION pgtoaster.can_count_store(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(pg_has_role(c.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')), false)
  FROM unnest(pgtoaster.store_parts($1)) p(part) JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table($1, p.part))
$$;

CREATE OR REPLACE FUNCTION pgtoaster.store_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := '{}';
  own text[];
  routine regproc;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = store_warnings.store;
  IF a.table_name IS NULL THEN
    RETURN ARRAY['the owner table was dropped; gc lists what it left'];
  END IF;
  IF NOT a.column_exists THEN
    RETURN ARRAY['the column was dropped; gc lists what it left'];
  END IF;
  IF a.key_index IS NOT NULL AND NOT EXISTS (
      SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = a.owner AND c.relname = a.key_index) THEN
    w := w || format('the key index %I is gone: INSERT INTO pgtoaster.catalog_change (what, store, key_index) VALUES (''set'', %s, ...)', a.key_index,
                     a.store);
  END IF;
  IF pgtoaster.store_parts(a.store) <> '{}' THEN
    w := w || pgtoaster.table_warnings(a.store);
  END IF;
  routine := pgtoaster.toaster_routine(a.toaster, 'warnings');
  IF routine IS NOT NULL THEN
    EXECUTE format('SELECT %s($1)', routine) INTO own USING a.store;
  END IF;
  RETURN w || own;
END $$;

-- What is to be looked after in the tables of any store.
CREATE OR REPLACE FUNCTION pgtoaster.table_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := '{}';
  compression text;
  content regclass;
  part text;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = table_warnings.store;
  SELECT pgtoaster.store_table(a.store, t.content[1]) INTO content FROM pgtoaster.toaster t WHERE t.name = a.toaster;
  FOREACH part IN ARRAY pgtoaster.owner_triggers(a.store) LOOP
    IF NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = a.owner
                   AND t.tgname = pgtoaster.trigger_name(a.store, part) AND t.tgenabled <> 'D') THEN
      w := w || format('trigger %s is missing or disabled: %s', pgtoaster.trigger_name(a.store, part),
                       CASE part WHEN 'edit' THEN 'edits by pgtoaster.set and its like are not done' ELSE 'removed rows leave their content to gc' END);
    END IF;
  END LOOP;
  IF EXISTS (SELECT FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhparent WHERE c.oid = a.owner AND c.relkind = 'r') THEN
    w := w || 'tables inherit from the table and have none of its triggers: their rows keep no content, and row security shows none for them'::text;
  END IF;
  IF EXISTS (SELECT FROM pgtoaster.unwatched_truncate(a.store) t WHERE t <> a.owner) THEN
    w := w || format('TRUNCATE of a partition leaves its content to gc: SELECT pgtoaster.watch_truncate(%s)', a.store);
  END IF;
  IF pgtoaster.numbers_behind(a.store) THEN
    w := w || format('the next numbers of content are taken, as after a logical switch-over: SELECT pgtoaster.advance_numbers(%s)', a.store);
  END IF;
  IF EXISTS (SELECT FROM pg_class o, pg_class p WHERE o.oid = a.owner
             AND p.oid = to_regclass(pgtoaster.store_table(a.store, 'head')) AND p.relowner <> o.relowner) THEN
    w := w || format('the store does not belong to the owner of the table: SELECT pgtoaster.mirror_privileges(%L)', a.owner);
  END IF;
  IF EXISTS (SELECT * FROM pgtoaster.wanted_privileges(a.store) EXCEPT SELECT * FROM pgtoaster.actual_privileges(a.store))
     OR EXISTS (SELECT * FROM pgtoaster.actual_privileges(a.store) EXCEPT SELECT * FROM pgtoaster.wanted_privileges(a.store)) THEN
    w := w || format('privileges of the store differ from those of the owner table: SELECT pgtoaster.mirror_privileges(%L)', a.owner);
  END IF;
  IF NOT pgtoaster.has_routines(a.store) THEN
    w := w || format('the routines of the store are not those of this catalog, or name its tables where they were: SELECT pgtoaster.mirror_privileges(%L)', a.owner);
  END IF;
  IF pgtoaster.policy_drift(a.store) IS NOT NULL THEN
    w := w || format('%s: SELECT pgtoaster.mirror_privileges(%L)', pgtoaster.policy_drift(a.store), a.owner);
  END IF;
  IF EXISTS (SELECT FROM pg_class r WHERE r.oid = a.owner AND r.relforcerowsecurity) THEN
    w := w || 'the owner table forces row security: removing rows fails, for clean-up could not see every row'::text;
  END IF;
  IF EXISTS (SELECT p.pubname FROM pg_publication_tables p WHERE p.schemaname = a.schema_name AND p.tablename = a.table_name
             EXCEPT SELECT p.pubname FROM pg_publication_tables p
             WHERE p.schemaname = a.store_schema AND format('%I.%I', p.schemaname, p.tablename)::regclass = content) THEN
    w := w || format('the owner table is published and its store is not: add %s%s', pgtoaster.store_table(a.store, 'head'),
                     (SELECT string_agg(CASE n WHEN cardinality(p.parts) THEN ' and _' ELSE ', _' END || parts[n], '' ORDER BY n)
                      FROM (SELECT ARRAY(SELECT x FROM unnest(pgtoaster.store_parts(a.store)) WITH ORDINALITY u(x, n)
                                         WHERE x IN ('chunk', 'piece', 'token', 'node') ORDER BY n)) p(parts), generate_subscripts(p.parts, 1) n));
  END IF;
  SELECT CASE t.attstorage WHEN 'e' THEN 'none' ELSE
           CASE t.attcompression WHEN 'l' THEN 'lz4' WHEN 'p' THEN 'pglz' ELSE current_setting('default_toast_compression') END END
    INTO compression FROM pg_attribute t WHERE t.attrelid = content AND t.attname IN ('data', 'value');
  IF compression IS DISTINCT FROM a.options->>'compression' THEN
    w := w || format('content is stored with compression %s, the option says %s', compression, a.options->>'compression');
  END IF;
  RETURN w;
END $$;

-- What is to be looked after in a store of blobs.
CREATE OR REPLACE FUNCTION pgtoaster.blob_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := '{}';
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = blob_warnings.store;
  IF NOT EXISTS (SELECT FROM pgtoaster.naming_columns(a.store) n WHERE n.relation = a.owner) THEN
    w := w || format('foreign key pgtoaster_%s_head is missing: nobody can tell live content from garbage, and all of it stays', a.store);
  END IF;
  IF current_setting('wal_level') = 'logical' AND (a.options->>'tail')::integer > 128 THEN
    w := w || 'wal_level is logical, where each append logs the whole tail: set_options with {"tail": 96}'::text;
  END IF;
  RETURN w;
END $$;

-- Whether the role may read all rows of the table of a store, and have that planned (see above), and nobody keeps it locked.
CREATE OR REPLACE FUNCTION pgtoaster.can_read_rows(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(pgtoaster.can_count_store(a.store) AND pg_has_role(r.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')
                           AND NOT row_security_active(a.owner) AND NOT pgtoaster.is_sharded(a.store)
                           AND EXISTS (SELECT FROM pgtoaster.owner_key(a.owner, a.store))
                           AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.relation = a.owner AND l.mode = 'AccessExclusiveLock' AND l.pid <> pg_backend_pid())), false)
  FROM pgtoaster.attached_column a JOIN pg_class r ON r.oid = a.owner WHERE a.store = $1 AND a.column_exists
$$;

-- What is to be looked after in a store of documents.
CREATE OR REPLACE FUNCTION pgtoaster.document_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := '{}';
  kept boolean;
  part name;
  u record;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = document_warnings.store;
  IF getdatabaseencoding() <> 'UTF8' THEN
    w := w || format('the database is in %s, in which edits of documents lose members: move the data to one in UTF8, and verify it before', getdatabaseencoding());
  END IF;
  IF NOT EXISTS (SELECT FROM pgtoaster.naming_columns(a.store) n WHERE n.relation = a.owner) THEN
    w := w || format('index pgtoaster_%s_owner is missing: nobody can tell live content from garbage, and all of it stays', a.store);
  END IF;
  IF has_table_privilege(pgtoaster.store_table(a.store, 'aside'), 'SELECT') AND pgtoaster.can_count_store(a.store) THEN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', pgtoaster.store_table(a.store, 'aside')) INTO kept;
    IF kept THEN
      w := w || format('%s holds what repair has set aside', pgtoaster.store_table(a.store, 'aside'));
    END IF;
  END IF;
  IF pgtoaster.can_read_rows(a.store) THEN
    -- Some pages of heads tell: each costs a look-up of its row.
    EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %1$s h TABLESAMPLE SYSTEM (least(100, 100.0 * 1048576 / greatest(pg_relation_size(%1$L::regclass), 1))) '
                   'JOIN %2$s o ON %3$s WHERE o.%4$I IS NOT NULL AND o.%4$I -> ''$pgtoaster'' IS NULL)',
                   pgtoaster.store_table(a.store, 'head'), a.owner, (SELECT k.same_key FROM pgtoaster.owner_key(a.owner, a.store) k), a.column_name) INTO kept;
    w := array_remove(w || pgtoaster.pinned_members_note(a.owner, a.column_name, a.options), NULL);
    IF kept THEN
      w := w || format('documents have lost their header while triggers were off: SELECT * FROM pgtoaster.repair(%L, %L)', a.owner, a.column_name);
    END IF;
  END IF;
  FOR part IN SELECT DISTINCT t.tgname FROM pg_trigger t WHERE t.tgrelid IN (SELECT a.owner UNION SELECT p.relid FROM pg_partition_tree(a.owner) p)
              AND t.tgtype & 19 = 19 AND t.tgname > pgtoaster.trigger_name(a.store, 'edit')::name AND t.tgname !~ '^~pgtoaster_[0-9]+_' ORDER BY t.tgname LOOP
    w := w || format('trigger %I fires behind edits of documents: a row that it skips is edited nevertheless. Give it a name that begins with a letter of ASCII', part);
  END LOOP;
  FOR u IN SELECT * FROM pgtoaster.column_uses(a.owner, a.column_name) c
           WHERE c.effect LIKE 'refused%' OR NOT a.options->'keep_inline' @> to_jsonb(c.members) LOOP
    w := w || CASE WHEN u.effect LIKE 'refused%' THEN format('%s %I does not see split documents whole: %s', u.kind, u.name, u.definition)
                   ELSE format('%s %I uses members that may be moved out of the row (%s): SELECT pgtoaster.set_options(%L, %L, ''{}''), then compact',
                               u.kind, u.name, array_to_string(u.members, ', '), a.owner, a.column_name) END;
  END LOOP;
  IF EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = a.owner AND t.attname = a.column_name AND t.attstorage <> 'm') THEN
    w := w || format('the column can be moved out of the row: ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN', a.owner, a.column_name);
  END IF;
  IF (SELECT array_agg(c.name || ' ' || format_type(h.atttypid, h.atttypmod) ORDER BY c.position)
      FROM pgtoaster.owner_key(a.owner, a.store) k CROSS JOIN LATERAL unnest(k.columns) WITH ORDINALITY c(name, position)
      JOIN pg_attribute h ON h.attrelid = pgtoaster.store_table(a.store, 'head')::regclass AND h.attname = 'owner_' || c.position)
     IS DISTINCT FROM
     (SELECT array_agg(t.attname || ' ' || format_type(t.atttypid, t.atttypmod) ORDER BY k.position) FROM pg_index i
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
      JOIN pg_attribute t ON t.attrelid = i.indrelid AND t.attnum = k.attnum
      LEFT JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = a.owner AND k.position <= i.indnkeyatts
        AND CASE WHEN a.key_index IS NULL THEN i.indisprimary ELSE c.relname = a.key_index END) THEN
    w := w || 'the row key is not the one that the column was attached with: detach and attach it again'::text;
  END IF;
  RETURN w;
END $$;

-- Whether the sequence of a store's numbers is behind the numbers that are there, as after a switch-over to a
-- subscriber: logical replication brings rows, not sequences. NULL to a role that may not read or count both.
CREATE OR REPLACE FUNCTION pgtoaster.numbers_behind(store integer) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  sequence regclass := pg_get_serial_sequence(head, 'id')::regclass;
  behind boolean;
BEGIN
  IF sequence IS NULL OR NOT has_table_privilege(head, 'SELECT') OR NOT has_sequence_privilege(sequence, 'SELECT')
     OR NOT pgtoaster.can_count_store(store) THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT coalesce((SELECT max(id) FROM %s) > (SELECT CASE WHEN q.is_called THEN q.last_value ELSE q.last_value - 1 END '
                 'FROM %s q), false)', head, sequence) INTO behind;
  RETURN behind;
END $$;

-- Has a store number new content above what is there; returns the number that was given last. Run it for the owner
-- after a logical switch-over, on the new primary, for each store.
CREATE OR REPLACE FUNCTION pgtoaster.advance_numbers(store integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  sequence text := pg_get_serial_sequence(head, 'id');
  last bigint;
BEGIN
  EXECUTE format('SELECT setval(%L, greatest(nextval(%L), (SELECT max(id) FROM %s)))', sequence, sequence, head) INTO last;
  RETURN last;
END $$;

-- Contents, their bytes and the rows that hold them, of a store of blobs: as many as there are full chunks in the content, or
-- as the server's statistics tell where those are more, for chunks may be short.
CREATE OR REPLACE FUNCTION pgtoaster.measure_blobs(store integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  figures bigint[];
BEGIN
  EXECUTE format('SELECT ARRAY[count(*), least(coalesce(sum(greatest(base, 0)::numeric + greatest(octet_length(rtrim(tail, ''\x00'')) - 1, 0)), 0), 9223372036854775807)::bigint, '
                 'least(greatest(coalesce(sum(greatest(div(piece_start, nullif(chunk_size, 0)), 0)), 0), $1) '
                 '+ coalesce(sum(greatest(piece_rows, 0)), 0), 9223372036854775807)::bigint] FROM %s',
                 pgtoaster.store_table(store, 'head')) INTO figures
    USING (SELECT c.reltuples::bigint FROM pg_class c WHERE c.oid = pgtoaster.store_table(store, 'chunk')::regclass);
  RETURN figures;
END $$;

-- The same of a store of documents; of a large one a sample tells.
CREATE OR REPLACE FUNCTION pgtoaster.measure_documents(store integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  node regclass := pgtoaster.store_table(store, 'node')::regclass;
  share double precision := least(100, 100.0 * 67108864 / greatest(CASE WHEN pgtoaster.is_distributed(node) THEN pgtoaster.total_size(node) ELSE pg_relation_size(node) END, 1));
  documents bigint;
  figures bigint[];
BEGIN
  EXECUTE format('SELECT count(*) FROM %s', pgtoaster.store_table(store, 'head')) INTO documents;
  EXECUTE format('SELECT ARRAY[(coalesce(sum(greatest(bytes, 0)), 0) * 100 / $1)::bigint, (count(*) * 100 / $1)::bigint] '
                 'FROM %s TABLESAMPLE SYSTEM ($1)', node) INTO figures USING share;
  RETURN documents || figures;
END $$;

-- contents: blobs, or documents that are split; stored_rows: rows that hold them, about; of a large store of
-- documents, bytes and stored_rows are estimated from a sample. Of a store that the role cannot count (see above), contents,
-- stored_rows and garbage are what the server's statistics say, and bytes the size of the tables that hold them.
CREATE OR REPLACE FUNCTION pgtoaster.status()
RETURNS TABLE (store integer, schema_name name, table_name name, column_name name, toaster text, options jsonb,
               contents bigint, bytes bigint, stored_rows bigint, table_bytes bigint, dead_share double precision,
               garbage bigint, warnings text[])
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  a pgtoaster.attached_column;
  head text;
  routine regproc;
  figures bigint[];
  part text;
  holder oid;
  locked_by oid[] := '{}';
  wait text;
BEGIN
  FOR a IN SELECT * FROM pgtoaster.attached_column ORDER BY store LOOP
    store := a.store; schema_name := a.schema_name; table_name := a.table_name; column_name := a.column_name;
    toaster := a.toaster; options := a.options;
    contents := NULL; bytes := NULL; stored_rows := NULL; table_bytes := NULL; dead_share := NULL; garbage := NULL;
    IF NOT pgtoaster.can_use_store(a.store) THEN
      warnings := ARRAY[format('role %I may not use the schema of this store, and cannot tell how it is', current_user)];
      RETURN NEXT;
      CONTINUE;
    END IF;
    -- Nobody waits long for what others keep locked, and for each role once.
    holder := pgtoaster.store_owner(a.store);
    IF holder = ANY (locked_by) THEN
      warnings := ARRAY['it cannot be told how this store is: another one of its owner is locked'];
      RETURN NEXT;
      CONTINUE;
    END IF;
    -- What the owner of one store has made odd is told there, and hides no other.
    BEGIN
      wait := pgtoaster.limit_wait('200ms');
      warnings := pgtoaster.store_warnings(a.store);
      -- A role that may not read a store sees that it is there, not how much is in it.
      head := pgtoaster.store_table(a.store, 'head');
      -- Nor is read what its owner put in the place of a table of the store.
      IF cardinality(pgtoaster.store_parts(a.store)) > 0 AND has_table_privilege(to_regclass(head), 'SELECT')
         AND NOT EXISTS (SELECT FROM unnest(pgtoaster.store_parts(a.store)) p(part)
                         LEFT JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table(a.store, p.part))
                         WHERE c.relkind IS DISTINCT FROM 'r') THEN
        IF NOT pgtoaster.can_count_store(a.store) THEN
          contents := pg_stat_get_live_tuples(to_regclass(head));
          SELECT sum(pg_stat_get_live_tuples(c.oid)), sum(pg_table_size(c.oid)) INTO stored_rows, bytes
          FROM pgtoaster.toaster t CROSS JOIN unnest(t.content) p(part)
          JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table(a.store, p.part)) WHERE t.name = a.toaster;
        END IF;
        IF has_table_privilege(pgtoaster.store_table(a.store, 'garbage'), 'SELECT') THEN
          IF pgtoaster.can_count_store(a.store) THEN
            EXECUTE format('SELECT count(*) FROM %s', pgtoaster.store_table(a.store, 'garbage')) INTO garbage;
          ELSE
            garbage := pg_stat_get_live_tuples(to_regclass(pgtoaster.store_table(a.store, 'garbage')));
          END IF;
        END IF;
        table_bytes := 0;
        FOREACH part IN ARRAY pgtoaster.store_parts(a.store) LOOP
          table_bytes := table_bytes + pgtoaster.total_size(pgtoaster.store_table(a.store, part)::regclass);
        END LOOP;
        SELECT sum(s.n_dead_tup)::double precision / nullif(sum(s.n_live_tup + s.n_dead_tup), 0) INTO dead_share
        FROM pgtoaster.toaster t CROSS JOIN unnest(t.content) p(part)
        JOIN pg_stat_user_tables s ON s.relid = to_regclass(pgtoaster.store_table(a.store, p.part)) WHERE t.name = a.toaster;
      END IF;
      routine := pgtoaster.toaster_routine(a.toaster, 'measure');
      IF routine IS NOT NULL AND (pgtoaster.store_parts(a.store) = '{}' OR table_bytes IS NOT NULL AND pgtoaster.can_count_store(a.store)) THEN
        EXECUTE format('SELECT %s($1)', routine) INTO figures USING a.store;
        contents := figures[1]; bytes := figures[2]; stored_rows := figures[3];
      END IF;
      PERFORM set_config('lock_timeout', wait, true);
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE = '55P03' AND pg_get_userbyid(holder) <> current_user THEN
        locked_by := locked_by || holder;
      END IF;
      warnings := ARRAY[format('it cannot be told how this store is: %s', SQLERRM)];
    END;
    RETURN NEXT;
  END LOOP;
END $$;

-- Whether the table or column of a store was dropped, so that it may go. Of a toaster without tables here only the table
-- tells; what the toaster of an extension has made is known where it drops it itself.
CREATE OR REPLACE FUNCTION pgtoaster.is_orphaned(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN t.parts <> '{}' THEN NOT (a.table_name IS NOT NULL AND a.column_exists)
              ELSE a.table_name IS NULL AND (t.builtin IS NOT FALSE OR t.routines ? 'drop') END
  FROM pgtoaster.attached_column a LEFT JOIN pgtoaster.toaster t ON t.name = a.toaster WHERE a.store = $1
$$;

-- What the toaster of a store finds, or removes, that no row names, for gc; nothing where a library does that.
CREATE OR REPLACE FUNCTION pgtoaster.collect(store integer, grace interval, list_only boolean)
RETURNS TABLE (kind text, id bigint, bytes bigint, description text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  routine regproc := (SELECT pgtoaster.toaster_routine(s.toaster, 'collect') FROM pgtoaster.store s WHERE s.id = $1);
BEGIN
  IF routine IS NOT NULL THEN
    RETURN QUERY EXECUTE format('SELECT c.kind, c.id, c.bytes, c.description FROM %s($1, $2, $3) c', routine) USING $1, $2, $3;
  END IF;
END $$;

-- Drops a store whose table or column was dropped, unless a partition that was detached may name its content;
-- true if it was dropped. It waits a second for whoever has locked it.
CREATE OR REPLACE FUNCTION pgtoaster.drop_orphaned_store(store integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  routine regproc;
  wait CONSTANT text := pgtoaster.limit_wait('1s');
BEGIN
  INSERT INTO pgtoaster.catalog_change (what, store) VALUES ('lock', $1);
  IF NOT EXISTS (
       SELECT FROM pgtoaster.attached_column a WHERE a.store = $1 AND NOT (a.table_name IS NOT NULL AND a.column_exists)
         AND NOT EXISTS (SELECT FROM pgtoaster.naming_columns(a.store))
         AND NOT EXISTS (SELECT FROM pgtoaster.marked_rows(a.store))) THEN
    PERFORM set_config('lock_timeout', wait, true);
    RETURN false;
  END IF;
  routine := (SELECT pgtoaster.toaster_routine(s.toaster, 'drop') FROM pgtoaster.store s WHERE s.id = $1);
  IF routine IS NOT NULL THEN
    EXECUTE format('SELECT %s($1)', routine) USING $1;
  END IF;
  PERFORM pgtoaster.drop_store($1);
  INSERT INTO pgtoaster.catalog_change (what, store) VALUES ('drop', $1);
  PERFORM set_config('lock_timeout', wait, true);
  RETURN true;
END $$;

-- Drops all such stores, but those of other roles; returns their numbers. For schema tools, behind DROP TABLE;
-- gc does the same. only_ids: these alone; NULL: all. One that others keep from it is a warning; a role that keeps one of
-- its own locked is not waited for again.
CREATE OR REPLACE FUNCTION pgtoaster.drop_orphaned_stores(only_ids integer[] DEFAULT NULL) RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  id integer;
  holder oid;
  locked_by oid[] := '{}';
  dependents text;
BEGIN
  FOR id, holder IN
    SELECT a.store, pgtoaster.store_owner(a.store) FROM pgtoaster.attached_column a
    WHERE pgtoaster.is_orphaned(a.store)
      AND CASE WHEN pgtoaster.can_use_store(a.store)
               THEN NOT EXISTS (SELECT FROM unnest(pgtoaster.store_parts(a.store)) p(part)
                                JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(a.store, p.part))
                                WHERE NOT pg_has_role(r.relowner, 'USAGE')) ELSE false END
      AND (only_ids IS NULL OR a.store = ANY (only_ids))
    ORDER BY a.store LOOP
    IF holder = ANY (locked_by) THEN
      RAISE WARNING 'store % is left: another one of its owner is locked', id USING ERRCODE = 'lock_not_available';
      CONTINUE;
    END IF;
    BEGIN
      IF pgtoaster.drop_orphaned_store(id) THEN
        RETURN NEXT id;
      END IF;
    EXCEPTION WHEN OTHERS THEN
      GET STACKED DIAGNOSTICS dependents = PG_EXCEPTION_DETAIL;
      IF SQLSTATE = '55P03' THEN
        locked_by := locked_by || holder;
      END IF;
      RAISE WARNING 'store % is left: %', id, concat_ws('; ', SQLERRM, nullif(dependents, '')) USING ERRCODE = SQLSTATE;
    END;
  END LOOP;
END $$;

-- What is younger is no garbage yet: it has its grace period, and is no older than the oldest transaction
-- that runs. One of another role, whose start this one may not see (grant pg_read_all_stats), counts as a day old;
-- that it runs is told by its lock. An autovacuum worker names nothing.
CREATE OR REPLACE FUNCTION pgtoaster.gc_horizon(grace interval) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT least(now() - grace, (SELECT min(a.xact_start) FROM pg_stat_activity a
                               WHERE a.xact_start IS NOT NULL AND a.pid <> pg_backend_pid() AND a.datname = current_database()
                               AND a.backend_type <> 'autovacuum worker'),
               (SELECT now() - interval '1 day' FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid
                WHERE a.xact_start IS NULL AND a.usesysid IS NOT NULL AND a.pid <> pg_backend_pid() AND a.datname = current_database()
                  AND l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock' LIMIT 1))
$$;

-- How content that nothing names is locked while it is judged. Citus locks no rows on several nodes: release() judges them.
CREATE OR REPLACE FUNCTION pgtoaster.gc_lock(store integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN current_setting('transaction_read_only') = 'on' OR pgtoaster.is_sharded(store) AND pgtoaster.lead_column(store) IS NOT NULL THEN ''
              ELSE 'FOR UPDATE OF h SKIP LOCKED' END
$$;

-- Blobs that no row names, older than gc_horizon. A blob whose row is being inserted by an open
-- transaction is locked by its foreign key and therefore left out. only_ids: judge these alone; NULL: all.
CREATE OR REPLACE FUNCTION pgtoaster.gc_blobs(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, leading_key text, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  head regclass := pgtoaster.store_table(store, 'head')::regclass;
  n record;
  clauses text := '';
  lk text := 'NULL::text';
BEGIN
  IF NOT EXISTS (SELECT FROM pgtoaster.naming_columns(store)) AND EXISTS (
       SELECT FROM pgtoaster.attached_column a WHERE a.store = gc_blobs.store AND a.table_name IS NOT NULL AND a.column_exists) THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = head AND a.attname = 'leading_key') THEN
    lk := 'h.leading_key::text';
  END IF;
  FOR n IN SELECT * FROM pgtoaster.naming_columns(store) LOOP
    clauses := clauses || format(' AND NOT EXISTS (SELECT FROM %s o WHERE o.%I = h.id %s)', n.relation, n.handle,
                                 CASE WHEN pgtoaster.is_sharded(store) THEN 'AND o.' || quote_ident(pgtoaster.leading_key_column(n.relation, store)) || ' = h.leading_key' END);
  END LOOP;
  RETURN QUERY EXECUTE format(
    'SELECT h.id, %s, greatest(least(h.base, 1::bigint << 62), 0) + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0), h.created_at FROM %s h '
    'WHERE ($2 IS NULL OR h.id = ANY ($2)) AND h.created_at < $1 %s ORDER BY h.id %s',
    lk, head, clauses,
    pgtoaster.gc_lock(store))
  USING pgtoaster.gc_horizon(grace), only_ids;
END $$;
-- Stores of the keyed toaster: options, tables, clean-up, attach and detach of documents.

-- Checks the options of a keyed column and fills in the defaults; unknown names are refused.
CREATE OR REPLACE FUNCTION pgtoaster.document_options(given jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  o jsonb;
  unknown text;
  keep jsonb;
  r record;
BEGIN
  SELECT k INTO unknown FROM jsonb_object_keys(given) k
  WHERE k NOT IN ('row_budget', 'leaf_size', 'fan_out', 'keep_inline', 'compression', 'touch', 'unchanged', 'leading_key', 'key', 'store_schema', 'distributed') LIMIT 1;
  IF unknown IS NOT NULL THEN
    RAISE EXCEPTION 'unknown option "%"', unknown USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Options are row_budget, leaf_size, fan_out, keep_inline, compression, touch, unchanged, leading_key, key and store_schema.';
  END IF;
  -- A client that passes every option as text passes the list as JSON text.
  keep := CASE jsonb_typeof(given->'keep_inline') WHEN 'string' THEN (given->>'keep_inline')::jsonb
                                                  ELSE coalesce(given->'keep_inline', '[]') END;
  IF jsonb_typeof(keep) <> 'array' OR EXISTS (
       SELECT FROM jsonb_array_elements(keep) e
       WHERE jsonb_typeof(e) <> 'string' OR e #>> '{}' !~ '^(/([^~/]|~0|~1)*)+$') THEN
    RAISE EXCEPTION 'keep_inline is not a list of paths' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Give a JSON array of JSON Pointers, such as ["/status", "/address/city"].';
  END IF;
  o := jsonb_build_object(
    'row_budget', coalesce((given->>'row_budget')::integer, 2000),
    'leaf_size', coalesce((given->>'leaf_size')::integer, 16384),
    'fan_out', coalesce((given->>'fan_out')::integer, 128),
    'keep_inline', (SELECT coalesce(jsonb_agg(DISTINCT e), '[]') FROM jsonb_array_elements(keep) e),
    -- As PostgreSQL 19 compresses its own tables.
    'compression', coalesce(given->>'compression',
                            (SELECT CASE WHEN 'lz4' = ANY (s.enumvals) THEN 'lz4' ELSE 'pglz' END
                             FROM pg_settings s WHERE s.name = 'default_toast_compression')),
    'touch', coalesce(given->>'touch', 'none'));
  FOR r IN SELECT * FROM (VALUES ('row_budget', 256, 8000), ('leaf_size', 512, 65536), ('fan_out', 4, 512)) v(name, low, high) LOOP
    IF (o->>r.name)::integer NOT BETWEEN r.low AND r.high THEN
      RAISE EXCEPTION '% % is not between % and %', r.name, o->>r.name, r.low, r.high USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END LOOP;
  IF o->>'compression' NOT IN ('none', 'pglz', 'lz4') THEN
    RAISE EXCEPTION 'compression "%" is not one of none, pglz, lz4', o->>'compression' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF o->>'touch' NOT IN ('none', 'row') THEN
    RAISE EXCEPTION 'touch "%" is not one of none, row', o->>'touch' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF given->>'unchanged' NOT IN ('warning', 'error', 'ignore') THEN
    RAISE EXCEPTION 'unchanged "%" is not one of warning, error, ignore', given->>'unchanged' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN o || CASE WHEN given->>'unchanged' <> 'warning' THEN jsonb_build_object('unchanged', given->>'unchanged') ELSE '{}' END
    || CASE WHEN given ? 'leading_key' THEN jsonb_build_object('leading_key', given->>'leading_key') ELSE '{}' END || pgtoaster.distributed_option(given);
END $$;

-- Shapes the column of the leaves. In storage MAIN a row of more than 2 KB is compressed in line whatever
-- the target, and leaves the page only if it is still above 8 KB then; plain leaves must not be sent away
-- before that.
CREATE OR REPLACE FUNCTION pgtoaster.shape_leaves(node regclass, compression text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF compression = 'none' THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN value SET STORAGE EXTERNAL', node);
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 8160)', node);
  ELSE
    EXECUTE format('ALTER TABLE %s ALTER COLUMN value SET STORAGE MAIN', node);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN value SET COMPRESSION %I', node, compression);
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 2032)', node);
  END IF;
END $$;

-- The tables of one store. A head carries the key of the row that owns the document, in the types of the
-- key's own columns; with the option leading_key every table carries that one of them. It comes last: what looks for
-- nodes by their document finds them without it.
CREATE OR REPLACE FUNCTION pgtoaster.create_document_tables(store integer, schema name, key_index regclass, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  head text := format('%I.%I', schema, 'store_' || store || '_head');
  node text := format('%I.%I', schema, 'store_' || store || '_node');
  owner_columns text;
  owner_names text;
  lead text;
  lead_column text;
BEGIN
  SELECT string_agg(format('owner_%s %s %s NOT NULL', k.position, format_type(a.atttypid, a.atttypmod),
                           CASE WHEN a.attcollation <> 0 THEN format('COLLATE %I.%I', n.nspname, c.collname) ELSE '' END),
                    ', ' ORDER BY k.position),
         string_agg('owner_' || k.position, ', ' ORDER BY k.position),
         coalesce(min(', owner_' || k.position) FILTER (WHERE a.attname = options->>'leading_key'), ''),
         coalesce(min(format(', owner_%s %s %s NOT NULL', k.position, format_type(a.atttypid, a.atttypmod),
                             CASE WHEN a.attcollation <> 0 THEN format('COLLATE %I.%I', n.nspname, c.collname) ELSE '' END))
                    FILTER (WHERE a.attname = options->>'leading_key'), '')
    INTO owner_columns, owner_names, lead, lead_column
  FROM pg_index i
  CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
  LEFT JOIN pg_collation c ON c.oid = a.attcollation
  LEFT JOIN pg_namespace n ON n.oid = c.collnamespace
  WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts;
  -- Room for more versions on the same page: every change of the generation is one.
  EXECUTE format(
    'CREATE TABLE %s (id bigint GENERATED BY DEFAULT AS IDENTITY (MINVALUE %s MAXVALUE %s), %s, '
    'generation bigint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), '
    'created_by xid8 NOT NULL DEFAULT pg_current_xact_id(), created_as oid NOT NULL DEFAULT to_regrole(quote_ident(current_user)), '
    'PRIMARY KEY (id%s)) WITH (fillfactor = 80)',
    head, (store::bigint << 40) + 1, ((store::bigint + 1) << 40) - 1, owner_columns, lead);
  INSERT INTO pgtoaster.catalog_change (what, store, head) VALUES ('set', store, head::regclass);
  EXECUTE format('CREATE INDEX %I ON %s (%s)', 'store_' || store || '_head_owner', head, owner_names);
  EXECUTE format(
    'CREATE TABLE %s (doc bigint NOT NULL, id bigint NOT NULL, version bigint NOT NULL DEFAULT 0, kind "char" NOT NULL, '
    'bytes integer NOT NULL, value jsonb, kids bigint[], starts bigint[], lows bytea[]%s, PRIMARY KEY (doc, id%s))',
    node, lead_column, lead);
  EXECUTE format('ALTER TABLE %s ALTER COLUMN kids SET STORAGE MAIN, ALTER COLUMN starts SET STORAGE MAIN, '
                 'ALTER COLUMN lows SET STORAGE MAIN', node);
  PERFORM pgtoaster.shape_leaves(node::regclass, options->>'compression');
  EXECUTE format('CREATE TABLE %s (id bigint NOT NULL, released boolean NOT NULL, at timestamptz NOT NULL DEFAULT now(), '
                 'given_as name%s, PRIMARY KEY (id%s))', pgtoaster.store_table(store, 'garbage'), lead_column, lead);
  EXECUTE format('CREATE TABLE %s (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT now(), '
                 'row_key text[] NOT NULL, place text, what text NOT NULL, value jsonb%s, PRIMARY KEY (id%s))',
                 pgtoaster.store_table(store, 'aside'), lead_column, lead);
END $$;

-- For trigger functions (see 3-cleanup.sql): a query of the tables whose rows may own documents of a store, with
-- relation, handle, columns and same_key as pgtoaster.naming_rows has them, and whether the role may read all of
-- them. Where no trigger tells the name of the column, it is the one that it was attached by.
CREATE OR REPLACE FUNCTION pgtoaster.owners_source(store integer, handle name) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$(
        SELECT m.relation::regclass AS relation, m.columns, m.same_key, m.whole, pg_has_role(r.relowner, 'USAGE') AS mine, d.attname AS handle
        FROM (SELECT g.*, coalesce(g.followed, max(g.followed) OVER (), %2$L) AS known FROM (
          SELECT k.*,
                 -- Partitions are seen in their table, unless they are just being detached from it.
                 NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.index_id)
                   OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.relation AND h.inhdetachpending) AS whole,
                 (SELECT u.attname FROM pg_trigger t JOIN pg_attribute u ON u.attrelid = t.tgrelid AND u.attnum = t.tgattr[0]
                  WHERE t.tgrelid = k.relation AND t.tgname = 'pgtoaster_%1$s_update') AS followed
          FROM %3$s k) g) m
        JOIN pg_class r ON r.oid = m.relation
        LEFT JOIN pg_attribute d ON d.attrelid = m.relation AND d.atttypid = 'jsonb'::regtype AND d.attnum > 0 AND NOT d.attisdropped
          AND (d.attname = m.known OR m.followed IS NULL AND NOT EXISTS (
                 SELECT FROM pg_attribute u WHERE u.attrelid = m.relation AND u.atttypid = 'jsonb'::regtype AND u.attname = m.known AND NOT u.attisdropped))
        WHERE d.attname IS NOT NULL OR m.followed IS NOT NULL)$f$,
    store, handle, pgtoaster.row_keys_source(quote_literal(store), '(prefix || ''head'')::regclass', 'NULL'))
$$;

-- For trigger functions: whether the row that the head of a document names as its owner still holds it, from
-- the variables prefix, document and head_lead into owned. A store whose owners cannot be read names everything.
CREATE OR REPLACE FUNCTION pgtoaster.owned_source(store integer, handle name) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT $f$
      owned := NULL;
      FOR n IN SELECT * FROM $f$ || pgtoaster.owners_source(store, handle) || $f$ s WHERE s.whole LOOP
        owned := true;
        -- Tables that belong to others are not read with the rights of this one; gc judges what they may own.
        EXIT WHEN n.handle IS NULL OR NOT n.mine;
        EXECUTE '/* pgtoaster */ SELECT EXISTS (SELECT FROM ' || prefix || 'head h JOIN ' || n.relation || ' o ON ' || n.same_key
                || ' WHERE ' || head_lead || 'h.id = $1 AND (' || document_id || ' FROM (SELECT o.' || quote_ident(n.handle) || ' AS document) d) = $1)'
          INTO owned USING document;
        EXIT WHEN owned;
      END LOOP;
      owned := coalesce(owned, true);$f$
$$;

-- The condition of a trigger that a row has another key: by what is stored, since text depends on settings of the session, and
-- operators may be anybody's. A key that is equal and stored otherwise (1.0 and 1.00) is looked at, no more.
CREATE OR REPLACE FUNCTION pgtoaster.key_changes(columns name[]) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('record_image_ne(ROW(%s), ROW(%s))', string_agg(format('OLD.%I', c), ', ' ORDER BY n), string_agg(format('NEW.%I', c), ', ' ORDER BY n))
  FROM unnest(columns) WITH ORDINALITY u(c, n)
$$;

-- The triggers of a keyed column. What plain SQL may do to a split document is in 12-guard.sql. A document without
-- a header costs one short condition: each statement that fires a trigger parses its condition anew, which was 20
-- of the 24 us of an UPDATE.
CREATE OR REPLACE FUNCTION pgtoaster.create_document_triggers(store integer, owner regclass, handle name, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  watch_function text := pgtoaster.store_table(store, 'watch');
  trigger_prefix text := 'pgtoaster_' || store || '_';
  key_columns name[] := (SELECT k.columns FROM pgtoaster.owner_key(owner, store) k);
  new_split text := format('NEW.%I ? ''$pgtoaster''', handle);
  -- What all three functions declare; the text of pgtoaster.document_id ends before its FROM. Where the tables of the store have
  -- the leading key, lead is the condition on it that each statement has, and head_lead that on a head h; both are empty without.
  variables text := format($f$
    #variable_conflict use_variable
    DECLARE
      document_id CONSTANT text := %L;
      prefix text;
      handle name;
      document bigint;
      n record;
      owned boolean;
      lead_place CONSTANT integer := %L;
      lead_name CONSTANT text := %L;
      lead_type CONSTANT text := %L;
      lead_value text;
      lead text := '';
      head_lead text := '';$f$, (SELECT f.prosrc FROM pg_proc f WHERE f.oid = 'pgtoaster.document_id(jsonb)'::regprocedure),
    (SELECT substr(l.attname, 7) FROM pgtoaster.lead_attribute(store) l), (SELECT ', ' || l.attname FROM pgtoaster.lead_attribute(store) l),
    (SELECT format_type(l.atttypid, l.atttypmod) FROM pgtoaster.lead_attribute(store) l));
BEGIN
  -- At commit, for the garbage list: removes the document unless its owner still holds it. The head's lock comes first, and what the row holds is asked under it. Nodes of up to
  -- 64 MB go at once; more is put on the garbage list, which gc sweeps in batches.
  PERFORM pgtoaster.create_trigger_function(store, 'release', variables || $f$
      found_id bigint;
      large boolean;
    BEGIN$f$ || pgtoaster.place_source(store) || $f$
      document := NEW.id;
      IF lead_place IS NOT NULL THEN
        EXECUTE 'SELECT CAST(($1).owner_' || lead_place || ' AS text)' INTO lead_value USING NEW;
        lead := format('owner_%s = CAST(%L AS %s) AND ', lead_place, lead_value, lead_type);
        head_lead := 'h.' || lead;
      END IF;
      EXECUTE 'DELETE FROM ' || prefix || 'garbage WHERE ' || lead || 'id = $1 AND NOT released' USING document;
      EXECUTE 'SELECT id FROM ' || prefix || 'head WHERE ' || lead || 'id = $1 FOR UPDATE' INTO found_id USING document;
      IF found_id IS NULL THEN
        RETURN NULL;
      END IF;$f$ || pgtoaster.owned_source(store, handle) || $f$
      IF owned THEN
        RETURN NULL;
      END IF;
      EXECUTE 'SELECT coalesce(sum(n.bytes), 0) > 67108864 OR count(*) > 131072 FROM (SELECT bytes FROM ' || prefix
              || 'node WHERE ' || lead || 'doc = $1 LIMIT 131073) n' INTO large USING document;
      IF large THEN
        EXECUTE concat('INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') VALUES ($1, true', ', CAST($2 AS ' || lead_type || ')',
                       ') ON CONFLICT (id', lead_name, ') DO UPDATE SET released = true') USING document, lead_value;
      ELSE
        EXECUTE 'DELETE FROM ' || prefix || 'node WHERE ' || lead || 'doc = $1' USING document;
      END IF;
      EXECUTE 'DELETE FROM ' || prefix || 'head WHERE ' || lead || 'id = $1' USING document;
      RETURN NULL;
    END $f$);
  PERFORM pgtoaster.create_watch_functions(store, handle, variables);
  PERFORM pgtoaster.create_trigger_function(store, 'truncate', variables || $f$
    BEGIN$f$ || pgtoaster.place_source(store) || $f$
      -- A partition that was detached has lost its other triggers; gc finds what it releases.
      IF handle IS NULL THEN
        RETURN NULL;
      END IF;
      EXECUTE 'SET CONSTRAINTS ' || prefix || 'sweep DEFERRED';
      EXECUTE concat('/* pgtoaster */ INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') SELECT DISTINCT x.id, false',
                     (SELECT ', o.' || quote_ident(s.columns[lead_place]) FROM $f$ || pgtoaster.owners_source(store, handle) || $f$ s
                      WHERE lead_place IS NOT NULL AND s.relation = TG_RELID), ' FROM ', TG_RELID::regclass,
                     ' o CROSS JOIN LATERAL (', document_id, ' AS id FROM (SELECT o.', quote_ident(handle),
                     ' AS document) d) x WHERE x.id IS NOT NULL ON CONFLICT DO NOTHING');
      RETURN NULL;
    END $f$);
  EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %s FOR EACH ROW WHEN (OLD.%I ? ''$pgtoaster'') EXECUTE FUNCTION %s(''delete'')',
                 trigger_prefix || 'delete', owner, handle, watch_function);
  PERFORM pgtoaster.create_update_trigger(store, owner, handle, options);
  PERFORM pgtoaster.write_routines(store);
  PERFORM pgtoaster.create_edit_trigger(store, owner, handle);
  EXECUTE format('CREATE TRIGGER %I AFTER UPDATE OF %s ON %s FOR EACH ROW WHEN (%s AND (%s)) EXECUTE FUNCTION %s(''key'')',
                 trigger_prefix || 'adopt', (SELECT string_agg(quote_ident(c), ', ') FROM unnest(key_columns) c),
                 owner, new_split, pgtoaster.key_changes(key_columns), watch_function);
  -- At once for a row that was deleted before, at commit for one that is deleted after.
  EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s(''insert'')',
                 trigger_prefix || 'insert', owner,
                 format('%s AND %s(NULL::jsonb, NEW.%I)', new_split, pgtoaster.store_table(store, 'watched'), handle), watch_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s(''commit'')',
                 trigger_prefix || 'inserted', owner,
                 format('%s AND NOT %s(%s, NEW.%I)', new_split, pgtoaster.store_table(store, 'placed'),
                        (SELECT string_agg(format('NEW.%I', c), ', ' ORDER BY n) FROM unnest(key_columns) WITH ORDINALITY u(c, n)), handle), watch_function);
  PERFORM pgtoaster.watch_truncate(store);
  PERFORM pgtoaster.create_sweep(store);
  PERFORM pgtoaster.hide_functions(store);
END $$;

-- The trigger that sees updates of the column, anew where the option unchanged has changed.
CREATE OR REPLACE FUNCTION pgtoaster.create_update_trigger(store integer, owner regclass, handle name, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (%s(OLD.%I, NEW.%I)) EXECUTE FUNCTION %s(''update'', %L)',
                 'pgtoaster_' || store || '_update', handle, owner, pgtoaster.store_table(store, 'watched'), handle, handle,
                 pgtoaster.store_table(store, 'watch'), coalesce(options->>'unchanged', 'warning'));
END $$;

-- Refuses a database whose order of keys is not that of UTF-8, by which leaves are cut and searched: members were lost.
CREATE OR REPLACE FUNCTION pgtoaster.require_utf8(owner regclass, column_name name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'column "%" of % cannot be attached: documents need a database in UTF8, and this one is in %', column_name, owner, getdatabaseencoding()
      USING ERRCODE = 'feature_not_supported',
            HINT = 'CREATE DATABASE ... TEMPLATE template0 ENCODING ''UTF8'', and move the data there: pg_dump and psql convert it. Blobs work in any encoding.';
  END IF;
END $$;

-- Attaches a column to the keyed toaster, for pgtoaster.attach, which has locked the table and checked it.
-- Documents that are there stay as they are.
CREATE OR REPLACE FUNCTION pgtoaster.attach_document(owner regclass, handle name, key_index regclass, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  settings jsonb := pgtoaster.document_options(options);
  col pg_attribute;
  reserved boolean;
  new_store integer;
  mark text;
BEGIN
  PERFORM pgtoaster.require_utf8(owner, handle);
  SELECT * INTO col FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = handle AND NOT a.attisdropped;
  IF col.attnum IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I jsonb', owner, handle);
  ELSE
    IF col.atttypid <> 'jsonb'::regtype THEN
      RAISE EXCEPTION 'column "%" of % has type %, not jsonb', handle, owner, col.atttypid::regtype
        USING ERRCODE = 'datatype_mismatch';
    END IF;
    IF col.attgenerated <> '' OR EXISTS (
         SELECT FROM pg_index i WHERE i.indexrelid = key_index AND col.attnum = ANY (i.indkey)) THEN
      RAISE EXCEPTION 'column "%" of % cannot hold documents that are split', handle, owner
        USING ERRCODE = 'invalid_column_definition', HINT = 'It is generated, or part of the row key.';
    END IF;
    EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %s WHERE %I -> ''$pgtoaster'' IS NOT NULL)', owner, handle) INTO reserved;
    IF reserved THEN
      RAISE EXCEPTION 'a document in column "%" of % has the root key "$pgtoaster"', handle, owner
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'It marks documents that are split: rename that key first.';
    END IF;
    settings := pgtoaster.keep_used_members(owner, handle, settings);
  END IF;
  IF settings ? 'leading_key' AND NOT EXISTS (
       SELECT FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts AND a.attname = settings->>'leading_key') THEN
    RAISE EXCEPTION 'leading key "%" is not a column of the row key of %', settings->>'leading_key', owner USING ERRCODE = 'invalid_parameter_value',
      HINT = format('The row key is the primary key, or the index that the option "key" names; here %s.', key_index);
  END IF;
  new_store := pgtoaster.add_store(owner, handle, 'keyed', (options->>'key')::name, settings);
  PERFORM pgtoaster.create_document_tables(new_store, pgtoaster.new_store_schema(owner, options), key_index, settings);
  -- Never out of line: beside another wide column the stub must be what stays.
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN', owner, handle);
  mark := 'pgtoaster_' || new_store || '_owner';
  PERFORM pgtoaster.drop_index(owner, mark);
  EXECUTE (
    SELECT format('CREATE INDEX %I ON %s (%s) WHERE %s IS NULL AND %s', mark, owner,
                  string_agg(quote_ident(a.attname), ', ' ORDER BY k.position),
                  min(quote_ident(a.attname)) FILTER (WHERE k.position = 1), pgtoaster.row_mark(new_store))
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts);
  PERFORM pgtoaster.create_document_triggers(new_store, owner, handle, settings);
  PERFORM pgtoaster.mirror_privileges(new_store);
  RETURN new_store;
END $$;

-- Checks what waits for the commit on a table, or refers to it, now; what comes later waits as it did. One by one:
-- SET CONSTRAINTS ALL would hold for everything that the caller does until the end of the transaction.
CREATE OR REPLACE FUNCTION pgtoaster.check_constraints(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record;
BEGIN
  FOR c IN
    WITH tables AS (SELECT relation::oid AS id UNION SELECT p.relid FROM pg_partition_tree(relation) p)
    SELECT format('%I.%I', n.nspname, k.conname) AS name, bool_or(k.condeferred) AS deferred
    FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
    WHERE k.condeferrable AND (k.conrelid IN (SELECT id FROM tables) OR k.confrelid IN (SELECT id FROM tables))
    GROUP BY 1 LOOP
    EXECUTE format('SET CONSTRAINTS %s IMMEDIATE', c.name);
    IF c.deferred THEN
      EXECUTE format('SET CONSTRAINTS %s DEFERRED', c.name);
    END IF;
  END LOOP;
END $$;

-- Takes a column back from the keyed toaster, for pgtoaster.detach: split documents become plain ones
-- again, or NULL where their content may be dropped.
CREATE OR REPLACE FUNCTION pgtoaster.detach_document(store integer, owner regclass, handle name, drop_content boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  n record;
  named boolean;
  others text := CASE WHEN (SELECT r.relrowsecurity FROM pg_class r WHERE r.oid = owner)
                      THEN (SELECT format('NOT EXISTS (SELECT FROM %s h WHERE %s AND h.id = pgtoaster.document_id(o.%I))',
                                          pgtoaster.store_table(store, 'head'), k.same_key, handle) FROM pgtoaster.owner_key(owner, store) k)
                      ELSE format('pgtoaster.document_id(o.%I) >> 40 IN (SELECT s.id FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner '
                                  'WHERE r.relrowsecurity)', handle) END;
  forged_header text := current_setting('pgtoaster.forged_header', true);
BEGIN
  SELECT r.relation, r.column_name, r.readable INTO n FROM pgtoaster.marked_rows(store) r LIMIT 1;
  IF FOUND AND NOT n.readable THEN
    RAISE EXCEPTION 'column "%" of % may still hold split documents', n.column_name, n.relation
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = format('That table was detached from %s and belongs to another role, so it is not read. As its owner UPDATE %s SET %I = '
                          'pgtoaster.expand(%I), then DROP TRIGGER %I ON %2$s; or drop it.',
                          owner, n.relation, n.column_name, n.column_name, 'pgtoaster_' || store || '_truncate');
  ELSIF FOUND THEN
    RAISE EXCEPTION 'column "%" of % still holds split documents', n.column_name, n.relation
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = format('That table was detached from %s: UPDATE %s SET %I = pgtoaster.expand(%I), or drop it.',
                          owner, n.relation, n.column_name, n.column_name);
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', pgtoaster.store_table(store, 'aside')) INTO named;
  IF named AND NOT drop_content THEN
    RAISE EXCEPTION '% holds what repair has set aside', pgtoaster.store_table(store, 'aside') USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'Put back or copy what you need, delete its rows, and detach again; or detach with drop_content.';
  END IF;
  -- What waits for the commit would keep tables from being altered.
  PERFORM pgtoaster.check_constraints(owner);
  PERFORM pgtoaster.check_constraints(pgtoaster.store_table(store, 'garbage')::regclass);
  -- Without its triggers the column is found by its name, which may have changed.
  INSERT INTO pgtoaster.catalog_change (what, store, column_name) VALUES ('set', store, handle);
  PERFORM pgtoaster.drop_triggers(store);
  -- A header that somebody made up stays as what it is then: a key of a plain document. So does one of another
  -- row or store where one of the tables has row security: its content is not for whoever wrote it here.
  PERFORM set_config('pgtoaster.forged_header', 'warning', true);
  BEGIN
    EXECUTE format('/* pgtoaster */ UPDATE %s o SET %I = %s WHERE o.%I -> ''$pgtoaster'' IS NOT NULL', owner, handle,
                   CASE WHEN drop_content THEN 'NULL'
                        ELSE format('CASE WHEN %2$s THEN o.%1$I ELSE pgtoaster.expand(o.%1$I) END', handle, others) END,
                   handle);
  EXCEPTION WHEN program_limit_exceeded OR statement_too_complex OR data_corrupted THEN
    RAISE EXCEPTION 'a document in column "%" of % cannot become plain jsonb: %', handle, owner, SQLERRM
      USING ERRCODE = SQLSTATE,
            HINT = 'Make it smaller, repair it (pgtoaster.repair), or copy what you need and set its column to NULL; or detach with drop_content, which sets it to NULL.';
  END;
  PERFORM set_config('pgtoaster.forged_header', coalesce(forged_header, ''), true);
  PERFORM pgtoaster.check_constraints(owner);
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || store || '_owner');
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE EXTENDED', owner, handle);
  PERFORM pgtoaster.drop_store(store);
END $$;

-- Documents that no row owns, older than gc_horizon, under lock.
CREATE OR REPLACE FUNCTION pgtoaster.unowned_documents(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  n record;
  clauses text := '';
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_rows(store) LOOP
    IF n.handle IS NULL THEN
      RETURN;
    END IF;
    clauses := clauses || format(' AND NOT EXISTS (SELECT FROM %s o WHERE %s AND pgtoaster.document_id(o.%I) = h.id)',
                                 n.relation, n.same_key, n.handle);
  END LOOP;
  IF clauses = '' THEN
    RETURN;
  END IF;
  RETURN QUERY EXECUTE format(
    '/* pgtoaster */ SELECT h.id, (SELECT coalesce(sum(greatest(n.bytes, 0)), 0)::bigint FROM %s n WHERE n.doc = h.id %s), h.created_at FROM %s h '
    'WHERE ($2 IS NULL OR h.id = ANY ($2)) AND h.created_at < $1 %s ORDER BY h.id %s',
    pgtoaster.store_table(store, 'node'), (SELECT format('AND n.%s = h.%1$s', l.attname) FROM pgtoaster.lead_attribute(store) l WHERE pgtoaster.is_sharded(store)),
    pgtoaster.store_table(store, 'head'), clauses, pgtoaster.gc_lock(store))
  USING pgtoaster.gc_horizon(grace), only_ids;
END $$;

-- The jsonb columns of the database where documents of a store may be named. readable: the role may read all of it, and
-- whoever owns the table gains nothing by that: planning a query runs the expressions of the table's indexes. So it is
-- the owner of the store, a role that has the rights of the one at work, or a superuser, or the table is a partition.
-- A partition that was detached and given to another role is told by a trigger that only the owner of the store could
-- make; it is not readable, and is taken to name everything.
CREATE OR REPLACE FUNCTION pgtoaster.jsonb_columns(store integer) RETURNS TABLE (relation regclass, column_name name, readable boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.oid::regclass, a.attname, w.safe
  FROM pg_attribute a JOIN pg_class r ON r.oid = a.attrelid JOIN pg_namespace n ON n.oid = r.relnamespace
  JOIN pgtoaster.store s ON s.id = $1
  LEFT JOIN pg_class h ON h.oid = s.head
  CROSS JOIN LATERAL (SELECT r.relowner = h.relowner OR pg_has_role(r.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')
                               OR r.oid IN (SELECT p.relid FROM pg_partition_tree(s.owner) p) AS safe) w
  WHERE a.atttypid = 'jsonb'::regtype AND a.attnum > 0 AND NOT a.attisdropped AND r.relkind IN ('r', 'm')
    AND (r.relkind = 'r' OR r.relispopulated) AND r.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pgtoaster.store o JOIN pg_class x ON x.oid = o.head
                    WHERE x.relnamespace = r.relnamespace AND r.relname = 'store_' || o.id || '_node')
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND CASE WHEN w.safe THEN has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(r.oid, a.attnum, 'SELECT')
                              AND NOT row_security_active(r.oid)
             ELSE EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid
                          AND t.tgfoid = to_regprocedure(pgtoaster.store_table($1, 'truncate') || '()')) END
  ORDER BY 1, 2
$$;

-- Where rows name documents by their header, whoever owns these: copies that were made, and keys that were
-- changed, while triggers were off, copies in tables that have none, and partitions that were detached and given to
-- another role; also behind edits that were not done. It reads every jsonb column that jsonb_columns
-- calls readable, so it is asked only about documents that would be removed. And the rows that heads name as owners and
-- that hold a document without a header: it was taken away, or written over, while triggers were off, which nobody can tell apart.
CREATE OR REPLACE FUNCTION pgtoaster.named_documents(store integer, ids bigint[])
RETURNS TABLE (id bigint, relation regclass, column_name name)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  c record;
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  FOR c IN SELECT * FROM pgtoaster.jsonb_columns($1) LOOP
    IF NOT c.readable THEN
      RETURN QUERY SELECT u, c.relation, c.column_name FROM unnest(ids) u;
      CONTINUE;
    END IF;
    RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT DISTINCT d.id, $2, $3 FROM (SELECT pgtoaster.document_id(CASE WHEN o.%1$I -> ''$pgtoaster'' ? ''edits'' '
      'THEN jsonb_build_object(''$pgtoaster'', o.%1$I #> ''{$pgtoaster,document}'') ELSE o.%1$I END) AS id FROM ONLY %2$s o WHERE o.%1$I ? ''$pgtoaster'') d '
      'WHERE d.id = ANY ($1)', c.column_name, c.relation) USING ids, c.relation, c.column_name;
  END LOOP;
  FOR c IN SELECT r.relation, r.handle, r.same_key FROM pgtoaster.naming_rows($1) r WHERE r.handle IS NOT NULL LOOP
    RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT h.id, $2, $3 FROM %s h JOIN %s o ON %s WHERE h.id = ANY ($1) AND o.%I IS NOT NULL AND o.%4$I -> ''$pgtoaster'' IS NULL',
      pgtoaster.store_table($1, 'head'), c.relation, c.same_key, c.handle) USING ids, c.relation, c.handle;
  END LOOP;
END $$;

-- The tables beside the attached one that have the mark of a store, and whose rows name documents of it: partitions
-- that were detached. In one that counts no longer as an owner of documents those do that no row of the attached table
-- has the key of; one that may not be read (see jsonb_columns) is taken to hold some.
CREATE OR REPLACE FUNCTION pgtoaster.marked_rows(store integer) RETURNS TABLE (relation regclass, column_name name, readable boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  unowned text;
  m record;
  named boolean;
BEGIN
  SELECT format('EXISTS (SELECT FROM %s h WHERE h.id = d.id %s)', pgtoaster.store_table($1, 'head'),
                CASE WHEN k.same_key IS NOT NULL THEN format('AND NOT EXISTS (SELECT FROM %s o WHERE %s)', r.oid::regclass, k.same_key) END) INTO unowned
  FROM pgtoaster.store s LEFT JOIN pg_class r ON r.oid = s.owner LEFT JOIN pgtoaster.owner_key(r.oid, s.id) k ON true WHERE s.id = $1;
  FOR m IN
    SELECT j.relation, j.column_name, j.readable, EXISTS (SELECT FROM pgtoaster.naming_rows($1) r WHERE r.relation = j.relation) AS own
    FROM pgtoaster.jsonb_columns($1) j
    WHERE j.relation <> (SELECT s.owner FROM pgtoaster.store s WHERE s.id = $1)
      AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = j.relation)
      -- Of no other table is the expression asked: that locks it.
      AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = j.relation AND i.indpred IS NOT NULL
                  AND CASE WHEN i.indrelid = j.relation THEN position(pgtoaster.row_mark($1) IN replace(pg_get_expr(i.indpred, i.indrelid), '"', '')) > 0 ELSE false END) LOOP
    named := true;
    IF m.readable THEN
      EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM (SELECT pgtoaster.document_id(o.%1$I) AS id FROM ONLY %2$s o WHERE o.%1$I ? ''$pgtoaster'') d '
                     'WHERE d.id >> 40 = $1 AND %3$s)', m.column_name, m.relation, CASE WHEN m.own THEN 'true' ELSE unowned END)
        INTO named USING $1;
    END IF;
    IF named THEN
      relation := m.relation;
      column_name := m.column_name;
      readable := m.readable;
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Documents that no row owns or names by its header, as gc_blobs finds blobs. only_ids: judge these again, under
-- lock; what no row has named is named by none later.
CREATE OR REPLACE FUNCTION pgtoaster.gc_documents(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, leading_key text, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  unowned bigint[] := ARRAY(SELECT u.id FROM pgtoaster.unowned_documents(gc_documents.store, grace, only_ids) u);
  lead name := pgtoaster.lead_column(gc_documents.store);
BEGIN
  FOR id, bytes, created_at IN
    SELECT u.id, u.bytes, u.created_at FROM pgtoaster.unowned_documents(gc_documents.store, grace, unowned) u
    WHERE only_ids IS NOT NULL OR u.id NOT IN (SELECT n.id FROM pgtoaster.named_documents(gc_documents.store, unowned) n) LOOP
    IF lead IS NOT NULL THEN
      EXECUTE format('SELECT CAST(%s AS text) FROM %s WHERE id = $1', lead, pgtoaster.store_table($1, 'head')) INTO leading_key USING id;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Documents that no row owns and gc leaves, because rows name them by their header or have lost it, and where. See pgtoaster.repair.
CREATE OR REPLACE FUNCTION pgtoaster.gc_kept_documents(store integer, grace interval)
RETURNS TABLE (id bigint, bytes bigint, relation regclass, column_name name)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  unowned bigint[] := ARRAY(SELECT u.id FROM pgtoaster.unowned_documents(gc_kept_documents.store, grace) u);
BEGIN
  RETURN QUERY SELECT u.id, u.bytes, n.relation, n.column_name
  FROM pgtoaster.named_documents(gc_kept_documents.store, unowned) n JOIN pgtoaster.unowned_documents(gc_kept_documents.store, grace, unowned) u ON u.id = n.id
  ORDER BY u.id, n.relation, n.column_name;
END $$;
-- Who else uses a jsonb column: indexes, checks, generated columns, policies, views. A member that left the
-- row is not there for them, so those that they name are kept in it.

-- Which root members of a column an expression names, as JSON Pointers, by doc -> 'a', doc ->> 'a',
-- doc #> '{a,b}', doc #>> '{a,b}', doc['a'], doc ? 'a'; and whether it uses the column in any other way.
-- The expression is as pg_get_expr shows it.
CREATE OR REPLACE FUNCTION pgtoaster.named_members(expression text, column_name name, OUT members text[], OUT other_use boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The column under its name alone, or qualified.
  col text := '(?:(?:[[:alnum:]_$]+|"(?:[^"]|"")+")\.)*' || regexp_replace(quote_ident(column_name), '[][(){}.*+?^$|\\]', '\\\&', 'g');
  literal text := '(''(?:[^'']|'''')*'')::text';
  before text := '(?<![[:alnum:]_$"])';
  rest text := expression;
  use text[];
  pattern text;
  step text;
BEGIN
  members := '{}';
  FOREACH pattern IN ARRAY ARRAY[
    before || '\(?' || col || '\)? (?:->|->>|\?) ' || literal || '(?!\[)',
    before || '\(?' || col || '\)?\[' || literal || '\]',
    before || '\(?' || col || '\)? (?:#>|#>>) ' || literal || '\[\]'] LOOP
    LOOP
      use := regexp_match(rest, '(' || pattern || ')');
      EXIT WHEN use IS NULL;
      EXECUTE 'SELECT ' || use[2] INTO step;
      IF pattern LIKE '%#>>%' THEN
        step := (step::text[])[1];
        -- No step is the whole document, and a number may be a position in it.
        EXIT WHEN step IS NULL OR step ~ '^[-+]?[0-9]+$';
      END IF;
      members := members || ('/' || replace(replace(step, '~', '~0'), '/', '~1'));
      rest := replace(rest, use[1], '');
    END LOOP;
  END LOOP;
  members := ARRAY(SELECT DISTINCT m FROM unnest(members) m ORDER BY m);
  rest := regexp_replace(rest, '''(?:[^'']|'''')*''', '', 'g');
  other_use := rest ~ (before || col || '(?![[:alnum:]_$"])') OR rest ~ '\.\*';
END $$;

-- What uses a jsonb column, and what attaching it to the toaster keyed would mean there. effect begins with
-- "pinned" (the members it names stay in the row, at any size), "noted" (it goes on working, on what is in
-- the row) or "refused" (attach refuses).
CREATE OR REPLACE FUNCTION pgtoaster.column_uses(owner regclass, column_name name)
RETURNS TABLE (kind text, name text, definition text, effect text, members text[])
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  target regclass := column_uses.owner;
  col name := column_uses.column_name;
  other_use boolean;
  -- Whoever asks for the status of all stores waits for this: of more text than anybody writes no members are told.
  room integer := 20000;
  r record;
BEGIN
  FOR r IN
    WITH tables AS (
      SELECT target::oid AS id UNION SELECT p.relid FROM pg_partition_tree(target) p
    ), indexes AS (
      SELECT x.*, c.relname FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
      WHERE x.indrelid IN (SELECT id FROM tables) AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = x.indexrelid)
    )
    SELECT 1 AS place, 'index' AS kind, i.relname::text AS name, pg_get_indexdef(i.indexrelid) AS definition,
           concat_ws(' ', pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid),
                     (SELECT quote_ident(a.attname) FROM pg_attribute a
                      WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attname = col)) AS uses,
           CASE WHEN i.indisunique OR i.indisexclusion
                THEN 'refused: it compares whole documents, and split ones are never equal'
                ELSE 'noted: it sees what is in the row: inline members and markers, not members that left' END AS otherwise
    FROM indexes i
    UNION ALL
    SELECT 2, 'check', c.conname, pg_get_constraintdef(c.oid), pg_get_expr(c.conbin, c.conrelid),
           'refused: it would judge the stub of a split document'
    FROM pg_constraint c WHERE c.conrelid IN (SELECT id FROM tables) AND c.contype = 'c' AND c.coninhcount = 0
    UNION ALL
    SELECT 3, 'foreign key', c.conname, pg_get_constraintdef(c.oid), quote_ident(col),
           'refused: it compares whole documents, and split ones are never equal'
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = target AND a.attname = col
    WHERE c.contype = 'f' AND (c.conrelid = target AND a.attnum = ANY (c.conkey) OR c.confrelid = target AND a.attnum = ANY (c.confkey))
    UNION ALL
    SELECT 4, 'generated column', a.attname, pg_get_expr(d.adbin, d.adrelid), pg_get_expr(d.adbin, d.adrelid),
           'refused: it would be computed from the stub of a split document'
    FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = target AND a.attgenerated <> '' AND NOT a.attisdropped
    UNION ALL
    SELECT 5, 'policy', p.polname, concat_ws(' WITH CHECK ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)),
           concat_ws(' ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)),
           'refused: it would judge the stub of a split document'
    FROM pg_policy p WHERE p.polrelid IN (SELECT id FROM tables)
    UNION ALL
    SELECT 6, 'publication', b.pubname, pg_get_expr(p.prqual, p.prrelid), pg_get_expr(p.prqual, p.prrelid),
           'refused: it would judge the stub of a split document'
    FROM pg_publication_rel p JOIN pg_publication b ON b.oid = p.prpubid
    WHERE p.prrelid IN (SELECT id FROM tables) AND p.prqual IS NOT NULL
    UNION ALL
    SELECT DISTINCT 7, CASE d.classid WHEN 'pg_rewrite'::regclass THEN 'view' WHEN 'pg_trigger'::regclass THEN 'trigger'
                             WHEN 'pg_proc'::regclass THEN 'function' ELSE 'statistics' END,
           CASE d.classid WHEN 'pg_rewrite'::regclass THEN w.ev_class::regclass::text WHEN 'pg_trigger'::regclass THEN t.tgname
                          WHEN 'pg_proc'::regclass THEN d.objid::regprocedure::text ELSE s.stxname END,
           CASE d.classid WHEN 'pg_rewrite'::regclass THEN pg_get_ruledef(w.oid) WHEN 'pg_trigger'::regclass THEN pg_get_triggerdef(t.oid) END,
           quote_ident(col), 'noted: it sees the stub of a split document; pgtoaster.get and pgtoaster.expand see all of it'
    FROM pg_depend d
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid AND a.attname = col
    LEFT JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
    LEFT JOIN pg_trigger t ON d.classid = 'pg_trigger'::regclass AND t.oid = d.objid
    LEFT JOIN pg_statistic_ext s ON d.classid = 'pg_statistic_ext'::regclass AND s.oid = d.objid
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = target
      -- A view that create_view has made shows all of it.
      AND NOT EXISTS (SELECT FROM pg_trigger v WHERE v.tgrelid = w.ev_class AND v.tgfoid = to_regprocedure('pgtoaster.write_view()'))
      AND (w.oid IS NOT NULL OR s.oid IS NOT NULL OR d.classid = 'pg_proc'::regclass
           OR t.oid IS NOT NULL AND t.tgparentid = 0 AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_')
    ORDER BY 1, 2, 3
  LOOP
    room := room - least(length(r.uses), 20001);
    IF room < 0 THEN
      members := '{}';
      other_use := strpos(r.uses, col) > 0;
      room := 0;
    ELSE
      SELECT m.members, m.other_use INTO members, other_use FROM pgtoaster.named_members(r.uses, col) m;
    END IF;
    kind := r.kind;
    name := r.name;
    definition := r.definition;
    IF other_use THEN
      effect := r.otherwise;
      RETURN NEXT;
    ELSIF cardinality(members) > 0 THEN
      effect := 'pinned: ' || array_to_string(members, ', ') || ' will stay in the row';
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- What the members that keep_inline names do to the rows of a column, if some of these do not fit a small row beside them. Looks at
-- these members of at most 100 rows, which have 16 MB together unless the first one has more: a document may have 255 MB.
CREATE OR REPLACE FUNCTION pgtoaster.pinned_members_note(owner regclass, column_name name, options jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  bytes bigint;
BEGIN
  IF options->'keep_inline' = '[]' THEN
    RETURN NULL;
  END IF;
  -- What is within a pinned member counts once.
  EXECUTE format('/* pgtoaster */ WITH p AS MATERIALIZED (SELECT ARRAY(SELECT pgtoaster.stored_key(replace(replace(s.s, ''~1'', ''/''), ''~0'', ''~'')) '
                   'FROM unnest((string_to_array(k.k, ''/''))[2:]) WITH ORDINALITY s(s, o) ORDER BY s.o) AS path FROM jsonb_array_elements_text($1) k(k) '
                   'WHERE NOT EXISTS (SELECT FROM jsonb_array_elements_text($1) above(k) WHERE starts_with(k.k, above.k || ''/''))) '
                 'SELECT max((SELECT sum(pg_column_size(d.d #> p.path)) FROM p)) '
                 'FROM (SELECT r.d #> ''{}'' AS d FROM (SELECT o.d, sum(pg_column_size(o.d)) OVER (ROWS UNBOUNDED PRECEDING) - pg_column_size(o.d) AS before '
                   'FROM (SELECT o.%I AS d FROM %s o LIMIT 100) o WHERE o.d IS NOT NULL) r WHERE r.before < 16777216 OFFSET 0) d', column_name, owner)
    INTO bytes USING options->'keep_inline';
  RETURN CASE WHEN bytes > (options->>'row_budget')::integer THEN
    format('members that keep_inline keeps take up to %s bytes of a row. PostgreSQL compresses rows of more than 2 KB and moves what is still above '
           '8 KB to the TOAST table: each operator then reads and decompresses all of it', bytes) END;
END $$;

-- Adds what others use of a column to the option keep_inline, and says so; refuses what cannot be helped.
CREATE OR REPLACE FUNCTION pgtoaster.keep_used_members(owner regclass, column_name name, options jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  keep jsonb := options->'keep_inline';
  note text;
  r record;
BEGIN
  FOR r IN SELECT * FROM pgtoaster.column_uses(owner, column_name) LOOP
    IF r.effect LIKE 'refused%' THEN
      RAISE EXCEPTION '% "%" uses column "%" of %: %', r.kind, r.name, column_name, owner, r.definition
        USING ERRCODE = 'dependent_objects_still_exist', DETAIL = r.effect,
              HINT = 'Name members, as in doc ->> ''member'', or drop it; pgtoaster.column_uses lists all uses.';
    END IF;
    IF NOT keep @> to_jsonb(r.members) OR r.effect LIKE 'noted%' THEN
      RAISE NOTICE '% "%" uses column "%" of %: %', r.kind, r.name, column_name, owner, r.effect;
    END IF;
    keep := (SELECT coalesce(jsonb_agg(DISTINCT e), '[]') FROM jsonb_array_elements(keep || to_jsonb(r.members)) e);
  END LOOP;
  options := options || jsonb_build_object('keep_inline', keep);
  note := pgtoaster.pinned_members_note(owner, column_name, options);
  IF note IS NOT NULL THEN
    RAISE NOTICE 'column "%" of %: %', column_name, owner, note;
  END IF;
  RETURN options;
END $$;
-- Reading documents in SQL, split or not: for psql, reports and every language. They run with the rights and
-- in the snapshot of their caller, and find the store in the header of the document.

-- Refuses content that no writer of pgtoaster wrote.
CREATE OR REPLACE FUNCTION pgtoaster.corrupt_document(document bigint, what text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '%: %', coalesce('document ' || document, 'no document'), what USING ERRCODE = 'data_corrupted';
END $$;

-- A member that left leaves {"$pgtoaster": branch} behind; keys of the user that look like that are written
-- with one more $ in front. These are qualified throughout and without a search_path of their own, so that
-- they are inlined.
CREATE OR REPLACE FUNCTION pgtoaster.stored_key(key text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN key OPERATOR(pg_catalog.~) '^[$]+pgtoaster$' THEN '$' OPERATOR(pg_catalog.||) key ELSE key END $$;

CREATE OR REPLACE FUNCTION pgtoaster.shown_key(key text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN key OPERATOR(pg_catalog.~) '^[$][$]+pgtoaster$' THEN pg_catalog.substr(key, 2) ELSE key END $$;

-- Order of the keys of an object: by length in bytes, then by bytes, of which the first 512 count.
CREATE OR REPLACE FUNCTION pgtoaster.key_code(key text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(key, 'UTF8')))
         OPERATOR(pg_catalog.||) pg_catalog.substr(pg_catalog.convert_to(key, 'UTF8'), 1, 512)
$$;

-- The branch that a value marks; NULL if it is no marker.
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

-- Checks the header of a split document: its head exists, and the row that the head names holds it. Returns
-- the id of the document and of the overflow branch of its root; no id for a plain document. A header that is
-- none is refused; so that one row cannot keep anybody from asking the others, the setting pgtoaster.forged_header
-- makes that a warning, and such a row is then as good as plain.
CREATE OR REPLACE FUNCTION pgtoaster.document_header(document jsonb, OUT id bigint, OUT rest bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  header jsonb := document -> '$pgtoaster';
  found bigint := pgtoaster.document_id(document);
  n record;
  held boolean := false;
BEGIN
  IF header IS NULL THEN
    RETURN;
  END IF;
  PERFORM pgtoaster.require_catalog();
  IF EXISTS (SELECT FROM pgtoaster.store s WHERE s.id = found >> 40 AND s.toaster = 'keyed') THEN
    IF NOT has_table_privilege(pgtoaster.store_table((found >> 40)::integer, 'head'), 'SELECT') THEN
      PERFORM pgtoaster.deny((found >> 40)::integer);
    END IF;
    FOR n IN SELECT r.relation, r.handle, r.same_key FROM pgtoaster.naming_rows((found >> 40)::integer) r WHERE r.handle IS NOT NULL LOOP
      EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = $1 AND o.%I -> ''$pgtoaster'' = $2)',
                     pgtoaster.store_table((found >> 40)::integer, 'head'), n.relation, n.same_key, n.handle) INTO held USING found, header;
      EXIT WHEN held;
    END LOOP;
  END IF;
  IF NOT held AND current_setting('pgtoaster.forged_header', true) = 'warning' THEN
    RAISE WARNING '%: no row that owns it holds its header; it is shown as it is stored', coalesce('document ' || found, 'no document')
      USING ERRCODE = 'data_corrupted';
    RETURN;
  END IF;
  IF NOT held AND header ? 'edits' THEN
    RAISE EXCEPTION 'the document holds edits that have not been done' USING ERRCODE = 'feature_not_supported',
      HINT = 'An UPDATE of its row does them. To see what they give: pgtoaster.set(pgtoaster.expand(...), path, value).';
  END IF;
  IF NOT held THEN
    RAISE EXCEPTION '%: no row that owns it holds its header', coalesce('document ' || found, 'no document')
      USING ERRCODE = 'data_corrupted',
            HINT = 'SET pgtoaster.forged_header = warning; shows such rows as they are stored, and the others go on.';
  END IF;
  id := found;
  rest := CASE WHEN header -> 1 IS NOT NULL
               THEN pgtoaster.marked_branch(id, jsonb_build_object('$pgtoaster', header -> 1)) END;
END $$;

-- The query of all nodes of a branch ($1 document, $2 branch), with their places in order. A leaf has a
-- value; a node that is missing, or that stands below itself, has no kind. A tree has each node once: of one whose
-- nodes are shared, the last row, which is one too many, has no kind either. Most branches are small, and a document
-- may have thousands of them: its nodes are counted where there are many.
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

-- The kind of node that has a value as a leaf: o, a, s, or v for what is no container and no string.
CREATE OR REPLACE FUNCTION pgtoaster.leaf_kind(value jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) ANY ('{object,array,string}'::pg_catalog.text[])
              THEN pg_catalog."left"(pg_catalog.jsonb_typeof(value), 1) ELSE 'v' END
$$;

-- JSON text of a whole branch.
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
                                   OR value IS NULL AND coalesce(cardinality(kids), 0) = 0 OR kind = 'o' AND left(t.expanded, 1) <> '{') AS odd
           FROM branch LEFT JOIN LATERAL (
             SELECT CASE WHEN kind IN ('o', 'a') AND pgtoaster.leaf_kind(value) = kind::text THEN pgtoaster.expanded_text($1, value) END AS expanded) t ON value IS NOT NULL $q$
    INTO b USING document, branch;
  IF NOT b.complete THEN
    PERFORM pgtoaster.corrupt_document(document, format('branch %s is not complete', branch));
  ELSIF b.odd IS NOT NULL THEN
    PERFORM pgtoaster.corrupt_document(document, format('node %s is of another kind than its row says', b.odd));
  END IF;
  RETURN CASE b.kind WHEN 'o' THEN '{' || coalesce(b.content, '') || '}'
                     WHEN 'a' THEN '[' || coalesce(b.content, '') || ']'
                     ELSE b.content END;
END $$;

-- JSON text of a value of a split document: markers are replaced by their branches, keys are as the user has them.
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
      RETURN '{' || (SELECT string_agg(to_json(pgtoaster.shown_key(m.key))::text || ': ' || pgtoaster.expanded_text(document, m.value), ', ')
                     FROM jsonb_each(expanded_text.value) m) || '}';
    WHEN 'array' THEN
      RETURN '[' || (SELECT string_agg(pgtoaster.expanded_text(document, e.value), ', ' ORDER BY e.place)
                     FROM jsonb_array_elements(expanded_text.value) WITH ORDINALITY e(value, place)) || ']';
    ELSE
      RETURN plain;
  END CASE;
END $$;

-- Kind of the value that a branch holds: o, a, s, or v for a number.
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

-- The position that a step of a path names; NULL if it names none.
CREATE OR REPLACE FUNCTION pgtoaster.step_position(step text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN step OPERATOR(pg_catalog.~) E'^[ \\t-\\r]*[-+]?[0-9]{1,9}$' THEN step::pg_catalog.int4 END $$;

-- One step down from a value that stands there, as it is stored.
CREATE OR REPLACE FUNCTION pgtoaster.value_member(value jsonb, step text) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'object' THEN value OPERATOR(pg_catalog.->) pgtoaster.stored_key(step)
              WHEN pg_catalog.jsonb_typeof(value) OPERATOR(pg_catalog.=) 'array' THEN value OPERATOR(pg_catalog.->) pgtoaster.step_position(step) END
$$;

-- One step down from a branch: reads the nodes on the way to one leaf.
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

-- Finds the value at a path of a split document: as it is stored in a row, or the branch that holds it.
CREATE OR REPLACE FUNCTION pgtoaster.document_place(document jsonb, id bigint, rest bigint, path text[],
                                                    OUT value jsonb, OUT branch bigint)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  first_step integer := 2;
BEGIN
  value := pgtoaster.value_member(document, path[1]);
  IF value IS NULL AND rest IS NOT NULL THEN
    -- A root that is no object, or a member of its overflow branch.
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

-- The first node of a document that is named more than once, by nodes above it or marks in leaves: a tree has each once. What
-- shares nodes, or has one below itself, would be read again for each path there is.
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

-- What a row holds of a document, also where pgtoaster.transparent is on. Inlined, so it costs a statement nothing.
CREATE OR REPLACE FUNCTION pgtoaster.stored(document jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS 'SELECT $1';

-- A document with edits that are noted (19-edits.sql) as it will be: the stub without the note if all is done in it, or else plain.
CREATE OR REPLACE FUNCTION pgtoaster.as_edited(document jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  edits jsonb := document #> '{$pgtoaster,edits}';
  stub jsonb := jsonb_set(document, '{$pgtoaster}', document #> '{$pgtoaster,document}');
BEGIN
  RETURN CASE WHEN edits = '[]' THEN stub ELSE pgtoaster.edited(pgtoaster.expand(stub), edits) END;
END $$;

-- Refuses a value of a document without header that has marks of branches: with triggers off the header was taken away. The number
-- of a node has 13 digits or more, and a quote within a string is written with a backslash.
CREATE OR REPLACE FUNCTION pgtoaster.require_unmarked(value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF value::text ~ '\{"\$pgtoaster": [0-9]{13,19}\}' THEN
    RAISE EXCEPTION 'the document has marks of members that are stored out of line, and no header' USING ERRCODE = 'data_corrupted',
      HINT = 'It was changed while triggers were off: SELECT * FROM pgtoaster.repair(table, column).';
  END IF;
  RETURN value;
END $$;

-- What the functions below do with documents that are split, or may be.
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
  SELECT * INTO h FROM pgtoaster.document_header(document);
  IF h.id IS NULL THEN
    RETURN document;
  END IF;
  shared := pgtoaster.shared_node(h.id);
  IF shared IS NOT NULL THEN
    PERFORM pgtoaster.corrupt_document(h.id, format('node %s is named more than once', shared));
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

-- A document as plain jsonb, whole. This, get and get_text are inlined: reading what the row has costs what operators cost. A
-- plain document is searched for marks by a path: writing it as text took three times as long.
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
      -- A mark on the way hides what is there.
      EXIT WHEN document #> path[:i] IS NULL;
      PERFORM pgtoaster.require_unmarked(document #> path[:i]) WHERE jsonb_typeof(document #> path[:i] -> '$pgtoaster') = 'number';
    END LOOP;
    RETURN pgtoaster.require_unmarked(document #> path);
  END IF;
  IF cardinality(path) = 0 THEN
    RETURN pgtoaster.expand(document);
  END IF;
  SELECT * INTO h FROM pgtoaster.document_header(document);
  IF h.id IS NULL THEN
    RETURN document #> path;
  END IF;
  SELECT * INTO p FROM pgtoaster.document_place(document, h.id, h.rest, path);
  RETURN CASE WHEN p.branch IS NOT NULL THEN pgtoaster.branch_text(h.id, p.branch) ELSE pgtoaster.expanded_text(h.id, p.value) END::jsonb;
END $$;

-- Whether what document #> path gives is the value at the path: no mark is in it nor, if it is missing, on the way to it.
CREATE OR REPLACE FUNCTION pgtoaster.in_row(document jsonb, path text[]) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT (document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL
          OR pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array'
             AND pg_catalog.strpos(pg_catalog.array_to_string(path, ' '), 'pgtoaster') OPERATOR(pg_catalog.=) 0)
         AND CASE WHEN document OPERATOR(pg_catalog.#>) path IS NULL
                  -- Not in the row, nor in an overflow branch. A header alone is looked at.
                  THEN pg_catalog.cardinality(path) OPERATOR(pg_catalog.=) 1 AND document OPERATOR(pg_catalog.#>) '{$pgtoaster,1}' IS NULL
                       AND document OPERATOR(pg_catalog.<>) pg_catalog.jsonb_build_object('$pgtoaster', document OPERATOR(pg_catalog.->) '$pgtoaster')
                  ELSE pg_catalog.strpos(CAST(document OPERATOR(pg_catalog.#>) path AS pg_catalog.text), 'pgtoaster": ') OPERATOR(pg_catalog.=) 0 END
$$;

-- The value at a path, as document #> path gives it for a plain document: reads the nodes on the way to it
-- and its own.
CREATE OR REPLACE FUNCTION pgtoaster.get(document jsonb, path text[]) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pgtoaster.in_row(document, path) THEN document OPERATOR(pg_catalog.#>) path
              ELSE pgtoaster.get_split(document, path) END
$$;

-- The same as text, as document #>> path gives it.
CREATE OR REPLACE FUNCTION pgtoaster.get_text(document jsonb, path text[]) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pgtoaster.in_row(document, path) THEN document OPERATOR(pg_catalog.#>>) path
              ELSE pgtoaster.get_split(document, path) OPERATOR(pg_catalog.#>>) '{}' END
$$;

-- Whether a value of a split document, in a row or in a branch, contains a probe.
CREATE OR REPLACE FUNCTION pgtoaster.value_contains(document bigint, value jsonb, branch bigint, probe jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  target bigint := coalesce(branch, pgtoaster.marked_branch(document, value));
  kind text := CASE WHEN target IS NULL THEN left(jsonb_typeof(value), 1) ELSE pgtoaster.branch_kind(document, target)::text END;
  missing jsonb := probe;
  member jsonb;
  r record;
BEGIN
  IF kind = 'v' THEN
    RETURN pgtoaster.branch_text(document, target)::jsonb = probe;
  END IF;
  IF kind <> left(jsonb_typeof(probe), 1) THEN
    RETURN false;
  END IF;
  IF target IS NULL AND strpos(value::text, '$pgtoaster') = 0 THEN
    RETURN jsonb_build_array(value) @> jsonb_build_array(probe);
  END IF;
  IF kind = 'o' THEN
    FOR r IN SELECT m.key, m.value FROM jsonb_each(probe) m LOOP
      member := CASE WHEN target IS NULL THEN pgtoaster.value_member(value, r.key)
                     ELSE pgtoaster.branch_member(document, target, r.key) END;
      IF member IS NULL OR NOT pgtoaster.value_contains(document, member, NULL, r.value) THEN
        RETURN false;
      END IF;
    END LOOP;
    RETURN true;
  END IF;
  IF target IS NULL THEN
    RETURN pgtoaster.expanded_text(document, value)::jsonb @> probe;
  END IF;
  IF kind = 's' THEN
    RETURN pgtoaster.branch_text(document, target)::jsonb = probe;
  END IF;
  -- Leaf by leaf, until each element of the probe was met.
  FOR r IN EXECUTE pgtoaster.branch_query(document)
      || ' SELECT kind, pgtoaster.expanded_text($1, value)::jsonb AS leaf FROM branch WHERE value IS NOT NULL OR kind IS NULL'
      USING document, target LOOP
    IF r.kind IS NULL THEN
      PERFORM pgtoaster.corrupt_document(document, format('branch %s is not complete', target));
    END IF;
    missing := (SELECT coalesce(jsonb_agg(e), '[]') FROM jsonb_array_elements(missing) e WHERE NOT r.leaf @> jsonb_build_array(e));
    EXIT WHEN missing = '[]';
  END LOOP;
  RETURN missing = '[]';
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.contains_split(document jsonb, probe jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  h record;
  p record;
  m record;
BEGIN
  IF jsonb_typeof(document #> '{$pgtoaster,edits}') = 'array' AND document #> '{$pgtoaster,document}' IS NOT NULL THEN
    document := pgtoaster.as_edited(document);
  END IF;
  IF document -> '$pgtoaster' IS NULL THEN
    RETURN pgtoaster.require_unmarked(document) @> probe;
  END IF;
  SELECT * INTO h FROM pgtoaster.document_header(document);
  IF h.id IS NULL THEN
    RETURN document @> probe;
  END IF;
  IF h.rest IS NOT NULL AND document - '$pgtoaster' = '{}' AND pgtoaster.branch_kind(h.id, h.rest) <> 'o' THEN
    -- An array contains a scalar among its elements, at the root only.
    RETURN pgtoaster.value_contains(h.id, NULL, h.rest, CASE
      WHEN pgtoaster.branch_kind(h.id, h.rest) = 'a' AND jsonb_typeof(probe) NOT IN ('array', 'object')
      THEN jsonb_build_array(probe) ELSE probe END);
  END IF;
  IF jsonb_typeof(probe) <> 'object' THEN
    RETURN false;
  END IF;
  FOR m IN SELECT e.key, e.value FROM jsonb_each(probe) e LOOP
    SELECT * INTO p FROM pgtoaster.document_place(document, h.id, h.rest, ARRAY[m.key]);
    IF p.value IS NULL AND p.branch IS NULL OR NOT pgtoaster.value_contains(h.id, p.value, p.branch, m.value) THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END $$;

-- The same by the members of the row that the probe names; NULL if one has marks, or may be in the overflow branch. names are the keys
-- of the probe. Qualified throughout: setting a search_path takes half as long as all of it. Without queries, which take three times as long.
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
    -- What a plain document does not have may have been in the overflow branch of a header that is lost.
    IF (CASE WHEN header IS NULL AND member IS NULL THEN (document OPERATOR(pg_catalog.@?) 'strict $.**."$pgtoaster"') IS TRUE
             WHEN header IS NOT NULL AND pg_catalog.strpos(name, 'pgtoaster') OPERATOR(pg_catalog.>) 0 THEN true
             WHEN member IS NULL THEN header OPERATOR(pg_catalog.->) 1 IS NOT NULL OR document OPERATOR(pg_catalog.=) pg_catalog.jsonb_build_object('$pgtoaster', header)
             ELSE pg_catalog.strpos(CAST(member AS pg_catalog.text), 'pgtoaster": ') OPERATOR(pg_catalog.>) 0 END) THEN
      away := true;
      probe := probe OPERATOR(pg_catalog.-) name;
    END IF;
  END LOOP;
  RETURN CASE WHEN NOT document OPERATOR(pg_catalog.@>) probe THEN false WHEN NOT away THEN true END;
END $$;

-- Whether a document contains a probe, as document @> probe says for a plain one: reads the members that the
-- probe names.
CREATE OR REPLACE FUNCTION pgtoaster.contains(document jsonb, probe jsonb) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT coalesce(pgtoaster.contains_in_row(document, probe, pg_catalog.jsonb_path_query_array(probe, '$.keyvalue().key', silent => true)),
                  pgtoaster.contains_split(document, probe))
$$;

-- What is stored of one document; the sizes of members that left are estimated, uncompressed.
-- Without JIT: the planner cannot know how small a tree is, and compiles what reads it (550 ms in place of 10).
CREATE OR REPLACE FUNCTION pgtoaster.document_stat(document jsonb, OUT split boolean, OUT inline_bytes bigint,
  OUT inline_members bigint, OUT split_members bigint, OUT leaves bigint, OUT inner_nodes bigint, OUT raw_bytes bigint,
  OUT stored_bytes bigint, OUT gain numeric, OUT depth integer, OUT largest jsonb)
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  h record;
  inline jsonb := CASE WHEN jsonb_typeof(document) = 'object' THEN document - '$pgtoaster' ELSE '{}' END;
BEGIN
  SELECT * INTO h FROM pgtoaster.document_header(document);
  split := h.id IS NOT NULL;
  inline_bytes := pg_column_size(document);
  inline_members := (SELECT count(*) FROM jsonb_each(inline) m WHERE NOT split OR pgtoaster.marked_branch(h.id, m.value) IS NULL);
  raw_bytes := pg_column_size(document::text::jsonb);
  stored_bytes := inline_bytes;
  IF split THEN
    -- The members of the root: those of the stub, and those of the leaves of its overflow branch.
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
        SELECT m.key, CASE WHEN m.rest THEN pg_column_size(m.value) ELSE 0 END
                      + coalesce((SELECT sum(greatest(n.bytes, 0)) FROM tree t JOIN %1$s n ON n.doc = $1 AND n.id = t.id WHERE t.key = m.key), 0) AS bytes
        FROM root m WHERE m.rest OR pgtoaster.marked_branch($1, m.value) IS NOT NULL
      )
      SELECT (SELECT count(*) FROM sized), greatest((SELECT max(depth) FROM tree), (SELECT max(cardinality(place)) + 1 FROM branch)),
             (SELECT coalesce(jsonb_agg(l), '[]') FROM (
                SELECT pgtoaster.shown_key(s.key) AS key, s.bytes FROM sized s ORDER BY s.bytes DESC, s.key LIMIT 10) l) $q$,
      pgtoaster.store_table((h.id >> 40)::integer, 'node'))
      INTO split_members, depth, largest USING h.id, h.rest, inline;
    EXECUTE format('SELECT count(value), count(*) - count(value), $2 + coalesce(sum(greatest(bytes, 0)) FILTER (WHERE value IS NOT NULL), 0), '
                   '$3 + coalesce(sum(pg_column_size(value)), 0) FROM %s WHERE doc = $1', pgtoaster.store_table((h.id >> 40)::integer, 'node'))
      INTO leaves, inner_nodes, raw_bytes, stored_bytes USING h.id, raw_bytes, stored_bytes;
  ELSE
    split_members := 0; leaves := 0; inner_nodes := 0; depth := 0; largest := '[]';
  END IF;
  gain := round(raw_bytes::numeric / nullif(stored_bytes, 0), 2);
END $$;

-- What is stored of all documents of a keyed column. It reads all of it.
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
  EXECUTE format('SELECT count(value), count(*) - count(value), $1 + coalesce(sum(greatest(bytes, 0)) FILTER (WHERE value IS NOT NULL), 0), '
                 '$2 + coalesce(sum(pg_column_size(value)), 0) FROM %s', pgtoaster.store_table(store, 'node'))
    INTO leaves, inner_nodes, raw_bytes, stored_bytes USING raw_bytes, inline_bytes;
  gain := round(raw_bytes::numeric / nullif(stored_bytes, 0), 2);
END $$;
-- Toasters of others: entered, given to columns, dropped.

-- Raises an error unless the server extension is there.
CREATE OR REPLACE FUNCTION pgtoaster.require_extension() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_regproc('toaster.check_handler') IS NULL THEN
    RAISE EXCEPTION 'extension pgtoaster is not there' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'CREATE EXTENSION pgtoaster; toasters of extensions are called by its functions.';
  END IF;
END $$;

-- Makes a toaster known: its handler, which an extension brings, a C function that takes internal and returns
-- toaster.handler; and by event the name of the function that answers, see pgtoaster.toaster_events(), such as
-- {"attach": "mine.attach", "collect": "mine.collect"}. Only who owns this catalog may.
CREATE OR REPLACE FUNCTION pgtoaster.create_toaster(name text, handler regproc DEFAULT NULL, routines jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  signature text;
  r record;
BEGIN
  IF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table pgtoaster.toaster' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = create_toaster.name AND t.builtin) THEN
    RAISE EXCEPTION 'toaster "%" is built in', name USING ERRCODE = 'duplicate_object';
  END IF;
  IF handler IS NOT NULL THEN
    PERFORM pgtoaster.require_extension();
    EXECUTE 'SELECT toaster.check_handler($1)' USING handler::oid::regprocedure;
    SELECT format('%I.%I(internal)', n.nspname, p.proname) INTO signature
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = handler;
  ELSIF NOT routines ? 'attach' THEN
    RAISE EXCEPTION 'toaster "%" has neither a handler nor a function for attach', name USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR r IN SELECT k.key, k.value, e.arguments, e.result, p.oid AS found, pg_get_function_result(p.oid) AS returned
           FROM jsonb_each_text(routines) k LEFT JOIN pgtoaster.toaster_events() e ON e.event = k.key
           LEFT JOIN pg_proc p ON p.oid = to_regprocedure(k.value || '(' || e.arguments || ')') LOOP
    IF r.arguments IS NULL THEN
      RAISE EXCEPTION 'there is no event "%"', r.key USING ERRCODE = 'invalid_parameter_value',
        HINT = 'SELECT * FROM pgtoaster.toaster_events().';
    END IF;
    IF r.returned IS DISTINCT FROM r.result THEN
      RAISE EXCEPTION 'there is no function %(%) that returns %', r.value, r.arguments, r.result USING ERRCODE = 'undefined_function',
        HINT = 'Name it with its schema.';
    END IF;
  END LOOP;
  INSERT INTO pgtoaster.toaster (name, handler, routines) VALUES (name, signature, routines);
  PERFORM pgtoaster.toaster_routine(name, k) FROM jsonb_object_keys(routines) k;
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'toaster "%" exists already', name USING ERRCODE = 'duplicate_object';
END $$;

-- Forgets a toaster that create_toaster has entered; refused while columns are attached to it.
CREATE OR REPLACE FUNCTION pgtoaster.drop_toaster(name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  known pgtoaster.toaster;
  columns text;
  wait CONSTANT text := current_setting('lock_timeout');
BEGIN
  IF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table pgtoaster.toaster' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- What an open transaction attaches is waited for, and what comes after it finds no toaster. Whoever attaches waits
  -- behind this, which therefore waits for a second only where nothing else is set.
  PERFORM pgtoaster.require_read_committed();
  BEGIN
    IF wait = '0' THEN
      PERFORM set_config('lock_timeout', '1s', true);
    END IF;
    LOCK TABLE pgtoaster.store IN SHARE ROW EXCLUSIVE MODE;
    PERFORM set_config('lock_timeout', wait, true);
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'toaster "%" is not dropped: an open transaction has attached, or detached, a column', name USING ERRCODE = 'lock_not_available',
      HINT = 'Try again once it has ended, or SET lock_timeout to wait for it. Nothing was changed.';
  END;
  SELECT * INTO known FROM pgtoaster.toaster t WHERE t.name = drop_toaster.name;
  IF known.name IS NULL THEN
    RAISE EXCEPTION 'toaster "%" does not exist', name USING ERRCODE = 'undefined_object';
  END IF;
  IF known.builtin THEN
    RAISE EXCEPTION 'toaster "%" is built in', name USING ERRCODE = 'dependent_objects_still_exist';
  END IF;
  SELECT string_agg(CASE WHEN a.table_name IS NULL THEN format('column %I of a dropped table', a.column_name)
                         ELSE format('%I.%I.%I', a.schema_name, a.table_name, a.column_name) END, ', ' ORDER BY a.store)
    INTO columns FROM pgtoaster.attached_column a WHERE a.toaster = name;
  IF columns IS NOT NULL THEN
    RAISE EXCEPTION 'toaster "%" is in use by %', name, columns USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'SELECT pgtoaster.detach(table, column) for each; what a dropped table left goes by gc. Nothing was changed.';
  END IF;
  DELETE FROM pgtoaster.toaster t WHERE t.name = drop_toaster.name;
END $$;

-- Whether a toaster can be used: its kind, blob or json, as its handler tells it, or sql. An error says what is missing.
CREATE OR REPLACE FUNCTION pgtoaster.validate(name text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  known pgtoaster.toaster;
  kind text := 'sql';
BEGIN
  SELECT * INTO known FROM pgtoaster.toaster t WHERE t.name = validate.name;
  IF known.name IS NULL THEN
    PERFORM pgtoaster.require_extension();
    RAISE EXCEPTION 'toaster "%" does not exist', name USING ERRCODE = 'undefined_object',
      HINT = 'SELECT pgtoaster.create_toaster(name, handler).';
  END IF;
  PERFORM pgtoaster.toaster_routine(name, k) FROM jsonb_object_keys(known.routines) k;
  IF known.handler IS NOT NULL THEN
    PERFORM pgtoaster.require_extension();
    IF to_regprocedure(known.handler) IS NULL THEN
      RAISE EXCEPTION 'handler % of toaster "%" does not exist', known.handler, name USING ERRCODE = 'undefined_function',
        HINT = 'CREATE EXTENSION of the one that brings it.';
    END IF;
    EXECUTE 'SELECT toaster.check_handler($1)' INTO kind USING to_regprocedure(known.handler);
  END IF;
  RETURN kind;
END $$;

-- Gives a toaster to a column, without options; returns the number of its store.
CREATE OR REPLACE FUNCTION pgtoaster.set_toaster(owner regclass, column_name name, toaster text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = set_toaster.toaster) THEN
    PERFORM pgtoaster.validate(toaster);
  END IF;
  RETURN pgtoaster.attach(owner, column_name, toaster);
END $$;

-- Lets a toaster of an extension, if it is one, drop what it made for a column; for pgtoaster.detach.
CREATE OR REPLACE FUNCTION pgtoaster.detach_from_extension(store integer, owner regclass, column_name name, toaster text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  handler text := (SELECT t.handler FROM pgtoaster.toaster t WHERE t.name = toaster AND NOT t.builtin);
BEGIN
  IF handler IS NOT NULL THEN
    PERFORM pgtoaster.validate(toaster);
    EXECUTE 'SELECT toaster.detach_callback($1, $2, $3, $4)' USING to_regprocedure(handler), owner, column_name, store;
  END IF;
END $$;
-- Reading blobs in SQL by their handle, for psql, reports and every language. They run with the rights and in
-- the snapshot of their caller, and find the store in the handle, which is unique across stores.

-- The condition that picks the head h of a handle, $1; refuses a handle that names no store of blobs. In a
-- store with a leading key, the rows that name the handle tell it. prefix: what the store's tables are called, qualified.
CREATE OR REPLACE FUNCTION pgtoaster.head_condition(handle bigint, OUT prefix text, OUT condition text, OUT leading_key text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  store integer;
  head text;
  naming record;
  value text;
BEGIN
  PERFORM pgtoaster.require_catalog();
  SELECT s.id INTO store FROM pgtoaster.store s WHERE s.id = handle >> 40 AND s.toaster = 'appendable';
  IF store IS NULL THEN
    PERFORM pgtoaster.corrupt_handle(handle);
  END IF;
  prefix := pgtoaster.store_table(store, '');
  head := prefix || 'head';
  IF NOT has_table_privilege(head, 'SELECT') THEN
    PERFORM pgtoaster.deny(store);
  END IF;
  condition := 'h.id = $1';
  leading_key := '';
  IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = head::regclass AND a.attname = 'leading_key') THEN
    leading_key := 'c.leading_key = h.leading_key AND ';
    SELECT string_agg(format('(h.leading_key, h.id) IN (SELECT o.%I, o.%I FROM %s o WHERE o.%I = $1)',
                             pgtoaster.leading_key_column(n.relation, store), n.handle, n.relation, n.handle), ' OR ')
      INTO condition FROM pgtoaster.naming_columns(store) n;
    condition := '(' || coalesce(condition, 'h.id = $1') || ')';
    -- Citus looks up the rows of all tenants, and is then told whose it is.
    FOR naming IN SELECT c.relation, c.handle, pgtoaster.leading_key_column(c.relation, store) AS lead, format_type(l.atttypid, l.atttypmod) AS type
             FROM pgtoaster.naming_columns(store) c CROSS JOIN pgtoaster.lead_attribute(store) l WHERE pgtoaster.is_sharded(store) LOOP
      EXECUTE format('SELECT CAST(o.%I AS text) FROM %s o WHERE o.%I = $1 LIMIT 1', naming.lead, naming.relation, naming.handle) INTO value USING handle;
      condition := format('h.leading_key = CAST(%L AS %s) AND h.id = $1', value, naming.type);
      leading_key := format('c.leading_key = CAST(%L AS %s) AND ', value, naming.type);
    END LOOP;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.corrupt_handle(handle bigint) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the handle % names no content', handle USING ERRCODE = 'data_corrupted',
    HINT = 'Give the value of a column that is attached to the toaster "appendable".';
END $$;

-- Length in bytes of the content that a handle names; NULL for NULL.
CREATE OR REPLACE FUNCTION pgtoaster.blob_length(handle bigint) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record := pgtoaster.head_condition(handle);
  length bigint;
BEGIN
  EXECUTE format('SELECT h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0) FROM %shead h WHERE %s',
                 c.prefix, c.condition) INTO length USING handle;
  IF length IS NULL THEN
    PERFORM pgtoaster.corrupt_handle(handle);
  END IF;
  RETURN length;
END $$;

-- A range of the content that a handle names, as substring(bytea FROM start FOR count) cuts: bytes count from
-- 1, what lies before the first and behind the last is left out. NULL for NULL.
CREATE OR REPLACE FUNCTION pgtoaster.blob_read(handle bigint, start bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record := pgtoaster.head_condition(handle);
  first bigint := greatest(start, 1) - 1;
  behind bigint := least(start - 1.0 + count, pgtoaster.blob_length(handle));
  bytes bytea := '';
  gapless boolean;
BEGIN
  IF count < 0 THEN
    RAISE EXCEPTION 'negative substring length not allowed' USING ERRCODE = 'substring_error';
  END IF;
  IF behind <= first THEN
    RETURN bytes;
  END IF;
  -- One behind the other: what lies twice does not make up for what is missing.
  EXECUTE format(
    'SELECT string_agg(substring(r.data FROM (r.first - r.start)::integer + 1 FOR (r.last - r.first)::integer), '''' ORDER BY r.start), '
    'sum((r.last - r.first) * (r.last::numeric + r.first)) = $3::numeric * $3 - $2::numeric * $2 '
    'FROM (SELECT r.start, r.data, greatest($2, r.start) AS first, least($3, r.start + octet_length(r.data)) AS last '
    'FROM %1$shead h CROSS JOIN LATERAL ('
    '  SELECT c.start, c.data FROM %1$schunk c WHERE %3$s c.blob_id = h.id AND c.start > $2 - h.chunk_size AND c.start < least($3, h.piece_start)'
    '  UNION ALL'
    '  SELECT c.start, c.data FROM %1$spiece c WHERE %3$s c.blob_id = h.id AND c.slot < h.piece_rows AND h.piece_start < $3'
    '  UNION ALL'
    '  SELECT h.base, substring(h.tail FROM 1 FOR greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0))) r '
    'WHERE %2$s) r WHERE r.first < r.last',
    c.prefix, c.condition, c.leading_key) INTO bytes, gapless USING handle, first, behind;
  IF octet_length(bytes) IS DISTINCT FROM (behind - first)::integer OR NOT gapless THEN
    RAISE EXCEPTION 'stored bytes of the content % are missing', handle USING ERRCODE = 'data_corrupted',
      HINT = 'See verify.';
  END IF;
  RETURN bytes;
END $$;

-- The whole content that a handle names, up to 1 GB, for views and whatever else wants bytea. With the extension and
-- SET pgtoaster.transparent = on, length() and substring() of it read what they need; not in SQL, which would be inlined before.
CREATE OR REPLACE FUNCTION pgtoaster.bytes(handle bigint) RETURNS bytea
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp COST 1000
AS $$
BEGIN
  RETURN pgtoaster.blob_read(handle, 1, 2147483647);
END $$;
-- Row security. Where the owner table has it, the tables of its store have policies that follow the owner's
-- rows: content is seen by who sees a row that names it, and changed by who may update that row. The policies
-- ask by subqueries over the owner table, which run with the rights of whoever reads or writes the store, so
-- that the owner's own policies apply in them. FOR KEY SHARE is what makes PostgreSQL apply those FOR UPDATE;
-- OFFSET 0 keeps the planner from reading all rows of the owner into a hash. Other tables pay nothing.
-- Rows that are there are asked for by functions that are said to cost less than any operator: PostgreSQL looks at
-- cheap conditions first that are leakproof, such as data >= ..., and EXPLAIN ANALYZE would tell of a subquery that
-- comes behind them whether it was asked, and so, bit by bit, the bytes. It costs some us for each row. New rows
-- are asked for by subqueries.

-- The rows of the owner table, as FROM has them: not those of tables that inherit from it and are no partitions, which
-- have none of its triggers.
CREATE OR REPLACE FUNCTION pgtoaster.own_rows(owner regclass) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE c.relkind WHEN 'r' THEN 'ONLY ' ELSE '' END || $1 FROM pg_class c WHERE c.oid = $1 $$;

-- The condition that a row o of the owner table has the key that a row of a store's table names, by the
-- operators of the foreign key, or of the index of the row key, wherever they are.
CREATE OR REPLACE FUNCTION pgtoaster.names_row(store integer, part text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  names text;
BEGIN
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = names_row.store;
  IF a.documents THEN
    SELECT string_agg(format('o.%I OPERATOR(%I.%s) %s.owner_%s', t.attname, n.nspname, p.oprname, part, k.position),
                      ' AND ' ORDER BY k.position) INTO names
    FROM pgtoaster.owner_key(a.owner, store) w
    JOIN pg_index i ON i.indexrelid = w.index_id
    CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY k(attnum, class, position)
    JOIN pg_attribute t ON t.attrelid = i.indrelid AND t.attnum = k.attnum
    JOIN pg_opclass c ON c.oid = k.class
    JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype AND e.amoprighttype = c.opcintype
      AND e.amopstrategy = 3
    JOIN pg_operator p ON p.oid = e.amopopr
    JOIN pg_namespace n ON n.oid = p.oprnamespace;
  ELSE
    SELECT string_agg(format('o.%I OPERATOR(%I.%s) %s.%s', t.attname, n.nspname, p.oprname, part,
                             CASE WHEN k.position < cardinality(f.conkey) THEN 'leading_key'
                                  WHEN part LIKE '%\_head' THEN 'id' ELSE 'blob_id' END),
                      ' AND ' ORDER BY k.position) INTO names
    FROM pg_constraint f
    CROSS JOIN LATERAL unnest(f.conkey, f.conpfeqop) WITH ORDINALITY k(attnum, operator, position)
    JOIN pg_attribute t ON t.attrelid = f.conrelid AND t.attnum = k.attnum
    JOIN pg_operator p ON p.oid = k.operator
    JOIN pg_namespace n ON n.oid = p.oprnamespace
    WHERE f.contype = 'f' AND f.conrelid = a.owner AND f.confrelid = to_regclass(pgtoaster.store_table(store, 'head'));
  END IF;
  IF names IS NULL THEN
    RAISE EXCEPTION 'the store % of % cannot tell which rows name its content', store, a.owner
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See the warnings of pgtoaster.status().';
  END IF;
  RETURN names;
END $$;

-- The policies of a store: expressions for existing and for new rows, NULL where the command has none.
CREATE OR REPLACE FUNCTION pgtoaster.wanted_policies(store integer)
RETURNS TABLE (part text, policy name, command text, existing text, new text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  head text := 'store_' || store || '_head';
  node text := 'store_' || store || '_node';
  lk text;
  created text;
  seen text;
  owns text;
  p text;
  owned text;
  made CONSTANT text := format(' AND %1$s.created_by = pg_current_xact_id() AND %1$s.created_as = to_regrole(quote_ident(current_user))', head);
  -- Sums and quotients over all heads must not fail for one that a role has made odd, nor who reads its pieces.
  sound CONSTANT text := format(' AND %1$s.chunk_size BETWEEN 1 AND 1048576 AND %1$s.piece_rows BETWEEN 0 AND 65536 AND %1$s.generation BETWEEN 0 AND 1::bigint << 62'
    ' AND %1$s.base BETWEEN 0 AND 1::bigint << 60 AND %1$s.base - %1$s.piece_start BETWEEN 0 AND 2097152 AND %1$s.piece_start >= 0', head);
BEGIN
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = wanted_policies.store;
  lk := CASE WHEN a.options ? 'leading_key' THEN '%1$s.leading_key, ' ELSE '' END;
  -- A head that this transaction has created is its own before a row names it.
  created := format('%s(%L::regclass, %s%s.id)', pgtoaster.store_table(store, 'fresh'), pgtoaster.store_table(store, 'head'), format(lk, head), head);
  IF a.documents THEN
    seen := (SELECT string_agg(format('%s.%I', head, t.attname), ', ' ORDER BY t.attnum) FROM pg_attribute t
             WHERE t.attrelid = pgtoaster.store_table(store, 'head')::regclass AND t.attname LIKE 'owner\_%') || format(', %s.id', head);
    owns := format('%s(%s)', pgtoaster.store_table(store, 'owns'), seen);
    seen := format('%s(%s) OR %s', pgtoaster.store_table(store, 'sees'), seen, created);
    owned := format('EXISTS (SELECT FROM %s o WHERE %s FOR KEY SHARE OF o)', pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, head));
    RETURN QUERY VALUES
      ('head', 'pgtoaster_select'::name, 'SELECT', seen, NULL),
      ('head', 'pgtoaster_insert', 'INSERT', NULL, owned || ' AND ' || created || made),
      ('head', 'pgtoaster_update', 'UPDATE', owns, seen),
      ('head', 'pgtoaster_delete', 'DELETE', owns, NULL);
    owned := format('EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = %s.doc FOR KEY SHARE OF o)',
                    pgtoaster.store_table(store, 'head'), pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'h'), node);
    owns := format('%s(%s.doc)', pgtoaster.store_table(store, 'owns_node'), node);
    RETURN QUERY VALUES
      ('node', 'pgtoaster_select'::name, 'SELECT', format('%s(%s.doc)', pgtoaster.store_table(store, 'sees_node'), node), NULL),
      -- The statement that creates a document inserts its head and its nodes.
      ('node', 'pgtoaster_insert', 'INSERT', NULL,
       format('%s OR %s(%L::regclass, %s.doc, current_user) AND NOT %s(%4$s.doc)', owned, pgtoaster.store_table(store, 'own'), pgtoaster.store_table(store, 'head'), node,
              pgtoaster.store_table(store, 'named'))),
      ('node', 'pgtoaster_update', 'UPDATE', owns, owned),
      ('node', 'pgtoaster_delete', 'DELETE', owns, NULL);
    RETURN;
  END IF;
  FOREACH p IN ARRAY ARRAY['head', 'chunk', 'piece', 'token', 'follower'] LOOP
    seen := format('%s%s.%s', format(lk, 'store_' || store || '_' || p), 'store_' || store || '_' || p, CASE p WHEN 'head' THEN 'id' ELSE 'blob_id' END);
    owns := format('%s(%s)', pgtoaster.store_table(store, 'owns'), seen);
    seen := format('%s(%s)', pgtoaster.store_table(store, 'sees'), seen);
    owned := format('EXISTS (SELECT FROM %s o WHERE %s FOR KEY SHARE OF o)', pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'store_' || store || '_' || p));
    IF p = 'head' THEN
      seen := seen || ' OR ' || created;
      owns := owns || ' OR ' || created;
    END IF;
    IF p = 'follower' THEN
      -- Who may read may also say that it follows.
      RETURN QUERY VALUES
        (p, 'pgtoaster_select'::name, 'SELECT', seen, NULL),
        (p, 'pgtoaster_insert', 'INSERT', NULL, seen),
        (p, 'pgtoaster_update', 'UPDATE', seen, seen),
        (p, 'pgtoaster_delete', 'DELETE', owns, NULL);
    ELSE
      RETURN QUERY VALUES
        (p, 'pgtoaster_select'::name, 'SELECT', seen, NULL),
        (p, 'pgtoaster_insert', 'INSERT', NULL, CASE p WHEN 'head' THEN created || made || sound ELSE owned END),
        (p, 'pgtoaster_update', 'UPDATE', owns, CASE p WHEN 'head' THEN '(' || seen || ')' || sound ELSE owned END),
        (p, 'pgtoaster_delete', 'DELETE', owns, NULL);
    END IF;
  END LOOP;
END $$;

-- What the policies of a store and the triggers of its owner call, with the rights of the owner of the table; see
-- 3-cleanup.sql for what they may call themselves.
-- sees(.., id): whether a row that the caller sees names the blob or document; sees_node(doc) of a node.
-- owns(.., id): whether a row that the caller may change names it, and locks that row; owns_node(doc) of a node.
-- own(head, .., id, role): whether the present transaction has created the head as that role, by created_by and created_as,
-- which tell no other than the one that inserted it, and is still open; or whether a row has given it up as that role.
-- new(head, .., id, role): 2 if it has created it, as the statement sees it; if there is no such head, 1 if it may be made: nothing
-- under that number is there or waits to be swept, and it was drawn, so that nobody takes the numbers of others; else 0.
-- free(head, .., id, role): the same as it is now, for heads that others have committed since the statement began.
-- alone(.., id): whether the row with that key, as the statement sees it, is the one that its content belongs to: the
-- only one that names the blob, the one that the head of the document names.
-- named(.., id): whether any row names it, whoever's, as the statement sees it.
-- fresh(head, .., id): new and free, and not named, for the role at work, which it hands over to them. Policies do not: the expression
-- current_user counts as much as an operator, and would come behind cheap conditions. OFFSET keeps it from being inlined. Without names for all arguments pg_dump writes "".
-- Policies hold the table of heads by OID, so that a renamed schema is followed; another table is not read.
CREATE OR REPLACE FUNCTION pgtoaster.create_policy_functions(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  head regclass := pgtoaster.store_table(store, 'head')::regclass;
  lk_type text := (SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
                   WHERE a.attrelid = head AND a.attname = 'leading_key');
  lk_equal text := CASE WHEN lk_type IS NULL THEN '%s'
                        ELSE (SELECT format('t.leading_key OPERATOR(%I.%s) %%s AND ', n.nspname, p.oprname)
                              FROM pg_constraint f JOIN pgtoaster.store s ON s.id = store AND s.owner = f.conrelid
                              JOIN pg_operator p ON p.oid = f.conppeqop[1] JOIN pg_namespace n ON n.oid = p.oprnamespace
                              WHERE f.contype = 'f' AND f.confrelid = head) END;
  -- The arguments of own, new and free: the number, all of them, and the condition of the leading key.
  id text := CASE WHEN lk_type IS NULL THEN '$2' ELSE '$3' END;
  given text := CASE WHEN lk_type IS NULL THEN '$2' ELSE '$3, $2' END;
  lk_given text := format(lk_equal, CASE WHEN lk_type IS NULL THEN '' ELSE '$2' END);
  -- Whether this transaction made the head, and the version that is seen. Who wrote a head last may have run a
  -- function of another, or changed a key that others have; and numbers of transactions that were restored, or replicated,
  -- come in the new server too, where the head has been written by who restored it.
  mine text := $f$
      mine := false;
      IF pg_current_xact_id_if_assigned() IS NOT NULL AND made THEN
        top := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
        bottom := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
        wrote := top + ((wrote - top + 2147483648) & 4294967295) - 2147483648;
        -- What is seen of a transaction that is still open is of this one.
        IF wrote >= bottom AND wrote < top + 1000000 THEN
          mine := pg_xact_status(wrote::text::xid8) = 'in progress';
        END IF;
      END IF;$f$;
  -- Notes that were not made by this transaction are gone when they can be seen.
  given_up text := format($f$
      IF NOT mine THEN
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || prefix || 'garbage t WHERE %s t.id = $2 AND t.given_as = $1 AND NOT t.released)' INTO mine USING role, %s;
      END IF;$f$, replace(lk_given, '$2', '$3'), given);
  document_id CONSTANT text := (SELECT f.prosrc FROM pg_proc f WHERE f.oid = 'pgtoaster.document_id(jsonb)'::regprocedure);
  drawn text := (SELECT format($f$
        EXECUTE 'SELECT NOT EXISTS (SELECT FROM ' || prefix || 'garbage t WHERE %1$s t.id = $1)%2$s' INTO mine USING %3$s;
        mine := mine AND %4$s <= pg_sequence_last_value(pg_get_serial_sequence(prefix || 'head', 'id')::regclass);$f$, lk_given,
    string_agg(format(' AND NOT EXISTS (SELECT FROM '' || prefix || ''%s t WHERE %s t.%s = $1)', part, lk_given,
                      CASE part WHEN 'node' THEN 'doc' ELSE 'blob_id' END), ''), given, id)
    FROM unnest(pgtoaster.store_parts(store)) part WHERE part IN ('node', 'chunk', 'piece'));
  p record;
  a record;
  sees text;
  arguments text;
  asked integer;
BEGIN
  -- VOLATILE sees what the statement itself has inserted; STABLE does not lose what another deletes meanwhile.
  FOR p IN SELECT * FROM (VALUES ('own', 'VOLATILE'), ('new', 'STABLE'), ('free', 'VOLATILE')) v(name, volatility) LOOP
    EXECUTE format('CREATE FUNCTION %s(head regclass, %s bigint, role name) RETURNS %s LANGUAGE plpgsql %s SECURITY DEFINER COST 0.1 '
                   'SET search_path = pg_catalog, pg_temp AS %L', pgtoaster.store_table(store, p.name), coalesce(lk_type || ', ', ''),
                   CASE p.name WHEN 'new' THEN 'integer' ELSE 'boolean' END, p.volatility, $f$
    DECLARE
      prefix text;
      wrote bigint;
      made boolean;
      top bigint;
      bottom bigint;
      mine boolean;$f$ || format($f$
    BEGIN
      SELECT quote_ident(n.nspname) || '.store_%1$s_' INTO prefix FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = head AND c.relname = 'store_%1$s_head' AND c.relkind = 'r' AND pg_get_userbyid(c.relowner) = current_user;
      -- A number of another store would be looked up there.
      IF prefix IS NULL OR %6$s >> 40 <> %1$s THEN
        RETURN false%8$s;
      END IF;
      EXECUTE 'SELECT t.xmin::text::bigint, t.created_by = pg_current_xact_id_if_assigned() AND pg_get_userbyid(t.created_as) = $1 FROM '
              || prefix || 'head t WHERE %2$s t.id = $2' INTO wrote, made USING role, %3$s;
      IF wrote IS NULL THEN%4$s
        RETURN coalesce(mine, false)%8$s;
      END IF;%5$s%7$s
      RETURN mine%8$s%9$s;
    END $f$, store, replace(lk_given, '$2', '$3'), given, CASE p.name WHEN 'own' THEN '' ELSE drawn END, mine, id, CASE p.name WHEN 'own' THEN given_up END,
      CASE p.name WHEN 'new' THEN '::integer' END, CASE p.name WHEN 'new' THEN ' * 2' END));
  END LOOP;
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = create_policy_functions.store;
  IF a.documents THEN
    arguments := (SELECT string_agg(format('%I %s', t.attname, format_type(t.atttypid, t.atttypmod)), ', ' ORDER BY t.attnum)
                  FROM pg_attribute t WHERE t.attrelid = head AND t.attname LIKE 'owner\_%') || ', id bigint';
    EXECUTE format('CREATE FUNCTION %s(doc bigint) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE COST 0.1 '
                   'BEGIN ATOMIC SELECT EXISTS (SELECT FROM %s h WHERE h.id = $1 OFFSET 0); END',
                   pgtoaster.store_table(store, 'sees_node'), head);
    EXECUTE format('CREATE FUNCTION %s(doc bigint) RETURNS boolean LANGUAGE sql COST 0.1 '
                   'BEGIN ATOMIC SELECT EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = $1 FOR KEY SHARE OF o); END',
                   pgtoaster.store_table(store, 'owns_node'), head, pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'h'));
  ELSE
    arguments := coalesce('leading_key ' || lk_type || ', ', '') || 'blob_id bigint';
  END IF;
  FOR p IN SELECT * FROM (VALUES ('sees', 'STABLE PARALLEL SAFE', 'OFFSET 0'), ('owns', 'VOLATILE', 'FOR KEY SHARE OF o')) v(name, volatility, ending) LOOP
    sees := format('store_%s_%s', store, p.name);
    EXECUTE format('CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql %s COST 0.1 BEGIN ATOMIC SELECT EXISTS (SELECT FROM %s o WHERE %s%s %s); END',
                   pgtoaster.store_table(store, p.name), arguments, p.volatility, pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, sees),
                   CASE WHEN a.documents THEN format(' AND o.%1$I #> ''{$pgtoaster,0}'' = to_jsonb(%2$s.id) AND jsonb_typeof(o.%1$I -> ''$pgtoaster'') = ''array''',
                                                             a.column_name, sees) ELSE '' END,
                   p.ending);
  END LOOP;
  sees := format('store_%s_named', store);
  EXECUTE format('CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER COST 0.1 SET search_path = pg_catalog, pg_temp BEGIN ATOMIC SELECT EXISTS (%s); END',
                 pgtoaster.store_table(store, 'named'), regexp_replace(arguments, '^owner_.*, id', 'id'),
                 CASE WHEN a.documents
                      THEN format('SELECT FROM %s h JOIN %s o ON %s WHERE h.id = %s.id AND o.%I #> ''{$pgtoaster,0}'' = to_jsonb(h.id)', head, pgtoaster.own_rows(a.owner),
                                  pgtoaster.names_row(store, 'h'), sees, a.column_name)
                      ELSE format('SELECT FROM %s o WHERE %s', pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, sees)) END);
  EXECUTE format('CREATE FUNCTION %s(head regclass, %s id bigint) RETURNS boolean LANGUAGE sql STABLE COST 0.1 '
                 'BEGIN ATOMIC SELECT CASE %s(head, %s, current_user) WHEN 0 THEN false WHEN 1 THEN %s(head, %4$s, current_user) '
                 'ELSE %5$s(head, %4$s, current_user) AND NOT %6$s(%4$s) END OFFSET 0; END', pgtoaster.store_table(store, 'fresh'),
                 coalesce('leading_key ' || lk_type || ', ', ''), pgtoaster.store_table(store, 'new'), CASE WHEN lk_type IS NULL THEN 'id' ELSE 'leading_key, id' END,
                 pgtoaster.store_table(store, 'free'), pgtoaster.store_table(store, 'named'));
  asked := array_length(string_to_array(arguments, ', '), 1);
  sees := format('store_%s_alone', store);
  -- That of documents has the rights of its caller, who sees the head of what a row that he sees names, and is told nothing of others.
  EXECUTE format('CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql STABLE %s SET search_path = pg_catalog, pg_temp BEGIN ATOMIC %s; END',
                 pgtoaster.store_table(store, 'alone'), arguments, CASE WHEN a.documents THEN '' ELSE 'SECURITY DEFINER' END,
                 CASE WHEN a.documents
                      THEN format('SELECT EXISTS (SELECT FROM %s o JOIN %s h ON %s WHERE %s AND h.id = %s.id)', pgtoaster.own_rows(a.owner), head,
                                  pgtoaster.names_row(store, 'h'), pgtoaster.names_row(store, sees), sees)
                      ELSE format('SELECT count(*) < 2 FROM (SELECT FROM %s o WHERE %s LIMIT 2) n', pgtoaster.own_rows(a.owner),
                                  pgtoaster.names_row(store, sees)) END);
  -- The role itself may not call own where it has no grant on the store.
  EXECUTE format('CREATE FUNCTION %s(own regprocedure, head regclass, %s) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                 pgtoaster.store_table(store, 'made'),
                 CASE WHEN a.documents THEN 'document jsonb' ELSE coalesce(lk_type || ', ', '') || 'bigint' END, format($f$
    DECLARE
      made boolean;
    BEGIN
      EXECUTE format('SELECT %%s($1, %s, current_user)', own::regproc) INTO made USING head, %s;
      RETURN made;
    EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
      RETURN false;
    END $f$, CASE WHEN lk_type IS NULL THEN '$2' ELSE '$2, $3' END,
      CASE WHEN a.documents THEN '(' || document_id || ')' WHEN lk_type IS NULL THEN '$3' ELSE '$3, $4' END));
  -- Whether the head of a document, as far as the role sees it, names the row with that key.
  IF a.documents THEN
    EXECUTE format('CREATE FUNCTION %s(head regclass, %s) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                   pgtoaster.store_table(store, 'fits'), regexp_replace(arguments, 'id bigint$', 'document jsonb'), format($f$
    DECLARE
      fits boolean;
    BEGIN
      EXECUTE 'SELECT EXISTS (SELECT FROM ' || head || ' t JOIN (SELECT %s) o ON %s WHERE t.id = $%s)' INTO fits USING %s, (%s);
      RETURN fits;
    EXCEPTION WHEN insufficient_privilege OR undefined_table THEN
      RETURN false;
    END $f$, (SELECT string_agg(format('$%s AS %s', n, replace(quote_ident(c), '''', '''''')), ', ') FROM pgtoaster.owner_key(a.owner, store) k, unnest(k.columns) WITH ORDINALITY u(c, n)),
      replace(pgtoaster.names_row(store, 't'), '''', ''''''), asked, (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(2, asked) n), document_id));
  END IF;
  -- What a role sees named it may name again, as far as reading goes; asked before a row is written.
  EXECUTE format('CREATE FUNCTION %s(head regclass, %s) RETURNS boolean LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
                 pgtoaster.store_table(store, 'knows'),
                 CASE WHEN a.documents THEN 'document jsonb' ELSE coalesce(lk_type || ', ', '') || 'bigint' END, format($f$
    DECLARE
      known boolean;
    BEGIN
      EXECUTE 'SELECT EXISTS (SELECT FROM ' || head || ' t WHERE %s t.id = $1)' INTO known USING %s;
      RETURN known;
    EXCEPTION WHEN insufficient_privilege OR undefined_table THEN
      RETURN false;
    END $f$, lk_given, CASE WHEN a.documents
                            THEN '(' || document_id || ')'
                            ELSE given END));
  -- What a row releases other rows may take, if it is its own and the role saw it there; in the conditions of triggers, for they are asked
  -- by whoever is at work, and see the row as the statement does.
  EXECUTE format('CREATE FUNCTION %s(sees regprocedure, alone regprocedure, %s) RETURNS boolean LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
                 pgtoaster.store_table(store, 'gives'),
                 CASE WHEN a.documents THEN regexp_replace(arguments, 'id bigint$', 'document jsonb') ELSE arguments END,
                 format($f$
    DECLARE
      seen boolean;
    BEGIN
      EXECUTE format('SELECT %%s(%1$s) AND %%s(%1$s)', sees::regproc, alone::regproc) INTO seen USING %2$s;
      RETURN seen;
    EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
      RETURN false;
    END $f$, (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(1, asked) n),
      CASE WHEN a.documents
           THEN (SELECT string_agg('$' || n + 2 || ', ', '' ORDER BY n) FROM generate_series(1, asked - 1) n) || '(' || document_id || ')'
           ELSE (SELECT string_agg('$' || n + 2, ', ' ORDER BY n) FROM generate_series(1, asked) n) END));
  -- The role that gives is told by the trigger that fires just before, with its rights, for the same row.
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS %L', pgtoaster.store_table(store, 'giver'), $f$
    BEGIN
      PERFORM pg_catalog.set_config('pgtoaster.giver', current_user::pg_catalog.text, true);
      RETURN NULL;
    END $f$);
  PERFORM pgtoaster.create_trigger_function(store, 'give', format($f$
    DECLARE
      document_id CONSTANT text := %L;
      giver CONSTANT name := nullif(current_setting('pgtoaster.giver', true), '');
      prefix text;
      handle name;
      lk name;
    BEGIN
      PERFORM set_config('pgtoaster.giver', '', true);$f$, document_id) || pgtoaster.place_source(store)
      || CASE WHEN a.documents THEN $f$
      EXECUTE 'SET CONSTRAINTS ' || prefix || 'sweep DEFERRED';
      SELECT l.attname INTO lk FROM pg_attribute l WHERE l.attrelid = (prefix || 'garbage')::regclass AND l.attname ~ '^owner_[0-9]+$';
      EXECUTE concat('INSERT INTO ', prefix, 'garbage AS t (id, released, given_as', ', ' || lk, ') SELECT x.id, false, $2',
                     ', ($1).' || quote_ident((SELECT s.columns[substr(lk, 7)::integer] FROM $f$ || pgtoaster.owners_source(store, a.column_name) || $f$ s
                                               WHERE lk IS NOT NULL AND s.relation = TG_RELID)),
                     ' FROM (', document_id, ' AS id FROM (SELECT ($1).', quote_ident(handle), ' AS document) d) x WHERE x.id IS NOT NULL '
                     'ON CONFLICT (id', ', ' || lk, ') DO UPDATE SET given_as = $2 WHERE NOT t.released') USING OLD, giver;$f$
      ELSE $f$
      SELECT a.attname INTO lk FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      WHERE k.conrelid = TG_RELID AND k.contype = 'f' AND cardinality(k.conkey) = 2 AND k.confrelid = (prefix || 'head')::regclass;
      EXECUTE format('INSERT INTO %sgarbage AS t (%s id, released, given_as) SELECT %s ($1).%I, false, $2 '
                     'ON CONFLICT (%2$s id) DO UPDATE SET given_as = $2 WHERE NOT t.released',
                     prefix, CASE WHEN lk IS NOT NULL THEN 'leading_key,' END, '($1).' || quote_ident(lk) || ',', handle) USING OLD, giver;$f$ END || $f$
      RETURN NULL;
    END $f$);
  -- A row names content that its transaction created, or took from the row that named it, as the role at work; with the
  -- argument alone, that no other row names it.
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L', pgtoaster.store_table(store, 'guard'), format($f$
    DECLARE
      what CONSTANT text := %L;
      query text := %L;
      prefix text;
      handle name;
      lk text := '';
      content bigint;
      was bigint;
      allowed boolean;
    BEGIN$f$, CASE WHEN a.documents THEN 'document' ELSE 'handle' END,
              CASE WHEN a.documents THEN document_id || ' FROM (SELECT ($1).%I AS document) d' ELSE 'SELECT ($1).%I' END) || pgtoaster.place_source(store)
      || CASE WHEN lk_type IS NULL THEN '' ELSE $f$
      SELECT format('($4).%I, ', a.attname) INTO lk FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      WHERE k.conrelid = TG_RELID AND k.contype = 'f' AND cardinality(k.conkey) = 2 AND k.confrelid = (prefix || 'head')::regclass;$f$ END || $f$
      query := replace(query, '%I', quote_ident(handle));
      EXECUTE query INTO content USING NEW;
      IF TG_OP = 'UPDATE' THEN
        EXECUTE query INTO was USING OLD;
      END IF;
      -- What names nothing is of no use.
      IF content IS NULL OR content = was THEN
        RETURN NEW;
      END IF;
      EXECUTE 'SELECT ' || prefix || CASE TG_ARGV[0] WHEN 'alone' THEN 'alone(' || lk || '$2)' ELSE 'own($1, ' || lk || '$2, $3)' END
        INTO allowed USING (prefix || 'head')::regclass, content, current_user, NEW;
      IF NOT allowed THEN
        RAISE EXCEPTION '% % is not one that this row of % may be given', what, content, TG_RELID::regclass
          USING ERRCODE = 'insufficient_privilege',
                HINT = 'With row security a row names content that its own transaction has stored, or taken as the same role from the row '
                       'that named it; copy the content instead' || CASE what WHEN 'document' THEN ': pgtoaster.expand(...).' ELSE '.' END;
      END IF;
      RETURN NEW;
    END $f$);
END $$;

-- The functions of a store that only its policies need; others may have made some of the same name.
CREATE OR REPLACE FUNCTION pgtoaster.policy_functions(store integer) RETURNS SETOF regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT f.oid::regprocedure FROM pgtoaster.store s
  JOIN pg_class h ON h.oid = s.head
  JOIN pg_proc f ON f.pronamespace = h.relnamespace AND f.proname = ANY (ARRAY(SELECT format('store_%s_%s', $1, p) FROM unnest(ARRAY['own', 'new', 'free', 'fresh', 'alone', 'made', 'fits', 'sees', 'sees_node', 'owns', 'owns_node', 'guard', 'give', 'giver', 'gives', 'knows', 'named']) p))
  WHERE s.id = $1 AND (f.proowner IN (h.relowner, to_regrole(quote_ident(current_user))) OR f.proowner = (SELECT w.proowner FROM pg_proc w WHERE w.oid = pgtoaster.store_routine($1, 'release')))
$$;

-- One of them; NULL if it is not there.
CREATE OR REPLACE FUNCTION pgtoaster.policy_function(store integer, part text) RETURNS regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT f FROM pgtoaster.policy_functions($1) f JOIN pg_proc p ON p.oid = f WHERE p.proname = format('store_%s_%s', $1, $2) $$;

-- Drops the policies of a store, with what they need.
CREATE OR REPLACE FUNCTION pgtoaster.drop_policies(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p record;
BEGIN
  FOR p IN SELECT t.tgname, t.tgrelid::regclass AS relation FROM pg_trigger t
           JOIN pg_class c ON c.oid = t.tgrelid AND pg_has_role(c.relowner, 'USAGE')
           JOIN pg_proc f ON f.oid = t.tgfoid AND f.proname LIKE 'store\_' || store || '\_%'
           WHERE ltrim(t.tgname, '~') = ANY (ARRAY(SELECT 'pgtoaster_' || store || e.ending
                                       FROM unnest(ARRAY['_guard', '_guard_insert', '_guard_before', '_guard_before_insert', '_gave_update', '_gave_delete', '_give_update', '_give_delete', '_admit', '_guard_row',
                                                         '_alone', '_alone_insert']) e(ending)))
             AND t.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', p.tgname, p.relation);
  END LOOP;
  FOR p IN SELECT l.polname, r.oid::regclass AS relation FROM unnest(pgtoaster.store_parts(store)) s(part)
           JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, s.part))
           JOIN pg_policy l ON l.polrelid = r.oid AND l.polname LIKE 'pgtoaster\_%' LOOP
    EXECUTE format('DROP POLICY %I ON %s', p.polname, p.relation);
  END LOOP;
  FOR p IN SELECT r.oid::regclass AS relation FROM unnest(pgtoaster.store_parts(store)) s(part)
           JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, s.part)) AND r.relrowsecurity LOOP
    EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', p.relation);
  END LOOP;
  FOR p IN SELECT f.id FROM pgtoaster.policy_functions(store) f(id) ORDER BY f.id::text !~ '_fresh[(]' LOOP -- it calls others
    PERFORM pgtoaster.drop_part(format('DROP FUNCTION %s', p.id));
  END LOOP;
END $$;

-- Why the row security of a store is not that of its owner table; NULL if it is.
CREATE OR REPLACE FUNCTION pgtoaster.policy_drift(store integer) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  wanted boolean;
  parts text[] := pgtoaster.store_parts(store);
  followed bigint;
BEGIN
  SELECT c.relrowsecurity INTO wanted FROM pgtoaster.store s JOIN pg_class c ON c.oid = s.owner WHERE s.id = store;
  IF cardinality(parts) = 0 OR wanted IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT count(*) INTO followed FROM unnest(parts) p(part)
  JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, p.part)) AND r.relrowsecurity
  WHERE p.part IN ('garbage', 'aside') OR EXISTS (SELECT FROM pg_policy l WHERE l.polrelid = r.oid AND l.polname LIKE 'pgtoaster\_%');
  IF wanted AND followed < cardinality(parts) THEN
    RETURN 'the table has row security and its store does not follow it';
  ELSIF wanted AND (SELECT count(*) FROM pgtoaster.policy_functions(store)) < (CASE WHEN 'node' = ANY (parts) THEN 17 ELSE 14 END) THEN
    RETURN 'the policies of the store are not those of this catalog, and plans tell of what they hide';
  ELSIF NOT wanted AND followed > 0 THEN
    RETURN 'the table has no row security any more, and its store still pays for it';
  ELSIF EXISTS (SELECT FROM unnest(parts) p(part)
                JOIN pg_policy l ON l.polrelid = to_regclass(pgtoaster.store_table(store, p.part))
                WHERE l.polname NOT LIKE 'pgtoaster\_%') THEN
    RETURN 'the store has policies that are not of pgtoaster, which the extension cannot apply';
  END IF;
  RETURN NULL;
END $$;

-- Brings the row security of a store in line with that of its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_policies(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  table_owner name;
  drift boolean;
  followed boolean;
  part text;
  p record;
  active text;
  row_key text;
  given text;
  unmade text;
  known text;
BEGIN
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = mirror_policies.store;
  IF NOT coalesce('head' = ANY (pgtoaster.store_parts(store)) AND a.column_exists, false) THEN
    RETURN;
  END IF;
  drift := pgtoaster.policy_drift(store) IS NOT NULL;
  IF drift THEN
    PERFORM pgtoaster.drop_policies(store);
  END IF;
  SELECT c.relrowsecurity, pg_get_userbyid(c.relowner) INTO followed, table_owner FROM pg_class c WHERE c.oid = a.owner;
  IF drift AND followed THEN
    PERFORM pgtoaster.create_policy_functions(store);
  END IF;
  FOR p IN SELECT i.id FROM pgtoaster.policy_functions(store) i(id) JOIN pg_proc f ON f.oid = i.id
           WHERE drift OR pg_get_userbyid(f.proowner) <> table_owner LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', p.id, table_owner);
  END LOOP;
  -- Policies call them with the rights of whoever is at work: who has any on the store.
  FOR p IN SELECT i.id, e.grantee FROM pgtoaster.policy_functions(store) i(id) JOIN pg_proc f ON f.oid = i.id
           CROSS JOIN LATERAL aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) e
           WHERE e.grantee <> f.proowner AND f.proname !~ '_(gives|knows|made|fits)$' LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM %s', p.id,
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  FOR p IN SELECT DISTINCT i.id, w.grantee FROM pgtoaster.policy_functions(store) i(id) JOIN pg_proc f ON f.oid = i.id AND f.proname !~ '_(guard|giver?|gives|knows|made|fits)$'
           CROSS JOIN pgtoaster.wanted_privileges(store) w LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', p.id,
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  IF NOT (drift AND followed) THEN
    RETURN;
  END IF;
  FOREACH part IN ARRAY pgtoaster.store_parts(store) LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', pgtoaster.store_table(store, part));
  END LOOP;
  FOR p IN SELECT * FROM pgtoaster.wanted_policies(store) LOOP
    EXECUTE format('CREATE POLICY %I ON %s FOR %s', p.policy, pgtoaster.store_table(store, p.part), p.command)
      || coalesce(' USING (' || p.existing || ')', '') || coalesce(' WITH CHECK (' || p.new || ')', '');
  END LOOP;
  active := format('row_security_active(%L::regclass)', a.owner);
  row_key := CASE WHEN a.documents THEN (SELECT string_agg(format('OLD.%I, ', c), '' ORDER BY n)
                                                 FROM pgtoaster.owner_key(a.owner, store) k, unnest(k.columns) WITH ORDINALITY u(c, n))
                  ELSE coalesce('OLD.' || quote_ident(pgtoaster.leading_key_column(a.owner, store)) || ',', '') END;
  given := format('%s AND %s(%L::regprocedure, %L::regprocedure, %s OLD.%I)', active, pgtoaster.store_table(store, 'gives'),
                  pgtoaster.policy_function(store, 'sees'), pgtoaster.policy_function(store, 'alone'), row_key, a.column_name);
  unmade := format('%s AND NOT %s(%L::regprocedure, %L::regclass, %s NEW.%I)', active, pgtoaster.store_table(store, 'made'),
                   pgtoaster.policy_function(store, 'own'), pgtoaster.store_table(store, 'head'),
                   CASE WHEN a.documents THEN '' ELSE replace(row_key, 'OLD.', 'NEW.') END, a.column_name);
  -- One fires behind the other, and nothing between them.
  FOR p IN SELECT * FROM (VALUES ('gave', 'giver', active), ('give', 'give', given)) v(name, function, asked) LOOP
    EXECUTE format(CASE WHEN a.documents THEN 'CREATE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (OLD.%2$I ? ''$pgtoaster'' '
                                                    'AND OLD.%2$I #> ''{$pgtoaster,0}'' IS DISTINCT FROM NEW.%2$I #> ''{$pgtoaster,0}'' AND %4$s) EXECUTE FUNCTION %5$s()'
                                  ELSE 'CREATE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (OLD.%2$I IS NOT NULL '
                                       'AND OLD.%2$I IS DISTINCT FROM NEW.%2$I AND %4$s) EXECUTE FUNCTION %5$s()' END,
                   'pgtoaster_' || store || '_' || p.name || '_update', a.column_name, a.owner, p.asked, pgtoaster.store_table(store, p.function));
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %s FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %s()', 'pgtoaster_' || store || '_' || p.name || '_delete', a.owner,
                   format(CASE WHEN a.documents THEN 'OLD.%I ? ''$pgtoaster''' ELSE 'OLD.%I IS NOT NULL' END, a.column_name), p.asked, pgtoaster.store_table(store, p.function));
  END LOOP;
  IF a.documents THEN
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I ? ''$pgtoaster'' AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard_insert', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    -- These are asked of each UPDATE: what a BEFORE trigger writes is none of the columns that the statement names.
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW WHEN (NEW.%3$I ? ''$pgtoaster'' '
                   'AND OLD.%3$I -> ''$pgtoaster'' IS DISTINCT FROM NEW.%3$I -> ''$pgtoaster'' AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    -- The head of the document names the row then, or names it by the function that watches the column (12-guard.sql), before
    -- the key changes there: no role leaves behind a row with a header that has become another's. A header is judged so for the
    -- owner, too: what runs as he may have been called by a role that has said that the library writes; and a key of the
    -- row's own document that a BEFORE trigger of his has changed, for which the trigger that follows keys does not fire.
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW WHEN (NEW.%3$I ? ''$pgtoaster'' '
                   'AND (OLD.%3$I -> ''$pgtoaster'' IS DISTINCT FROM NEW.%3$I -> ''$pgtoaster'' '
                   'OR %4$s AND (%9$s OR %5$s(%6$L::regclass, %10$s OLD.%3$I))) AND NOT %5$s(%6$L::regclass, %7$s NEW.%3$I)) '
                   'EXECUTE FUNCTION %8$s(''row'')',
                   'pgtoaster_' || store || '_admit', a.owner, a.column_name,
                   (SELECT pgtoaster.key_changes(k.columns) FROM pgtoaster.owner_key(a.owner, store) k),
                   pgtoaster.store_table(store, 'fits'), pgtoaster.store_table(store, 'head'), replace(row_key, 'OLD.', 'NEW.'), pgtoaster.store_table(store, 'watch'),
                   active, row_key);
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I ? ''$pgtoaster'' AND NOT %s(%L::regclass, %s NEW.%3$I)) '
                   'EXECUTE FUNCTION %7$s(''row'')',
                   'pgtoaster_' || store || '_guard_row', a.owner, a.column_name, pgtoaster.store_table(store, 'fits'),
                   pgtoaster.store_table(store, 'head'), replace(row_key, 'OLD.', 'NEW.'), pgtoaster.store_table(store, 'watch'));
  ELSE
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard_insert', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW '
                   'WHEN (NEW.%3$I IS NOT NULL AND OLD.%3$I IS DISTINCT FROM NEW.%3$I AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    -- Where no unique index sees to that; for everybody, as the index does.
    IF (SELECT c.relkind FROM pg_class c WHERE c.oid = a.owner) = 'p' THEN
      EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION %s(''alone'')',
                     'pgtoaster_' || store || '_alone_insert', a.owner, a.column_name, pgtoaster.store_table(store, 'guard'));
      EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW '
                     'WHEN (NEW.%3$I IS NOT NULL AND OLD.%3$I IS DISTINCT FROM NEW.%3$I) EXECUTE FUNCTION %s(''alone'')',
                     'pgtoaster_' || store || '_alone', a.owner, a.column_name, pgtoaster.store_table(store, 'guard'));
    END IF;
  END IF;
  -- The same before the row is written, for what comes behind that: RETURNING, other triggers, functions of the statement.
  -- What the role sees is not hidden from it, and left to the triggers above: rows that move are there twice for a moment.
  -- Triggers fire in the order of their names: these behind all whose names begin with a letter, for what those write.
  known := format('%s AND NOT %s(%L::regclass, %s NEW.%I)', unmade, pgtoaster.store_table(store, 'knows'), pgtoaster.store_table(store, 'head'),
                  coalesce('NEW.' || quote_ident(pgtoaster.leading_key_column(a.owner, store)) || ',', ''), a.column_name);
  EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %s()',
                 '~pgtoaster_' || store || '_guard_before_insert', a.owner,
                 format(CASE WHEN a.documents THEN 'NEW.%I ? ''$pgtoaster''' ELSE 'NEW.%I IS NOT NULL' END, a.column_name),
                 known, pgtoaster.store_table(store, 'guard'));
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %s()',
                 '~pgtoaster_' || store || '_guard_before', a.owner,
                 format(CASE WHEN a.documents THEN 'NEW.%1$I ? ''$pgtoaster'' AND OLD.%1$I -> ''$pgtoaster'' IS DISTINCT FROM NEW.%1$I -> ''$pgtoaster'''
                                       ELSE 'NEW.%1$I IS NOT NULL AND OLD.%1$I IS DISTINCT FROM NEW.%1$I' END, a.column_name),
                 known, pgtoaster.store_table(store, 'guard'));
END $$;
-- What plain SQL may do to a split document, and what its triggers do: a write that would damage it or lose
-- content is refused, with the call that does what was meant; content that was released goes at commit.

-- The branch that a value marks; NULL if it is no marker of ours.
CREATE OR REPLACE FUNCTION pgtoaster.branch_number(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN value - '$pgtoaster' = '{}' AND jsonb_typeof(value -> '$pgtoaster') = 'number' THEN
           CASE WHEN (value -> '$pgtoaster')::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
                 AND (value -> '$pgtoaster')::numeric % 1 = 0 THEN (value -> '$pgtoaster')::bigint END END
$$;

-- The markers of a stub, or what stands in their places: where, where with array positions left out (an element
-- before them may go), what, and the branch if it is a marker. Trigger functions have its text in theirs, so it
-- calls nothing but the server's own functions.
CREATE OR REPLACE FUNCTION pgtoaster.stub_markers(document jsonb)
RETURNS TABLE (path text[], place text[], mark jsonb, branch bigint)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE v AS (
    SELECT ARRAY[m.key] AS path, ARRAY[m.key] AS place, m.value
    FROM jsonb_each(CASE jsonb_typeof($1) WHEN 'object' THEN $1 - '$pgtoaster' ELSE '{}' END) m
    UNION ALL
    SELECT v.path || c.step, v.place || c.key, c.value
    FROM v CROSS JOIN LATERAL (
      SELECT e.key AS step, e.key, e.value
      FROM jsonb_each(CASE WHEN jsonb_typeof(v.value) = 'object' AND NOT v.value ? '$pgtoaster' THEN v.value ELSE '{}' END) e
      UNION ALL
      SELECT (e.n - 1)::text, NULL, e.value
      FROM jsonb_array_elements(CASE jsonb_typeof(v.value) WHEN 'array' THEN v.value ELSE '[]' END) WITH ORDINALITY e(value, n)) c
    WHERE jsonb_typeof(v.value) IN ('object', 'array')
  )
  SELECT v.path, v.place, v.value AS mark,
         CASE WHEN v.value - '$pgtoaster' = '{}' AND jsonb_typeof(v.value -> '$pgtoaster') = 'number' THEN
           CASE WHEN (v.value -> '$pgtoaster')::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
                 AND (v.value -> '$pgtoaster')::numeric % 1 = 0 THEN (v.value -> '$pgtoaster')::bigint END END AS branch
  FROM v WHERE jsonb_typeof(v.value) = 'object' AND v.value ? '$pgtoaster'
$$;

-- The source of the routine that tells whether a document is that of the row with a key already, as one is that the
-- library has just stored with its row: then nothing is left to do at commit. It has the rights of the owner of the
-- table, and reads no other's, in case the schema was renamed and there is a new one of its name. Anybody may ask, so that
-- it tells of what the present transaction has stored alone.
CREATE OR REPLACE FUNCTION pgtoaster.placed_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $placed$
#variable_conflict use_variable
DECLARE
  doc bigint := {number:document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])};
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass({head_text}) AND c.relkind = 'r'
                 AND pg_catalog.pg_get_userbyid(c.relowner) = current_user) THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM {head} h WHERE h.id = doc AND h.created_by = pg_catalog.pg_current_xact_id_if_assigned() AND {owned});
END $placed$
$$;

-- The functions of a store that watch its column.
CREATE OR REPLACE FUNCTION pgtoaster.create_watch_functions(store integer, handle name, variables text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  refuse CONSTANT text := $f$
      IF what IS NOT NULL THEN
        RAISE EXCEPTION 'the document for column "%" of % is refused: %', handle, TG_RELID::regclass, what
          USING ERRCODE = 'check_violation', COLUMN = handle, HINT = help;
      END IF;$f$;
BEGIN
  -- Whether an UPDATE of the column needs a closer look: a split document is there, before or after, and it is not
  -- the library that writes, nor has the row just been edited and is else as it was (19-edits.sql). The library's
  -- statements say so by their own time, which no later statement has. That guards against mistakes, not against a
  -- role that may write the row anyway; a document of another store, and a header that is none, is looked at all the same. In PL/pgSQL, because a
  -- condition that calls one function is the shortest; qualified throughout, for the path is that of whoever updates.
  EXECUTE format('CREATE FUNCTION %s(was jsonb, becomes jsonb) RETURNS boolean LANGUAGE plpgsql AS %L',
                 pgtoaster.store_table(store, 'watched'), format($f$
    BEGIN
      IF (was OPERATOR(pg_catalog.?) '$pgtoaster' OR becomes OPERATOR(pg_catalog.?) '$pgtoaster') IS NOT TRUE THEN
        RETURN false;
      ELSIF becomes OPERATOR(pg_catalog.?) '$pgtoaster'
        AND (pg_catalog.jsonb_typeof(becomes OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array'
             AND becomes OPERATOR(pg_catalog.#>) '{$pgtoaster,0}' OPERATOR(pg_catalog.>=) '%2$s'
             AND becomes OPERATOR(pg_catalog.#>) '{$pgtoaster,0}' OPERATOR(pg_catalog.<) '%3$s') IS NOT TRUE THEN
        RETURN true;
      ELSIF coalesce(pg_catalog.current_setting('pgtoaster.edited_%1$s', true), '') OPERATOR(pg_catalog.<>) ''
         AND pg_catalog.current_setting('pgtoaster.edited_%1$s', true) OPERATOR(pg_catalog.=)
             pg_catalog.concat(pg_catalog.jsonb_hash_extended(was, 0), ' ', pg_catalog.jsonb_hash_extended(becomes, 0)) THEN
        PERFORM pg_catalog.set_config('pgtoaster.edited_%1$s', '', true);
        RETURN false;
      END IF;
      RETURN coalesce(pg_catalog.current_setting('pgtoaster.write', true), '')
             OPERATOR(pg_catalog.<>) pg_catalog.statement_timestamp()::pg_catalog.text;
    END $f$, store, store::bigint << 40, (store::bigint + 1) << 40));
  -- What has happened: delete, update, key, insert, or commit of an insert; row: a role with row security has given a row
  -- another document or key, whatever else the statement says of itself.
  PERFORM pgtoaster.create_trigger_function(store, 'watch', variables || format($f$
      stub_markers CONSTANT text := %L;
      store CONSTANT bigint := %s;
      event CONSTANT text := TG_ARGV[0];
      was jsonb;
      becomes jsonb;
      header jsonb;
      old_document bigint;
      same boolean;
      rest bigint;
      what text;
      help text;
      edit text;
      key text;
      at bigint;
      wrong record;
      row_key record;
      own boolean;
      dropped bigint[];
      old_lead text;$f$, (SELECT f.prosrc FROM pg_proc f WHERE f.oid = 'pgtoaster.stub_markers(jsonb)'::regprocedure), store) || $f$
    BEGIN$f$ || pgtoaster.place_source(store) || $f$
      IF TG_OP <> 'INSERT' THEN
        EXECUTE 'SELECT ($1).' || quote_ident(handle) INTO was USING OLD;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        EXECUTE 'SELECT ($1).' || quote_ident(handle) INTO becomes USING NEW;
      END IF;
      IF lead_place IS NOT NULL THEN
        SELECT * INTO row_key FROM $f$ || pgtoaster.owners_source(store, handle) || $f$ s WHERE s.relation = TG_RELID;
        IF TG_OP <> 'INSERT' THEN
          EXECUTE format('SELECT CAST(($1).%I AS text)', row_key.columns[lead_place]) INTO old_lead USING OLD;
        END IF;
        IF TG_OP <> 'DELETE' THEN
          EXECUTE format('SELECT CAST(($1).%I AS text)', row_key.columns[lead_place]) INTO lead_value USING NEW;
        END IF;
        lead := format('owner_%s = CAST(%L AS %s) AND ', lead_place, lead_value, lead_type);
        head_lead := 'h.' || lead;
      END IF;
      EXECUTE document_id || ' FROM (SELECT $1 AS document) d' INTO old_document USING was;
      EXECUTE document_id || ' FROM (SELECT $1 AS document) d' INTO document USING becomes;
      header := CASE WHEN jsonb_typeof(becomes) = 'object' THEN becomes -> '$pgtoaster' END;
      rest := CASE WHEN jsonb_typeof(header -> 1) = 'number' THEN
                CASE WHEN (header -> 1)::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 AND (header -> 1)::numeric % 1 = 0
                  THEN (header -> 1)::bigint END END;
      same := event = 'update' AND coalesce(header = was -> '$pgtoaster', false);
      help := 'Copy the whole document: pgtoaster.expand(...) in place of the column.';
      IF event = 'update' OR event = 'insert' THEN
        edit := format('Change it by functions of pgtoaster: UPDATE %s SET %I = pgtoaster.set(%I, path, value), and likewise insert, append, '
                       'remove, increment, merge and patch; by DocumentColumn.at(key, path).set(value) and its like in Java; on the command line by '
                       'pgtoaster json set -t %s -c %s KEY PATH VALUE. A whole document may be written at any time: jsonb_set(pgtoaster.expand(%I), ...).',
                       TG_RELID::regclass, handle, handle, TG_TABLE_NAME, handle, handle)
          || coalesce(' Or by any operator through the view ' || (
            SELECT min(w.ev_class::regclass::text) FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
            JOIN pg_trigger t ON t.tgrelid = w.ev_class AND t.tgfoid = to_regprocedure('pgtoaster.write_view()')
            WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = coalesce(pg_partition_root(TG_RELID), TG_RELID)) || '.', '');
        IF same AND was::text = becomes::text THEN
          -- Where operators see all of it, that is what was asked for. A setting of that name that is text is nobody's: the module is not loaded.
          IF current_setting('pgtoaster.transparent', true) = 'on'
             AND EXISTS (SELECT FROM pg_settings s WHERE s.name = 'pgtoaster.transparent' AND s.vartype = 'bool') THEN
            NULL;
          ELSIF TG_ARGV[1] = 'error' THEN
            what := 'it is split, and the UPDATE leaves it as it was';
            help := edit;
          ELSIF TG_ARGV[1] = 'warning' THEN
            RAISE WARNING 'an UPDATE of column "%" of % has left a split document as it was', handle, TG_RELID::regclass
              USING DETAIL = 'Operators of jsonb do not see what is stored out of line, and change nothing there.', HINT = edit;
          END IF;
        ELSIF same THEN
          -- What stands in the row may change, and a member that is out of line may go as a whole; a marker must stay as
          -- it is and where it is.
          help := edit;
          EXECUTE 'SELECT n.path, n.branch IS NULL AS changed, o.branch IS NOT NULL AS moved FROM ('
                  || replace(stub_markers, '$1', '$2') || ') n LEFT JOIN (' || stub_markers || ') o ON o.branch = n.branch '
                  -- A branch that nothing else names was written by an edit of this row, which a trigger has changed since.
                  'WHERE n.branch IS NULL OR n.place IS DISTINCT FROM o.place AND (o.branch IS NOT NULL OR n.branch = $4 '
                  'OR NOT EXISTS (SELECT FROM ' || prefix || 'node m WHERE ' || lead || 'm.doc = $3 AND m.id = n.branch) '
                  'OR EXISTS (SELECT FROM ' || prefix || 'node m WHERE ' || lead || 'm.doc = $3 AND n.branch = ANY (m.kids))) '
                  'OR (SELECT count(*) FROM (' || replace(stub_markers, '$1', '$2') || ') c WHERE c.branch = n.branch) > 1 '
                  'ORDER BY n.place IS NOT DISTINCT FROM o.place, n.path LIMIT 1'
            INTO wrong USING was, becomes, document, rest;
          IF wrong.path IS NOT NULL THEN
            what := format('what stands at %s for a member that is stored out of line was %s',
                           CASE WHEN length(wrong.path::text) <= 200 THEN wrong.path::text ELSE left(wrong.path::text, 197) || '...' END,
                           CASE WHEN wrong.changed THEN 'changed' WHEN wrong.moved THEN 'moved or copied' ELSE 'made up' END);
          ELSIF rest IS NOT NULL THEN
            -- Other members of the root are in a branch, where a new one may be already.
            FOR key IN SELECT x FROM jsonb_object_keys(becomes) x WHERE NOT was ? x LOOP
              at := rest;
              FOR depth IN 1..64 LOOP
                EXECUTE 'SELECT kind, value, kids, lows FROM ' || prefix || 'node WHERE ' || lead || 'doc = $1 AND id = $2' INTO n USING document, at;
                EXIT WHEN n.kind <> 'o' OR n.kind IS NULL OR n.value IS NOT NULL;
                at := n.kids[width_bucket(int4send(octet_length(convert_to(key, 'UTF8')))
                                          || substring(convert_to(key, 'UTF8') FROM 1 FOR 512), n.lows)];
              END LOOP;
              IF n.kind <> 'o' OR n.value ? key THEN
                what := format('the member %s is stored out of line, and cannot be added to the row', left(quote_literal(key), 200));
              END IF;
            END LOOP;
          END IF;
          EXECUTE 'SELECT array_agg(o.branch) FROM (' || stub_markers || ') o WHERE o.branch NOT IN (SELECT n.branch FROM ('
                  || replace(stub_markers, '$1', '$2') || ') n WHERE n.branch IS NOT NULL)' INTO dropped USING was, becomes;
        ELSIF header IS NULL THEN
          IF old_document IS NOT NULL THEN
            EXECUTE 'SELECT EXISTS (SELECT FROM jsonb_path_query($2, ''strict $.** ? (exists(@."$pgtoaster"))'') n '
                    'WHERE $1 -> ''$pgtoaster'' IN (n -> ''$pgtoaster'', n #> ''{$pgtoaster,document}'') OR n -> ''$pgtoaster'' IN (SELECT o.mark -> ''$pgtoaster'' FROM ('
                    || stub_markers || ') o))' INTO own USING was, becomes;
            IF own THEN
              what := 'of a document that is split it has marks alone, of members that are stored out of line';
              help := format('Write the whole document: UPDATE %s SET %I = pgtoaster.expand(%I).', TG_RELID::regclass, handle, handle);
            END IF;
          END IF;
        ELSIF document IS NULL AND header ? 'edits' THEN
          what := 'it holds edits that only an UPDATE of their own row does';
          help := 'Into a new row, another table or column write the whole document: pgtoaster.set(pgtoaster.expand(...), path, value).';
        ELSIF document IS NULL THEN
          what := 'its root key "$pgtoaster" is reserved for documents that pgtoaster has split';
          help := 'Write documents with such a key through the library, DocumentColumn.put or pgtoaster json put, which stores it '
                  'under another name.';
        ELSIF document >> 40 <> store THEN
          what := format('document %s belongs to another column', document);
        ELSIF document = old_document THEN
          what := 'the value of its root key "$pgtoaster" was changed';
          help := edit;
        ELSE
          -- All markers of a stub that comes into a row must name branches of its document, each its own. With row security the
          -- triggers whose names come before (_admit, _guard_row) have refused one of another row, so that nothing is told of its nodes.
          EXECUTE 'WITH m AS (SELECT s.path, s.branch FROM (' || stub_markers || ') s '
                  'UNION ALL SELECT ARRAY[''$pgtoaster''], $3 WHERE $1 -> ''$pgtoaster'' -> 1 IS NOT NULL) '
                  'SELECT m.path FROM m WHERE (SELECT count(*) FROM m o WHERE o.branch = m.branch) <> 1 '
                  'OR NOT EXISTS (SELECT FROM ' || prefix || 'node n WHERE ' || lead || 'n.doc = $2 AND n.id = m.branch) LIMIT 1'
            INTO wrong USING becomes, document, rest;
          IF wrong.path IS NOT NULL THEN
            what := format('what stands at %s names no content of document %s', left(wrong.path::text, 200), document);
            help := 'It is not, or no longer, what was read: read it again, or write a whole document. What was in a row that was deleted '
                    'goes at commit, or by SET CONSTRAINTS ALL IMMEDIATE behind the delete. Into another table, schema or database copy '
                    'pgtoaster.expand(...).';
          END IF;
        END IF;
      END IF;$f$ || refuse || $f$
      -- What becomes of a document that a row released is judged at commit, when another row may have it; also where
      -- the caller has all constraints checked at once, since one that is named counts more than ALL.
      IF (event = 'delete' OR event = 'update' AND NOT same) AND old_document >> 40 = store THEN
        EXECUTE 'SET CONSTRAINTS ' || prefix || 'sweep DEFERRED';
        EXECUTE concat('INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') VALUES ($1, false', ', CAST($2 AS ' || lead_type || ')',
                       ') ON CONFLICT DO NOTHING') USING old_document, old_lead;
      END IF;
      IF document IS NULL OR document >> 40 <> store OR same AND dropped IS NULL THEN
        RETURN NULL;
      END IF;
      SELECT * INTO row_key FROM $f$ || pgtoaster.owners_source(store, handle) || $f$ s WHERE s.relation = TG_RELID;
      EXECUTE 'SELECT ' || row_key.same_key || ' FROM ' || prefix || 'head h, (SELECT ($2).*) o WHERE ' || head_lead || 'h.id = $1' INTO own USING document, NEW;
      IF own AND same THEN
        -- Branches that the stub no longer names, alone with the document as every writer that drops some.
        EXECUTE 'SELECT FROM ' || prefix || 'head WHERE ' || lead || 'id = $1 FOR UPDATE' USING document;
        EXECUTE 'UPDATE ' || prefix || 'head SET generation = (generation & 4611686018427387903) + 1 WHERE ' || lead || 'id = $1' USING document;
        EXECUTE 'WITH RECURSIVE below AS (SELECT b.id FROM unnest($2) b(id) UNION SELECT x.id FROM below b CROSS JOIN LATERAL ('
                'SELECT m.kids FROM ' || prefix || 'node m WHERE ' || lead || 'm.doc = $1 AND m.id = b.id LIMIT 1) n, unnest(n.kids) x(id)) '
                'DELETE FROM ' || prefix || 'node d USING below b WHERE ' || lead || 'd.doc = $1 AND d.id = b.id' USING document, dropped;
      END IF;
      IF own OR same THEN
        RETURN NULL;
      END IF;
      IF event = 'row' AND document = old_document THEN
        EXECUTE 'SELECT ' || row_key.same_key || ' FROM ' || prefix || 'head h, (SELECT ($2).*) o WHERE ' || head_lead || 'h.id = $1' INTO own USING document, OLD;
        IF NOT coalesce(own, false) THEN
          what := format('it has been the header of document %s, which is not that of this row', document);
        END IF;
      END IF;$f$ || refuse || $f$
      IF event IN ('commit', 'row') THEN
        -- It may have got another document, or have gone, since; within a statement that would leave its document behind.
        EXECUTE '/* pgtoaster */ SELECT EXISTS (SELECT FROM (SELECT '
                || (SELECT string_agg(format('($2).%I AS owner_%s', c.name, c.position), ', ') FROM unnest(row_key.columns) WITH ORDINALITY c(name, position))
                || ') h JOIN ' || TG_RELID::regclass || ' o ON ' || row_key.same_key || ' WHERE (' || document_id || ' FROM (SELECT o.'
                || quote_ident(handle) || ' AS document) d) = $1)' INTO own USING document, NEW;
        IF NOT own AND event = 'row' THEN
          what := format('the row that was given document %s has changed again within the statement', document);
        ELSIF NOT own THEN
          RETURN NULL;
        END IF;
      END IF;$f$ || refuse || $f$
      -- A row that holds the header of a document whose owner does not becomes its owner: rows whose key changed,
      -- rows moved between partitions, rows deleted and inserted again. One that was inserted beside the original has
      -- until the end of the transaction, under the key that it has got, where the table has no row security; all else is refused.
      EXECUTE 'SELECT true FROM ' || prefix || 'head WHERE ' || lead || 'id = $1 FOR UPDATE' INTO own USING document;
      IF own IS NULL AND event = 'key' AND lead_value <> old_lead THEN
        what := format('its row gets another %s, the leading key of the column', row_key.columns[lead_place]);
        help := 'Change it together with the whole document: pgtoaster.expand(...) in place of the column.';
      ELSIF own IS NULL THEN
        IF event = 'key' THEN
          RETURN NULL;
        END IF;
        what := format('document %s is not there, or no longer', document);
        help := 'Into another table, schema or database copy pgtoaster.expand(...).';
      ELSE$f$ || pgtoaster.owned_source(store, handle) || $f$
        IF owned AND event <> 'insert' THEN
          what := format('another row holds document %s', document);
          help := help || ' To move it to a row that is there, exchange both in one statement, or delete and insert rows in one transaction.';
        ELSIF NOT owned THEN
          EXECUTE 'UPDATE ' || prefix || 'head SET '
                  || (SELECT string_agg(format('owner_%s = ($2).%I', c.position, c.name), ', ') FROM unnest(row_key.columns) WITH ORDINALITY c(name, position)
                      WHERE c.position IS DISTINCT FROM lead_place)
                  || ' WHERE ' || lead || 'id = $1' USING document, NEW;
        END IF;
      END IF;$f$ || refuse || $f$
      RETURN NULL;
    END $f$);
END $$;
-- The way back from damage to documents: what stored rows still hold is restored, the rest is set aside as plain
-- jsonb in the table store_<n>_aside, and nothing is dropped.

-- What is wrong with a branch, below its root, as it is stored; NULL if it is whole. Each node is looked at once for each
-- depth, so that one ends, and soon, that is cyclic or whose nodes are shared. A mark in the place of a leaf leads on.
CREATE OR REPLACE FUNCTION pgtoaster.branch_damage(document bigint, branch bigint) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  EXECUTE format(
    'WITH RECURSIVE below AS ('
    '  SELECT $2 AS id, 0 AS depth UNION '
    '  SELECT k.id, b.depth + 1 FROM below b '
    '  CROSS JOIN LATERAL (SELECT m.kids FROM %1$s m WHERE m.doc = $1 AND m.id = b.id LIMIT 1) n, unnest(n.kids) k(id) '
    '  WHERE b.depth < 256), '
    'nodes AS (SELECT b.id, min(b.depth) AS depth, max(b.depth) AS deepest FROM below b GROUP BY b.id), '
    'named AS (SELECT k.id, count(*) AS times FROM (SELECT $2 AS id UNION ALL '
    '  SELECT k.id FROM nodes b JOIN %1$s m ON m.doc = $1 AND m.id = b.id, unnest(m.kids) k(id)) k GROUP BY k.id) '
    'SELECT CASE WHEN t.times > 1 AND b.deepest = 256 THEN format(''node %%s is below itself'', b.id) '
    '            WHEN t.times > 1 THEN format(''node %%s is named more than once'', b.id) '
    '            WHEN b.deepest = 256 THEN format(''node %%s is too deep'', b.id) '
    '            WHEN n.id IS NULL THEN format(''node %%s is missing'', b.id) '
    '            WHEN n.odd THEN format(''node %%s is of another kind than its row says'', b.id) '
    '            ELSE format(''leaf %%s names other branches than its list says'', b.id) END '
    'FROM nodes b JOIN named t ON t.id = b.id LEFT JOIN LATERAL ('
    '  SELECT m.id, m.value, m.kids, CASE WHEN m.kind NOT IN (''o'', ''a'', ''s'', ''v'') THEN true '
    '    WHEN pgtoaster.leaf_kind(m.value) <> m.kind::text AND m.value IS NOT NULL THEN true '
    '    WHEN m.value IS NOT NULL THEN m.kind = ''o'' AND EXISTS (SELECT FROM %1$s k WHERE k.doc = $1 AND k.id = pgtoaster.branch_number(m.value) AND k.kind <> ''o'') '
    '    ELSE coalesce(cardinality(m.kids), 0) = 0 OR EXISTS (SELECT FROM %1$s k WHERE k.doc = $1 AND k.id = ANY (m.kids) AND k.kind <> m.kind) END AS odd '
    '  FROM %1$s m WHERE m.doc = $1 AND m.id = b.id) n ON true '
    'WHERE n.id IS NULL OR t.times > 1 OR b.deepest = 256 OR n.odd '
    '   OR n.value IS NOT NULL AND coalesce(n.kids, ''{}'') <> pgtoaster.value_branches(n.value) '
    'ORDER BY b.depth, b.id LIMIT 1', pgtoaster.store_table((document >> 40)::integer, 'node'))
    INTO found USING document, branch;
  RETURN found;
END $$;

-- The branches that the markers in a stored value name, in order of the text; with NULL for what is no marker.
CREATE OR REPLACE FUNCTION pgtoaster.value_branches(value jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ARRAY(SELECT pgtoaster.branch_number(m.m) FROM jsonb_path_query(value, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY m(m, n)
               ORDER BY m.n)
$$;

-- What is left of a branch, in the keys of stored values and without markers; NULL if nothing is, or if the document has
-- nodes that are named more than once, which would be copied for each path. Missing nodes are left out.
CREATE OR REPLACE FUNCTION pgtoaster.salvaged_branch(document bigint, branch bigint, above bigint[] DEFAULT '{}') RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  n record;
  kid bigint;
  part jsonb;
  whole jsonb;
BEGIN
  IF branch = ANY (above) OR cardinality(above) > 256 OR cardinality(above) = 0 AND pgtoaster.shared_node(document) IS NOT NULL THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT kind, value, kids FROM %s WHERE doc = $1 AND id = $2', pgtoaster.store_table((document >> 40)::integer, 'node'))
    INTO n USING document, branch;
  IF n.value IS NOT NULL THEN
    RETURN pgtoaster.salvaged_value(document, n.value, above || branch);
  END IF;
  FOREACH kid IN ARRAY coalesce(n.kids, '{}') LOOP
    part := pgtoaster.salvaged_branch(document, kid, above || branch);
    IF left(jsonb_typeof(part), 1) = n.kind::text THEN
      whole := CASE WHEN whole IS NULL THEN part
                    WHEN n.kind = 's' THEN to_jsonb((whole #>> '{}') || (part #>> '{}'))
                    ELSE whole || part END;
    END IF;
  END LOOP;
  RETURN whole;
END $$;

-- A stored value with what is left of its branches in place of their markers.
CREATE OR REPLACE FUNCTION pgtoaster.salvaged_value(document bigint, value jsonb, above bigint[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  IF strpos(value::text, '$pgtoaster') = 0 THEN
    RETURN value;
  END IF;
  CASE jsonb_typeof(value)
    WHEN 'object' THEN
      IF value ? '$pgtoaster' THEN
        RETURN CASE WHEN pgtoaster.branch_number(value) IS NOT NULL
                    THEN pgtoaster.salvaged_branch(document, pgtoaster.branch_number(value), above) END;
      END IF;
      RETURN (SELECT coalesce(jsonb_object_agg(m.key, m.part) FILTER (WHERE m.part IS NOT NULL), '{}')
              FROM (SELECT e.key, pgtoaster.salvaged_value(document, e.value, above) AS part FROM jsonb_each(value) e) m);
    WHEN 'array' THEN
      RETURN (SELECT coalesce(jsonb_agg(m.part ORDER BY m.n) FILTER (WHERE m.part IS NOT NULL), '[]')
              FROM (SELECT e.n, pgtoaster.salvaged_value(document, e.value, above) AS part
                    FROM jsonb_array_elements(value) WITH ORDINALITY e(value, n)) m);
    ELSE
      RETURN value;
  END CASE;
END $$;

-- Whether the row that a head names as its owner still holds the document.
CREATE OR REPLACE FUNCTION pgtoaster.is_owned(store integer, document bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  n record;
  named boolean := true;
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_rows(store) LOOP
    EXIT WHEN n.handle IS NULL;
    EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = $1 AND pgtoaster.document_id(o.%I) = $1)',
                   pgtoaster.store_table(store, 'head'), n.relation, n.same_key, n.handle) INTO named USING document;
    EXIT WHEN named;
  END LOOP;
  RETURN named;
END $$;

-- Removes branches that a stub no longer names, alone with the document as every writer that does so.
CREATE OR REPLACE FUNCTION pgtoaster.drop_branches(store integer, document bigint, branches bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('SELECT FROM %s WHERE id = $1 FOR UPDATE', pgtoaster.store_table(store, 'head')) USING document;
  EXECUTE format('UPDATE %s SET generation = (generation & 4611686018427387903) + 1 WHERE id = $1', pgtoaster.store_table(store, 'head')) USING document;
  EXECUTE format(
    'WITH RECURSIVE below AS ('
    '  SELECT b.id FROM unnest($2) b(id) UNION '
    '  SELECT k.id FROM below b CROSS JOIN LATERAL (SELECT m.kids FROM %1$s m WHERE m.doc = $1 AND m.id = b.id LIMIT 1) n, unnest(n.kids) k(id)) '
    'DELETE FROM %1$s d USING below b WHERE d.doc = $1 AND d.id = b.id', pgtoaster.store_table(store, 'node')) USING document, branches;
END $$;

-- The statement that sets aside: $1 is the key of the row; given are its place, what it is, and the value.
CREATE OR REPLACE FUNCTION pgtoaster.aside_insert(store integer, given text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT concat('INSERT INTO ', pgtoaster.store_table(store, 'aside'), ' (row_key, place, what, value', ', ' || l.attname, ') VALUES ($1, ', given,
                CASE WHEN l.attname IS NOT NULL THEN format(', CAST($1[%s] AS %s)', substr(l.attname, 7), format_type(l.atttypid, l.atttypmod)) END, ')')
  FROM (VALUES (1)) v(v) LEFT JOIN pgtoaster.lead_attribute(store) l ON true
$$;

-- The nodes of a document that no other one names.
CREATE OR REPLACE FUNCTION pgtoaster.branch_roots(document bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE format('SELECT n.id FROM %1$s n WHERE n.doc = $1 EXCEPT SELECT k.id FROM %1$s n, unnest(n.kids) k(id) WHERE n.doc = $1',
                              pgtoaster.store_table((document >> 40)::integer, 'node')) USING document;
END $$;

-- Sets aside all that is stored of a document: each branch as plain jsonb, and the leaves of one that is damaged. Then it is deleted.
CREATE OR REPLACE FUNCTION pgtoaster.set_document_aside(store integer, key text[], place text, document bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  aside text := pgtoaster.aside_insert(store, '$2, $3, $4');
  node text := pgtoaster.store_table(store, 'node');
  branch bigint;
  n record;
  whole boolean;
BEGIN
  EXECUTE format('SELECT FROM %s WHERE id = $1 FOR UPDATE', pgtoaster.store_table(store, 'head')) USING document;
  FOR branch IN SELECT r FROM pgtoaster.branch_roots(document) r LOOP
    whole := coalesce(whole, true) AND pgtoaster.branch_damage(document, branch) IS NULL;
    EXECUTE aside USING key, place, format('branch %s of document %s, which names this row', branch, document),
      pgtoaster.expanded_text(document, coalesce(pgtoaster.salvaged_branch(document, branch), 'null'))::jsonb;
  END LOOP;
  IF NOT coalesce(whole, false) THEN
    FOR n IN EXECUTE format('SELECT n.id, n.value FROM %s n WHERE n.doc = $1 AND n.value IS NOT NULL', node) USING document LOOP
      EXECUTE aside USING key, place, format('leaf %s of document %s, which names this row', n.id, document), n.value;
    END LOOP;
  END IF;
  EXECUTE format('DELETE FROM %s WHERE doc = $1', node) USING document;
  EXECUTE format('DELETE FROM %s WHERE id = $1', pgtoaster.store_table(store, 'head')) USING document;
END $$;

-- Repairs one row; see pgtoaster.repair. A change takes the locks of a writer.
CREATE OR REPLACE FUNCTION pgtoaster.repair_row(store integer, owner regclass, handle name, key text[], dry_run boolean)
RETURNS TABLE (place text, problem text, action text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  node text := pgtoaster.store_table(store, 'node');
  aside text := pgtoaster.aside_insert(store, '$2, $3, $4');
  k record;
  row_as_head text;
  row_as_owner text;
  own bigint[];
  stub jsonb;
  mended jsonb;
  header_lost boolean := false;
  headed boolean;
  document bigint;
  rest bigint;
  named bigint[] := '{}';
  replaced bigint[] := '{}';
  lost bigint[];
  roots bigint[];
  branch bigint;
  there boolean;
  secured boolean;
  value jsonb;
  m record;
  n record;
BEGIN
  SELECT * INTO k FROM pgtoaster.owner_key(owner, store);
  SELECT string_agg(format('CAST($1[%s] AS %s) AS owner_%1$s', c.position, format_type(a.atttypid, a.atttypmod)), ', '),
         string_agg(format('CAST($1[%s] AS %s) AS %I', c.position, format_type(a.atttypid, a.atttypmod), c.name), ', ')
    INTO row_as_head, row_as_owner
  FROM unnest(k.columns) WITH ORDINALITY c(name, position)
  JOIN pg_attribute a ON a.attrelid = head::regclass AND a.attname = 'owner_' || c.position;
  EXECUTE format('/* pgtoaster */ SELECT o.%I FROM %s o JOIN (SELECT %s) h ON %s %s', handle, owner, row_as_head, k.same_key,
                 CASE WHEN dry_run THEN '' ELSE 'FOR NO KEY UPDATE OF o' END) INTO stub USING key;
  IF stub IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('SELECT coalesce(array_agg(h.id), ''{}'') FROM (SELECT %s) o JOIN %s h ON %s', row_as_owner, head, k.same_key)
    INTO own USING key;
  headed := stub -> '$pgtoaster' IS NOT NULL;
  IF NOT headed THEN
    -- With triggers off a header can be taken away, or another document be written in its place.
    EXECUTE format('SELECT EXISTS (SELECT FROM %s n WHERE n.doc = ANY ($1) AND n.id IN (SELECT s.branch FROM pgtoaster.stub_markers($2) s))', node)
      INTO there USING own, stub;
    IF NOT there THEN
      FOREACH document IN ARRAY own LOOP
        problem := format('document %s names this row, which holds a plain document', document);
        action := 'what is stored of it is set aside';
        PERFORM pgtoaster.set_document_aside(store, key, NULL, document) WHERE NOT dry_run;
        RETURN NEXT;
      END LOOP;
      RETURN;
    END IF;
    there := false;
  END IF;
  document := pgtoaster.document_id(stub);
  rest := pgtoaster.branch_number(jsonb_build_object('$pgtoaster', stub -> '$pgtoaster' -> 1));
  mended := stub;

  -- Whose document is it?
  IF document IS NULL OR document <> ALL (own) THEN
    IF EXISTS (SELECT FROM pgtoaster.store s WHERE s.id = document >> 40 AND s.toaster = 'keyed') THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s h WHERE h.id = $1)', pgtoaster.store_table((document >> 40)::integer, 'head'))
        INTO there USING document;
    END IF;
    -- With row security here or there content is not for whoever has named it here.
    secured := EXISTS (SELECT FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner WHERE s.id IN (store, document >> 40) AND r.relrowsecurity);
    place := '$pgtoaster';
    IF there AND NOT secured AND document >> 40 = store AND NOT pgtoaster.is_owned(store, document) THEN
      problem := format('document %s has another key as its owner, where no row holds it', document);
      action := 'this row becomes its owner';
      IF NOT dry_run THEN
        EXECUTE format('UPDATE %s h SET %s FROM (SELECT %s) r WHERE h.id = $2', head,
                       (SELECT string_agg(format('owner_%s = r.owner_%1$s', p), ', ') FROM generate_series(1, cardinality(k.columns)) p), row_as_head)
          USING key, document;
      END IF;
      RETURN NEXT;
    ELSIF there AND NOT secured THEN
      problem := format('document %s belongs to another %s', document, CASE WHEN document >> 40 = store THEN 'row' ELSE 'column' END);
      action := 'a plain copy of what it holds takes its place';
      value := pgtoaster.salvaged_value(document, stub - '$pgtoaster', '{}');
      IF rest IS NOT NULL THEN
        mended := pgtoaster.salvaged_branch(document, rest);
        value := CASE WHEN jsonb_typeof(mended) = 'object' THEN mended || value ELSE coalesce(mended, value) END;
      END IF;
      PERFORM pgtoaster.write_repaired(store, owner, handle, key, value, true, dry_run);
      RETURN NEXT;
      RETURN;
    ELSIF cardinality(own) = 1 AND NOT secured THEN
      problem := CASE WHEN there THEN format('document %s belongs to another %s', document, CASE WHEN document >> 40 = store THEN 'row' ELSE 'column' END)
                      WHEN NOT headed THEN 'it has lost its header'
                      ELSE 'its header names no document' END || ', and one that no row holds names this row';
      document := own[1];
      rest := NULL;
      header_lost := true;
      action := format('the header of document %s is restored', document);
      mended := jsonb_set(mended, '{$pgtoaster}', jsonb_build_array(document));
      RETURN NEXT;
    ELSE
      problem := CASE WHEN there THEN format('document %s belongs to another %s', document, CASE WHEN document >> 40 = store THEN 'row' ELSE 'column' END)
                      WHEN NOT headed THEN 'it has lost its header'
                      ELSE 'its header names no document' END;
      action := 'it is set aside; what stands in the row becomes a plain document';
      IF NOT dry_run THEN
        EXECUTE aside USING key, place, problem, stub;
      END IF;
      -- A row with that key may have been another's, and have gone with its partition: who owns the table decides.
      FOREACH document IN ARRAY own LOOP
        FOR branch IN SELECT r FROM pgtoaster.branch_roots(document) r LOOP
          problem := problem || format('; branch %s of document %s, which names this row', branch, document);
          action := action || format('; so is branch %s', branch);
        END LOOP;
        PERFORM pgtoaster.set_document_aside(store, key, place, document) WHERE NOT dry_run;
      END LOOP;
      PERFORM pgtoaster.write_repaired(store, owner, handle, key, pgtoaster.salvaged_value(store::bigint << 40, stub - '$pgtoaster', '{}'), true, dry_run);
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;
  IF NOT dry_run THEN
    EXECUTE format('SELECT FROM %s WHERE id = $1 FOR UPDATE', head) USING document;
  END IF;

  -- Markers, and the overflow branch last, which is one in the header.
  FOR m IN
    SELECT s.path, s.place[cardinality(s.place)] IS NULL AS element, s.mark, s.branch FROM pgtoaster.stub_markers(stub) s
    UNION ALL SELECT '{$pgtoaster,1}', false, stub -> '$pgtoaster' -> 1, rest WHERE NOT header_lost AND stub -> '$pgtoaster' -> 1 IS NOT NULL
    ORDER BY 1 LOOP
    place := m.path::text;
    branch := coalesce(m.branch, pgtoaster.branch_number(jsonb_build_object('$pgtoaster', m.mark -> '$pgtoaster')));
    EXECUTE format('SELECT EXISTS (SELECT FROM %s n WHERE n.doc = $1 AND n.id = $2)', node) INTO there USING document, branch;
    value := NULL;
    problem := NULL;
    IF branch IS NULL OR NOT there THEN
      problem := CASE WHEN branch IS NULL THEN 'what stands there names no branch' ELSE format('node %s is missing', branch) END;
      action := CASE WHEN m.element THEN 'it is set aside, and becomes null' ELSE 'it is set aside' END;
      value := m.mark;
    ELSIF branch = ANY (named) THEN
      problem := format('branch %s is named twice', branch);
      action := 'a plain copy takes its place';
      mended := jsonb_set(mended, m.path, coalesce(pgtoaster.salvaged_branch(document, branch), 'null'));
    ELSE
      named := named || branch;
      IF m.branch IS NULL THEN
        problem := format('what names branch %s was changed', branch);
        action := 'the branch is restored, what was added is set aside';
        mended := jsonb_set(mended, m.path, jsonb_build_object('$pgtoaster', branch));
        IF NOT dry_run THEN
          EXECUTE aside USING key, place, problem, m.mark - '$pgtoaster';
        END IF;
        RETURN NEXT;
        problem := NULL;
      END IF;
      problem := pgtoaster.branch_damage(document, branch);
      IF problem IS NOT NULL THEN
        action := 'what is left of it takes its place; its stored rows are set aside';
        replaced := replaced || branch;
        value := pgtoaster.salvaged_branch(document, branch);
        IF m.path <> '{$pgtoaster,1}' THEN
          mended := CASE WHEN value IS NOT NULL THEN jsonb_set(mended, m.path, value) WHEN m.element THEN jsonb_set(mended, m.path, 'null')
                         ELSE mended #- m.path END;
        ELSE
          mended := jsonb_set(mended, '{$pgtoaster}', jsonb_build_array(document));
          mended := CASE jsonb_typeof(value) WHEN 'object' THEN value || mended ELSE coalesce(value, mended) END;
        END IF;
        value := NULL;
        IF NOT dry_run THEN
          FOR n IN EXECUTE format(
            'WITH RECURSIVE below AS (SELECT $2 AS id UNION SELECT k.id FROM below b JOIN %1$s n ON n.doc = $1 AND n.id = b.id, unnest(n.kids) k(id)) '
            'SELECT n.id, n.value FROM below b JOIN %1$s n ON n.doc = $1 AND n.id = b.id WHERE n.value IS NOT NULL', node) USING document, branch LOOP
            EXECUTE aside USING key, place, format('leaf %s of document %s: %s', n.id, document, problem), n.value;
          END LOOP;
        END IF;
      END IF;
    END IF;
    IF value IS NOT NULL THEN
      IF NOT dry_run THEN
        EXECUTE aside USING key, place, problem, value;
      END IF;
      mended := CASE WHEN m.element THEN jsonb_set(mended, m.path, 'null') ELSE mended #- m.path END;
    END IF;
    IF problem IS NOT NULL THEN
      RETURN NEXT;
    END IF;
  END LOOP;

  -- Nodes that nothing names.
  EXECUTE format(
    'WITH RECURSIVE seen AS (SELECT unnest($2) AS id UNION SELECT k.id FROM seen s JOIN %1$s n ON n.doc = $1 AND n.id = s.id, unnest(n.kids) k(id)), '
    'lost AS (SELECT n.* FROM %1$s n WHERE n.doc = $1 AND n.id NOT IN (SELECT s.id FROM seen s)) '
    'SELECT array_agg(l.id ORDER BY l.id), coalesce(array_agg(l.id ORDER BY l.id) FILTER (WHERE NOT EXISTS (SELECT FROM lost o WHERE l.id = ANY (o.kids))), '
    '         array_agg(l.id ORDER BY l.id) FILTER (WHERE l.value IS NOT NULL)) FROM lost l', node)
    INTO lost, roots USING document, named;
  IF header_lost AND coalesce(cardinality(roots), 0) = 1 AND pgtoaster.branch_damage(document, roots[1]) IS NULL
     AND (pgtoaster.branch_kind(document, roots[1]) = 'o' OR mended - '$pgtoaster' = '{}') THEN
    place := '{$pgtoaster,1}';
    problem := format('branch %s is named by nothing', roots[1]);
    action := 'its members are members of the document again';
    mended := jsonb_set(mended, '{$pgtoaster}', jsonb_build_array(document, roots[1]));
    named := named || roots;
    lost := NULL;
    RETURN NEXT;
  ELSE
    FOREACH branch IN ARRAY coalesce(roots, '{}') LOOP
      place := NULL;
      problem := format('branch %s is named by nothing', branch);
      action := 'it is set aside';
      IF NOT dry_run THEN
        EXECUTE aside USING key, place, format('branch %s of document %s', branch, document),
          pgtoaster.expanded_text(document, coalesce(pgtoaster.salvaged_branch(document, branch), 'null'))::jsonb;
      END IF;
      RETURN NEXT;
    END LOOP;
  END IF;
  IF NOT dry_run AND (cardinality(lost) > 0 OR cardinality(replaced) > 0) THEN
    PERFORM pgtoaster.drop_branches(store, document, coalesce(lost, '{}') || replaced);
  END IF;
  IF mended <> stub OR mended::text <> stub::text THEN
    PERFORM pgtoaster.write_repaired(store, owner, handle, key, mended, jsonb_typeof(mended) <> 'object', dry_run);
  END IF;
END $$;

-- Writes a row of repair, in the keys of stored values; as a plain document, with those of the user. A plain one
-- cannot have a root key "$pgtoaster", which is set aside.
CREATE OR REPLACE FUNCTION pgtoaster.write_repaired(store integer, owner regclass, handle name, key text[], value jsonb, plain boolean, dry_run boolean)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  k record;
  row_as_head text;
BEGIN
  IF dry_run THEN
    RETURN;
  END IF;
  IF plain THEN
    value := pgtoaster.expanded_text(NULL, value)::jsonb;
    IF jsonb_typeof(value) = 'object' AND value ? '$pgtoaster' THEN
      EXECUTE pgtoaster.aside_insert(store, '''$pgtoaster'', ''a plain document cannot have this member'', $2') USING key, value -> '$pgtoaster';
      value := value - '$pgtoaster';
    END IF;
  END IF;
  SELECT * INTO k FROM pgtoaster.owner_key(owner, store);
  SELECT string_agg(format('CAST($2[%s] AS %s) AS owner_%1$s', p, format_type(a.atttypid, a.atttypmod)), ', ')
    INTO row_as_head
  FROM generate_series(1, cardinality(k.columns)) p
  JOIN pg_attribute a ON a.attrelid = pgtoaster.store_table(store, 'head')::regclass AND a.attname = 'owner_' || p;
  PERFORM set_config('pgtoaster.write', statement_timestamp()::text, true);
  EXECUTE format('/* pgtoaster */ UPDATE %s o SET %I = $1 FROM (SELECT %s) h WHERE %s', owner, handle, row_as_head, k.same_key) USING value, key;
  PERFORM set_config('pgtoaster.write', '', true);
END $$;

-- Finds what is damaged in a column of documents, or in one row of it, and says what it would do; with dry_run =
-- false it does that. Whoever owns the table may. Compact what was repaired: what took the place of branches stands
-- in the row.
CREATE OR REPLACE FUNCTION pgtoaster.repair(owner regclass, column_name name, row_key text[] DEFAULT NULL, dry_run boolean DEFAULT true)
RETURNS TABLE (key text[], place text, problem text, action text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  target regclass := repair.owner;
  a pgtoaster.attached_column;
  columns name[];
  done jsonb[];
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.owner = target AND c.column_name = repair.column_name AND c.toaster = 'keyed';
  IF a.store IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to the toaster keyed', repair.column_name, target USING ERRCODE = 'undefined_object';
  END IF;
  IF NOT pg_has_role((SELECT r.relowner FROM pg_class r WHERE r.oid = target), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', target USING ERRCODE = 'insufficient_privilege';
  END IF;
  columns := (SELECT k.columns FROM pgtoaster.owner_key(target, a.store) k);
  IF repair.row_key IS NOT NULL AND cardinality(repair.row_key) <> cardinality(columns) THEN
    RAISE EXCEPTION 'the row key of % has % columns', target, cardinality(columns) USING ERRCODE = 'invalid_parameter_value',
      HINT = format('Give the values of %s as text.', array_to_string(columns, ', '));
  END IF;
  FOR key IN EXECUTE CASE WHEN repair.row_key IS NOT NULL THEN 'SELECT $1' ELSE
      format('/* pgtoaster */ SELECT ARRAY[%s] FROM %s o WHERE o.%I ? ''$pgtoaster'' OR EXISTS (SELECT FROM %s h WHERE %s)',
             (SELECT string_agg(format('o.%I::text', c), ', ' ORDER BY n) FROM unnest(columns) WITH ORDINALITY u(c, n)), target, a.column_name,
             pgtoaster.store_table(a.store, 'head'), (SELECT k.same_key FROM pgtoaster.owner_key(target, a.store) k)) END
      USING repair.row_key LOOP
    -- What one row holds keeps nobody from repairing the others.
    BEGIN
      done := ARRAY(SELECT jsonb_build_array(r.place, r.problem, r.action) FROM pgtoaster.repair_row(a.store, target, a.column_name, key, dry_run) r);
    EXCEPTION WHEN statement_too_complex OR program_limit_exceeded OR data_corrupted THEN
      done := ARRAY[jsonb_build_array(NULL, 'its document cannot be repaired: ' || SQLERRM, 'it is left; set the column to NULL there')];
    END;
    RETURN QUERY SELECT repair.key, d ->> 0, d ->> 1, d ->> 2 FROM unnest(done) d;
  END LOOP;
END $$;
-- The source of the routine that reads: of a split document, as its row holds it, the value at a path whose keys are
-- written as split documents write them. what is
--   text: its JSON text, NULL if there is none. Of a string that has a branch of its own, a tab and the string itself:
--         escapes take three times as long to write as the string takes to read. Of what else is in several rows of the
--         store, a line feed and then these, a line each, in the order of the document (PackedRows.java reads them). An
--         empty text if those are too many: they are to be read as a stream.
--   type: its type, NULL if there is nothing
--   size: its type, and behind a space the number of elements or keys
--   place: for a statement that reads there, an array as text: the numbers of the document, of the node where it is, or
--         nothing for the row, and of the branch with the members that the row does not have, if it is the root; then the
--         rest of the path. NULL if there is nothing.
-- The first statement of a transaction prepares each expression that it meets, which takes longer than one evaluation:
-- hence few and large ones. Functions are qualified and operators meet operands of their own types, so that nothing else
-- on the caller's path can fit better. enable_seqscan: a plan that was made while the table had one page must not stay.
CREATE OR REPLACE FUNCTION pgtoaster.read_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $read$
#variable_conflict use_variable
DECLARE
  doc bigint;
  value pg_catalog.jsonb := document;
  found pg_catalog.jsonb;
  inside boolean;
  branch bigint;
  kind pg_catalog."char";
  kids bigint[];
  starts bigint[];
  lows pg_catalog.bytea[];
  place bigint;
  rest pg_catalog.text;
  roots bigint[];
  answer pg_catalog.text;
  complete boolean;
BEGIN
  -- No path leads further down than this through the nodes of a tree.
  FOR hop IN 1 .. 64 * (pg_catalog.cardinality(path) + 2) LOOP
    IF value IS NOT NULL THEN
      DECLARE
        marked pg_catalog.jsonb;
      BEGIN
        -- A value in the row or in a leaf: the next marker on the way, if there is one.
        FOR i IN 1 .. pg_catalog.cardinality(path) LOOP
          marked := value #> pg_catalog.array_append(path[:i], CAST('$pgtoaster' AS pg_catalog.text));
          IF marked IS NOT NULL THEN
            IF document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL
               OR pg_catalog.octet_length(CAST(marked AS pg_catalog.text)) >= 13 AND pg_catalog.ltrim(CAST(marked AS pg_catalog.text), '0123456789') = ''
                  AND value #> path[:i] = pg_catalog.jsonb_build_object('$pgtoaster', marked) THEN
              path := path[i + 1:];
              EXIT;
            END IF;
            -- A plain document has such keys of its user; what has lost its header is refused.
            marked := NULL;
          END IF;
        END LOOP;
        IF marked IS NULL THEN
          answer := CASE WHEN what = 'text' THEN CAST(value #> path AS pg_catalog.text) END;
          IF pg_catalog.strpos(answer, 'pgtoaster": ') = 0 THEN
            RETURN answer;
          END IF;
          IF hop = 1 AND document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) IS NOT NULL THEN
            -- The overflow branch: what is in no member of the row, beside these or alone.
            marked := CASE WHEN value #> path IS NULL AND NOT pg_catalog.jsonb_exists(document, path[1])
                                OR pg_catalog.cardinality(path) = 0 AND document - CAST('$pgtoaster' AS pg_catalog.text) = CAST('{}' AS pg_catalog.jsonb)
                           THEN document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) END;
            rest := CASE WHEN marked IS NULL AND pg_catalog.cardinality(path) = 0 THEN CAST(document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) AS pg_catalog.text) END;
          END IF;
          found := CASE WHEN marked IS NOT NULL THEN NULL
                        WHEN hop = 1 AND pg_catalog.cardinality(path) = 0 THEN document - CAST('$pgtoaster' AS pg_catalog.text)
                        ELSE value #> path END;
          IF marked IS NULL AND found IS NULL THEN
            RETURN NULL;
          END IF;
        END IF;
        IF doc IS NULL THEN
          -- The document is that of the row whose key its head has.
          SELECT h.id INTO doc FROM {head} h WHERE h.id = {number:document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])} AND {owned};
        END IF;
        EXIT WHEN marked IS NULL;
        branch := {number:CAST(marked AS pg_catalog.text)};
      END;
    END IF;
    -- Decompressed once: what follows reads it several times.
    SELECT m.kind, m.value #> CAST('{}' AS pg_catalog.text[]), m.kids, m.starts, m.lows INTO kind, value, kids, starts, lows
    FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = branch;
    IF kind = 's' AND pg_catalog.jsonb_typeof(value) = 'string' AND what = 'text' AND pg_catalog.cardinality(path) = 0 THEN
      RETURN CAST(E'\t' AS pg_catalog.text) || (value #>> path);
    END IF;
    CONTINUE WHEN value IS NOT NULL;
    IF kind IS NULL OR pg_catalog.cardinality(path) = 0 THEN
      inside := kids IS NOT NULL;
      EXIT;
    END IF;
    -- An inner node: the child below which the next step leads.
    IF kind = 'a' THEN
      -- As PostgreSQL reads a position, and then counted from the first element of the child.
      place := CASE WHEN pg_catalog.octet_length(path[1]) BETWEEN 1 AND 18 AND pg_catalog.ltrim(path[1], '0123456789') = ''
                    THEN CAST(path[1] AS bigint)
                    WHEN path[1] ~ {position}
                    THEN CAST(path[1] AS bigint)
                         + CASE WHEN CAST(path[1] AS bigint) < 0 THEN starts[pg_catalog.cardinality(starts)] ELSE 0 END END;
      branch := kids[pg_catalog.width_bucket(place, starts)];
      path := pg_catalog.array_prepend(CAST(place - starts[pg_catalog.width_bucket(place, starts)] AS pg_catalog.text), path[2:]);
    ELSE
      branch := kids[pg_catalog.width_bucket({code:path[1]}, lows)];
    END IF;
    IF branch IS NULL THEN
      RETURN NULL;
    END IF;
  END LOOP;
  -- A plain document may have keys that look like ours; its text is not asked for.
  IF found IS NULL AND inside IS NOT TRUE OR doc IS NULL AND (what = 'text' OR document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL) THEN
    {refuse};
  END IF;
  IF what <> 'text' THEN
    answer := CASE WHEN what = 'place'
                   THEN CAST(pg_catalog.array_cat(ARRAY[CAST(doc AS pg_catalog.text), CAST(branch AS pg_catalog.text), rest], path) AS pg_catalog.text)
                   WHEN inside THEN CASE kind WHEN 'o' THEN 'object' WHEN 'a' THEN 'array' ELSE 'string' END
                   ELSE pg_catalog.jsonb_typeof(found) END;
    IF what <> 'size' OR answer NOT IN ('object', 'array') THEN
      RETURN answer;
    ELSIF answer = 'array' THEN
      RETURN answer || ' ' || CAST(CASE WHEN inside THEN starts[pg_catalog.cardinality(starts)]
                                        ELSE pg_catalog.jsonb_array_length(found) END AS pg_catalog.text);
    END IF;
  END IF;
  IF inside AND kind = 's' AND what = 'text' THEN
    -- A string in pieces, if there is one level of them.
    SELECT CAST(E'\t' AS pg_catalog.text) || pg_catalog.string_agg(n.value #>> CAST('{}' AS pg_catalog.text[]), '' ORDER BY k.o),
           pg_catalog.count(n.value) = pg_catalog.count(*)
      INTO answer, complete
    FROM pg_catalog.unnest(kids) WITH ORDINALITY k(id, o)
    LEFT JOIN LATERAL (SELECT m.value FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = k.id AND m.kind = 's' LIMIT 1) n ON true;
    IF complete AND answer IS NOT NULL THEN
      RETURN answer;
    END IF;
  END IF;
  IF inside THEN
    roots := kids;
  ELSIF what = 'text' THEN
    roots := ARRAY(
      SELECT {number:m.m ->> CAST('$pgtoaster' AS pg_catalog.text)}
      FROM pg_catalog.jsonb_path_query(found, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY m(m, o) ORDER BY m.o);
  END IF;
  IF rest IS NOT NULL THEN
    roots := pg_catalog.array_append(roots, {number:rest});
  END IF;
  IF what = 'size' THEN
    -- The keys in the leaves of an object, not in what its members have moved out of line. A tree has one way to each
    -- of its nodes. The condition that all numbers meet keeps the planner's estimates low, and so the statement from
    -- being compiled.
    WITH RECURSIVE below AS (
      SELECT r.id FROM pg_catalog.unnest((SELECT roots)) r(id) WHERE r.id BETWEEN -9223372036854775807 AND 9223372036854775807
      UNION
      SELECT k.id FROM below b
      CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = b.id LIMIT 1) n
      CROSS JOIN LATERAL pg_catalog.unnest(n.kids) k(id)
      WHERE n.value IS NULL AND k.id BETWEEN -9223372036854775807 AND 9223372036854775807
    )
    SELECT answer || ' ' || CAST(CAST(coalesce(pg_catalog.sum(n.keys), 0) AS bigint) + (SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(found)) AS pg_catalog.text),
           pg_catalog.sum(n.children) + pg_catalog.cardinality(roots) = pg_catalog.count(n.keys)
             AND pg_catalog.count(n.keys) = pg_catalog.count(*)
      INTO answer, complete
    FROM below b LEFT JOIN LATERAL (
      SELECT CASE WHEN m.value IS NULL THEN 0
                  WHEN pg_catalog.jsonb_typeof(m.value) = 'object' THEN (SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(m.value)) END AS keys,
             CASE WHEN m.value IS NULL THEN pg_catalog.cardinality(m.kids) ELSE 0 END AS children
      FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = b.id LIMIT 1) n ON true;
  ELSE
    -- All nodes below, one by one and not more than are joined in memory. Leaves name their branches in kids.
    WITH RECURSIVE below AS (
      SELECT ARRAY[r.o] AS pos, r.id, n.kind, n.bytes, n.value, n.kids
      FROM pg_catalog.unnest((SELECT roots)) WITH ORDINALITY r(id, o)
      LEFT JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = r.id LIMIT 1) n ON true
      UNION ALL
      SELECT pg_catalog.array_append(b.pos, k.o), k.id, n.kind, n.bytes, n.value, n.kids
      FROM below b CROSS JOIN LATERAL pg_catalog.unnest(b.kids) WITH ORDINALITY k(id, o)
      LEFT JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = k.id LIMIT 1) n ON true
    )
    SELECT pg_catalog.string_agg(E'\n' || CAST(s.kind AS pg_catalog.text) || CAST(s.id AS pg_catalog.text)
             || CASE WHEN s.value IS NULL THEN '/' || CAST(pg_catalog.cardinality(s.kids) AS pg_catalog.text)
                     ELSE ':' || CAST(s.value AS pg_catalog.text) END, '' ORDER BY s.pos),
           pg_catalog.bool_and(s.kind IS NOT NULL)
      INTO answer, complete
    FROM (SELECT b.*, pg_catalog.sum(b.bytes) OVER () AS total, pg_catalog.count(*) OVER () AS number
          FROM (SELECT * FROM below LIMIT 257) b) s
    WHERE s.total <= 524288 AND s.number <= 256;
    IF complete IS NULL AND pg_catalog.cardinality(roots) > 0 THEN
      RETURN '';
    END IF;
    answer := E'\n' || CASE WHEN inside THEN CAST(kind AS pg_catalog.text) || '0/' || CAST(pg_catalog.cardinality(kids) AS pg_catalog.text)
                            ELSE CASE WHEN rest IS NOT NULL THEN '+0:' ELSE '-0:' END || CAST(found AS pg_catalog.text) END || coalesce(answer, '');
  END IF;
  IF NOT complete THEN
    {refuse};
  END IF;
  RETURN answer;
END $read$
$$;

-- The sources of the routine that changes a split document, and what stands in the row of a plain one, and texts that routines share.

-- Texts that the templates share, each behind its name. A new number grows with time and has 20 random bits (Ids.java).
CREATE OR REPLACE FUNCTION pgtoaster.routine_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY[
    'next_id', $p$((CAST(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) CAST(1000 AS double precision) AS bigint) - 1767225600000) << 20)
          + CAST(pg_catalog.floor(pg_catalog.random() OPERATOR(pg_catalog.*) CAST(1048576 AS double precision)) AS bigint)$p$,
    -- The branches that a value names, in the order of the document; NULL if there is none.
    'kids_of_part', $p$CASE WHEN pg_catalog.strpos(CAST(p.p AS pg_catalog.text), 'pgtoaster": ') > 0 THEN {kids:p.p} END$p$,
    -- Moves the entries of more than half a leaf out of line.
    'pack_entries', $p$IF pg_catalog.jsonb_typeof(\1) = 'array' THEN
      \1 := (SELECT pg_catalog.jsonb_agg(CASE WHEN pg_catalog.pg_column_size(e.e) > {leaf_size} / 2 THEN {pack}({lead_value}doc, e.e) ELSE e.e END ORDER BY e.o)
             FROM pg_catalog.jsonb_array_elements(\1) WITH ORDINALITY e(e, o));
    ELSE
      \1 := (SELECT pg_catalog.jsonb_object_agg(m.k, CASE WHEN pg_catalog.pg_column_size(m.v) > {leaf_size} / 2 THEN {pack}({lead_value}doc, m.v) ELSE m.v END)
             FROM pg_catalog.jsonb_each(\1) m(k, v));
    END IF;$p$,
    -- Cuts the object or array value into parts of about a leaf: values, numbers of elements, codes of the first keys.
    -- Keys of the same code stay together.
    'cut', $p$IF kind = 'a' THEN
      SELECT pg_catalog.array_agg(g.part ORDER BY g.place), pg_catalog.array_agg(g.number ORDER BY g.place)
        INTO parts, counts
      FROM (SELECT pg_catalog.jsonb_agg(e.e ORDER BY e.o) AS part, pg_catalog.count(*) AS number, e.place
            FROM (SELECT x.e, x.o, (pg_catalog.sum(pg_catalog.pg_column_size(x.e)) OVER (ORDER BY x.o) - pg_catalog.pg_column_size(x.e)) / {leaf_size} AS place
                  FROM pg_catalog.jsonb_array_elements(value) WITH ORDINALITY x(e, o)) e
            GROUP BY e.place) g;
    ELSE
      SELECT pg_catalog.array_agg(g.part ORDER BY g.place), pg_catalog.array_agg(CAST(0 AS bigint)), pg_catalog.array_agg(g.low ORDER BY g.place)
        INTO parts, counts, lows
      FROM (SELECT pg_catalog.jsonb_object_agg(m.k, m.v) AS part, m.place, (pg_catalog.array_agg(m.code ORDER BY m.code))[1] AS low
            FROM (SELECT c.k, c.v, c.code, pg_catalog.min(c.place) OVER (PARTITION BY c.code) AS place
                  FROM (SELECT x.k, x.v, (pg_catalog.sum(pg_catalog.pg_column_size(x.v) + pg_catalog.octet_length(x.k)) OVER (ORDER BY x.o)) / {leaf_size} AS place,
                               pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(x.k, 'UTF8')))
                               || pg_catalog.substr(pg_catalog.convert_to(x.k, 'UTF8'), 1, 512) AS code
                        FROM pg_catalog.jsonb_each(value) WITH ORDINALITY x(k, v, o)) c) m
            GROUP BY m.place) g;
    END IF;$p$,
    -- Puts one level of inner nodes over ids.
    'level', $p$INSERT INTO {node} AS n ({lead_column}doc, id, kind, bytes, kids, starts, lows)
    SELECT {lead_value}doc, next + 1 + g.g / {fan_out}, kind, 0, ids[g.g + 1:g.g + {fan_out}],
           CASE WHEN kind = 'a' THEN {starts:counts[g.g + 1:g.g + {fan_out}]} END,
           CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[g.g + 2:g.g + {fan_out}]) END
    FROM pg_catalog.generate_series(0, pg_catalog.cardinality(ids) - 1, {fan_out}) g(g);
    SELECT pg_catalog.array_agg(next + 1 + g.g / {fan_out} ORDER BY g.g),
           pg_catalog.array_agg({sum:counts[g.g + 1:g.g + {fan_out}]} ORDER BY g.g),
           pg_catalog.array_agg(lows[g.g + 1] ORDER BY g.g)
      INTO ids, counts, lows
    FROM pg_catalog.generate_series(0, pg_catalog.cardinality(ids) - 1, {fan_out}) g(g);
    next := next + pg_catalog.cardinality(ids);$p$,
    'write_inner', $p$UPDATE {node} AS m SET value = NULL, bytes = 0, kids = ids, starts = CASE WHEN kind = 'a' THEN {starts:counts} END,
               lows = CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[2:]) END, version = (m.version & 4611686018427387903) + 1
        WHERE {lead:m}m.doc = doc AND m.id = leaf;$p$,
    -- What the document becomes, or the leaf, at.
    'new', $p$CASE op WHEN 'remove' THEN at #- here
                    WHEN 'insert' THEN pg_catalog.jsonb_insert(at, here, value, flag)
                    WHEN 'append' THEN CASE WHEN pg_catalog.cardinality(here) = 1 THEN at || value
                                            ELSE pg_catalog.jsonb_set(at, here[:pg_catalog.cardinality(here) - 1], (at #> here[:pg_catalog.cardinality(here) - 1]) || value) END
                    WHEN 'increment' THEN pg_catalog.jsonb_set(at, here, CAST(number AS pg_catalog.jsonb), true)
                    ELSE pg_catalog.jsonb_set(at, here, value, true) END$p$,
    -- The way to the container of the last step, through the row, leaves, and the inner nodes in way and seen. It ends in at,
    -- with what is left of the path in here; or in an inner node, if ended.
    'walk', $p$<<walk>>
    FOR hop IN 1 .. 64 * (pg_catalog.cardinality(path) + 2) LOOP
      IF at IS NOT NULL THEN
        EXIT WHEN NOT split;
        -- The next marker before the last step, if there is one.
        marked := NULL;
        FOR i IN 1 .. pg_catalog.cardinality(here) - 1 LOOP
          marked := at #> pg_catalog.array_append(here[:i], CAST('$pgtoaster' AS pg_catalog.text));
          IF marked IS NOT NULL THEN
            here := here[i + 1:];
            EXIT;
          END IF;
        END LOOP;
        IF marked IS NULL AND hop = 1 AND (NOT pg_catalog.jsonb_exists(at, here[1]) OR at - CAST('$pgtoaster' AS pg_catalog.text) = CAST('{}' AS pg_catalog.jsonb)) THEN
          marked := at #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]);
          -- What is kept in the row is added there; not so, until the next put, what was in the overflow branch before it was to be kept.
          IF here[1] = ANY ({pinned}) THEN
            marked := CASE WHEN {read}({key_names}, at, here[:1], CAST('type' AS pg_catalog.text)) IS NOT NULL OR {read}({key_names}, at, CAST('{}' AS pg_catalog.text[]), CAST('type' AS pg_catalog.text)) <> 'object' THEN marked END;
          END IF;
        END IF;
        EXIT WHEN marked IS NULL;
        branch := {number:CAST(marked AS pg_catalog.text)};
        way := NULL;
      END IF;
      -- Decompressed once: what follows reads it several times.
      SELECT m.kind, m.value #> CAST('{}' AS pg_catalog.text[]), m.kids, m.starts, m.lows, m.version INTO kind, at, kids, starts, lows, version
      FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = branch;
      EXIT WHEN NOT FOUND;
      IF at IS NOT NULL THEN
        leaf := branch;
        leaf_kids := kids;
        CONTINUE;
      END IF;
      IF kind = 'a' THEN
        place := CASE WHEN here[1] ~ {position} THEN CAST(here[1] AS bigint) END;
        IF place IS NULL OR place NOT BETWEEN -2147483648 AND 2147483647 THEN
          ended := true;
          EXIT walk WHEN op IN ('append', 'increment');
          outcome := pg_catalog.concat('position ', pg_catalog.cardinality(path) - pg_catalog.cardinality(here) + 1);
          EXIT walk;
        END IF;
        place := place + CASE WHEN place < 0 THEN starts[pg_catalog.cardinality(starts)] ELSE 0 END;
        c := pg_catalog.width_bucket(place, starts);
        IF c NOT BETWEEN 1 AND pg_catalog.cardinality(kids) THEN
          -- What is beyond the ends is added there, or is not there.
          ended := pg_catalog.cardinality(here) > 1 OR NOT (op = 'insert' OR op = 'set' AND flag);
          EXIT walk WHEN ended;
          IF c > pg_catalog.cardinality(kids) THEN
            c := pg_catalog.cardinality(kids);
            place := 2147483647 + starts[c];
          ELSE
            c := 1;
            place := -1000000000;
          END IF;
        END IF;
        here[1] := CAST(place - starts[c] AS pg_catalog.text);
      ELSIF kind = 'o' THEN
        c := pg_catalog.width_bucket({code:here[1]}, lows);
      ELSE
        ended := true;
        IF op IN ('set', 'insert', 'remove') AND pg_catalog.cardinality(here) = pg_catalog.cardinality(path) THEN
          outcome := 'scalar';
        END IF;
        EXIT walk;
      END IF;
      way := pg_catalog.array_cat(way, ARRAY[branch, version, CAST(c AS bigint)]);
      seen := pg_catalog.array_cat(seen, ARRAY[branch, version]);
      branch := kids[c];
    END LOOP;$p$,
    -- Whether the edit does anything to old, and what refuses it.
    'checks', $p$-- An edit that replaces or removes what is there meets none of these.
    IF conditional OR old IS NULL OR op NOT IN ('set', 'remove') THEN
      IF conditional THEN
        IF old_kids IS NOT NULL AND expected IS NOT NULL THEN
          outcome := 'look';
          RETURN;
        ELSIF old IS DISTINCT FROM expected THEN
          outcome := 'conflict';
          RETURN;
        END IF;
      END IF;
      IF old IS NULL AND op IN ('set', 'insert', 'remove') AND (at NOT IN (CAST('[]' AS pg_catalog.jsonb), CAST('{}' AS pg_catalog.jsonb)) OR op = 'insert' OR op = 'set' AND flag) THEN
        -- What PostgreSQL refuses: it looks at each step that meets an array.
        IF pg_catalog.jsonb_typeof(at) NOT IN ('object', 'array') THEN
          IF pg_catalog.cardinality(here) = pg_catalog.cardinality(path) THEN
            outcome := 'scalar';
          END IF;
          RETURN;
        END IF;
        FOR i IN 1 .. pg_catalog.cardinality(here) LOOP
          IF pg_catalog.jsonb_typeof(at #> here[:i - 1]) = 'array' AND (here[i] !~ {position}
               OR CAST(here[i] AS bigint) NOT BETWEEN -2147483648 AND 2147483647) THEN
            outcome := pg_catalog.concat('position ', pg_catalog.cardinality(path) - pg_catalog.cardinality(here) + i);
            RETURN;
          END IF;
        END LOOP;
      END IF;
      IF type IS NULL OR type NOT IN ('object', 'array')
         OR op = 'append' AND type <> 'array'
         OR old IS NULL AND (op = 'remove' OR op = 'set' AND NOT flag OR op = 'increment' AND type <> 'object') THEN
        RETURN;
      END IF;
      IF op = 'insert' AND type = 'object' AND old IS NOT NULL THEN
        outcome := 'exists';
        RETURN;
      END IF;
      IF op = 'increment' THEN
        IF old_kids IS NOT NULL AND old = pg_catalog.jsonb_build_object('$pgtoaster', old_kids[1]) THEN
          outcome := 'look';
          RETURN;
        ELSIF old IS NOT NULL AND pg_catalog.jsonb_typeof(old) <> 'number' THEN
          outcome := 'number';
          RETURN;
        END IF;
        number := CAST(coalesce(CAST(old #>> CAST('{}' AS pg_catalog.text[]) AS numeric), 0) + CAST(value #>> CAST('{}' AS pg_catalog.text[]) AS numeric) AS pg_catalog.text);
      END IF;
    END IF;$p$,
    -- Whether the value is as large as values out of line are, and the old one, which is out of line as a whole, is in one leaf.
    -- A string is never edited in parts, and so not cut into quarters.
    'stays', $p$old = pg_catalog.jsonb_build_object('$pgtoaster', old_kids[1])
       AND pg_catalog.pg_column_size(value) BETWEEN {leaf_size} / 16
           AND (CASE pg_catalog.jsonb_typeof(value) WHEN 'string' THEN {string_size} + 12 ELSE {leaf_size} + {leaf_size} / 2 END)
       AND EXISTS (SELECT FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = old_kids[1] AND m.value IS NOT NULL
                   AND coalesce(pg_catalog.cardinality(m.kids), 0) = 0)$p$,
    'lock_shared', $p$SELECT h.generation INTO found_generation FROM {head} h WHERE h.id = doc AND {owned} FOR KEY SHARE;
        {check_generation}$p$,
    'lock_alone', $p$SELECT h.generation INTO found_generation FROM {head} h WHERE h.id = doc AND {owned} FOR UPDATE;
        {check_generation}$p$,
    'check_generation', $p$IF found_generation IS NULL OR found_generation <> generation THEN
          outcome := CASE WHEN found_generation IS NULL THEN 'head' ELSE 'again' END;
          RETURN;
        END IF;$p$,
    'starts', $p$(SELECT pg_catalog.array_agg(q.s ORDER BY q.o)
            FROM (SELECT CAST(0 AS bigint) AS s, CAST(0 AS bigint) AS o UNION ALL
                  SELECT CAST(pg_catalog.sum(x.x) OVER (ORDER BY x.o) AS bigint), x.o FROM pg_catalog.unnest(\1) WITH ORDINALITY x(x, o)) q)$p$,
    'sum', $p$CAST((SELECT pg_catalog.sum(x.x) FROM pg_catalog.unnest(\1) x(x)) AS bigint)$p$,
    -- The number that a text in a marker or header says; NULL if it says none.
    'number', $p$CASE WHEN pg_catalog.octet_length(\1) BETWEEN 1 AND 18 AND pg_catalog.ltrim(\1, '0123456789') = ''
            THEN CAST(\1 AS bigint) END$p$,
    'kids', $p$(SELECT pg_catalog.array_agg(CAST(k.k ->> CAST('$pgtoaster' AS pg_catalog.text) AS bigint) ORDER BY k.o)
       FROM pg_catalog.jsonb_path_query(\1, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY k(k, o))$p$,
    -- By what keys are sorted.
    'code', $p$pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(\1, 'UTF8')))
          || pg_catalog.substr(pg_catalog.convert_to(\1, 'UTF8'), 1, 512)$p$,
    'head_columns', $p$x.base, x.piece_start, x.piece_rows, x.chunk_size, x.sealed, x.tokens_since, pg_catalog.octet_length(x.tail) AS capacity,
         pg_catalog.substr(x.tail, 1, greatest(pg_catalog.octet_length(pg_catalog.rtrim(x.tail, CAST(E'\\x00' AS pg_catalog.bytea))) - 1, 0)) AS tail$p$,
    -- The capacity of a tail that leaves room for as many bytes again; 0 if so many have no place in one (Tail.java).
    'room', $p$CASE WHEN \1 < {tail} THEN least({tail}, greatest(64, 2 << pg_catalog.length(pg_catalog.ltrim(CAST(CAST(greatest(\1, 1) AS bit(32)) AS pg_catalog.text), '0')))) ELSE 0 END$p$,
    -- What a head stores of a tail: run with room for others behind it.
    'stored_tail', $p$CASE WHEN room > 0 THEN run || E'\\x01' || pg_catalog.decode(pg_catalog.repeat('00', room - pg_catalog.octet_length(run) - 1), 'hex') ELSE '' END$p$,
    'record_token', $p$IF author IS NOT NULL THEN
    INSERT INTO {token} AS n ({lead_column}blob_id, writer, sequence, start, length) VALUES ({lead_value}blob, author, number, place, size)
    ON CONFLICT ({lead_column}blob_id, writer) DO UPDATE SET sequence = excluded.sequence, start = excluded.start, length = excluded.length, at = excluded.at;
  END IF;$p$,
    -- Whoever may read may lock a row here: nobody is made to wait for it. Times to come are of a role that would keep others
    -- from being notified.
    'notify_followers', $p$UPDATE {follower} AS c SET notified_at = pg_catalog.clock_timestamp()
      WHERE {same_lead}c.blob_id = blob AND c.expires > pg_catalog.clock_timestamp()
        AND c.notified_at NOT BETWEEN pg_catalog.clock_timestamp() - interval '100 milliseconds' AND pg_catalog.clock_timestamp()
        AND EXISTS (SELECT FROM {follower} c WHERE {same_lead}c.blob_id = blob FOR UPDATE SKIP LOCKED)
      RETURNING pg_catalog.pg_notify('pgtoaster', CAST(c.blob_id AS pg_catalog.text)) INTO last;$p$,
    -- What PostgreSQL reads as a position, but for its range.
    'position', $p$'^[ \t-\r]*[-+]?0*[0-9]{1,10}$'$p$,
    'lock_own', $p$SELECT h.generation INTO found_generation FROM {head} h WHERE h.id = doc AND {owned} FOR \1;
        IF found_generation IS NULL THEN
          {refuse};
        END IF;$p$
  ]
$$;

-- One edit: what at path becomes, by
--   set: value; a missing last step is added if flag
--   insert: value, before or, if flag, behind an element, or as a new member
--   remove: nothing
--   increment: the number there plus value
--   append: the array there with the elements of value behind it
-- path, value and expected are as the document stores them, escaped if it is split. conditional: only if expected is there.
-- generation: that of the head in the snapshot that gave the document; NULL if the row is locked.
-- room: by how many bytes the document may grow in the row; NULL if the caller sees to that. special: whether there are
-- keys that a plain document cannot have.
-- outcome is
--   applied: number is the sum of an increment; result what the row is to hold now, if that changes, and grows by so many bytes
--   missed, conflict: as the API says
--   position n: the array at step n has no such position; scalar, exists, number: what else PostgreSQL refuses
--   fit: the row has no room; lock: the row must be locked first; look: the value that is compared, or added to, was moved
--   out of line; again: another writer was faster; head: the role may not lock it, or it has gone
-- Nothing has been changed but where it was applied. Locks: the head, shared, or alone where branches are dropped; the root
-- of the branch, if its structure changes; the leaf.
CREATE OR REPLACE FUNCTION pgtoaster.edit_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $edit$
#variable_conflict use_variable
DECLARE
  split boolean := document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL;
  doc bigint := {number:document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])};
  held integer := 0;
  found_generation bigint;
BEGIN
  outcome := 'missed';
  IF document IS NULL THEN
    IF conditional AND expected IS NOT NULL THEN
      outcome := 'conflict';
    END IF;
    RETURN;
  END IF;
  IF op = 'append' THEN
    path := pg_catalog.array_append(path, CAST('-1' AS pg_catalog.text));
  END IF;
  <<attempts>>
  FOR attempt IN 1 .. 20 LOOP
  outcome := 'missed';
  -- Each expression is prepared anew in each transaction: hence few and large ones, and variables that begin as NULL.
  DECLARE
    here pg_catalog.text[] := path;
    at pg_catalog.jsonb := document;
    marked pg_catalog.jsonb;
    branch bigint;
    leaf bigint;
    version bigint;
    kind pg_catalog."char";
    kids bigint[];
    starts bigint[];
    lows pg_catalog.bytea[];
    leaf_kids bigint[];
    found_version bigint;
    ended boolean;
    -- Number, version and place of the child, of each inner node from the root of the branch.
    way bigint[];
    -- Number and version of each inner node on the whole path.
    seen bigint[];
    place bigint;
    c integer;
    type pg_catalog.text;
    old pg_catalog.jsonb;
    new pg_catalog.jsonb;
    old_kids bigint[];
    adds integer;
    bytes integer;
    structural boolean;
    ids bigint[];
  BEGIN
    {walk}
    IF seen IS NOT NULL THEN
      -- Each look sees what is committed by then: a leaf may be younger than the node that led to it, and have given away
      -- what is looked for. Inner nodes that are still as they were led to the leaf as it was read.
      FOR i IN 1 .. pg_catalog.cardinality(seen) BY 2 LOOP
        SELECT m.version INTO found_version FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = seen[i];
        CONTINUE attempts WHEN found_version IS DISTINCT FROM seen[i + 1];
      END LOOP;
    END IF;
    IF at IS NULL THEN
      IF ended THEN
        -- In an inner node.
        IF conditional AND expected IS NOT NULL THEN
          outcome := 'conflict';
        END IF;
        RETURN;
      END IF;
      -- A node is missing: gone since the row was read, or damage. Or nodes lead into themselves.
      IF held = 0 AND doc IS NOT NULL THEN
        {lock_shared}
        held := 1;
        CONTINUE;
      END IF;
      {refuse};
    END IF;
    type := pg_catalog.jsonb_typeof(at #> here[:pg_catalog.cardinality(here) - 1]);
    old := CASE WHEN op <> 'append' THEN at #> here END;
    IF split AND op IN ('set', 'remove', 'increment') AND pg_catalog.jsonb_typeof(old) IN ('object', 'array') AND pg_catalog.strpos(CAST(old AS pg_catalog.text), 'pgtoaster": ') > 0 THEN
      old_kids := {kids:old};
    END IF;
    {checks}
    -- Two conditions: one with a query in it is planned in each call.
    IF op = 'set' AND old_kids IS NOT NULL THEN
      IF {stays} THEN
        -- A value out of the row, or of its leaf, that stays there: written where the old one is, the marker as it was.
        IF held = 0 THEN
          {lock_shared}
          held := 1;
        END IF;
        UPDATE {node} AS m SET value = value, kind = CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END,
               bytes = pg_catalog.pg_column_size(value), kids = NULL, version = (m.version & 4611686018427387903) + 1
        WHERE {lead:m}m.doc = doc AND m.id = old_kids[1] AND m.value IS NOT NULL AND coalesce(pg_catalog.cardinality(m.kids), 0) = 0;
        IF FOUND THEN
          outcome := 'applied';
          RETURN;
        END IF;
      END IF;
    END IF;
    IF leaf IS NULL THEN
      IF special AND NOT split THEN
        outcome := 'fit';
        RETURN;
      END IF;
      IF old_kids IS NOT NULL AND room IS NULL THEN
        outcome := 'lock';
        RETURN;
      END IF;
    END IF;
    -- By so many the elements of a counted array grow.
    adds := CASE WHEN way IS NULL OR type <> 'array' OR pg_catalog.cardinality(here) > 1 THEN 0
                 WHEN op = 'append' THEN pg_catalog.jsonb_array_length(value)
                 WHEN op = 'insert' OR old IS NULL THEN 1
                 WHEN op = 'remove' THEN -1
                 ELSE 0 END;
    -- A value of more than half a leaf is moved out of line once the leaf is locked, and counts little until then.
    new := CASE WHEN leaf IS NOT NULL AND pg_catalog.pg_column_size(value) > {leaf_size} / 2 THEN NULL ELSE {new} END;
    bytes := pg_catalog.pg_column_size(new);
    structural := leaf IS NOT NULL AND (new IS NULL OR bytes > {leaf_size} + {leaf_size} / 2
      OR way IS NOT NULL AND (adds <> 0 OR bytes < {leaf_size} / 4));
    IF split AND held < (CASE WHEN old_kids IS NOT NULL THEN 2 WHEN leaf IS NOT NULL THEN 1 ELSE 0 END) THEN
      IF leaf IS NULL AND bytes - pg_catalog.pg_column_size(document) > greatest(room, 0) THEN
        outcome := 'fit';
        RETURN;
      END IF;
      IF old_kids IS NULL THEN
        {lock_shared}
        held := 1;
      ELSE
        {lock_alone}
        held := 2;
      END IF;
    END IF;
    IF leaf IS NULL THEN
      IF split AND held = 0 THEN
        -- The stub must be the row's own. If it was, another has replaced the document since.
        IF NOT EXISTS (SELECT FROM {head} h WHERE h.id = doc AND {owned}) THEN
          IF generation IS NOT NULL THEN
            outcome := 'lock';
            RETURN;
          END IF;
          {refuse};
        END IF;
      END IF;
      grows := bytes - pg_catalog.pg_column_size(document);
      IF room IS NOT NULL AND grows > greatest(room, 0) THEN
        outcome := 'fit';
        RETURN;
      END IF;
      result := new;
      grows := CASE WHEN room IS NULL THEN grows ELSE 0 END;
    ELSIF NOT structural THEN
      IF old_kids IS NOT NULL THEN
        leaf_kids := (SELECT pg_catalog.array_agg(k.k ORDER BY k.o) FROM pg_catalog.unnest(leaf_kids) WITH ORDINALITY k(k, o) WHERE k.k <> ALL (old_kids));
      END IF;
      UPDATE {node} AS m SET value = new, version = (m.version & 4611686018427387903) + 1, bytes = bytes, kids = leaf_kids
      WHERE {lead:m}m.doc = doc AND m.id = leaf AND m.version = version;
      IF NOT FOUND THEN
        -- Another writer was faster: what is looked at again stays as it is.
        PERFORM FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = leaf FOR NO KEY UPDATE;
        CONTINUE;
      END IF;
    ELSE
      CONTINUE WHEN NOT {reshape}({lead_value}doc, leaf, version, way, at, here, op, value, flag, number, new, leaf_kids, old_kids, adds);
    END IF;
    IF old_kids IS NOT NULL THEN
      -- The condition that all numbers meet keeps the planner's estimates low, and so the statement from being compiled.
      ids := ARRAY(
        WITH RECURSIVE below AS (
          SELECT k.id FROM pg_catalog.unnest(old_kids) k(id) WHERE k.id BETWEEN -9223372036854775807 AND 9223372036854775807
          UNION
          SELECT k.id FROM below b
          CROSS JOIN LATERAL (SELECT m.kids FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = b.id LIMIT 1) n
          CROSS JOIN LATERAL pg_catalog.unnest(n.kids) k(id) WHERE k.id BETWEEN -9223372036854775807 AND 9223372036854775807)
        SELECT b.id FROM below b);
      DELETE FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = ANY (ids);
      UPDATE {head} AS h SET generation = (h.generation & 4611686018427387903) + 1 WHERE {lead:h}h.id = doc;
    END IF;
    outcome := 'applied';
    RETURN;
  END;
  END LOOP;
  outcome := 'again';
END $edit$
$$;
-- The source of the routine that appends to a blob of the appendable toaster.

-- One append of bytes in memory, with all that may be in it: the first of a row, a token, a piece, or chunks and what is left.
-- blob: the handle that the row has; NULL for the first append. owner, handle, same: the table, its column, and a condition on
-- a row o by the texts key, $2. crc: the checksum of data where rows have one. expected: the offset, or NULL. author and
-- number: the token, or NULL.
-- outcome is
--   applied, already: at place; conflict: the blob ends at place
--   other: nothing has been done, but that a row without content may have got an empty one; the general way does it or says why not
-- Locks the head, which serialises whoever changes the blob; the row only to set its handle.
CREATE OR REPLACE FUNCTION pgtoaster.append_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $append$
#variable_conflict use_variable
DECLARE
  size CONSTANT integer := pg_catalog.octet_length(data);
  run pg_catalog.bytea := data;
  h pg_catalog.record;
  last pg_catalog.record;
  room integer;
  piece integer;
  large boolean;
  whole integer;
  part integer;
BEGIN
  outcome := 'other';
  IF blob IS NULL THEN
    IF expected > 0 THEN
      outcome := 'conflict';
      place := 0;
      RETURN;
    ELSIF {checksums} AND (size >= {chunk_size} OR size > 0 AND crc IS NULL) THEN
      RETURN;
    END IF;
    INSERT INTO {head} AS n ({lead_column}chunk_size) VALUES ({lead_value}{chunk_size}) RETURNING n.id INTO blob;
    EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', handle, ' = $1 WHERE o.', handle, ' IS NULL AND ', same) USING blob, key;
    EXECUTE pg_catalog.concat('SELECT FROM ', owner, ' AS o WHERE o.', handle, ' = $1 AND ', same) INTO last USING blob, key;
    GET DIAGNOSTICS piece = ROW_COUNT;
    IF piece <> 1 THEN
      -- Another first append was faster; or a trigger keeps the handle from being set, or takes it back.
      DELETE FROM {head} x WHERE {same_lead}x.id = blob;
      RETURN;
    END IF;
  END IF;
  SELECT {head_columns} INTO h FROM {head} x WHERE {same_lead}x.id = blob FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT {head_columns} INTO h FROM {head} x WHERE {same_lead}x.id = blob FOR NO KEY UPDATE;
    -- While it waited the row may have got another blob, or another row this one.
    EXECUTE pg_catalog.concat('SELECT FROM ', owner, ' AS o WHERE o.', handle, ' = $1 AND ', same) INTO last USING blob, key;
    GET DIAGNOSTICS piece = ROW_COUNT;
    IF piece <> 1 THEN
      RETURN;
    END IF;
  END IF;
  place := h.base + pg_catalog.octet_length(h.tail);
  IF author IS NOT NULL THEN
    -- A statement of its own, younger than the wait for the lock: a retry queues behind the first try, and sees what it did.
    SELECT t.sequence, t.start, t.length INTO last FROM {token} t WHERE {same_lead}t.blob_id = blob AND t.writer = author;
    IF last.sequence = number AND last.length = size THEN
      outcome := 'already';
      place := last.start;
      RETURN;
    ELSIF last.sequence >= number OR last.sequence IS NULL AND h.tokens_since IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;
  -- The head may have gone while its lock was waited for.
  IF place IS NULL OR h.sealed OR place > 9223372036854775807 - size THEN
    RETURN;
  ELSIF place <> expected THEN
    outcome := 'conflict';
    RETURN;
  END IF;
  IF size > 0 THEN
    -- Of a blob whose chunks are longer than those of the store now.
    IF {checksums} AND crc IS NULL THEN
      RETURN;
    END IF;
    IF h.tail <> '' THEN
      run := h.tail || data;
    END IF;
    room := CASE WHEN pg_catalog.octet_length(run) < h.capacity THEN h.capacity ELSE {room:pg_catalog.octet_length(run)} END;
    large := NOT {checksums} AND room = 0 AND pg_catalog.octet_length(run) >= h.chunk_size / 4;
    IF large OR place - h.piece_start + size >= h.chunk_size OR room = 0 AND h.piece_rows >= {pieces} THEN
      -- The checksums of chunks are the client's.
      IF {checksums} OR (place - h.piece_start + size) / h.chunk_size > {chunks} THEN
        RETURN;
      END IF;
      IF h.piece_rows > 0 THEN
        SELECT pg_catalog.string_agg(p.data, '' ORDER BY p.slot) || run INTO run
        FROM (SELECT p.slot, p.start, p.data, pg_catalog.sum(pg_catalog.octet_length(p.data)) OVER (ORDER BY p.slot) AS until
              FROM {piece} p WHERE {same_lead}p.blob_id = blob AND p.slot < h.piece_rows) p
        HAVING pg_catalog.count(*) = h.piece_rows AND pg_catalog.max(p.until) = h.base - h.piece_start
          AND pg_catalog.bool_and(p.start + pg_catalog.octet_length(p.data) = h.piece_start + p.until);
        IF run IS NULL THEN
          RETURN;
        END IF;
      END IF;
      -- What full chunks leave of a large append is one of its own size; two of them, where one would waste its page.
      whole := pg_catalog.octet_length(run) / h.chunk_size * h.chunk_size;
      part := pg_catalog.octet_length(run) - whole;
      room := {room:part};
      part := CASE WHEN NOT large OR room > 0 THEN 0
                   WHEN part BETWEEN h.chunk_size / 2 - 49 AND h.chunk_size / 2 - 50 + h.chunk_size / 4 THEN h.chunk_size / 2 - 50 ELSE part END;
      -- A series up to a parameter would have the statement planned in each call, with the bytes in the plan.
      INSERT INTO {chunk} AS n ({lead_column}blob_id, start, data)
      SELECT {lead_value}blob, h.piece_start + c.i, pg_catalog.substr(run, c.i + 1, CASE WHEN c.i < whole THEN h.chunk_size ELSE part END)
      FROM (SELECT g.g * h.chunk_size AS i FROM pg_catalog.generate_series(0, {chunks}) g(g)) c
      WHERE c.i < whole + part;
      h.base := h.piece_start + whole + part;
      run := pg_catalog.substr(run, whole + part + 1);
      h.piece_start := h.base;
      h.piece_rows := 0;
      -- A tail is of use only if it has room for the next append.
      room := CASE WHEN large AND run = '' THEN 0 ELSE {room:greatest(pg_catalog.octet_length(run), CASE WHEN large THEN 0 ELSE size END)} END;
    END IF;
    IF room = 0 AND run <> '' THEN
      piece := h.piece_rows;
      INSERT INTO {piece} AS n ({lead_column}blob_id, slot, start, crc, data) VALUES ({lead_value}blob, piece, h.base, crc, run)
      ON CONFLICT ({lead_column}blob_id, slot) DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data;
      h.base := h.base + pg_catalog.octet_length(run);
      h.piece_rows := piece + 1;
      run := '';
      room := CASE WHEN whole IS NULL THEN {tail} ELSE 0 END;
    END IF;
    UPDATE {head} AS x SET base = h.base, piece_start = h.piece_start, piece_rows = h.piece_rows,
           tail = {stored_tail}
    WHERE {same_lead}x.id = blob;
    IF {notify} THEN
      {notify_followers}
    END IF;
  END IF;
  {record_token}
  outcome := 'applied';
END $append$
$$;
-- The sources of the routines that read ranges of a blob of the appendable toaster, and that change it otherwise than a
-- small append does. Chunks stand one behind the other from 0 to the head's piece_start, each of at most chunk_size bytes: those
-- of a range begin less than chunk_size before it.

-- The bytes from an offset on, up to so many. blob: the handle that the row has. A STABLE routine has the snapshot of the
-- statement around it, so that head, chunks and pieces are of one moment. outcome is
--   applied: bytes; null: there is no content; offset: it ends before, at place; large: more than a value can have
--   damaged: what is stored contradicts itself
CREATE OR REPLACE FUNCTION pgtoaster.range_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $range$
#variable_conflict use_variable
DECLARE
  h pg_catalog.record;
  part pg_catalog.record;
  until bigint;
BEGIN
  IF blob IS NULL THEN
    outcome := 'null';
    RETURN;
  END IF;
  outcome := 'damaged';
  SELECT {head_columns} INTO h FROM {head} x WHERE {same_lead}x.id = blob;
  place := h.base + pg_catalog.octet_length(h.tail);
  IF place IS NULL THEN
    RETURN;
  ELSIF at > place THEN
    outcome := 'offset';
    RETURN;
  END IF;
  until := least(place, at + least(count, place - at));
  IF until - at > 1073741819 THEN
    outcome := 'large';
    RETURN;
  END IF;
  bytes := '';
  IF at < least(until, h.piece_start) THEN
    SELECT pg_catalog.string_agg(pg_catalog.substr(r.data, CAST(r.first - r.start AS integer) + 1, CAST(r.last - r.first AS integer)), '' ORDER BY r.start) AS data,
           -- One behind the other: what lies twice does not make up for what is missing.
           pg_catalog.sum(CAST(r.last - r.first AS pg_catalog.numeric) * CAST(r.last + r.first AS pg_catalog.numeric)) = CAST(least(until, h.piece_start) - at AS pg_catalog.numeric) * CAST(least(until, h.piece_start) + at AS pg_catalog.numeric) AS gapless,
           {checksums} AND pg_catalog.bool_or(r.crc <> pgtoaster.crc32c(r.data)) AS wrong INTO part
    FROM (SELECT c.start, c.data, c.crc, greatest(at, c.start) AS first, least(until, c.start + pg_catalog.octet_length(c.data)) AS last
          FROM {chunk} c WHERE {same_lead}c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < least(until, h.piece_start)) r WHERE r.first < r.last;
    IF part.gapless IS NOT TRUE OR part.wrong THEN
      bytes := NULL;
      RETURN;
    END IF;
    bytes := bytes || part.data;
  END IF;
  IF greatest(at, h.piece_start) < least(until, h.base) THEN
    SELECT pg_catalog.string_agg(pg_catalog.substr(r.data, CAST(r.first - r.start AS integer) + 1, CAST(r.last - r.first AS integer)), '' ORDER BY r.start) AS data,
           -- One behind the other: what lies twice does not make up for what is missing.
           pg_catalog.sum(CAST(r.last - r.first AS pg_catalog.numeric) * CAST(r.last + r.first AS pg_catalog.numeric)) = CAST(least(until, h.base) - greatest(at, h.piece_start) AS pg_catalog.numeric) * CAST(least(until, h.base) + greatest(at, h.piece_start) AS pg_catalog.numeric) AS gapless,
           {checksums} AND pg_catalog.bool_or(r.crc <> pgtoaster.crc32c(r.data)) AS wrong INTO part
    FROM (SELECT c.start, c.data, c.crc, greatest(at, c.start) AS first, least(until, c.start + pg_catalog.octet_length(c.data)) AS last
          FROM {piece} c WHERE {same_lead}c.blob_id = blob AND c.slot < h.piece_rows) r WHERE r.first < r.last;
    IF part.gapless IS NOT TRUE OR part.wrong THEN
      bytes := NULL;
      RETURN;
    END IF;
    bytes := bytes || part.data;
  END IF;
  IF until > h.base THEN
    bytes := bytes || pg_catalog.substr(h.tail, CAST(greatest(at - h.base, 0) AS integer) + 1, CAST(until - greatest(at, h.base) AS integer));
  END IF;
  IF pg_catalog.octet_length(bytes) = until - at THEN
    outcome := 'applied';
  ELSE
    bytes := NULL;
  END IF;
END $range$
$$;

-- One change, op: write of data at an offset, at; truncate to a length, at; seal; or append of any number of bytes, as the
-- routine above but with checksums of chunks, and a reason for what is refused. Other arguments are as there.
-- outcome is
--   applied, already: at place; conflict: the blob ends at place
--   null, sealed, offset, mismatch (token), unknown (token), damaged: why nothing has been done
--   other: the row has another blob by now, or the role does not see this one to change it
-- Locks the head, which serialises whoever changes the blob.
CREATE OR REPLACE FUNCTION pgtoaster.write_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $write$
#variable_conflict use_variable
DECLARE
  size CONSTANT integer := coalesce(pg_catalog.octet_length(data), 0);
  h pg_catalog.record;
  last pg_catalog.record;
  run pg_catalog.bytea;
  first bigint;
  cut bigint;
  inside integer := 0;
  done integer := 0;
  room integer;
  rows integer;
BEGIN
  IF blob IS NULL THEN
    outcome := 'null';
    RETURN;
  END IF;
  outcome := 'other';
  SELECT {head_columns}, x.generation INTO h FROM {head} x WHERE {same_lead}x.id = blob FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT {head_columns}, x.generation INTO h FROM {head} x WHERE {same_lead}x.id = blob FOR NO KEY UPDATE;
    -- While it waited the row may have got another blob, or another row this one.
    EXECUTE pg_catalog.concat('SELECT FROM ', owner, ' AS o WHERE o.', handle, ' = $1 AND ', same) INTO last USING blob, key;
    GET DIAGNOSTICS rows = ROW_COUNT;
    IF rows <> 1 THEN
      RETURN;
    END IF;
  END IF;
  place := h.base + pg_catalog.octet_length(h.tail);
  IF place IS NULL THEN
    RETURN;
  END IF;
  IF author IS NOT NULL THEN
    -- A statement of its own, younger than the wait for the lock: a retry queues behind the first try, and sees what it did.
    SELECT t.sequence, t.start, t.length INTO last FROM {token} t WHERE {same_lead}t.blob_id = blob AND t.writer = author;
    IF last.sequence = number THEN
      outcome := CASE last.length WHEN size THEN 'already' ELSE 'mismatch' END;
      place := last.start;
      RETURN;
    -- Writers of version 7 tell when they began, and those that gc has forgotten began before (Tokens.java).
    ELSIF last.sequence > number
       OR last.sequence IS NULL AND pg_catalog.substr(CAST(author AS pg_catalog.text), 15, 1) = '7'
          AND CAST(CAST(CAST('x' || pg_catalog.lpad(pg_catalog.replace(pg_catalog.substr(CAST(author AS pg_catalog.text), 1, 13), '-', ''), 16, '0') AS bit(64)) AS bigint) AS double precision)
              < pg_catalog.date_part('epoch', h.tokens_since) * CAST(1000 AS double precision) THEN
      outcome := 'unknown';
      RETURN;
    END IF;
  END IF;
  IF h.sealed THEN
    outcome := CASE op WHEN 'seal' THEN 'applied' ELSE 'sealed' END;
    RETURN;
  ELSIF op = 'append' AND at <> place THEN
    outcome := 'conflict';
    RETURN;
  ELSIF at > place OR coalesce(at, place) > 9223372036854775807 - size THEN
    outcome := 'offset';
    RETURN;
  END IF;
  at := coalesce(at, place);
  first := h.piece_start;
  outcome := 'damaged';
  IF op = 'truncate' AND at < first THEN
    -- What is left of the chunk that is cut is the last run.
    SELECT c.start, c.data, {checksums} AND c.crc <> pgtoaster.crc32c(c.data) AS wrong INTO last
    FROM {chunk} c WHERE {same_lead}c.blob_id = blob AND c.start > at - h.chunk_size AND c.start <= at ORDER BY c.start DESC LIMIT 1;
    IF last.start IS NULL OR last.start + pg_catalog.octet_length(last.data) <= at OR last.wrong THEN
      RETURN;
    END IF;
    first := last.start;
    run := pg_catalog.substr(last.data, 1, CAST(at - first AS integer));
    DELETE FROM {chunk} c WHERE {same_lead}c.blob_id = blob AND c.start >= first;
  ELSIF op = 'write' AND at < first AND size > 0 THEN
    inside := least(size, first - at);
    cut := at + inside;
    SELECT pg_catalog.sum(CAST(r.last - r.first AS pg_catalog.numeric) * CAST(r.last + r.first AS pg_catalog.numeric)) = CAST(inside AS pg_catalog.numeric) * CAST(at + cut AS pg_catalog.numeric) AS gapless,
           {checksums} AND pg_catalog.bool_or(r.crc <> pgtoaster.crc32c(r.data)) AS wrong INTO last
    FROM (SELECT c.data, c.crc, greatest(c.start, at) AS first, least(c.start + pg_catalog.octet_length(c.data), cut) AS last
          FROM {chunk} c WHERE {same_lead}c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < cut) r WHERE r.first < r.last;
    IF last.gapless IS NOT TRUE OR last.wrong THEN
      RETURN;
    END IF;
  END IF;
  IF run IS NULL AND (op = 'seal' OR size > inside OR op = 'truncate' AND at < place) THEN
    -- Pieces and tail, with what changes them.
    run := h.tail;
    IF h.piece_rows > 0 THEN
      SELECT pg_catalog.string_agg(p.data, '' ORDER BY p.slot) || run INTO run
      FROM (SELECT p.slot, p.start, p.crc, p.data, pg_catalog.sum(pg_catalog.octet_length(p.data)) OVER (ORDER BY p.slot) AS until
            FROM {piece} p WHERE {same_lead}p.blob_id = blob AND p.slot < h.piece_rows) p
      HAVING pg_catalog.count(*) = h.piece_rows AND pg_catalog.max(p.until) = h.base - h.piece_start
        AND pg_catalog.bool_and(p.start + pg_catalog.octet_length(p.data) = h.piece_start + p.until)
        AND ({checksums} AND pg_catalog.bool_or(p.crc <> pgtoaster.crc32c(p.data))) IS NOT TRUE;
    END IF;
    IF run IS NULL OR h.base - first + pg_catalog.octet_length(h.tail) <> pg_catalog.octet_length(run) THEN
      RETURN;
    ELSIF op = 'truncate' THEN
      run := pg_catalog.substr(run, 1, CAST(at - first AS integer));
    ELSIF op <> 'seal' THEN
      run := pg_catalog.overlay(run, CASE inside WHEN 0 THEN data ELSE pg_catalog.substr(data, inside + 1) END,
                                CAST(at + inside - first AS integer) + 1, size - inside);
    END IF;
  END IF;
  IF inside > 0 THEN
    UPDATE {chunk} AS c
    SET data = pg_catalog.overlay(c.data, pg_catalog.substr(data, CAST(greatest(c.start, at) - at AS integer) + 1,
                                                            CAST(least(c.start + pg_catalog.octet_length(c.data), cut) - greatest(c.start, at) AS integer)),
                                  CAST(greatest(at - c.start, 0) AS integer) + 1)
    WHERE {same_lead}c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < cut AND c.start + pg_catalog.octet_length(c.data) > at;
    IF {checksums} THEN
      UPDATE {chunk} AS c SET crc = pgtoaster.crc32c(c.data)
      WHERE {same_lead}c.blob_id = blob AND c.start > at - h.chunk_size AND c.start < cut AND c.start + pg_catalog.octet_length(c.data) > at;
    END IF;
  END IF;
  IF run IS NOT NULL THEN
    -- Full chunks, as far as there are bytes for them, and one piece, or the tail.
    WHILE pg_catalog.octet_length(run) - done >= h.chunk_size LOOP
      -- A series up to a parameter would have the statement planned in each call, with the bytes in the plan.
      INSERT INTO {chunk} AS n ({lead_column}blob_id, start, crc, data)
      SELECT {lead_value}blob, first + c.i, CASE WHEN {checksums} THEN pgtoaster.crc32c(c.data) END, c.data
      FROM (SELECT done + g.g * h.chunk_size AS i, pg_catalog.substr(run, done + g.g * h.chunk_size + 1, h.chunk_size) AS data
            FROM pg_catalog.generate_series(0, 31) g(g)
            WHERE done + (g.g + 1) * CAST(h.chunk_size AS bigint) <= pg_catalog.octet_length(run)) c;
      done := done + least((pg_catalog.octet_length(run) - done) / h.chunk_size, 32) * h.chunk_size;
    END LOOP;
    IF done > 0 THEN
      run := pg_catalog.substr(run, done + 1);
    END IF;
    -- A tail is of use only if it has room for the next append; what is sealed gets none.
    room := CASE WHEN op = 'seal' THEN 0 ELSE {room:greatest(pg_catalog.octet_length(run), CASE WHEN at = place THEN size ELSE 0 END)} END;
    rows := CASE WHEN room = 0 AND run <> '' THEN 1 ELSE 0 END;
    IF rows = 1 THEN
      INSERT INTO {piece} AS n ({lead_column}blob_id, slot, start, crc, data)
      VALUES ({lead_value}blob, 0, first + done, CASE WHEN {checksums} THEN pgtoaster.crc32c(run) END, run)
      ON CONFLICT ({lead_column}blob_id, slot) DO UPDATE SET start = excluded.start, crc = excluded.crc, data = excluded.data;
    END IF;
    IF op = 'seal' OR at < place THEN
      -- Rows that wait to be used again: of a blob that does not grow, or whose old bytes shall be gone.
      DELETE FROM {piece} p WHERE {same_lead}p.blob_id = blob AND p.slot >= rows;
    END IF;
    UPDATE {head} AS x SET base = first + done + CASE rows WHEN 1 THEN pg_catalog.octet_length(run) ELSE 0 END, piece_start = first + done,
           piece_rows = rows, sealed = (op = 'seal'), generation = CASE WHEN at < place THEN (h.generation & 4611686018427387903) + 1 ELSE h.generation END,
           tail = {stored_tail}
    WHERE {same_lead}x.id = blob;
  ELSIF inside > 0 THEN
    UPDATE {head} AS x SET generation = (h.generation & 4611686018427387903) + 1 WHERE {same_lead}x.id = blob;
  END IF;
  IF {notify} AND (run IS NOT NULL OR inside > 0) THEN
    {notify_followers}
  END IF;
  {record_token}
  outcome := 'applied';
END $write$
$$;
-- How edits change the nodes of a document: what leaves a leaf, and the structure of a tree.

-- Returns what stands in a leaf for a value of any size: the value, or the number of a branch that has been written for it.
-- Its parts of more than half a leaf are moved out of line, and what is larger than a leaf becomes a tree. Parts are listed
-- from the outside and written from the inside: calls in calls ended at 200 levels, for want of stack.
CREATE OR REPLACE FUNCTION pgtoaster.pack_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $pack$
#variable_conflict use_variable
DECLARE
  -- Decompressed once.
  whole pg_catalog.jsonb := value #> CAST('{}' AS pg_catalog.text[]);
  -- The path of each part, as text; the place in this list of the first part in it; what stands for it.
  places pg_catalog.text[] := ARRAY[CAST('{}' AS pg_catalog.text)];
  firsts integer[];
  packed pg_catalog.jsonb[];
  at pg_catalog.text[];
  place pg_catalog.text;
  n integer := 1;
  i integer := 1;
  last integer;
  kind pg_catalog."char";
  parts pg_catalog.jsonb[];
  ids bigint[];
  counts bigint[];
  lows pg_catalog.bytea[];
  next bigint;
BEGIN
  IF pg_catalog.pg_column_size(value) <= {leaf_size} / 2 THEN
    RETURN value;
  END IF;
  WHILE i <= n LOOP
    at := CAST(places[i] AS pg_catalog.text[]);
    value := whole #> at;
    kind := CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' END;
    firsts[i] := n + 1;
    -- One by one: an array that is put together is copied.
    IF kind = 'a' THEN
      FOR place IN
        SELECT CAST(pg_catalog.array_append(at, CAST(e.o - 1 AS pg_catalog.text)) AS pg_catalog.text)
        FROM pg_catalog.jsonb_array_elements(value) WITH ORDINALITY e(e, o) WHERE pg_catalog.pg_column_size(e.e) > {leaf_size} / 2 ORDER BY e.o
      LOOP
        n := n + 1;
        places[n] := place;
      END LOOP;
    ELSIF kind = 'o' THEN
      FOR place IN
        SELECT CAST(pg_catalog.array_append(at, e.k) AS pg_catalog.text)
        FROM pg_catalog.jsonb_each(value) WITH ORDINALITY e(k, v, o) WHERE pg_catalog.pg_column_size(e.v) > {leaf_size} / 2 ORDER BY e.o
      LOOP
        n := n + 1;
        places[n] := place;
      END LOOP;
    END IF;
    i := i + 1;
  END LOOP;
  packed := pg_catalog.array_fill(CAST(NULL AS pg_catalog.jsonb), ARRAY[n]);
  FOR i IN REVERSE n .. 1 LOOP
    value := whole #> CAST(places[i] AS pg_catalog.text[]);
    kind := CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END;
    IF firsts[i] < coalesce(firsts[i + 1], n + 1) THEN
      last := firsts[i] - 1;
      IF kind = 'a' THEN
        value := (
          SELECT pg_catalog.jsonb_agg(CASE WHEN e.n IS NULL THEN e.e ELSE packed[last + CAST(e.n AS integer)] END ORDER BY e.o)
          FROM (SELECT x.e, x.o, CASE WHEN pg_catalog.pg_column_size(x.e) > {leaf_size} / 2
                                      THEN pg_catalog.row_number() OVER (PARTITION BY pg_catalog.pg_column_size(x.e) > {leaf_size} / 2 ORDER BY x.o) END AS n
                FROM pg_catalog.jsonb_array_elements(value) WITH ORDINALITY x(e, o)) e);
      ELSE
        value := (
          SELECT pg_catalog.jsonb_object_agg(e.k, CASE WHEN e.n IS NULL THEN e.v ELSE packed[last + CAST(e.n AS integer)] END)
          FROM (SELECT x.k, x.v, CASE WHEN pg_catalog.pg_column_size(x.v) > {leaf_size} / 2
                                      THEN pg_catalog.row_number() OVER (PARTITION BY pg_catalog.pg_column_size(x.v) > {leaf_size} / 2 ORDER BY x.o) END AS n
                FROM pg_catalog.jsonb_each(value) WITH ORDINALITY x(k, v, o)) e);
      END IF;
    END IF;
    IF kind IN ('a', 'o') AND pg_catalog.pg_column_size(value) <= {leaf_size} / 2 THEN
      packed[i] := value;
      CONTINUE;
    END IF;
    next := {next_id};
    lows := NULL;
    IF kind IN ('a', 'o') AND pg_catalog.pg_column_size(value) > {leaf_size} THEN
      {cut}
    -- A jsonb has 12 bytes beside a string's own.
    ELSIF kind = 's' AND pg_catalog.pg_column_size(value) > {string_size} + 12 THEN
      parts := ARRAY(SELECT pg_catalog.to_jsonb(pg_catalog.substr(value #>> CAST('{}' AS pg_catalog.text[]), s.s, {string_size} / 3))
                     FROM pg_catalog.generate_series(1, pg_catalog.length(value #>> CAST('{}' AS pg_catalog.text[])), {string_size} / 3) s(s) ORDER BY s.s);
      counts := pg_catalog.array_fill(CAST(0 AS bigint), ARRAY[pg_catalog.cardinality(parts)]);
    ELSE
      parts := ARRAY[value];
      counts := ARRAY[CAST(1 AS bigint)];
    END IF;
    ids := ARRAY(SELECT next + g.g FROM pg_catalog.generate_series(1, pg_catalog.cardinality(parts)) g(g));
    next := next + pg_catalog.cardinality(parts);
    INSERT INTO {node} AS n ({lead_column}doc, id, kind, bytes, value, kids)
    SELECT {lead_value}doc, ids[p.o], kind, pg_catalog.pg_column_size(p.p), p.p, {kids_of_part}
    FROM pg_catalog.unnest(parts) WITH ORDINALITY p(p, o);
    WHILE pg_catalog.cardinality(ids) > 1 LOOP
      {level}
    END LOOP;
    packed[i] := pg_catalog.jsonb_build_object('$pgtoaster', ids[1]);
  END LOOP;
  RETURN packed[1];
END $pack$
$$;

-- Writes what a leaf becomes where that is more than the leaf itself: values that are moved out of line, elements more or less
-- of a counted array, leaves that are cut, merged or gone, and the inner nodes above, as edit_template() has found them: at is
-- what the leaf holds at that version, becomes NULL if value is to be moved out of line first. False if another writer was
-- faster; nothing has been changed then. Locks the root of the branch, then the leaf.
CREATE OR REPLACE FUNCTION pgtoaster.reshape_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $reshape$
#variable_conflict use_variable
DECLARE
  depth integer := coalesce(pg_catalog.cardinality(way), 0) / 3;
  new pg_catalog.jsonb := becomes;
  bytes integer := pg_catalog.pg_column_size(becomes);
  packed boolean := becomes IS NULL;
  span integer := 1;
  c integer;
  next bigint;
  found_version bigint;
  kind pg_catalog."char";
  ids bigint[];
  counts bigint[];
  parts pg_catalog.jsonb[];
  kids bigint[];
  starts bigint[];
  lows pg_catalog.bytea[];
  row_lows pg_catalog.bytea[];
  other pg_catalog.record;
BEGIN
  -- The structure: the root is locked, then the leaf; and what was walked must still stand.
  IF depth > 0 THEN
    SELECT m.version INTO found_version FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = way[1] FOR NO KEY UPDATE;
    IF found_version IS DISTINCT FROM way[2] THEN
      RETURN false;
    END IF;
    FOR level IN 2 .. depth LOOP
      SELECT m.version INTO found_version FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = way[3 * level - 2];
      IF found_version IS DISTINCT FROM way[3 * level - 1] THEN
        RETURN false;
      END IF;
    END LOOP;
  END IF;
  SELECT m.version INTO found_version FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = leaf FOR NO KEY UPDATE;
  IF found_version IS DISTINCT FROM version THEN
    RETURN false;
  END IF;
  IF packed THEN
    IF op = 'append' THEN
      {pack_entries:value}
    ELSE
      value := {pack}({lead_value}doc, value);
    END IF;
    new := {new};
    bytes := pg_catalog.pg_column_size(new);
  END IF;
  IF bytes > {leaf_size} + {leaf_size} / 2 THEN
    -- A leaf of a document that was written as a whole has larger entries, too.
    {pack_entries:new}
    packed := true;
    bytes := pg_catalog.pg_column_size(new);
  END IF;
  IF bytes BETWEEN (CASE WHEN depth = 0 THEN 0 ELSE {leaf_size} / 4 END) AND {leaf_size} + {leaf_size} / 2
     AND (depth = 0 OR pg_catalog.jsonb_typeof(new) = 'array') THEN
    -- Mostly an element more or less: the leaf, and the counts above it.
    IF old_kids IS NOT NULL OR packed THEN
      leaf_kids := (SELECT {kids_of_part} FROM (SELECT new AS p) p);
    END IF;
    UPDATE {node} AS m SET value = new, version = (m.version & 4611686018427387903) + 1, bytes = bytes, kids = leaf_kids WHERE {lead:m}m.doc = doc AND m.id = leaf;
    FOR level IN 1 .. CASE adds WHEN 0 THEN 0 ELSE depth END LOOP
      UPDATE {node} AS m SET version = (m.version & 4611686018427387903) + 1,
             starts = m.starts[:way[3 * level]] OPERATOR(pg_catalog.||) ARRAY(
               SELECT s.s + adds FROM pg_catalog.unnest(m.starts[way[3 * level] + 1:]) WITH ORDINALITY s(s, o) ORDER BY s.o)
      WHERE {lead:m}m.doc = doc AND m.id = way[3 * level - 2];
    END LOOP;
    RETURN true;
  END IF;
  kind := CASE pg_catalog.jsonb_typeof(new) WHEN 'array' THEN 'a' ELSE 'o' END;
  c := way[3 * depth];
  IF depth > 0 AND new IN (CAST('[]' AS pg_catalog.jsonb), CAST('{}' AS pg_catalog.jsonb)) THEN
    parts := '{}';
    counts := '{}';
  ELSIF bytes > {leaf_size} + {leaf_size} / 2 THEN
    value := new;
    {cut}
  ELSE
    parts := ARRAY[new];
    counts := ARRAY[CASE WHEN kind = 'a' THEN CAST(pg_catalog.jsonb_array_length(new) AS bigint) ELSE 0 END];
    lows := ARRAY[CAST('' AS pg_catalog.bytea)];
    IF bytes < {leaf_size} / 4 AND depth > 0 THEN
      -- Merged with the next leaf, or the one before, if both fit into one.
      SELECT m.kids INTO kids FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = way[3 * depth - 2];
      SELECT m.id, m.value, m.bytes INTO other FROM {node} m
      WHERE {lead:m}m.doc = doc AND m.id = kids[CASE WHEN c < pg_catalog.cardinality(kids) THEN c + 1 ELSE c - 1 END] FOR NO KEY UPDATE;
      IF other.value IS NOT NULL AND other.bytes + bytes <= {leaf_size} * 3 / 4 THEN
        span := 2;
        IF c < pg_catalog.cardinality(kids) THEN
          parts := ARRAY[new || other.value];
        ELSE
          parts := ARRAY[other.value || new];
          c := c - 1;
        END IF;
        IF kind = 'a' THEN
          counts := ARRAY[CAST(pg_catalog.jsonb_array_length(parts[1]) AS bigint)];
        END IF;
        DELETE FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = other.id;
      END IF;
    END IF;
  END IF;
  -- The leaf keeps its number, but for a root that is now above others.
  next := {next_id};
  ids := ARRAY(SELECT CASE WHEN i.i = 1 AND (depth > 0 OR pg_catalog.cardinality(parts) = 1) THEN leaf ELSE next + i.i END
               FROM pg_catalog.generate_series(1, pg_catalog.cardinality(parts)) i(i));
  next := next + pg_catalog.cardinality(parts);
  IF pg_catalog.cardinality(ids) = 0 THEN
    DELETE FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = leaf;
  END IF;
  INSERT INTO {node} AS n ({lead_column}doc, id, kind, bytes, value, kids)
  SELECT {lead_value}doc, ids[p.o], kind, pg_catalog.pg_column_size(p.p), p.p, {kids_of_part}
  FROM pg_catalog.unnest(parts) WITH ORDINALITY p(p, o) WHERE ids[p.o] <> leaf;
  IF ids[1] = leaf THEN
    UPDATE {node} AS m SET value = p.p, version = (m.version & 4611686018427387903) + 1, bytes = pg_catalog.pg_column_size(p.p), kids = {kids_of_part}
    FROM (SELECT parts[1] AS p) p WHERE {lead:m}m.doc = doc AND m.id = leaf;
  END IF;
  IF depth = 0 AND pg_catalog.cardinality(ids) > 1 THEN
    WHILE pg_catalog.cardinality(ids) > {fan_out} LOOP
      {level}
    END LOOP;
    {write_inner}
  END IF;
  -- What leads to the leaf follows.
  FOR level IN REVERSE depth .. 1 LOOP
    leaf := way[3 * level - 2];
    IF level < depth THEN
      c := way[3 * level];
      span := 1;
    END IF;
    SELECT m.kids,
           CASE WHEN kind = 'a' THEN m.starts END, m.lows INTO kids, starts, row_lows FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = leaf;
    EXIT WHEN span = 1 AND pg_catalog.cardinality(ids) = 1 AND ids[1] = kids[c] AND (kind = 'o' OR counts[1] = starts[c + 1] - starts[c]);
    IF kind = 'a' THEN
      counts := ARRAY(SELECT starts[i.i + 1] - starts[i.i] FROM pg_catalog.generate_series(1, c - 1) i(i)) OPERATOR(pg_catalog.||) counts
        OPERATOR(pg_catalog.||) ARRAY(SELECT starts[i.i + 1] - starts[i.i] FROM pg_catalog.generate_series(c + span, pg_catalog.cardinality(kids)) i(i));
    ELSE
      IF pg_catalog.cardinality(ids) > 0 THEN
        lows[1] := row_lows[c];
      END IF;
      lows := row_lows[:c - 1] OPERATOR(pg_catalog.||) lows[:pg_catalog.cardinality(ids)] OPERATOR(pg_catalog.||) row_lows[c + span:];
      counts := pg_catalog.array_fill(CAST(0 AS bigint), ARRAY[pg_catalog.cardinality(lows)]);
    END IF;
    ids := kids[:c - 1] OPERATOR(pg_catalog.||) ids OPERATOR(pg_catalog.||) kids[c + span:];
    IF pg_catalog.cardinality(ids) = 0 THEN
      IF level > 1 THEN
        DELETE FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = leaf;
      ELSE
        UPDATE {node} AS m SET value = CASE WHEN kind = 'a' THEN CAST('[]' AS pg_catalog.jsonb) ELSE CAST('{}' AS pg_catalog.jsonb) END,
               kids = NULL, starts = NULL, lows = NULL, version = (m.version & 4611686018427387903) + 1, bytes = 4
        WHERE {lead:m}m.doc = doc AND m.id = leaf;
      END IF;
      CONTINUE;
    END IF;
    IF pg_catalog.cardinality(ids) > {fan_out} THEN
      IF level = 1 THEN
        {level}
      ELSE
        -- The second half gets a node of its own beside this one.
        next := next + 1;
        c := pg_catalog.cardinality(ids) / 2;
        INSERT INTO {node} AS n ({lead_column}doc, id, kind, bytes, kids, starts, lows)
        VALUES ({lead_value}doc, next, kind, 0, ids[c + 1:], CASE WHEN kind = 'a' THEN {starts:counts[c + 1:]} END,
                CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[c + 2:]) END);
        UPDATE {node} AS m SET kids = ids[:c], starts = CASE WHEN kind = 'a' THEN {starts:counts[:c]} END,
               lows = CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[2:c]) END, version = (m.version & 4611686018427387903) + 1
        WHERE {lead:m}m.doc = doc AND m.id = leaf;
        ids := ARRAY[leaf, next];
        counts := ARRAY[{sum:counts[:c]}, {sum:counts[c + 1:]}];
        lows := ARRAY[lows[1], lows[c + 1]];
        CONTINUE;
      END IF;
    END IF;
    {write_inner}
    ids := ARRAY[leaf];
    counts := ARRAY[{sum:counts}];
    lows := lows[:1];
  END LOOP;
  RETURN true;
END $reshape$
$$;
-- Sources of the routines of a distributed store of documents that change the owner's row. Citus takes no statement that
-- does it with the functions that it needs, so that these run where the row is. The row is named by its table, the column,
-- and a condition on a row o by the texts key, $2.

-- One edit, as EditSql.java has it in one statement: reads the row, has the routine edit it, and writes what the row is to
-- hold. locks: the row is locked first; else it is written only if nobody else has changed it. touches: it is written in any
-- case. outcome is NULL if there is no row.
CREATE OR REPLACE FUNCTION pgtoaster.change_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $change$
#variable_conflict use_variable
DECLARE
  document pg_catalog.jsonb;
  becomes pg_catalog.jsonb;
  version pg_catalog.text;
  size integer;
  split boolean;
  generation bigint;
  done pg_catalog.record;
  rows bigint;
BEGIN
  -- One snapshot for both: the generation is that of the document as the row has it.
  EXECUTE pg_catalog.concat('SELECT s.document, s.version, s.size', CASE WHEN NOT locks THEN pg_catalog.concat(', (SELECT h.generation FROM ', {head_text}, ' h CROSS JOIN (SELECT {key_columns}) k WHERE h.id = ',
                            $number$ {number:s.document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])}$number$, ' AND ', {owned_text}, ')') END,
                            ' FROM (SELECT o.', handle, ' #> CAST(''{}'' AS pg_catalog.text[]) AS document, CAST(o.xmin AS pg_catalog.text) AS version, pg_catalog.pg_column_size(o.*) AS size FROM ', owner,
                            ' AS o WHERE ', same, CASE WHEN locks THEN ' FOR NO KEY UPDATE' END, ' OFFSET 0) s') INTO document, version, size, generation USING NULL, key, {key_names};
  GET DIAGNOSTICS rows = ROW_COUNT;
  IF rows = 0 THEN
    RETURN;
  END IF;
  split := document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL;
  SELECT e.* INTO done
  FROM {edit}({key_names}, document, generation, CASE WHEN split THEN stored_path ELSE path END, op, CASE WHEN split THEN coalesce(stored_value, value) ELSE value END, flag,
              conditional, CASE WHEN split THEN coalesce(stored_expected, expected) ELSE expected END, CASE WHEN locks THEN budget - size END, special) e;
  outcome := done.outcome;
  number := done.number;
  in_row := done.result IS NOT NULL;
  written := true;
  becomes := CASE WHEN touches AND outcome = 'applied' THEN coalesce(done.result, document) ELSE done.result END;
  IF becomes IS NULL THEN
    RETURN;
  ELSIF NOT locks AND done.grows > 0 AND size + done.grows > budget THEN
    written := false;
    RETURN;
  END IF;
  PERFORM pg_catalog.set_config('pgtoaster.write', CAST(pg_catalog.statement_timestamp() AS pg_catalog.text), true);
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', handle, ' = $1 WHERE ', same, CASE WHEN NOT locks THEN ' AND o.xmin = CAST($3 AS pg_catalog.xid)' END)
    USING becomes, key, version;
  GET DIAGNOSTICS rows = ROW_COUNT;
  written := rows = 1;
END $change$
$$;

-- Has the row hold a document, as the library has built it.
CREATE OR REPLACE FUNCTION pgtoaster.hold_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $hold$
#variable_conflict use_variable
DECLARE
  rows bigint;
BEGIN
  PERFORM pg_catalog.set_config('pgtoaster.write', CAST(pg_catalog.statement_timestamp() AS pg_catalog.text), true);
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', handle, ' = $1 WHERE ', same) USING document, key;
  GET DIAGNOSTICS rows = ROW_COUNT;
  RETURN rows = 1;
END $hold$
$$;
-- Routines that a store has of its own. A routine names the tables of its store and nothing else, so that its
-- statements are planned once in a session; the statement around it names the owner's table. It runs with the rights of
-- its caller. A schema that is renamed leaves it behind: it is not called then, until it is written again.

-- What a routine asks of a head h, that it is that of the row whose key it was given, and how it refuses that row.
CREATE OR REPLACE FUNCTION pgtoaster.owned_condition(store integer, OUT owned text, OUT refuse text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT string_agg(format('h.%I OPERATOR(%I.%s) key_%s%s', a.attname, n.nspname, p.oprname, k.position,
                           CASE WHEN a.attcollation <> 0 THEN format(' COLLATE %I.%I', d.nspname, l.collname) ELSE '' END),
                    ' AND ' ORDER BY k.position),
         format('RAISE EXCEPTION USING ERRCODE = ''data_corrupted'', MESSAGE = pg_catalog.concat(%L, pg_catalog.concat_ws('', '', %s), %L)',
                'the row with key ', string_agg('key_' || k.position, ', ' ORDER BY k.position),
                ' holds a stub that is not its own: copied from another row, or changed by hand, or its branches are gone; '
                'store the document anew, or set the column to NULL')
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

-- The source of a routine of a store: its template with the names of the store's tables and the options. Leaves are written
-- large by whoever writes a whole document, and what an edit writes, of that or of its own, is cut into quarters.
CREATE OR REPLACE FUNCTION pgtoaster.routine_source(store integer, part text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  source text := CASE part WHEN 'read' THEN pgtoaster.read_template() WHEN 'edit' THEN pgtoaster.edit_template()
    WHEN 'apply' THEN pgtoaster.apply_template() WHEN 'placed' THEN pgtoaster.placed_template()
    WHEN 'change' THEN pgtoaster.change_template() WHEN 'hold' THEN pgtoaster.hold_template()
    WHEN 'reshape' THEN pgtoaster.reshape_template() WHEN 'append' THEN pgtoaster.append_template()
    WHEN 'write' THEN pgtoaster.write_template() WHEN 'range' THEN pgtoaster.range_template() ELSE pgtoaster.pack_template() END;
  parts text[] := pgtoaster.routine_parts();
  mark CONSTANT text := md5(random()::text || clock_timestamp()::text);
  s record;
  place record;
BEGIN
  SELECT o.options, n.nspname, c.owned, c.refuse,
         pgtoaster.lead_column(store) AS lead, pgtoaster.lead_operator(store) AS equals, k.has AS documents,
         k.names AS key_names, k.columns AS key_columns INTO s
  FROM pgtoaster.store o JOIN pg_class h ON h.oid = o.head JOIN pg_namespace n ON n.oid = h.relnamespace
  CROSS JOIN pgtoaster.owned_condition(o.id) c
  CROSS JOIN LATERAL (
    -- Columns: for a statement whose first two parameters are others.
    SELECT count(*) > 0 AS has, string_agg('key_' || n.n, ', ' ORDER BY n.n) AS names, string_agg('$' || 2 + n.n || ' AS key_' || n.n, ', ' ORDER BY n.n) AS columns
    FROM pg_attribute a CROSS JOIN LATERAL (SELECT substr(a.attname, 7)::integer AS n) n
    WHERE a.attrelid = h.oid AND a.attname ~ '^owner_[0-9]+$') k
  WHERE o.id = store;
  -- Parts name others that come behind them.
  FOR i IN 1 .. cardinality(parts) BY 2 LOOP
    IF parts[i + 1] LIKE '%\\1%' THEN
      source := regexp_replace(source, '\{' || parts[i] || ':([^{}]*(\{[^{}]*\}[^{}]*)*)\}', parts[i + 1], 'g');
    ELSE
      source := replace(source, '{' || parts[i] || '}', parts[i + 1]);
    END IF;
  END LOOP;
  -- The tables of a store of documents that leads carry that column of the row key; key_N is its value in every routine.
  source := regexp_replace(source, '\{lead:([a-z]+)\}', coalesce('\1.' || s.lead || ' ' || s.equals || ' ' || replace(s.lead, 'owner', 'key') || ' AND ', ''), 'g');
  -- What is put in is not looked at again: names of tables, columns and collations may hold what looks like a place.
  source := regexp_replace(source, '\{(node|head_text|head|pack|reshape|chunk|piece|token|follower|tail|chunk_size|chunks|pieces|checksums|notify|lead_column|lead_value|same_lead|owned_text|owned|key_columns|refuse|leaf_size|string_size|fan_out|pinned|key_variables|read_keys|store|key_names|columns|column|kept|row_budget|read|edit)\}',
                           mark || ':\1:', 'g');
  FOR place IN
    SELECT t.name, pgtoaster.store_table(store, t.name) AS text
    FROM unnest(ARRAY['node', 'head', 'pack', 'reshape', 'chunk', 'piece', 'token', 'follower']) t(name)
    UNION ALL
    SELECT v.name, coalesce(v.text, '') FROM (VALUES
      ('head_text', quote_literal(pgtoaster.store_table(store, 'head'))), ('owned', s.owned), ('owned_text', quote_literal(s.owned)), ('key_columns', s.key_columns), ('refuse', s.refuse),
      ('leaf_size', greatest((s.options->>'leaf_size')::integer / 4, 512)::text), ('string_size', (16 * (s.options->>'leaf_size')::integer)::text), ('fan_out', s.options->>'fan_out'), ('read', pgtoaster.store_table(store, 'read')), ('edit', pgtoaster.store_table(store, 'edit')), ('key_names', s.key_names),
      ('pinned', format('CAST(%L AS pg_catalog.text[])', ARRAY(SELECT DISTINCT pgtoaster.stored_key(replace(replace(split_part(k.k, '/', 2), '~1', '/'), '~0', '~')) AS first
                                                               FROM jsonb_array_elements_text(s.options->'keep_inline') k(k) ORDER BY first)::text)),
      ('chunk_size', s.options->>'chunk_size'), ('chunks', (262144 / (s.options->>'chunk_size')::integer + 2)::text), ('tail', s.options->>'tail'), ('pieces', '64'),
      ('checksums', s.options->>'crc32c'),
      -- No listener receives what a worker notifies.
      ('notify', CASE WHEN s.options->>'distributed' = 'true' THEN 'false' ELSE s.options->>'notify' END),
      ('lead_column', s.lead || ', '), ('lead_value', CASE WHEN s.documents THEN replace(s.lead, 'owner', 'key') WHEN s.lead IS NOT NULL THEN 'lead' END || ', '),
      ('same_lead', s.lead || ' ' || s.equals || ' lead AND ')) v(name, text)
  LOOP
    source := replace(source, mark || ':' || place.name || ':', place.text);
  END LOOP;
  source := CASE part WHEN 'apply' THEN pgtoaster.apply_names(store, source, mark) ELSE source END;
  RETURN pgtoaster.routine_mark(s.nspname)
    || CASE WHEN pgtoaster.is_sharded(store) THEN E'-- distributed\n' || pgtoaster.on_shards(source, true) ELSE source END;
END $$;

-- The text of a trigger function of a store whose table is distributed, or as it was before. Citus gives a table of another
-- name, and triggers of other names, to the node; there is also the table of the name that everybody knows, and what the
-- function asks of it is done on the node.
CREATE OR REPLACE FUNCTION pgtoaster.on_shards(source text, distributed boolean) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $f$
  SELECT CASE WHEN distributed AND source LIKE '%TG_RELID%' AND source NOT LIKE '%logical_relation%' THEN
    regexp_replace(
      replace(replace(source, 'TG_RELID', 'logical_relation'), 'TG_NAME', 'logical_trigger'), 'DECLARE\n',
      $d$DECLARE
logical_relation CONSTANT pg_catalog.regclass := coalesce((SELECT d.logicalrelid FROM pg_catalog.pg_dist_shard d WHERE d.shardid OPERATOR(pg_catalog.=) CAST(pg_catalog.substring(CAST(TG_TABLE_NAME AS pg_catalog.text), '_([0-9]{1,18})$') AS bigint)), CAST(TG_RELID AS pg_catalog.regclass)); -- of the shard
logical_trigger CONSTANT pg_catalog.name := pg_catalog.regexp_replace(CAST(TG_NAME AS pg_catalog.text), '^(~?(pgtoaster|store)_[0-9]+_[a-z]+)_[0-9]+$', '\\1'); -- of the shard
$d$)
  WHEN distributed THEN source
  ELSE replace(replace(regexp_replace(source, '[^\n]*-- of the shard\n', '', 'g'), 'logical_relation', 'TG_RELID'), 'logical_trigger', 'TG_NAME') END
$f$;

-- Brings the trigger functions of a store to where its table is. TRUNCATE is refused there: Citus empties the tables that
-- refer to a table, too, and what the rows released is not noted.
CREATE OR REPLACE FUNCTION pgtoaster.write_trigger_functions(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  part text;
  source text;
BEGIN
  FOREACH part IN ARRAY pgtoaster.store_functions(store) LOOP
    source := pg_get_functiondef(pgtoaster.store_routine(store, part));
    source := pgtoaster.on_shards(source, pgtoaster.is_sharded(store));
    IF part = 'truncate' AND pgtoaster.is_sharded(store) THEN
      source := regexp_replace(source, '\n    BEGIN\n', $t$
    BEGIN
IF current_setting('pgtoaster.distributing', true) = 'on' THEN RETURN NULL; END IF; RAISE EXCEPTION 'TRUNCATE of %, whose schema is distributed, would leave content behind', logical_relation USING ERRCODE = 'feature_not_supported', HINT = 'DELETE FROM the table; nothing was changed.'; -- of the shard
$t$);
    END IF;
    EXECUTE source;
  END LOOP;
END $$;

-- Whether the routines of a store are those of this catalog, and name its tables by where they are. Names of the owner's
-- columns may have changed.
CREATE OR REPLACE FUNCTION pgtoaster.has_routines(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT bool_and(EXISTS (SELECT FROM pg_proc f WHERE f.oid = pgtoaster.store_routine($1, p.part)
                          AND regexp_replace(f.prosrc, '[^\n]*-- as named\n', '', 'g')
                              = regexp_replace(pgtoaster.routine_source($1, p.part), '[^\n]*-- as named\n', '', 'g')))
  FROM pgtoaster.own_routines($1) p
$$;

-- Writes the routines of a store where they are not as they should be, and the role may; status() tells if it may not.
CREATE OR REPLACE FUNCTION pgtoaster.write_routines(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place oid := (SELECT h.relnamespace FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head
                WHERE s.id = store AND pg_has_role(h.relowner, 'USAGE'));
  routine record;
BEGIN
  IF place IS NULL OR NOT has_schema_privilege(place, 'USAGE') OR NOT has_schema_privilege(place, 'CREATE')
     -- The table, or the index that tells its key where heads name it, has gone.
     OR EXISTS (SELECT FROM pgtoaster.store s JOIN pg_attribute k ON k.attrelid = s.head AND k.attname = 'owner_1' WHERE s.id = store)
       AND NOT EXISTS (SELECT FROM pgtoaster.attached_column a CROSS JOIN LATERAL pgtoaster.owner_key(a.owner, store) k WHERE a.store = store)
     OR coalesce(pgtoaster.has_routines(store), true) THEN
    RETURN;
  END IF;
  FOR routine IN SELECT * FROM pgtoaster.own_routines(store) LOOP
    EXECUTE format('CREATE OR REPLACE FUNCTION %s(%s) RETURNS %s LANGUAGE plpgsql %s SET enable_seqscan = off %s AS %L',
                   pgtoaster.store_table(store, routine.part), pgtoaster.routine_arguments(store, routine.part, true),
                   routine.result, routine.properties,
                   -- It is sent with the row of its owner, and the tables that it names are on the same node.
                   CASE WHEN pgtoaster.is_sharded(store) THEN 'SET citus.allow_nested_distributed_execution = on' END,
                   pgtoaster.routine_source(store, routine.part));
    -- Not the superuser's who installs: one runs with the rights of its owner.
    IF EXISTS (SELECT FROM pg_roles r WHERE r.rolname = current_user AND r.rolsuper) THEN
      EXECUTE format('ALTER FUNCTION %s OWNER TO %I', pgtoaster.store_routine(store, routine.part),
                     (SELECT pg_get_userbyid(h.relowner) FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head WHERE s.id = store));
    END IF;
    -- It gives nobody a right on the tables, and pg_read_all_data has those without a grant.
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', pgtoaster.store_routine(store, routine.part));
  END LOOP;
END $$;
-- Edits as values: what PostgreSQL's own functions make of a plain document, and a note of the edit in the header of a
-- split one. UPDATE .. SET doc = pgtoaster.set(doc, ..) computes the note of the version that it has locked, and the
-- trigger below, which PostgreSQL calls once for that version, does what is noted and takes the note away:
--   {"$pgtoaster": {"document": [5, 71], "edits": [["set", ["roles", "5"], 1999, true], ..],
--                  "left": [[["roles", "5"], {"$pgtoaster": 73}], ..], "was": hash, "row": hash}}
-- Nothing takes such a header for that of a document, so that a note that gets elsewhere is refused.

-- The paths that an edit is about.
CREATE OR REPLACE FUNCTION pgtoaster.edit_paths(edit jsonb) RETURNS SETOF jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_array(m.m) FROM jsonb_object_keys(CASE $1 ->> 0 WHEN 'merge' THEN $1 -> 2 ELSE '{}' END) m(m)
  UNION ALL
  SELECT p.p FROM jsonb_array_elements(CASE $1 ->> 0 WHEN 'patch' THEN $1 -> 2 ELSE '[]' END) s(s) CROSS JOIN LATERAL (VALUES (s.s -> 1), (s.s #> '{4,path}')) p(p)
  UNION ALL
  SELECT $1 -> 1 WHERE $1 ->> 0 NOT IN ('merge', 'patch')
$$;

-- A value as split documents have it: keys that look like ours have one more $.
CREATE OR REPLACE FUNCTION pgtoaster.stored_keys(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN strpos($1::text, 'pgtoaster": ') > 0 THEN regexp_replace($1::text, '([{ ])"([$]+pgtoaster": )', E'\\1"$\\2', 'g')::jsonb ELSE $1 END
$$;

-- What is stored out of line on the way of a path: a marker, or an array or object with some; JSON null where the root may have such
-- a member that is not in the row; NULL if nothing has.
CREATE OR REPLACE FUNCTION pgtoaster.left_at(document jsonb, path jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  place jsonb := document;
BEGIN
  FOR i IN 0 .. jsonb_array_length(path) - 1 LOOP
    place := place -> (path ->> i);
    EXIT WHEN (jsonb_typeof(place) = 'object' AND NOT place ? '$pgtoaster') IS NOT TRUE;
  END LOOP;
  RETURN CASE WHEN place @? 'strict $.** ? (exists(@."$pgtoaster"))' THEN place
              WHEN NOT document ? (path ->> 0) AND coalesce(document #> '{$pgtoaster,document}', document -> '$pgtoaster') -> 1 IS NOT NULL THEN 'null' END;
END $$;

-- Whether what noted edits are about is as it was then. What they found in the row is not asked (false).
CREATE OR REPLACE FUNCTION pgtoaster.still_left(document jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(coalesce(pgtoaster.left_at($1, l.l -> 0) = l.l -> 1, false)), true) FROM jsonb_array_elements($1 #> '{$pgtoaster,left}') l(l)
$$;

-- Does an edit within what the row holds, where triggers of the row see it, and notes any other. was and row are what the row
-- held and holds besides the note; was is not kept where another operator has changed the row behind a note.
CREATE OR REPLACE FUNCTION pgtoaster.noted(document jsonb, op text, path text[], value jsonb, flag boolean) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  header jsonb := document -> '$pgtoaster';
  row jsonb := document - '$pgtoaster';
  hash bigint := jsonb_hash_extended(row, 0);
  edit jsonb := jsonb_build_array(op, path, value, flag);
  paths jsonb[] := ARRAY[edit -> 1];
  at jsonb;
  away jsonb;
  away_at jsonb[] := '{}';
  at_once jsonb := '{}';
  stays boolean;
BEGIN
  IF array_ndims(path) > 1 THEN
    -- With PostgreSQL's own error.
    RETURN jsonb_set('{}', path, 'null');
  ELSIF array_position(path, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'path element at position % is null', array_position(path, NULL) USING ERRCODE = 'null_value_not_allowed';
  END IF;
  CASE jsonb_typeof(header)
    WHEN 'array' THEN
      header := jsonb_build_object('document', header, 'edits', '[]'::jsonb, 'left', '[]'::jsonb, 'was', hash);
    WHEN 'object' THEN
      IF jsonb_typeof(header -> 'edits') IS DISTINCT FROM 'array' OR jsonb_typeof(header -> 'left') IS DISTINCT FROM 'array'
         OR header -> 'row' IS DISTINCT FROM to_jsonb(hash) AND NOT pgtoaster.still_left(document) THEN
        RAISE EXCEPTION 'the document was changed by another function behind an edit of pgtoaster' USING ERRCODE = 'check_violation',
          HINT = 'Change it by functions of pgtoaster alone, or by others first: pgtoaster.set(doc || ''{"a": 1}'', ...).';
      ELSIF header -> 'row' <> to_jsonb(hash) THEN
        header := header || '{"was": null}';
      END IF;
    ELSE
      RAISE EXCEPTION 'the root key "$pgtoaster" names no document' USING ERRCODE = 'data_corrupted',
        HINT = 'That key is reserved for documents that pgtoaster has split.';
  END CASE;
  IF op IN ('merge', 'patch') THEN
    paths := ARRAY(SELECT pgtoaster.edit_paths(edit));
  END IF;
  FOREACH at IN ARRAY paths LOOP
    -- Nothing is done before what is noted and may be about the same, nor where a key looks like ours.
    away := coalesce(pgtoaster.left_at(document, at), CASE WHEN at::text ~ '"[$]+pgtoaster"' THEN 'false'::jsonb END);
    IF away IS NULL AND header -> 'left' <> '[]' AND EXISTS (
      SELECT FROM jsonb_array_elements(header -> 'left') l(l)
      WHERE l.l -> 0 = '[]' OR l.l -> 1 = 'false' AND l.l #> '{0,0}' = at -> 0
         OR starts_with(concat(left(at::text, -1), ','), concat(left((l.l -> 0)::text, -1), ','))) THEN
      away := 'false';
    END IF;
    IF op = 'merge' AND away IS NULL THEN
      at_once := at_once || jsonb_build_object(at ->> 0, value -> (at ->> 0));
      value := value - (at ->> 0);
    ELSE
      stays := coalesce(stays, true) AND away IS NULL;
      away_at := array_append(away_at, jsonb_build_array(at, coalesce(away, 'false')));
    END IF;
  END LOOP;
  IF op = 'merge' THEN
    -- A root of which the row has nothing may be an array, which even an empty patch makes an object.
    edit := CASE WHEN value <> '{}' OR at_once = '{}' AND row = '{}' AND header #> '{document,1}' IS NOT NULL THEN jsonb_set(edit, '{2}', value) END;
    row := pgtoaster.merged(row, pgtoaster.stored_keys(at_once));
  ELSIF stays AND header -> 'edits' = '[]' THEN
    row := pgtoaster.edited(row, jsonb_build_array(pgtoaster.stored_keys(edit)));
    edit := NULL;
  ELSIF stays THEN
    BEGIN
      row := pgtoaster.edited(row, jsonb_build_array(pgtoaster.stored_keys(edit)));
      edit := NULL;
    EXCEPTION WHEN data_exception THEN
      -- An error of one that is noted comes first.
      NULL;
    END;
  END IF;
  IF edit IS NOT NULL THEN
    header := header || jsonb_build_object('edits', (header -> 'edits') || jsonb_build_array(edit), 'left', (header -> 'left') || to_jsonb(away_at));
  END IF;
  RETURN row || jsonb_build_object('$pgtoaster', header || jsonb_build_object('row', jsonb_hash_extended(row, 0)));
END $$;

-- jsonb_set.
CREATE OR REPLACE FUNCTION pgtoaster.set(document jsonb, path text[], value jsonb, create_missing boolean DEFAULT true) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN pg_catalog.jsonb_set(document, path, value, create_missing)
              ELSE pgtoaster.noted(document, 'set', path, value, create_missing) END
$$;

-- jsonb_insert.
CREATE OR REPLACE FUNCTION pgtoaster.insert(document jsonb, path text[], value jsonb, insert_after boolean DEFAULT false) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN pg_catalog.jsonb_insert(document, path, value, insert_after)
              ELSE pgtoaster.noted(document, 'insert', path, value, insert_after) END
$$;

-- #-
CREATE OR REPLACE FUNCTION pgtoaster.remove(document jsonb, path text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN document OPERATOR(pg_catalog.#-) path
              ELSE pgtoaster.noted(document, 'remove', path, 'null', false) END
$$;

-- append, of plain values.
CREATE OR REPLACE FUNCTION pgtoaster.appended(document jsonb, path text[], elements jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN $1 #> $2 IS NULL THEN $1
              WHEN cardinality($2) = 0 THEN $1 || $3
              ELSE jsonb_set($1, $2, ($1 #> $2) || $3, false) END
$$;

-- || on the value at a path: the elements of value, or value if it is no array, behind those that are there. What is
-- there and no array counts as an array of one; where nothing is there, nothing happens.
CREATE OR REPLACE FUNCTION pgtoaster.append(document jsonb, path text[], value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  elements jsonb := CASE jsonb_typeof(value) WHEN 'array' THEN value ELSE jsonb_build_array(value) END;
BEGIN
  IF document -> '$pgtoaster' IS NOT NULL THEN
    RETURN pgtoaster.noted(document, 'append', path, elements, false);
  END IF;
  RETURN pgtoaster.appended(document, path, elements);
END $$;

-- increment, of plain values.
CREATE OR REPLACE FUNCTION pgtoaster.incremented(document jsonb, path text[], delta numeric) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  old jsonb := document #> path;
BEGIN
  IF old IS NULL THEN
    RETURN CASE jsonb_typeof(document #> path[:cardinality(path) - 1]) WHEN 'object' THEN jsonb_set(document, path, to_jsonb(delta)) ELSE document END;
  ELSIF jsonb_typeof(old) <> 'number' THEN
    RAISE EXCEPTION 'the value at the path is no number' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN jsonb_set(document, path, to_jsonb(old::numeric + delta), false);
END $$;

-- Adds to the number at a path; a member that is missing counts as 0.
CREATE OR REPLACE FUNCTION pgtoaster.increment(document jsonb, path text[], delta numeric DEFAULT 1) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF jsonb_typeof(to_jsonb(delta)) <> 'number' THEN
    RAISE EXCEPTION '% is no number that JSON has', delta USING ERRCODE = 'invalid_parameter_value';
  ELSIF document -> '$pgtoaster' IS NOT NULL THEN
    RETURN pgtoaster.noted(document, 'increment', path, to_jsonb(delta), true);
  END IF;
  RETURN pgtoaster.incremented(document, path, delta);
END $$;

-- RFC 7396, of plain values.
CREATE OR REPLACE FUNCTION pgtoaster.merged(value jsonb, patch jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  result jsonb := CASE jsonb_typeof(value) WHEN 'object' THEN value ELSE '{}' END;
  m record;
BEGIN
  IF jsonb_typeof(patch) <> 'object' THEN
    RETURN patch;
  END IF;
  FOR m IN SELECT e.key, e.value FROM jsonb_each(patch) e LOOP
    result := CASE WHEN m.value = 'null' THEN result - m.key
                   ELSE result || jsonb_build_object(m.key, pgtoaster.merged(coalesce(result -> m.key, 'null'), m.value)) END;
  END LOOP;
  RETURN result;
END $$;

-- Members of patch replace those of the document, or are merged into them where both are objects; null removes.
CREATE OR REPLACE FUNCTION pgtoaster.merge(document jsonb, patch jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL OR pg_catalog.jsonb_typeof(patch) OPERATOR(pg_catalog.<>) 'object'
              THEN pgtoaster.merged(document, patch) ELSE pgtoaster.noted(document, 'merge', '{}', patch, false) END
$$;

-- Returns the operations of a patch (RFC 6902) as edits, in their order: [name, place, value, true, {"number": .., "path": ..}].
-- The place of a move or copy is where the value comes from, and "path" where it goes. "limit" is how much all copies may add.
CREATE OR REPLACE FUNCTION pgtoaster.patch_steps(patch jsonb, copy_limit bigint) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  pointer CONSTANT text := '^(/([^~]|~[01])*)?$';
  wrong record;
BEGIN
  IF jsonb_typeof(patch) <> 'array' THEN
    RAISE EXCEPTION 'a JSON Patch is an array of operations' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT w.number, w.what INTO wrong
  FROM (SELECT o.number,
               CASE WHEN jsonb_typeof(o.o) <> 'object' THEN 'it is no object'
                    WHEN jsonb_typeof(o.o -> 'op') IS DISTINCT FROM 'string' THEN 'it has no string "op"'
                    WHEN o.o ->> 'op' NOT IN ('add', 'remove', 'replace', 'move', 'copy', 'test')
                      THEN 'its "op" is none of add, remove, replace, move, copy, test'
                    WHEN jsonb_typeof(o.o -> 'path') IS DISTINCT FROM 'string' THEN 'it has no string "path"'
                    WHEN o.o ->> 'path' !~ pointer THEN 'its "path" is no JSON Pointer'
                    WHEN o.o ->> 'op' IN ('move', 'copy') THEN
                      CASE WHEN jsonb_typeof(o.o -> 'from') IS DISTINCT FROM 'string' THEN 'it has no string "from"'
                           WHEN o.o ->> 'from' !~ pointer THEN 'its "from" is no JSON Pointer' END
                    WHEN o.o ->> 'op' <> 'remove' AND NOT o.o ? 'value' THEN 'it has no "value"' END AS what
        FROM jsonb_array_elements(patch) WITH ORDINALITY o(o, number)) w
  WHERE w.what IS NOT NULL ORDER BY w.number LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'operation % of the patch cannot be read: %', wrong.number, wrong.what USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN coalesce(
    (SELECT jsonb_agg(jsonb_build_array(o.o -> 'op', p.steps[1], o.o -> 'value', true,
                                        jsonb_build_object('number', o.number, 'name', o.o -> 'op', 'path', p.steps[2], 'limit', copy_limit)) ORDER BY o.number)
     FROM jsonb_array_elements(patch) WITH ORDINALITY o(o, number)
     CROSS JOIN LATERAL (
       SELECT array_agg((SELECT coalesce(jsonb_agg(replace(replace(s.s, '~1', '/'), '~0', '~') ORDER BY s.o), '[]')
                         FROM unnest((string_to_array(t.t, '/'))[2:]) WITH ORDINALITY s(s, o)) ORDER BY t.o) AS steps
       FROM unnest(ARRAY[CASE WHEN o.o ->> 'op' IN ('move', 'copy') THEN o.o ->> 'from' ELSE o.o ->> 'path' END, o.o ->> 'path'])
            WITH ORDINALITY t(t, o)) p), '[]');
END $$;

-- What an operation of a patch comes to: edits that do it, and what of it comes behind them. types are those of the values from
-- the root to its place; there is what stands at the place, if the operation wants it; size that of the array around it; copied
-- the bytes that copies have added, with this one: each could double the document.
CREATE OR REPLACE FUNCTION pgtoaster.patch_step(step jsonb, types text[], there jsonb, size bigint, copied bigint) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  op text := step ->> 0;
  place text[] := ARRAY(SELECT s.s FROM jsonb_array_elements_text(step -> 1) WITH ORDINALITY s(s, o) ORDER BY s.o);
  n integer := cardinality(place);
  target text[] := ARRAY(SELECT s.s FROM jsonb_array_elements_text(step #> '{4,path}') WITH ORDINALITY s(s, o) ORDER BY s.o);
  element bigint := CASE WHEN place[n] ~ '^(0|[1-9][0-9]{0,9})$' THEN place[n]::bigint END;
  failed text := CASE
    WHEN op = 'move' AND cardinality(target) > n AND target[:n] = place THEN 'a value cannot be moved into itself'
    -- What PostgreSQL takes for a position and RFC 6901 does not.
    WHEN EXISTS (SELECT FROM unnest(place) WITH ORDINALITY s(s, o)
                 WHERE types[s.o] = 'array' AND s.s ~ '^[ \t-\r]*[-+]?[0-9]+$' AND s.s !~ '^(0|[1-9][0-9]*)$')
      THEN 'an array has no position of this form'
    WHEN op = 'add' AND n > 0 THEN
      CASE WHEN types[n] IS NULL THEN 'there is no parent'
           WHEN types[n] NOT IN ('object', 'array') THEN 'the parent is neither an object nor an array'
           WHEN types[n] = 'object' OR place[n] = '-' THEN NULL
           WHEN element IS NULL OR element > 2147483647 THEN 'the last step is no position in the array'
           WHEN element > size THEN 'the position is behind the array''s end' END
    WHEN op = 'add' THEN NULL
    WHEN types[n + 1] IS NULL AND op IN ('remove', 'replace')
         AND EXISTS (SELECT FROM unnest(place) WITH ORDINALITY s(s, o)
                     WHERE types[s.o] = 'array' AND (s.s !~ '^[0-9]{1,10}$' OR s.s::bigint > 2147483647) OR s.o = 1 AND types[1] NOT IN ('object', 'array'))
      THEN 'the path does not fit the document'
    WHEN types[n + 1] IS NULL THEN 'there is nothing'
    WHEN op = 'copy' AND copied > coalesce((step #>> '{4,limit}')::bigint, 0)
      THEN format('copies of the patch add more than %s bytes, its copy limit', step #>> '{4,limit}')
    WHEN op = 'test' AND there IS DISTINCT FROM step -> 2 THEN 'the value is not the one expected' END;
  shown text;
BEGIN
  IF failed IS NOT NULL THEN
    shown := (SELECT string_agg('/' || replace(replace(s.s, '~', '~0'), '/', '~1'), '' ORDER BY s.o)
              FROM unnest(CASE WHEN failed LIKE '%itself' THEN target ELSE place END) WITH ORDINALITY s(s, o));
    RAISE EXCEPTION 'operation % of the patch (%) failed at %: %', step #>> '{4,number}', step #>> '{4,name}',
      CASE WHEN length(shown) > 200 THEN left(shown, 200) || '...' ELSE coalesce(shown, 'the whole document') END, failed
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN CASE
    WHEN op = 'test' OR op = 'move' AND target = place THEN '[]'
    WHEN op IN ('move', 'copy') THEN CASE op WHEN 'move' THEN jsonb_build_array(jsonb_build_array('remove', place, NULL, false)) ELSE '[]' END
      || jsonb_build_array(jsonb_build_array('add', target, there, true, step -> 4))
    WHEN n = 0 THEN jsonb_build_array(jsonb_build_array('whole', place, step -> 2, op = 'remove'))
    WHEN op = 'remove' THEN jsonb_build_array(jsonb_build_array(op, place, NULL, false))
    WHEN op = 'replace' OR types[n] = 'object' THEN jsonb_build_array(jsonb_build_array('set', place, step -> 2, op = 'add'))
    WHEN element < size THEN jsonb_build_array(jsonb_build_array('insert', place, step -> 2, false))
    ELSE jsonb_build_array(jsonb_build_array('append', place[:n - 1], jsonb_build_array(step -> 2), false)) END;
END $$;

-- What noted edits make of a plain document. It may have a root key like ours: what the row holds then has one more $.
-- todo is a stack whose top is the next edit: an array of JSON without its first element is a copy of all others.
CREATE OR REPLACE FUNCTION pgtoaster.edited(document jsonb, edits jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  todo jsonb[] := ARRAY(SELECT e.e FROM jsonb_array_elements(edits) WITH ORDINALITY e(e, o) ORDER BY e.o DESC);
  n integer := cardinality(todo);
  edit jsonb;
  path text[];
  value jsonb;
  flag boolean;
  copied bigint := 0;
BEGIN
  -- Decompressed once.
  document := document #> '{}';
  WHILE n > 0 LOOP
    edit := todo[n];
    n := n - 1;
    path := ARRAY(SELECT s.s FROM jsonb_array_elements_text(edit -> 1) WITH ORDINALITY s(s, o) ORDER BY s.o);
    value := edit -> 2;
    flag := edit ->> 3 = 'true';
    IF edit -> 4 IS NOT NULL THEN
      IF edit ->> 0 = 'copy' THEN
        copied := copied + coalesce(pg_column_size(document #> path), 0);
      END IF;
      FOR edit IN
        SELECT e.e FROM jsonb_array_elements(pgtoaster.patch_step(edit,
          ARRAY(SELECT jsonb_typeof(document #> path[:i.i]) FROM generate_series(0, cardinality(path)) i(i) ORDER BY i.i), document #> path,
          CASE jsonb_typeof(document #> path[:cardinality(path) - 1]) WHEN 'array' THEN jsonb_array_length(document #> path[:cardinality(path) - 1]) END,
          copied)) WITH ORDINALITY e(e, o) ORDER BY e.o DESC
      LOOP
        n := n + 1;
        todo[n] := edit;
      END LOOP;
      CONTINUE;
    END IF;
    CASE edit ->> 0
      WHEN 'set' THEN document := jsonb_set(document, path, value, flag);
      WHEN 'insert' THEN document := jsonb_insert(document, path, value, flag);
      WHEN 'remove' THEN document := document #- path;
      WHEN 'append' THEN document := pgtoaster.appended(document, path, value);
      WHEN 'increment' THEN document := pgtoaster.incremented(document, path, value::numeric);
      WHEN 'merge' THEN document := pgtoaster.merged(document, value);
      WHEN 'patch' THEN document := CASE WHEN document IS NOT NULL THEN pgtoaster.edited(document, value) END;
      WHEN 'whole' THEN document := CASE WHEN NOT flag THEN value END;
      ELSE RAISE EXCEPTION 'no edit of a document is named "%"', edit ->> 0 USING ERRCODE = 'invalid_parameter_value';
    END CASE;
  END LOOP;
  RETURN document;
END $$;

-- For some hours of development the limit was a default argument, which CREATE OR REPLACE cannot remove.
DO $$ BEGIN
  IF (SELECT p.pronargdefaults FROM pg_proc p WHERE p.oid = to_regprocedure('pgtoaster.patch(jsonb, jsonb, bigint)')) > 0 THEN
    DROP FUNCTION pgtoaster.patch(jsonb, jsonb, bigint);
  END IF;
END $$;

-- RFC 6902: all operations of patch, or an error. Copies add at most copy_limit bytes.
CREATE OR REPLACE FUNCTION pgtoaster.patch(document jsonb, patch jsonb, copy_limit bigint) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document IS NULL OR patch IS NULL OR copy_limit IS NULL THEN NULL
              WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN pgtoaster.edited(document, pgtoaster.patch_steps(patch, copy_limit))
              ELSE pgtoaster.noted(document, 'patch', '{}', pgtoaster.patch_steps(patch, copy_limit), false) END
$$;

-- With the default limit. Not a default argument: installing would then have to drop this function, which views of users may call.
CREATE OR REPLACE FUNCTION pgtoaster.patch(document jsonb, patch jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$ SELECT pgtoaster.patch(document, patch, CAST(1048576 AS bigint)) $$;

-- Bytes of a value within a jsonb, as JsonbSize.java and pgt_json_bytes count them, without gaps for alignment: what leaves a row must not
-- depend on who writes it. A marker counts as much whatever its number is.
CREATE OR REPLACE FUNCTION pgtoaster.json_bytes(value jsonb) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE v AS (
    SELECT $1 AS v
    UNION ALL
    SELECT c.v FROM v CROSS JOIN LATERAL (
      SELECT e.value AS v FROM jsonb_each(CASE WHEN jsonb_typeof(v.v) = 'object' THEN CASE WHEN v.v ? '$pgtoaster' THEN '{}' ELSE v.v END ELSE '{}' END) e
      UNION ALL
      SELECT e.e FROM jsonb_array_elements(CASE jsonb_typeof(v.v) WHEN 'array' THEN v.v ELSE '[]' END) e(e)) c
  )
  SELECT (4 * (count(*) - 1) + sum(CASE jsonb_typeof(v.v)
            WHEN 'object' THEN CASE WHEN v.v ? '$pgtoaster' THEN 40 ELSE 4 + (SELECT coalesce(sum(4 + octet_length(k)), 0) FROM jsonb_object_keys(v.v) k) END
            WHEN 'array' THEN 4
            WHEN 'string' THEN octet_length(v.v #>> '{}')
            WHEN 'number' THEN (pg_column_size(v.v) - 9) / 4 * 4
            ELSE 0 END))::integer
  FROM v
$$;

-- Bytes of what a row holds of a split document without the members at pinned paths, which are JSON Pointers. The header counts
-- as much as SplitPolicy.java has it.
CREATE OR REPLACE FUNCTION pgtoaster.size_beside_pinned(document jsonb, pinned text[]) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  pointer text;
  path text[];
BEGIN
  FOREACH pointer IN ARRAY pinned LOOP
    path := ARRAY(SELECT pgtoaster.stored_key(replace(replace(s.s, '~1', '/'), '~0', '~'))
                  FROM unnest((string_to_array(pointer, '/'))[2:]) WITH ORDINALITY s(s, o) ORDER BY s.o);
    IF jsonb_typeof(document #> path[:cardinality(path) - 1]) = 'object' THEN
      document := document #- path;
    END IF;
  END LOOP;
  RETURN pgtoaster.json_bytes(document - '$pgtoaster') + 52;
END $$;

-- The source of the trigger function of a store that does what a row's document has noted, with the rights of its caller
-- and by the store's routine (15-edit.sql). The row is locked; the edits start from what NEW holds besides the note. What
-- the row has no room for is moved out of line at the end. What tells names of the owner's columns is in lines that say so
-- (has_routines).
CREATE OR REPLACE FUNCTION pgtoaster.apply_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $apply$
#variable_conflict use_variable
DECLARE
  {key_variables}
  names pg_catalog.name[];
  handle pg_catalog.name;
  known boolean;
  was pg_catalog.jsonb;
  becomes pg_catalog.jsonb;
  others integer;
  room integer;
  size integer;
  header pg_catalog.jsonb;
  document pg_catalog.jsonb;
  unchanged boolean;
  doc bigint;
  edits pg_catalog.jsonb;
  edit pg_catalog.jsonb;
  todo pg_catalog.jsonb[];
  n integer;
  copied bigint := 0;
  op pg_catalog.text;
  given pg_catalog.text[];
  path pg_catalog.text[];
  value pg_catalog.jsonb;
  type pg_catalog.text;
  types pg_catalog.text[];
  escapes boolean;
  found_generation bigint;
  done pg_catalog.record;
  member pg_catalog.record;
BEGIN
  -- Renames are followed: the update trigger has the number of the column, the adopt trigger those of the key.
  names := ARRAY(SELECT a.attname FROM pg_catalog.pg_trigger t
                 CROSS JOIN LATERAL pg_catalog.unnest(CAST(t.tgattr AS smallint[])) WITH ORDINALITY c(number, o)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = c.number
                 WHERE t.tgrelid = TG_RELID AND t.tgname IN ('pgtoaster_{store}_adopt', 'pgtoaster_{store}_update') ORDER BY t.tgname, c.o);
  handle := names[pg_catalog.cardinality(names)];
  known := names OPERATOR(pg_catalog.=) CAST({columns} AS pg_catalog.name[]); -- as named
  IF known THEN
    {read_keys} -- as named
    was := OLD.{column} #> CAST('{}' AS pg_catalog.text[]); -- as named
    becomes := NEW.{column}; -- as named
  ELSE
    EXECUTE (SELECT pg_catalog.format('SELECT %s, ($2).%I', pg_catalog.string_agg(pg_catalog.format('($1).%I', n.n), ', ' ORDER BY n.o), handle)
             FROM pg_catalog.unnest(names) WITH ORDINALITY n(n, o)) INTO {key_names}, was, becomes USING OLD, NEW;
  END IF;
  header := becomes #> CAST('{$pgtoaster}' AS pg_catalog.text[]);
  document := becomes - CAST('$pgtoaster' AS pg_catalog.text);
  others := pg_catalog.pg_column_size(NEW) - pg_catalog.pg_column_size(becomes);
  edits := header #> CAST('{edits}' AS pg_catalog.text[]);
  IF pg_catalog.jsonb_typeof(header #> CAST('{document}' AS pg_catalog.text[])) IS DISTINCT FROM 'array'
     OR was #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS DISTINCT FROM header #> CAST('{document}' AS pg_catalog.text[]) THEN
    RAISE EXCEPTION 'the document for column "%" of % is refused: its edits are those of another document', handle, CAST(TG_RELID AS pg_catalog.regclass)
      USING ERRCODE = 'check_violation', COLUMN = handle,
            HINT = 'Edits belong into an UPDATE of their own row. Into another one write the whole document: '
                   'pgtoaster.set(pgtoaster.expand(...), path, value).';
  END IF;
  unchanged := header #> CAST('{row}' AS pg_catalog.text[]) = pg_catalog.to_jsonb(pg_catalog.jsonb_hash_extended(document, 0));
  IF NOT unchanged AND NOT pgtoaster.still_left(becomes) THEN
    -- What stands where an edit is noted has been changed behind it, and the edit would come last.
    RAISE EXCEPTION 'the document for column "%" of % is refused: another function has changed it behind an edit of pgtoaster',
      handle, CAST(TG_RELID AS pg_catalog.regclass)
      USING ERRCODE = 'check_violation', COLUMN = handle,
            HINT = 'Change it by functions of pgtoaster alone, or by others first: pgtoaster.set(doc || ''{"a": 1}'', path, value).';
  END IF;
  document := pg_catalog.jsonb_set(document, CAST('{$pgtoaster}' AS pg_catalog.text[]), header #> CAST('{document}' AS pg_catalog.text[]));
  unchanged := document = was OR unchanged AND header #> CAST('{was}' AS pg_catalog.text[]) = pg_catalog.to_jsonb(pg_catalog.jsonb_hash_extended(was - CAST('$pgtoaster' AS pg_catalog.text), 0));
  doc := {number:document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])};
  IF edits = CAST('[]' AS pg_catalog.jsonb) AND NOT EXISTS (SELECT FROM {head} h WHERE h.id = doc AND {owned}) THEN
    {refuse};
  END IF;
  -- A stack, whose top is the next edit: an array of JSON without its first element is a copy of all others.
  todo := ARRAY(SELECT e.e FROM pg_catalog.jsonb_array_elements(edits) WITH ORDINALITY e(e, o) ORDER BY e.o DESC);
  n := pg_catalog.cardinality(todo);
  WHILE n > 0 LOOP
    edit := todo[n];
    n := n - 1;
    op := edit #>> CAST('{0}' AS pg_catalog.text[]);
    given := ARRAY(SELECT e.e FROM pg_catalog.jsonb_array_elements_text(edit #> CAST('{1}' AS pg_catalog.text[])) WITH ORDINALITY e(e, o) ORDER BY e.o);
    value := edit #> CAST('{2}' AS pg_catalog.text[]);
    -- Keys that look like ours have one more $ in split documents.
    escapes := pg_catalog.strpos(CAST(edit AS pg_catalog.text), 'pgtoaster"') > 0;
    path := CASE WHEN escapes THEN ARRAY(SELECT pg_catalog.regexp_replace(s.s, '^([$]+pgtoaster)$', E'$\\1')
                                         FROM pg_catalog.unnest(given) WITH ORDINALITY s(s, o) ORDER BY s.o) ELSE given END;
    IF op = 'merge' OR pg_catalog.cardinality(path) = 0 THEN
      type := {read}({key_names}, document, path, CAST('type' AS pg_catalog.text));
    END IF;
    edits := NULL;
    IF op = 'merge' THEN
      -- What becomes of a member is an edit of its own.
      edits := CASE WHEN type = 'object' THEN coalesce(
            (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(
                      CASE pg_catalog.jsonb_typeof(m.v) WHEN 'null' THEN 'remove' WHEN 'object' THEN 'merge' ELSE 'set' END,
                      pg_catalog.array_append(given, m.k), m.v, true))
             FROM pg_catalog.jsonb_each(value) m(k, v)), CAST('[]' AS pg_catalog.jsonb))
          ELSE pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_array(CASE pg_catalog.cardinality(given) WHEN 0 THEN 'whole' ELSE 'set' END,
                 given, pgtoaster.merged(CAST('{}' AS pg_catalog.jsonb), value), pg_catalog.cardinality(given) > 0))
        END;
    ELSIF op = 'patch' THEN
      -- What its operations look at stays as it is until they are done.
      {lock_own:UPDATE}
      copied := 0;
      edits := value;
    ELSIF edit #> CAST('{4}' AS pg_catalog.text[]) IS NOT NULL THEN
      types := ARRAY(SELECT {read}({key_names}, document, path[:i.i], CAST('type' AS pg_catalog.text)) FROM pg_catalog.generate_series(0, pg_catalog.cardinality(path)) i(i) ORDER BY i.i);
      value := CASE WHEN op IN ('move', 'copy') OR op = 'test' AND types[pg_catalog.cardinality(types)] = pg_catalog.jsonb_typeof(value)
                    THEN pgtoaster.get(document, given) END;
      copied := copied + CASE WHEN op = 'copy' THEN coalesce(pg_catalog.pg_column_size(value), 0) ELSE 0 END;
      edits := pgtoaster.patch_step(edit, types, value,
        CASE WHEN op = 'add' AND types[pg_catalog.cardinality(path)] = 'array'
             THEN CAST(pg_catalog.substr({read}({key_names}, document, path[:pg_catalog.cardinality(path) - 1], CAST('size' AS pg_catalog.text)), 7) AS bigint) END, copied);
    ELSIF op = 'whole' THEN
      -- The row holds a plain document from here on, or none.
      document := pgtoaster.edited(document, pg_catalog.to_jsonb(ARRAY(SELECT todo[i.i] FROM pg_catalog.generate_series(n + 1, 1, -1) i(i) ORDER BY i.i DESC)));
      unchanged := false;
      EXIT;
    ELSIF pg_catalog.cardinality(path) = 0 AND (op <> 'append' OR type <> 'array') THEN
      -- The root is no place in a document.
      IF op = 'increment' THEN
        RAISE EXCEPTION 'the value at the path is no number' USING ERRCODE = 'invalid_parameter_value';
      ELSIF op = 'append' THEN
        RAISE EXCEPTION 'the root of a split document is no array, and does not become one' USING ERRCODE = 'feature_not_supported',
          HINT = 'Write the whole document: pgtoaster.append(pgtoaster.expand(...), path, value).';
      ELSIF type NOT IN ('object', 'array') THEN
        RAISE EXCEPTION 'cannot % path in scalar', CASE op WHEN 'remove' THEN 'delete' ELSE 'set' END USING ERRCODE = 'invalid_parameter_value';
      END IF;
      CONTINUE;
    END IF;
    IF edits IS NOT NULL THEN
      FOR edit IN SELECT e.e FROM pg_catalog.jsonb_array_elements(edits) WITH ORDINALITY e(e, o) ORDER BY e.o DESC LOOP
        n := n + 1;
        todo[n] := edit;
      END LOOP;
      CONTINUE;
    END IF;
    FOR attempt IN 1 .. 100 LOOP
      SELECT * INTO done FROM {edit}({key_names}, document, CAST(NULL AS bigint), path, op,
        CASE WHEN escapes THEN pgtoaster.stored_keys(value) ELSE value END,
        edit #>> CAST('{3}' AS pg_catalog.text[]) = 'true', false, CAST(NULL AS pg_catalog.jsonb), 2147483647, false);
      IF done.outcome = 'look' OR op = 'append' AND done.outcome = 'missed' AND {read}({key_names}, document, path, CAST('type' AS pg_catalog.text)) <> 'array' THEN
        -- A number that was moved out of line for its digits, or what is to become an array: the whole value is
        -- computed with all other writers kept away, and set.
        {lock_own:UPDATE}
        IF op = 'append' THEN
          value := pg_catalog.jsonb_build_array(pgtoaster.get(document, given)) || value;
          escapes := true;
        ELSIF pg_catalog.jsonb_typeof(pgtoaster.get(document, given)) IS DISTINCT FROM 'number' THEN
          done.outcome := 'number';
          EXIT;
        ELSE
          value := pg_catalog.to_jsonb(CAST(pgtoaster.get(document, given) AS numeric) + CAST(value AS numeric));
        END IF;
        op := 'set';
        CONTINUE;
      END IF;
      EXIT WHEN done.outcome <> 'again';
    END LOOP;
    CASE
      WHEN done.outcome = 'applied' THEN
        document := coalesce(done.result, document);
      WHEN done.outcome = 'missed' THEN
        NULL;
      WHEN pg_catalog.starts_with(done.outcome, 'position ') THEN
        RAISE EXCEPTION 'path element at position % is not an integer: "%"', pg_catalog.substr(done.outcome, 10), given[CAST(pg_catalog.substr(done.outcome, 10) AS integer)]
          USING ERRCODE = 'invalid_text_representation';
      WHEN done.outcome = 'scalar' THEN
        RAISE EXCEPTION 'cannot % path in scalar', CASE op WHEN 'remove' THEN 'delete' ELSE 'set' END USING ERRCODE = 'invalid_parameter_value';
      WHEN done.outcome = 'exists' THEN
        RAISE EXCEPTION 'cannot replace existing key' USING ERRCODE = 'invalid_parameter_value',
          HINT = 'Try using the function pgtoaster.set to replace key value.';
      WHEN done.outcome = 'number' THEN
        RAISE EXCEPTION 'the value at the path is no number' USING ERRCODE = 'invalid_parameter_value';
      WHEN done.outcome = 'head' THEN
        {refuse};
      ELSE
        RAISE EXCEPTION 'could not serialize access: other writers kept changing the place of an edit' USING ERRCODE = 'serialization_failure';
    END CASE;
  END LOOP;
  room := greatest({row_budget} - 24 - others, 128);
  size := CASE WHEN op IS DISTINCT FROM 'whole' AND pg_catalog.pg_column_size(document) > pg_catalog.pg_column_size(was) THEN pg_catalog.pg_column_size(document) + 48 END;
  IF size > room THEN
    size := pgtoaster.size_beside_pinned(document, CAST({kept} AS pg_catalog.text[]));
  END IF;
  IF size > room THEN
    -- Values that have no markers and need not stay are moved out of line, the largest first, as SplitPolicy.java counts.
    {lock_own:KEY SHARE}
    FOR member IN
      WITH RECURSIVE v AS (
        SELECT '/' || pg_catalog.replace(pg_catalog.replace(m.k, '~', '~0'), '/', '~1') AS place, ARRAY[m.k] AS path, ARRAY[pgtoaster.key_code(m.k)] AS codes, m.v
        FROM pg_catalog.jsonb_each(document - CAST('$pgtoaster' AS pg_catalog.text)) m(k, v)
        UNION ALL
        SELECT v.place || '/' || pg_catalog.replace(pg_catalog.replace(m.k, '~', '~0'), '/', '~1'), pg_catalog.array_append(v.path, m.k), pg_catalog.array_append(v.codes, pgtoaster.key_code(m.k)), m.v
        FROM v CROSS JOIN LATERAL pg_catalog.jsonb_each(v.v) m(k, v)
        WHERE pg_catalog.jsonb_typeof(v.v) = 'object' AND NOT pg_catalog.jsonb_exists(v.v, '$pgtoaster')
      )
      SELECT v.path, v.v AS value, z.size
      FROM v CROSS JOIN LATERAL (SELECT CASE WHEN pg_catalog.pg_column_size(v.v) > 100 THEN pgtoaster.json_bytes(v.v) END AS size OFFSET 0) z
      WHERE z.size > 96 AND pg_catalog.strpos(CAST(v.v AS pg_catalog.text), 'pgtoaster": ') = 0
        AND NOT EXISTS (SELECT FROM pg_catalog.unnest(CAST({kept} AS pg_catalog.text[])) k(k)
                        WHERE k.k = v.place OR pg_catalog.starts_with(k.k, v.place || '/') OR pg_catalog.starts_with(v.place, k.k || '/'))
      ORDER BY z.size DESC, v.codes
    LOOP
      EXIT WHEN size <= room;
      -- It went with what was around it.
      CONTINUE WHEN document #> member.path IS DISTINCT FROM member.value;
      value := {pack}({lead_value}doc, member.value);
      IF pg_catalog.jsonb_typeof(value #> CAST('{$pgtoaster}' AS pg_catalog.text[])) IS DISTINCT FROM 'number' THEN
        WITH made AS (
          INSERT INTO {node} AS n ({lead_column}doc, id, kind, bytes, value, kids)
          SELECT {lead_value}doc, {next_id}, CASE pg_catalog.jsonb_typeof(p.p) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END,
                 pg_catalog.pg_column_size(p.p), p.p, {kids_of_part}
          FROM (SELECT value AS p) p
          RETURNING n.id)
        SELECT pg_catalog.jsonb_build_object('$pgtoaster', m.id) INTO value FROM made m;
      END IF;
      document := pg_catalog.jsonb_set(document, member.path, value);
      size := size - member.size + 48;
    END LOOP;
  END IF;
  IF known THEN
    NEW.{column} := document; -- as named
  ELSE
    NEW := pg_catalog.jsonb_populate_record(NEW, pg_catalog.jsonb_build_object(handle, document));
  END IF;
  IF unchanged THEN
    -- For the trigger that guards this row: nothing but the edits has changed it.
    PERFORM pg_catalog.set_config('pgtoaster.edited_{store}', pg_catalog.concat(pg_catalog.jsonb_hash_extended(was, 0), ' ', pg_catalog.jsonb_hash_extended(document, 0)), true);
  END IF;
  RETURN NEW;
END $apply$
$$;

-- How the routines of a store in a schema begin: what they were made of, and where. Each look-up of a column compares it;
-- a function that is inlined.
CREATE OR REPLACE FUNCTION pgtoaster.routine_mark(schema name) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT pg_catalog.concat('-- ', pg_catalog.hashtextextended(pg_catalog.concat(pgtoaster.append_template(), pgtoaster.write_template(), pgtoaster.range_template(), pgtoaster.read_template(), pgtoaster.edit_template(),
    pgtoaster.pack_template(), pgtoaster.reshape_template(), pgtoaster.placed_template(), pgtoaster.change_template(), pgtoaster.hold_template(), pgtoaster.apply_template(), pg_catalog.array_to_string(pgtoaster.routine_parts(), '')), 0), ' ', pg_catalog.hashtextextended(schema::pg_catalog.text, 0), E'\n')
$$;

-- The names that the trigger function of a store has besides those of all routines.
CREATE OR REPLACE FUNCTION pgtoaster.apply_names(store integer, source text, mark text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  columns name[];
  n record;
BEGIN
  SELECT c.owner, c.column_name, c.options INTO a FROM pgtoaster.attached_column c WHERE c.store = store;
  columns := (SELECT k.columns FROM pgtoaster.owner_key(a.owner, store) k);
  FOR n IN
    SELECT v.name, v.text FROM (VALUES
      ('key_variables', (SELECT string_agg(format('key_%s %s;', substr(h.attname, 7), format_type(h.atttypid, h.atttypmod)), ' ' ORDER BY h.attnum)
                         FROM pgtoaster.store s JOIN pg_attribute h ON h.attrelid = s.head AND h.attname ~ '^owner_[0-9]+$' WHERE s.id = store)),
      ('read_keys', (SELECT string_agg(format('key_%s := OLD.%I;', k.o, k.k), ' ' ORDER BY k.o) FROM unnest(columns) WITH ORDINALITY k(k, o))),
      ('store', store::text),
      ('key_names', (SELECT string_agg('key_' || k.o, ', ' ORDER BY k.o) FROM unnest(columns) WITH ORDINALITY k(k, o))),
      ('columns', quote_literal((columns || a.column_name)::text)),
      ('column', quote_ident(a.column_name)),
      ('kept', quote_literal(ARRAY(SELECT jsonb_array_elements_text(a.options -> 'keep_inline'))::text)),
      ('row_budget', a.options ->> 'row_budget'),
      ('read', pgtoaster.store_table(store, 'read')),
      ('edit', pgtoaster.store_table(store, 'edit'))) v(name, text)
  LOOP
    source := replace(source, mark || ':' || n.name || ':', coalesce(n.text, ''));
  END LOOP;
  RETURN source;
END $$;

-- The trigger that does what is noted, also by another trigger in an UPDATE of other columns. Its condition is one operator
-- of the server, for whoever updates runs it with his rights, and each statement parses it anew.
CREATE OR REPLACE FUNCTION pgtoaster.create_edit_trigger(store integer, owner regclass, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW WHEN (NEW.%I @? ''strict $."$pgtoaster".edits'') EXECUTE FUNCTION %s()',
                 pgtoaster.trigger_name(store, 'edit'), owner, handle, pgtoaster.store_table(store, 'apply'));
END $$;

-- A catalog that is installed again brings the routines of the stores that its role may change up to date. What the owner
-- of one has made odd keeps nobody from installing, nor what he keeps locked for longer than one time-out.
DO $$
DECLARE
  store integer;
  holder oid;
  locked_by oid[] := '{}';
BEGIN
  FOR store, holder IN SELECT s.id, pgtoaster.store_owner(s.id) FROM pgtoaster.store s ORDER BY s.id LOOP
    IF holder = ANY (locked_by) THEN
      RAISE WARNING 'the routines of store % are as they were: those of another one of its owner are locked', store;
      CONTINUE;
    END IF;
    BEGIN
      PERFORM pgtoaster.write_routines(store);
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE = '55P03' THEN
        locked_by := locked_by || holder;
      END IF;
      RAISE WARNING 'the routines of store % are as they were: %', store, SQLERRM;
    END;
  END LOOP;
END $$;
-- Blobs by table, column and key of the row, in SQL: for psql, reports and every language. Calls run with the rights of their
-- caller, and what they change is done in the caller's transaction. Functions whose statements name the table have no
-- search_path of their own, which its triggers and policies would see: all names in them are qualified.

-- CRC32C (RFC 3720, appendix B.4), as rows of a store have it: PostgreSQL 18 has a function for it.
DO $do$
BEGIN
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION pgtoaster.crc32c(data bytea) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $$
    DECLARE
      steps CONSTANT bigint[] := %L;
      -- Not compressed, nor elsewhere: a byte is then found at once.
      bytes CONSTANT bytea := data || ''::bytea;
      crc bigint := 4294967295;
    BEGIN
      IF current_setting('server_version_num')::integer >= 180000 THEN
        crc := crc32c(data);
      ELSE
        FOR i IN 0 .. octet_length(bytes) - 1 LOOP
          crc := steps[((crc # get_byte(bytes, i)) & 255) + 1] # (crc >> 8);
        END LOOP;
        crc := crc # 4294967295;
      END IF;
      RETURN crc - CASE WHEN crc > 2147483647 THEN 4294967296 ELSE 0 END;
    END $$
  $f$, (WITH RECURSIVE step(byte, bit, crc) AS (
          SELECT b, 0, b FROM generate_series(0::bigint, 255) b
          UNION ALL
          SELECT s.byte, s.bit + 1, CASE s.crc & 1 WHEN 1 THEN (s.crc >> 1) # 2197175160 ELSE s.crc >> 1 END FROM step s WHERE s.bit < 8)
        SELECT array_agg(s.crc ORDER BY s.byte) FROM step s WHERE s.bit = 8));
END $do$;

-- The key of a row as texts: one value, an array of texts, or a row.
CREATE OR REPLACE FUNCTION pgtoaster.key_texts(key anyelement) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  type CONSTANT regtype := pg_typeof(key);
BEGIN
  IF type IN (CAST('text[]' AS regtype), CAST('varchar[]' AS regtype)) THEN
    RETURN CAST(CAST(key AS text) AS text[]);
  ELSIF type = CAST('record' AS regtype)
        -- What users made may be a row type.
     OR (CASE WHEN CAST(type AS oid) >= 16384 THEN (SELECT t.typtype = 'c' FROM pg_type t WHERE t.oid = type) END) THEN
    RETURN ARRAY(SELECT j.value FROM json_each_text(to_json(key)) WITH ORDINALITY j(name, value, n) ORDER BY j.n);
  END IF;
  RETURN ARRAY[CAST(key AS text)];
END $$;

-- What the calls below have in common: the store of a column, the function by which its toaster answers, the condition on a
-- row o that its key is the texts $2, and these texts. value is the text of the key as it was given: an array of texts is the key of
-- several columns, or the value of one whose type is an array. Plans that know the table would be made anew in each call.
CREATE OR REPLACE FUNCTION pgtoaster.blob_call(tbl regclass, col name, given text[], value text, event text,
  OUT store integer, OUT routine text, OUT same text, OUT key text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  found record;
  columns integer;
  arrays boolean;
BEGIN
  IF tbl IS NULL OR col IS NULL THEN
    RAISE EXCEPTION 'the table and the column cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  -- A renamed column is followed by its trigger, as pgtoaster.attached_column does.
  SELECT s.id, s.key_index, s.toaster, t.name AS known, t.builtin, t.routines ->> event AS routine INTO found
  FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster
  WHERE s.owner = tbl
    AND coalesce((SELECT a.attname FROM pg_trigger g JOIN pg_attribute a ON a.attrelid = g.tgrelid AND a.attnum = g.tgattr[0]
                  WHERE g.tgrelid = s.owner AND g.tgname = CAST(concat('pgtoaster_', s.id, '_update') AS name)), s.column_name) = col;
  IF found.id IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to a toaster', col, tbl USING ERRCODE = 'undefined_object',
      HINT = format('SELECT pgtoaster.attach(%L, %L) attaches it; pgtoaster.attached_column lists what is.', tbl, col);
  ELSIF found.routine IS NULL THEN
    RAISE EXCEPTION 'toaster "%" of %.% has no operation %()', found.toaster, tbl, quote_ident(col), event USING ERRCODE = 'feature_not_supported',
      HINT = CASE WHEN found.known IS NULL THEN 'The server does not know that toaster: its library does it.'
                  ELSE format('SELECT routines FROM pgtoaster.toaster WHERE name = %L tells what it has.', found.toaster) END;
  END IF;
  store := found.id;
  -- Ours are those of the catalog.
  routine := CASE WHEN found.builtin THEN found.routine ELSE CAST(pgtoaster.toaster_routine(found.toaster, event) AS text) END;
  -- Of types that users made, domains too, the operator is that of the index: another of its name may be on the path.
  SELECT count(*), bool_and(t.typcategory = 'A'),
         string_agg(concat('o.', quote_ident(CAST(a.attname AS text)), CASE WHEN a.atttypid < 16384 THEN ' OPERATOR(pg_catalog.=) ' ELSE (
                      SELECT concat(' OPERATOR(', p.oprnamespace::regnamespace, '.', p.oprname, ') ') FROM pg_opclass c
                      JOIN pg_amop m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype AND m.amopstrategy = 3
                      JOIN pg_operator p ON p.oid = m.amopopr WHERE c.oid = k.class) END,
                                                 'CAST(($2)[', k.n, '] AS ', t.typnamespace::regnamespace, '.', quote_ident(t.typname), ')'), ' AND ')
    INTO columns, arrays, same
  FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY k(attnum, class, n)
  JOIN pg_attribute a ON a.attrelid = tbl AND a.attnum = k.attnum JOIN pg_type t ON t.oid = a.atttypid
  WHERE i.indrelid = tbl AND k.n <= i.indnkeyatts
    AND CASE WHEN found.key_index IS NULL THEN i.indisprimary
             ELSE (SELECT c.relname FROM pg_class c WHERE c.oid = i.indexrelid) = found.key_index END;
  IF columns = 0 THEN
    RAISE EXCEPTION 'the index that addresses the rows of % is gone', tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Create it again under its name, or give the table a primary key.';
  END IF;
  -- The text of a row begins with a parenthesis.
  key := CASE WHEN columns = 1 AND arrays AND left(value, 1) <> '(' THEN ARRAY[value] ELSE given END;
  IF columns > 1 AND cardinality(key) = 1 AND starts_with(key[1], '{') THEN
    key := CAST(key[1] AS text[]);
  END IF;
  IF array_position(key, NULL) IS NOT NULL OR key IS NULL THEN
    RAISE EXCEPTION 'the key of a row cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF cardinality(key) <> columns THEN
    RAISE EXCEPTION 'rows of % are addressed by % columns, and a key of % was given', tbl, columns, cardinality(key)
      USING ERRCODE = 'datatype_mismatch', HINT = 'Give the key of several columns as an array of texts: ARRAY[''north'', ''7''].';
  END IF;
END $$;

-- Refuses an operation on a row: outcome says why. at: the offset, or length, that was asked for, and size: that of the blob,
-- where they are the reason. For toasters.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_blob(outcome text, owner regclass, column_name name, key text[], at bigint DEFAULT NULL, size bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place text := (SELECT format('%I.%I.%I', n.nspname, c.relname, column_name) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = owner)
                || '(' || (SELECT string_agg(left(k.k, 100), ', ' ORDER BY k.n) FROM unnest(key) WITH ORDINALITY k(k, n)) || ')';
BEGIN
  CASE outcome
    WHEN 'row' THEN
      RAISE EXCEPTION 'there is no row %', place USING ERRCODE = 'no_data_found',
        HINT = 'Insert the row first; a row that a policy hides counts as none.';
    WHEN 'null' THEN
      RAISE EXCEPTION '% is NULL', place USING ERRCODE = 'no_data_found', HINT = 'Append to it first, with no bytes to make it empty.';
    WHEN 'sealed' THEN
      RAISE EXCEPTION 'the blob in % is sealed; nothing was changed', place USING ERRCODE = 'object_not_in_prerequisite_state';
    WHEN 'offset' THEN
      RAISE EXCEPTION 'the offset or length % is not one of the blob in %, which has % bytes; nothing was changed', at, place, size
        USING ERRCODE = 'invalid_parameter_value', HINT = 'Offsets go from 0 to the length, which pgtoaster.blob_length tells.';
    WHEN 'mismatch' THEN
      RAISE EXCEPTION 'this writer appended something else to % under this sequence; nothing was changed', place
        USING ERRCODE = 'invalid_parameter_value', HINT = 'A retry repeats its content; a new append takes the next sequence.';
    WHEN 'unknown' THEN
      RAISE EXCEPTION 'whether this sequence was appended to % is no longer known; nothing was changed', place
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Compare the content, then go on with a new writer.';
    WHEN 'damaged' THEN
      RAISE EXCEPTION 'what is stored of % contradicts itself; nothing was changed', place USING ERRCODE = 'data_corrupted',
        HINT = '"pgtoaster verify" says where.';
    WHEN 'large' THEN
      RAISE EXCEPTION 'the result on % does not fit into one value; nothing was changed', place USING ERRCODE = 'program_limit_exceeded',
        HINT = 'Ask for a part of it; a column of the toaster "appendable" holds more than a value does.';
    WHEN 'suppressed' THEN
      RAISE EXCEPTION 'the update that was to set % changed no row', place USING ERRCODE = 'triggered_action_exception',
        HINT = 'A trigger, a rule or a policy of the table suppressed it.';
    WHEN 'denied' THEN
      RAISE EXCEPTION 'row security lets the role read % and not change it', place USING ERRCODE = 'insufficient_privilege';
    WHEN 'update' THEN
      RAISE EXCEPTION 'permission denied to update column "%" of %', column_name, owner USING ERRCODE = 'insufficient_privilege';
    WHEN 'tokens' THEN
      RAISE EXCEPTION 'the toaster of % keeps no tokens; nothing was changed', place USING ERRCODE = 'feature_not_supported',
        HINT = 'Append with an expected offset, or attach a column to "appendable".';
    WHEN 'text' THEN
      RAISE EXCEPTION '% can hold whole characters of UTF-8 only, and no zero byte; nothing was changed', place
        USING ERRCODE = 'character_not_in_repertoire', HINT = 'Keep characters whole in each call, or use a bytea column.';
    WHEN 'encoding' THEN
      RAISE EXCEPTION 'text columns such as that of % need a database in UTF8', place USING ERRCODE = 'feature_not_supported';
    ELSE
      RAISE EXCEPTION 'an operation on % ended with the outcome "%"', place, outcome USING ERRCODE = 'internal_error';
  END CASE;
END $$;

-- Refuses a change of a row that was not there to be changed: why.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_change(otherwise text, owner regclass, column_name name, same text, key text[]) RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  seen integer;
BEGIN
  EXECUTE pg_catalog.concat('SELECT 1 FROM ', owner, ' AS o WHERE ', same) INTO seen USING owner, key;
  IF seen IS NULL THEN
    otherwise := 'row';
  ELSIF pg_catalog.row_security_active(owner) THEN
    EXECUTE pg_catalog.concat('SELECT 1 FROM ', owner, ' AS o WHERE ', same, ' FOR KEY SHARE') INTO seen USING owner, key;
    otherwise := CASE WHEN seen IS NULL THEN 'denied' ELSE otherwise END;
  END IF;
  PERFORM pgtoaster.refuse_blob(otherwise, owner, column_name, key);
END $$;

-- One without the last of its results cannot be replaced.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_proc f WHERE f.pronamespace = 'pgtoaster'::regnamespace AND f.proname = 'blob_store' AND 'modifies' = ANY (f.proargnames)) THEN
    DROP FUNCTION IF EXISTS pgtoaster.blob_store(integer, regclass);
  END IF;
END $$;

-- Where the tables and routines of a store of blobs are: what their names begin with; the leading key of a row o as the
-- first argument of these, if there is one; and where the table is distributed, what makes a SELECT of one of its rows a
-- modification for Citus, behind which the condition on the row and ") " follow. Else it takes the SELECT for a read, and
-- commits without noticing that the worker has gone.
CREATE OR REPLACE FUNCTION pgtoaster.blob_store(store integer, owner regclass, OUT prefix text, OUT lead text, OUT checksums boolean, OUT chunk_size integer,
  OUT modifies text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  s record;
BEGIN
  SELECT concat(quote_ident(CAST(n.nspname AS text)), '.store_', store, '_') AS prefix, CAST(o.options ->> 'crc32c' AS boolean) AS checksums, CAST(o.options ->> 'chunk_size' AS integer) AS chunk_size,
         o.options ->> 'distributed' = 'true' AS distributed, h.relrowsecurity AS follows, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = h.oid AND a.attname = 'leading_key') AS leads,
         -- The second number of pgtoaster.routine_mark.
         EXISTS (SELECT FROM pg_proc f WHERE f.pronamespace = h.relnamespace AND f.proname = CAST(concat('store_', store, '_write') AS name)
                 AND split_part(split_part(substr(f.prosrc, 1, 60), chr(10), 1), ' ', 3)
                     = CAST(hashtextextended(CAST(n.nspname AS text), 0) AS text)) AS whole INTO s
  FROM pgtoaster.store o JOIN pg_class h ON h.oid = o.head JOIN pg_namespace n ON n.oid = h.relnamespace WHERE o.id = store;
  IF s.whole IS NOT TRUE THEN
    RAISE EXCEPTION 'the routines of the store of % are not there, or name its tables where they were', owner USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('Its owner runs SELECT pgtoaster.mirror_privileges(%L).', owner);
  ELSIF NOT s.follows AND row_security_active(owner) THEN
    RAISE EXCEPTION 'row security was enabled on % after its column was attached, and the store does not follow it yet', owner
      USING ERRCODE = 'insufficient_privilege', HINT = format('Its owner runs SELECT pgtoaster.mirror_privileges(%L).', owner);
  END IF;
  prefix := s.prefix;
  checksums := s.checksums;
  chunk_size := s.chunk_size;
  lead := CASE WHEN s.leads THEN concat('o.', quote_ident(CAST(pgtoaster.leading_key_column(owner, store) AS text)), ', ') ELSE '' END;
  modifies := CASE WHEN s.distributed THEN concat(
    'WITH pgtoaster_modified AS (UPDATE ', prefix, 'head AS h SET sealed = h.sealed FROM ', owner, ' AS o WHERE h.id OPERATOR(pg_catalog.=) -1 AND ',
    CASE WHEN s.leads THEN concat('h.leading_key OPERATOR(pg_catalog.=) ', rtrim(lead, ', '), ' AND ') END) END;
END $$;

-- The toaster "appendable".

-- One change, by the routines of the store (16-append.sql, 16-write.sql): append, write, truncate or seal. An append that the
-- first does not take, whole chunks with checksums or many of them, is done by the second; so is what tells why not.
CREATE OR REPLACE FUNCTION pgtoaster.change_blob(store integer, owner regclass, column_name name, same text, key text[], op text, at bigint, data bytea,
  author uuid, number bigint, OUT outcome text, OUT place bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  handle CONSTANT text := pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text));
  crc CONSTANT integer := CASE WHEN s.checksums AND op OPERATOR(pg_catalog.=) 'append' AND pg_catalog.octet_length(data) OPERATOR(pg_catalog.<) s.chunk_size THEN pgtoaster.crc32c(data) END;
  part text := CASE WHEN op OPERATOR(pg_catalog.=) 'append' THEN 'append' ELSE 'write' END;
  x pg_catalog.record;
  r pg_catalog.record;
  rows integer;
BEGIN
  IF NOT pg_catalog.has_column_privilege(owner, CAST(column_name AS pg_catalog.text), CAST('UPDATE' AS pg_catalog.text)) THEN
    PERFORM pgtoaster.refuse_blob('update', owner, column_name, key);
  END IF;
  -- A row that has another blob by now, or none, is looked at again.
  FOR look IN 1 .. 10 LOOP
    EXECUTE pg_catalog.concat(
      s.modifies OPERATOR(pg_catalog.||) same OPERATOR(pg_catalog.||) ') ',
      'SELECT o.', handle, ' AS blob, ', s.prefix, CASE WHEN part OPERATOR(pg_catalog.=) 'write' THEN 'write' ELSE 'append' END,
      '(', s.lead, 'o.', handle, ', $1, $3, $4, $2, ',
      CASE WHEN part OPERATOR(pg_catalog.=) 'append' THEN '$5, $6, $7, $8, $9'
           -- Empty content of a row without: the routine for all cases changes what is there.
           WHEN part OPERATOR(pg_catalog.=) 'create' THEN 'CAST('''' AS pg_catalog.bytea), CAST(NULL AS integer), $7, CAST(NULL AS uuid), CAST(NULL AS bigint)'
           ELSE '$10, $7, $5, $8, $9' END, ') AS r FROM ', owner, ' AS o WHERE ', same)
      INTO x USING CAST(owner AS pg_catalog.text), key, handle, same, data, crc, at, author, number, op;
    GET DIAGNOSTICS rows = ROW_COUNT;
    IF rows OPERATOR(pg_catalog.=) 0 THEN
      PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
    END IF;
    r := x.r;
    outcome := r.outcome;
    place := r.place;
    EXIT WHEN part OPERATOR(pg_catalog.<>) 'create' AND outcome OPERATOR(pg_catalog.<>) 'other' AND NOT (op OPERATOR(pg_catalog.=) 'append' AND outcome OPERATOR(pg_catalog.=) 'null');
    part := CASE WHEN op OPERATOR(pg_catalog.<>) 'append' OR part OPERATOR(pg_catalog.=) 'create' AND outcome OPERATOR(pg_catalog.=) 'applied' THEN 'write'
                 WHEN part OPERATOR(pg_catalog.<>) 'append' THEN 'append'
                 WHEN x.blob IS NULL THEN 'create' ELSE 'write' END;
  END LOOP;
  IF outcome OPERATOR(pg_catalog.=) 'other' THEN
    PERFORM pgtoaster.refuse_change(CASE WHEN x.blob IS NULL THEN 'suppressed' ELSE 'damaged' END, owner, column_name, same, key);
  ELSIF outcome OPERATOR(pg_catalog.<>) ALL (ARRAY['applied', 'already', 'conflict']) THEN
    PERFORM pgtoaster.refuse_blob(outcome, owner, column_name, key, coalesce(at, place), place);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.append_blob(store integer, owner regclass, column_name name, same text, key text[], data bytea, expected bigint,
  author uuid, number bigint, OUT "offset" bigint, OUT length bigint, OUT outcome text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  r CONSTANT pg_catalog.record := pgtoaster.change_blob(store, owner, column_name, same, key, 'append', expected, data, author, number);
BEGIN
  "offset" := r.place;
  length := CASE WHEN r.outcome OPERATOR(pg_catalog.=) 'conflict' THEN 0 ELSE pg_catalog.octet_length(data) END;
  outcome := CASE WHEN r.outcome OPERATOR(pg_catalog.=) 'already' THEN 'already applied' ELSE r.outcome END;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.write_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint, data bytea) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'write', at, data, NULL, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.truncate_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'truncate', at, NULL, NULL, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.seal_blob(store integer, owner regclass, column_name name, same text, key text[]) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'seal', NULL, NULL, NULL, NULL); END $$;

-- What the routine of the store says of a range.
CREATE OR REPLACE FUNCTION pgtoaster.range_of_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint, count integer,
  OUT place bigint, OUT bytes bytea)
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  x pg_catalog.record;
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, ', s.prefix, 'range(', s.lead, 'o.', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ', $1, $3) AS r FROM ', owner,
                            ' AS o WHERE ', same) INTO x USING at, key, count;
  IF x.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  END IF;
  r := x.r;
  IF r.outcome OPERATOR(pg_catalog.<>) ALL (ARRAY['applied', 'null']) THEN
    PERFORM pgtoaster.refuse_blob(r.outcome, owner, column_name, key, at, r.place);
  END IF;
  place := r.place;
  bytes := r.bytes;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.read_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$ BEGIN RETURN (pgtoaster.range_of_blob(store, owner, column_name, same, key, at, count)).bytes; END $$;

CREATE OR REPLACE FUNCTION pgtoaster.length_of_blob(store integer, owner regclass, column_name name, same text, key text[]) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$ BEGIN RETURN (pgtoaster.range_of_blob(store, owner, column_name, same, key, 0, 0)).place; END $$;

-- The toaster "default": the value of the column is the content; of a text its UTF-8.

-- The column, and its bytes; refuses one that no blob can be in.
CREATE OR REPLACE FUNCTION pgtoaster.plain_column(owner regclass, column_name name, key text[], OUT name text, OUT bytes text, OUT is_text boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type oid := (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = column_name);
BEGIN
  is_text := type = CAST('text' AS regtype);
  name := 'o.' || quote_ident(CAST(column_name AS text));
  bytes := CASE WHEN is_text THEN 'pg_catalog.convert_to(' || name || ', ''UTF8'')' ELSE name END;
  IF NOT is_text AND type <> CAST('bytea' AS regtype) THEN
    RAISE EXCEPTION 'column "%" of % has type %, and is no blob', column_name, owner, CAST(type AS regtype) USING ERRCODE = 'feature_not_supported';
  ELSIF is_text AND getdatabaseencoding() <> 'UTF8' THEN
    -- The lengths that the server tells would be those of its own encoding.
    PERFORM pgtoaster.refuse_blob('encoding', owner, column_name, key);
  END IF;
END $$;

-- Bytes as a text; NULL if they are none. The server's own error would show them.
CREATE OR REPLACE FUNCTION pgtoaster.text_of(bytes bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.append_plain(store integer, owner regclass, column_name name, same text, key text[], data bytea, expected bigint,
  author uuid, number bigint, OUT "offset" bigint, OUT length bigint, OUT outcome text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  -- A value is at most 1 GB less one byte, less its header.
  most CONSTANT bigint := 1073741819 OPERATOR(pg_catalog.-) pg_catalog.octet_length(data);
  added CONSTANT text := CASE WHEN c.is_text THEN pgtoaster.text_of(data) END;
  size CONSTANT text := pg_catalog.concat('coalesce(pg_catalog.octet_length(', c.name, '), 0)');
BEGIN
  IF author IS NOT NULL THEN
    PERFORM pgtoaster.refuse_blob('tokens', owner, column_name, key);
  ELSIF c.is_text AND added IS NULL THEN
    PERFORM pgtoaster.refuse_blob('text', owner, column_name, key);
  END IF;
  length := pg_catalog.octet_length(data);
  FOR look IN 1 .. 5 LOOP
    EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ' = coalesce(', c.name, ', '''') OPERATOR(pg_catalog.||) ',
                              CASE WHEN c.is_text THEN '$3' ELSE '$1' END, ' WHERE ', same, ' AND ', size, ' OPERATOR(pg_catalog.<=) $4 AND ($5 IS NULL OR ', size,
                              ' OPERATOR(pg_catalog.=) $5) RETURNING ', size)
      INTO "offset" USING data, key, added, most, expected;
    IF "offset" IS NOT NULL THEN
      "offset" := "offset" OPERATOR(pg_catalog.-) length;
      outcome := 'applied';
      RETURN;
    END IF;
    -- Why not? It may have changed meanwhile.
    EXECUTE pg_catalog.concat('SELECT ', size, ' FROM ', owner, ' AS o WHERE ', same, ' FOR NO KEY UPDATE') INTO "offset" USING owner, key;
    IF "offset" IS NULL THEN
      PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
    ELSIF "offset" OPERATOR(pg_catalog.<>) expected THEN
      length := 0;
      outcome := 'conflict';
      RETURN;
    ELSIF "offset" OPERATOR(pg_catalog.>) most THEN
      PERFORM pgtoaster.refuse_blob('large', owner, column_name, key);
    END IF;
  END LOOP;
  PERFORM pgtoaster.refuse_blob('suppressed', owner, column_name, key);
END $$;

-- Writes data at an offset, or, if it is NULL, cuts there.
CREATE OR REPLACE FUNCTION pgtoaster.write_plain(store integer, owner regclass, column_name name, same text, key text[], at bigint, data bytea) RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  seen boolean;
  bytes pg_catalog.bytea;
  rows integer;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true, ', c.bytes, ' FROM ', owner, ' AS o WHERE ', same, ' FOR NO KEY UPDATE') INTO seen, bytes USING owner, key;
  IF seen IS NULL THEN
    PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
  ELSIF bytes IS NULL THEN
    PERFORM pgtoaster.refuse_blob('null', owner, column_name, key);
  ELSIF at OPERATOR(pg_catalog.>) pg_catalog.octet_length(bytes) THEN
    PERFORM pgtoaster.refuse_blob('offset', owner, column_name, key, at, pg_catalog.octet_length(bytes));
  ELSIF at OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(data), 0) OPERATOR(pg_catalog.>) 1073741819 THEN
    PERFORM pgtoaster.refuse_blob('large', owner, column_name, key);
  END IF;
  bytes := CASE WHEN data IS NULL THEN pg_catalog.substr(bytes, 1, CAST(at AS integer)) ELSE pg_catalog.overlay(bytes, data, CAST(at AS integer) OPERATOR(pg_catalog.+) 1) END;
  IF c.is_text AND (pgtoaster.text_of(bytes) IS NULL OR data IS NOT NULL AND pgtoaster.text_of(data) IS NULL) THEN
    PERFORM pgtoaster.refuse_blob('text', owner, column_name, key);
  END IF;
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ' = ',
                            CASE WHEN c.is_text THEN 'pg_catalog.convert_from($1, ''UTF8'')' ELSE '$1' END, ' WHERE ', same) USING bytes, key;
  GET DIAGNOSTICS rows = ROW_COUNT;
  IF rows OPERATOR(pg_catalog.<>) 1 THEN
    PERFORM pgtoaster.refuse_blob('suppressed', owner, column_name, key);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.truncate_plain(store integer, owner regclass, column_name name, same text, key text[], at bigint) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.write_plain(store, owner, column_name, same, key, at, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.read_plain(store integer, owner regclass, column_name name, same text, key text[], at bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, pg_catalog.octet_length(', c.name, ') AS length, pg_catalog.substr(', c.bytes, ', $1, $3) AS bytes FROM ', owner, ' AS o WHERE ', same)
    INTO r USING CAST(least(at, 1073741819) AS integer) OPERATOR(pg_catalog.+) 1, key, count;
  IF r.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  ELSIF at OPERATOR(pg_catalog.>) r.length THEN
    PERFORM pgtoaster.refuse_blob('offset', owner, column_name, key, at, r.length);
  END IF;
  RETURN r.bytes;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.length_of_plain(store integer, owner regclass, column_name name, same text, key text[]) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, pg_catalog.octet_length(', c.name, ') AS length FROM ', owner, ' AS o WHERE ', same) INTO r USING owner, key;
  IF r.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  END IF;
  RETURN r.length;
END $$;

-- The functions to call, each for keys of any type, for texts, which literals and what drivers send are, and for "char", which becomes
-- a text as well as it is of any type:
--   blob_append: appends; creates the content of a NULL column. outcome is applied, already applied (the token, writer and
--     sequence, was used before for as many bytes), or conflict (the content has not the expected length, but offset)
--   blob_read: up to so many bytes from an offset on, which counts from 0; NULL if the column is
--   blob_length: in bytes; NULL if the column is
--   blob_write: overwrites, and appends what reaches beyond the end; blob_truncate: cuts; blob_seal: makes final. All are true.
DO $do$
DECLARE
  kind text[];
  f text;
BEGIN
  FOREACH kind SLICE 1 IN ARRAY ARRAY[['anyelement', 'pgtoaster.key_texts(key), CAST(key AS pg_catalog.text)'], ['text', 'ARRAY[key], key'],
                                              ['"char"', 'ARRAY[CAST(key AS pg_catalog.text)], CAST(key AS pg_catalog.text)']] LOOP
    FOREACH f IN ARRAY ARRAY[
      $f$blob_append(tbl regclass, col name, key {type}, data bytea, expected_offset bigint DEFAULT NULL, writer uuid DEFAULT NULL, sequence bigint DEFAULT NULL,
          OUT "offset" bigint, OUT length bigint, OUT outcome text) LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          IF data IS NULL THEN
            RAISE EXCEPTION 'the data cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          ELSIF writer IS NULL AND sequence IS NOT NULL OR sequence IS NULL AND writer IS NOT NULL THEN
            RAISE EXCEPTION 'a token is a writer and a sequence, and one of them is NULL' USING ERRCODE = 'invalid_parameter_value';
          ELSIF least(expected_offset, sequence) < 0 THEN
            RAISE EXCEPTION 'the expected offset and a sequence cannot be negative: %', least(expected_offset, sequence) USING ERRCODE = 'invalid_parameter_value';
          END IF;
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_append');
          EXECUTE pg_catalog.concat('SELECT * FROM ', c.routine, '($1, $2, $3, $4, $5, $6, $7, $8, $9)')
            INTO "offset", length, outcome USING c.store, tbl, col, c.same, c.key, data, expected_offset, writer, sequence;
        END $$$f$,
      $f$blob_read(tbl regclass, col name, key {type}, "offset" bigint, length integer) RETURNS bytea LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
        DECLARE
          c pg_catalog.record;
          bytes pg_catalog.bytea;
        BEGIN
          IF "offset" IS NULL OR length IS NULL THEN
            RAISE EXCEPTION 'the offset and the length cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          ELSIF least("offset", length) < 0 THEN
            RAISE EXCEPTION 'the offset and the length cannot be negative: %', least("offset", length) USING ERRCODE = 'invalid_parameter_value';
          END IF;
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_read');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6, $7)') INTO bytes USING c.store, tbl, col, c.same, c.key, "offset", length;
          RETURN bytes;
        END $$$f$,
      $f$blob_length(tbl regclass, col name, key {type}) RETURNS bigint LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
        DECLARE
          c CONSTANT pg_catalog.record := pgtoaster.blob_call(tbl, col, {texts}, 'blob_length');
          bytes bigint;
        BEGIN
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5)') INTO bytes USING c.store, tbl, col, c.same, c.key;
          RETURN bytes;
        END $$$f$,
      $f$blob_write(tbl regclass, col name, key {type}, "offset" bigint, data bytea) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          IF "offset" IS NULL OR data IS NULL THEN
            RAISE EXCEPTION 'the offset and the data cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          ELSIF "offset" < 0 THEN
            RAISE EXCEPTION 'the offset cannot be negative: %', "offset" USING ERRCODE = 'invalid_parameter_value';
          END IF;
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_write');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6, $7)') USING c.store, tbl, col, c.same, c.key, "offset", data;
          RETURN true;
        END $$$f$,
      $f$blob_truncate(tbl regclass, col name, key {type}, length bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          IF length IS NULL THEN
            RAISE EXCEPTION 'the length cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          ELSIF length < 0 THEN
            RAISE EXCEPTION 'the length cannot be negative: %', length USING ERRCODE = 'invalid_parameter_value';
          END IF;
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_truncate');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6)') USING c.store, tbl, col, c.same, c.key, length;
          RETURN true;
        END $$$f$,
      $f$blob_seal(tbl regclass, col name, key {type}) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
          c CONSTANT pg_catalog.record := pgtoaster.blob_call(tbl, col, {texts}, 'blob_seal');
        BEGIN
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5)') USING c.store, tbl, col, c.same, c.key;
          RETURN true;
        END $$$f$] LOOP
      EXECUTE 'CREATE OR REPLACE FUNCTION pgtoaster.' || replace(replace(f, '{type}', kind[1]), '{texts}', kind[2]);
    END LOOP;
  END LOOP;
END $do$;
-- Views of a table that show documents whole, by pgtoaster.expand(column) AS column, and the content of blobs, by
-- pgtoaster.bytes(column) AS column, beside other columns under their own names. An INSTEAD OF trigger of pgtoaster.write_view()
-- makes them writable: of a document it edits what differs, and what is added behind the content of a blob is appended.

-- The columns of the key of a store's rows, and what is equal there.
CREATE OR REPLACE FUNCTION pgtoaster.key_columns(store integer) RETURNS TABLE (name name, operator oid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname, o.amopopr
  FROM pgtoaster.store s JOIN pg_index i ON i.indrelid = s.owner CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY k(attnum, class, n)
  JOIN pg_attribute a ON a.attrelid = s.owner AND a.attnum = k.attnum JOIN pg_opclass c ON c.oid = k.class
  JOIN pg_amop o ON o.amopfamily = c.opcfamily AND o.amoplefttype = c.opcintype AND o.amoprighttype = c.opcintype AND o.amopstrategy = 3
  WHERE s.id = key_columns.store AND k.n <= i.indnkeyatts
    AND CASE WHEN s.key_index IS NULL THEN i.indisprimary ELSE (SELECT c.relname FROM pg_class c WHERE c.oid = i.indexrelid) = s.key_index END
  ORDER BY k.n
$$;

-- The key of a row as texts that give it back, whatever the session has set.
CREATE OR REPLACE FUNCTION pgtoaster.key_of(store integer, shown anyelement) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET extra_float_digits = 1 SET datestyle = 'ISO' SET intervalstyle = 'postgres'
AS $$
DECLARE
  key text[];
BEGIN
  EXECUTE format('SELECT ARRAY[%s]', (SELECT string_agg(format('CAST(($1).%I AS text)', k.name), ', ') FROM pgtoaster.key_columns(store) k)) INTO key USING shown;
  RETURN key;
END $$;

-- The views of a table that write_view makes writable.
CREATE OR REPLACE FUNCTION pgtoaster.views_of(tbl regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT DISTINCT w.ev_class::regclass
  FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
  WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = views_of.tbl AND w.ev_class <> views_of.tbl
    AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = w.ev_class AND t.tgfoid = to_regprocedure('pgtoaster.write_view()'))
$$;

-- The table of such a view as FROM names it, and what the view's columns are: documents, content of blobs, all others that an INSERT or
-- UPDATE can name, and generated ones; the condition that picks a row o by its key in $2, a row of the view; and all columns, of
-- the row o as the view shows them and of $1, to be compared.
CREATE OR REPLACE FUNCTION pgtoaster.view_columns(view regclass, OUT tbl regclass, OUT relation text, OUT documents name[], OUT blobs name[],
  OUT others name[], OUT generated name[], OUT same text, OUT in_row text, OUT in_view text, OUT made text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  tables regclass[];
  strange name;
  keys name[];
BEGIN
  SELECT array_agg(DISTINCT d.refobjid::regclass) INTO tables
  FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
  WHERE w.ev_class = view AND d.refobjid <> view;
  tbl := tables[1];
  IF cardinality(tables) <> 1 OR NOT EXISTS (SELECT FROM pgtoaster.store s WHERE s.owner = tbl) THEN
    RAISE EXCEPTION 'view % is not one of a single table with attached columns', view USING ERRCODE = 'wrong_object_type',
      HINT = 'SELECT pgtoaster.create_view(table) makes one that can be written.';
  END IF;
  relation := (SELECT CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END FROM pg_class c WHERE c.oid = tbl) || tbl;
  SELECT coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE a.toaster = 'keyed'), '{}'),
         coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE a.toaster <> 'keyed' AND v.atttypid = 'bytea'::regtype AND t.atttypid <> v.atttypid), '{}'),
         coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE t.attgenerated <> ''), '{}'),
         min(v.attname::text) FILTER (WHERE t.attname IS NULL)
    INTO documents, blobs, generated, strange
  FROM pg_attribute v
  LEFT JOIN pg_attribute t ON t.attrelid = tbl AND t.attname = v.attname AND t.attnum > 0 AND NOT t.attisdropped
  LEFT JOIN pgtoaster.attached_column a ON a.owner = tbl AND a.column_name = v.attname
  WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped;
  others := ARRAY(SELECT v.attname FROM pg_attribute v WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped
                  AND v.attname <> ALL (documents || blobs || generated) ORDER BY v.attnum);
  IF strange IS NOT NULL THEN
    RAISE EXCEPTION 'column "%" of view % is none of %', strange, view, tbl USING ERRCODE = 'undefined_column',
      HINT = 'A view that is written has columns of its table alone, under their own names.';
  END IF;
  -- The operators are those of the index: others of their names may be on the path.
  SELECT array_agg(a.attname), string_agg(format('o.%I OPERATOR(%I.%s) ($2).%I', a.attname, n.nspname, p.oprname, a.attname), ' AND ') INTO keys, same
  FROM pgtoaster.key_columns((SELECT s.id FROM pgtoaster.store s WHERE s.owner = tbl ORDER BY s.key_index IS NOT NULL, s.id LIMIT 1)) k(name, operator)
  JOIN pg_attribute a ON a.attrelid = tbl AND a.attname = k.name JOIN pg_operator p ON p.oid = k.operator JOIN pg_namespace n ON n.oid = p.oprnamespace;
  IF keys IS NULL OR NOT keys <@ (others || generated) THEN
    RAISE EXCEPTION 'view % has not all columns of the key of %', view, tbl USING ERRCODE = 'undefined_column';
  END IF;
  SELECT string_agg(CASE WHEN v.attname = ANY (documents) THEN format('pgtoaster.expand(o.%I)', v.attname)
                         WHEN v.attname = ANY (blobs) THEN format('pgtoaster.bytes(o.%I)', v.attname) ELSE format('o.%I', v.attname) END, ', ' ORDER BY v.attnum),
         string_agg(format('($1).%I', v.attname), ', ' ORDER BY v.attnum),
         -- What the table has made of the row, as a row of the view.
         format('CAST(ROW(%s) AS %I.%I) AS made', string_agg(CASE WHEN v.attname = ANY (documents || blobs) THEN format('($1).%I', v.attname)
                                                                 ELSE format('o.%I', v.attname) END, ', ' ORDER BY v.attnum), min(n.nspname), min(c.relname))
    INTO in_row, in_view, made
  FROM pg_attribute v JOIN pg_class c ON c.oid = v.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped;
END $$;

-- What makes one document of another, in order: set, insert, append or remove at a path, the paths as they are then.
CREATE OR REPLACE FUNCTION pgtoaster.differences(was jsonb, becomes jsonb, place text[] DEFAULT '{}', OUT op text, OUT path text[], OUT value jsonb)
RETURNS SETOF record
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  kind text := jsonb_typeof(becomes);
  before integer;
  behind integer;
  old_length integer;
  new_length integer;
  m record;
BEGIN
  IF record_image_eq(ROW(was), ROW(becomes)) THEN
    RETURN;
  ELSIF kind <> jsonb_typeof(was) OR kind NOT IN ('object', 'array') THEN
    op := 'set';
    path := place;
    value := becomes;
    RETURN NEXT;
    RETURN;
  ELSIF kind = 'object' THEN
    FOR m IN SELECT key, o.value AS old, n.value AS new FROM jsonb_each(was) o FULL JOIN jsonb_each(becomes) n USING (key)
             WHERE record_image_ne(ROW(o.value), ROW(n.value)) LOOP
      IF m.new IS NULL OR m.old IS NULL THEN
        op := CASE WHEN m.new IS NULL THEN 'remove' ELSE 'set' END;
        path := place || m.key;
        value := m.new;
        RETURN NEXT;
      ELSE
        RETURN QUERY SELECT * FROM pgtoaster.differences(m.old, m.new, place || m.key);
      END IF;
    END LOOP;
    RETURN;
  END IF;
  -- Elements that both begin and end with stay; of those between them as many as both have are changed.
  old_length := jsonb_array_length(was);
  new_length := jsonb_array_length(becomes);
  SELECT coalesce(min(o.n) FILTER (WHERE record_image_ne(ROW(o.value), ROW(n.value))) - 1, least(old_length, new_length)) INTO before
  FROM jsonb_array_elements(was) WITH ORDINALITY o(value, n) JOIN jsonb_array_elements(becomes) WITH ORDINALITY n(value, n) USING (n);
  SELECT coalesce(min(o.n) FILTER (WHERE record_image_ne(ROW(o.value), ROW(n.value))) - 1, least(old_length, new_length)) INTO behind
  FROM (SELECT e.value, old_length + 1 - e.n AS n FROM jsonb_array_elements(was) WITH ORDINALITY e(value, n)) o
  JOIN (SELECT e.value, new_length + 1 - e.n AS n FROM jsonb_array_elements(becomes) WITH ORDINALITY e(value, n)) n USING (n);
  behind := least(behind, least(old_length, new_length) - before);
  FOR i IN before .. least(old_length, new_length) - behind - 1 LOOP
    CONTINUE WHEN record_image_eq(ROW(was -> i), ROW(becomes -> i));
    RETURN QUERY SELECT * FROM pgtoaster.differences(was -> i, becomes -> i, place || i::text);
  END LOOP;
  value := NULL;
  op := 'remove';
  FOR i IN REVERSE old_length - behind - 1 .. new_length - behind LOOP
    path := place || i::text;
    RETURN NEXT;
  END LOOP;
  IF new_length > old_length AND behind = 0 THEN
    op := 'append';
    path := place;
    value := jsonb_path_query_array(becomes, '$[$from to last]', jsonb_build_object('from', old_length));
    RETURN NEXT;
  ELSE
    op := 'insert';
    FOR i IN old_length - behind .. new_length - behind - 1 LOOP
      path := place || i::text;
      value := becomes -> i;
      RETURN NEXT;
    END LOOP;
  END IF;
END $$;

-- What an UPDATE of a split document's row is to write, so that it becomes another: the stub with edits, or a plain document
-- where they are many. NULL if it is not, or no longer, what was read. Keeps other writers of it away.
CREATE OR REPLACE FUNCTION pgtoaster.edited_stub(stub jsonb, was jsonb, becomes jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head CONSTANT text := pgtoaster.store_table((pgtoaster.document_id(stub) >> 40)::integer, 'head');
  edits CONSTANT integer := 200;
  e record;
  n integer := 0;
BEGIN
  EXECUTE format('SELECT FROM %s h WHERE h.id = $1 FOR UPDATE', head) USING pgtoaster.document_id(stub);
  IF record_image_ne(ROW(pgtoaster.expand(stub)), ROW(was)) THEN
    RETURN NULL;
  END IF;
  FOR e IN SELECT * FROM pgtoaster.differences(was, becomes) LOOP
    n := n + 1;
    IF n > edits OR e.path = '{}' THEN
      RETURN becomes;
    END IF;
    stub := CASE e.op WHEN 'set' THEN pgtoaster.set(stub, e.path, e.value)
                      WHEN 'insert' THEN pgtoaster.insert(stub, e.path, e.value)
                      WHEN 'append' THEN pgtoaster.append(stub, e.path, e.value)
                      ELSE pgtoaster.remove(stub, e.path) END;
  END LOOP;
  RETURN stub;
END $$;

-- How many bytes two values have in common from the beginning.
CREATE OR REPLACE FUNCTION pgtoaster.common_bytes(a bytea, b bytea) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  same integer := 0;
  other integer := least(length(a), length(b)) + 1;
  middle integer;
BEGIN
  -- The rest behind what is known to be the same is compared by halves.
  WHILE other - same > 1 LOOP
    middle := (same + other) / 2;
    IF substring(a FROM same + 1 FOR middle - same) = substring(b FROM same + 1 FOR middle - same) THEN
      same := middle;
    ELSE
      other := middle;
    END IF;
  END LOOP;
  RETURN same;
END $$;

-- Refuses to write a row that is not what the view has shown. again: it was changed by the transaction itself, since the statement began.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_stale(tbl regclass, again boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF again THEN
    RAISE EXCEPTION 'a row of % was changed already by this statement; nothing was changed', tbl USING ERRCODE = 'cardinality_violation',
      HINT = 'Ensure that no row is met twice.';
  END IF;
  RAISE EXCEPTION 'a row of % has changed since it was read; nothing was changed', tbl
    USING ERRCODE = 'serialization_failure', HINT = 'Run the transaction again.';
END $$;

-- The trigger. With the rights of whoever writes; what the statements name is qualified, for the path is his. Of a row that has
-- changed since it was read, in whatever column, nothing is written (40001).
CREATE OR REPLACE FUNCTION pgtoaster.write_view() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  v CONSTANT pg_catalog.record := pgtoaster.view_columns(TG_RELID);
  differs boolean;
  again boolean;
  place pg_catalog.tid;
  result pg_catalog.record;
  sets pg_catalog.text[] := '{}';
  stubs pg_catalog.jsonb[];
  old_document pg_catalog.jsonb;
  new_document pg_catalog.jsonb;
  was pg_catalog.bytea;
  becomes pg_catalog.bytea;
  col pg_catalog.name;
  row_key pg_catalog.text[];
  kept integer;
  written bigint;
BEGIN
  -- Who may delete alone may not lock.
  IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' OR TG_OP OPERATOR(pg_catalog.=) 'DELETE' AND pg_catalog.has_any_column_privilege(v.tbl, 'UPDATE') THEN
    EXECUTE pg_catalog.format('/* pgtoaster */ SELECT true FROM %s AS o WHERE %s FOR NO KEY UPDATE', v.relation, v.same) INTO differs USING NULL, OLD;
    IF differs IS NULL AND TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
      RETURN NULL;
    END IF;
  END IF;
  IF TG_OP OPERATOR(pg_catalog.<>) 'INSERT' THEN
    -- In a statement of its own, which sees what was committed while it was waited for the row.
    EXECUTE pg_catalog.format('/* pgtoaster */ SELECT pg_catalog.record_image_ne(ROW(%s), ROW(%s)), CAST(ARRAY[%s] AS pg_catalog.jsonb[]), o.ctid, '
                              'CAST(o.xmin AS pg_catalog.text) OPERATOR(pg_catalog.=) CAST(CAST(pg_catalog.pg_current_xact_id_if_assigned() AS pg_catalog.xid) AS pg_catalog.text) FROM %s AS o WHERE %s',
                              v.in_row, v.in_view, (SELECT pg_catalog.string_agg(pg_catalog.concat('o.', pg_catalog.quote_ident(c)), ', ') FROM pg_catalog.unnest(v.documents) c),
                              v.relation, v.same) INTO differs, stubs, place, again USING OLD, OLD;
    IF differs THEN
      FOR i IN 1 .. pg_catalog.cardinality(v.documents) LOOP
        EXECUTE pg_catalog.format('SELECT ($1).%I', v.documents[i]) INTO old_document USING OLD;
        IF pgtoaster.document_id(stubs[i]) IS NOT NULL AND pg_catalog.record_image_eq(ROW(stubs[i]), ROW(old_document)) THEN
          RAISE EXCEPTION 'view % does not show the documents of column "%" whole', CAST(TG_RELID AS pg_catalog.regclass), v.documents[i]
            USING ERRCODE = 'object_not_in_prerequisite_state', HINT = pg_catalog.format('SELECT pgtoaster.create_view(%L, %L) makes it anew.', v.tbl, CAST(TG_RELID AS pg_catalog.regclass));
        END IF;
      END LOOP;
      PERFORM pgtoaster.refuse_stale(v.tbl, again);
    END IF;
  END IF;
  IF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
    EXECUTE pg_catalog.format('/* pgtoaster */ DELETE FROM %s AS o WHERE %s AND o.ctid OPERATOR(pg_catalog.=) $1', v.relation, v.same) USING place, OLD;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written OPERATOR(pg_catalog.>) 0 THEN
      RETURN OLD;
    END IF;
    -- It is gone, a trigger keeps it, or it has changed.
    EXECUTE pg_catalog.format('SELECT o.ctid OPERATOR(pg_catalog.<>) $1 FROM %s AS o WHERE %s', v.relation, v.same) INTO differs USING place, OLD;
    IF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl);
    END IF;
    RETURN NULL;
  END IF;
  FOREACH col IN ARRAY v.generated LOOP
    IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
      EXECUTE pg_catalog.format('SELECT ($1).%I IS NOT NULL', col) INTO differs USING NEW;
    ELSE
      EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(($1).%1$I), ROW(($2).%1$I))', col) INTO differs USING OLD, NEW;
    END IF;
    IF differs THEN
      RAISE EXCEPTION 'column "%" of % is generated, and takes no value', col, v.tbl USING ERRCODE = 'generated_always';
    END IF;
  END LOOP;
  IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
    FOREACH col IN ARRAY v.others OPERATOR(pg_catalog.||) v.documents LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%I IS NULL', col) INTO differs USING NEW;
      -- An identity column numbers the row where it is not given.
      CONTINUE WHEN differs AND EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid OPERATOR(pg_catalog.=) v.tbl AND a.attname OPERATOR(pg_catalog.=) col
                                        AND a.attidentity OPERATOR(pg_catalog.<>) '');
      sets := sets OPERATOR(pg_catalog.||) pg_catalog.quote_ident(col);
    END LOOP;
    EXECUTE pg_catalog.concat('INSERT INTO ', v.tbl, ' AS o ', CASE WHEN sets OPERATOR(pg_catalog.=) '{}' THEN 'DEFAULT VALUES' ELSE pg_catalog.format('(%s) SELECT %s',
                              pg_catalog.array_to_string(sets, ', '), (SELECT pg_catalog.string_agg(pg_catalog.concat('($1).', s), ', ') FROM pg_catalog.unnest(sets) s)) END,
                              ' RETURNING ', v.made) INTO result USING NEW;
  ELSE
    FOREACH col IN ARRAY v.others LOOP
      EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(($1).%1$I), ROW(($2).%1$I))', col) INTO differs USING OLD, NEW;
      IF differs THEN
        sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%1$I = ($1).%1$I', col);
      END IF;
    END LOOP;
    FOR i IN 1 .. pg_catalog.cardinality(v.documents) LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%1$I, ($2).%1$I', v.documents[i]) INTO old_document, new_document USING OLD, NEW;
      CONTINUE WHEN pg_catalog.record_image_eq(ROW(old_document), ROW(new_document));
      IF new_document OPERATOR(pg_catalog.?) '$pgtoaster' AND pg_catalog.jsonb_typeof(new_document) OPERATOR(pg_catalog.=) 'object'
         AND (old_document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.=) (new_document OPERATOR(pg_catalog.->) '$pgtoaster')) IS NOT TRUE THEN
        RAISE EXCEPTION 'the document for column "%" of % is refused: its root key "$pgtoaster" is reserved for documents that pgtoaster has split', v.documents[i], v.tbl
          USING ERRCODE = 'check_violation', HINT = 'Copy whole documents: pgtoaster.expand(...), or the column of a view.';
      END IF;
      IF new_document IS NOT NULL AND pgtoaster.document_id(stubs[i]) IS NOT NULL THEN
        stubs[i] := pgtoaster.edited_stub(stubs[i], old_document, new_document);
        IF stubs[i] IS NULL THEN
          PERFORM pgtoaster.refuse_stale(v.tbl);
        END IF;
      ELSE
        stubs[i] := new_document;
      END IF;
      sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%I = ($3)[%s]', v.documents[i], i);
    END LOOP;
    FOREACH col IN ARRAY v.blobs LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%1$I IS NOT NULL AND ($2).%1$I IS NULL', col) INTO differs USING OLD, NEW;
      IF differs THEN
        sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%I = NULL', col);
      END IF;
    END LOOP;
    IF sets OPERATOR(pg_catalog.=) '{}' THEN
      -- The triggers of the table are for each UPDATE: one of a column that may be named, and has none of ours that looks at all.
      SELECT ARRAY[pg_catalog.format('%1$I = o.%1$I', a.attname)] INTO sets FROM pg_catalog.pg_attribute a
      WHERE a.attrelid OPERATOR(pg_catalog.=) v.tbl AND a.attname OPERATOR(pg_catalog.=) ANY (v.others OPERATOR(pg_catalog.||) v.blobs) AND a.attidentity OPERATOR(pg_catalog.<>) 'a'
      ORDER BY a.attname OPERATOR(pg_catalog.=) ANY (v.blobs), a.attnum LIMIT 1;
      IF sets IS NULL THEN
        RETURN NEW;
      END IF;
    END IF;
    EXECUTE pg_catalog.format('/* pgtoaster */ UPDATE %s AS o SET %s WHERE %s RETURNING %s', v.relation, pg_catalog.array_to_string(sets, ', '), v.same, v.made)
      INTO result USING NEW, OLD, stubs;
  END IF;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written OPERATOR(pg_catalog.=) 0 THEN
    RETURN NULL;
  END IF;
  NEW := result.made;
  FOREACH col IN ARRAY v.blobs LOOP
    EXECUTE pg_catalog.format('SELECT ($1).%I', col) INTO becomes USING NEW;
    was := NULL;
    IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
      EXECUTE pg_catalog.format('SELECT ($1).%I', col) INTO was USING OLD;
    END IF;
    CONTINUE WHEN becomes IS NULL OR was OPERATOR(pg_catalog.=) becomes;
    row_key := pgtoaster.key_of((SELECT a.store FROM pgtoaster.attached_column a WHERE a.owner OPERATOR(pg_catalog.=) v.tbl AND a.column_name OPERATOR(pg_catalog.=) col), NEW);
    kept := coalesce(pgtoaster.common_bytes(was, becomes), 0);
    -- An append of nothing tells whether the content still has the length that was read, and keeps it so.
    SELECT a.outcome OPERATOR(pg_catalog.=) 'conflict' INTO differs
    FROM pgtoaster.blob_append(v.tbl, col, row_key, CASE WHEN kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN ''
                                                         ELSE pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1) END,
                               CAST(coalesce(pg_catalog.length(was), 0) AS bigint)) a;
    IF NOT differs AND kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN
      differs := pgtoaster.blob_read(v.tbl, col, row_key, 0, pg_catalog.length(was)) OPERATOR(pg_catalog.<>) was;
      IF NOT differs THEN
        PERFORM pgtoaster.blob_truncate(v.tbl, col, row_key, kept);
        PERFORM pgtoaster.blob_append(v.tbl, col, row_key, pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1));
      END IF;
    END IF;
    IF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl);
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

-- Makes, or makes anew, the view of a table that shows all its documents and blobs whole, in the schema of the table under the name
-- table_view, or by another name, qualified or not. It has the owner, the columns, their defaults and the grants of the table, and
-- whoever uses it needs the rights to the table, whose row security holds.
CREATE OR REPLACE FUNCTION pgtoaster.create_view(tbl regclass, name text DEFAULT NULL) RETURNS regclass
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  t record;
  names text[] := parse_ident(name);
  view text;
  definition text;
  a record;
BEGIN
  SELECT c.relname, c.relkind, c.relacl, n.nspname, pg_get_userbyid(c.relowner) AS owner INTO t FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = tbl;
  IF tbl IS NULL THEN
    RAISE EXCEPTION 'the table cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT EXISTS (SELECT FROM pgtoaster.store s WHERE s.owner = tbl) THEN
    RAISE EXCEPTION 'no column of % is attached', tbl USING ERRCODE = 'undefined_object', HINT = format('SELECT pgtoaster.attach(%L, column) attaches one.', tbl);
  ELSIF NOT pg_has_role(t.owner, 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', tbl USING ERRCODE = 'insufficient_privilege';
  ELSIF cardinality(names) > 2 THEN
    RAISE EXCEPTION '% names no view: it has more than a schema and a name', quote_literal(name) USING ERRCODE = 'invalid_name';
  END IF;
  view := CASE cardinality(names) WHEN 1 THEN format('%I.%I', t.nspname, names[1]) WHEN 2 THEN format('%I.%I', names[1], names[2])
                                  ELSE format('%I.%I', t.nspname, left(t.relname, 58) || '_view') END;
  -- One of another owner has what he has given it.
  IF to_regclass(view) IS NOT NULL AND NOT (to_regclass(view) IN (SELECT pgtoaster.views_of(tbl))
       AND (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = to_regclass(view)) = t.owner) THEN
    RAISE EXCEPTION 'relation % is there already, and no view of % that this function made', view, tbl USING ERRCODE = 'duplicate_table',
      HINT = 'Give another name: SELECT pgtoaster.create_view(table, name).';
  END IF;
  SELECT format('VIEW %s WITH (security_invoker = true) AS SELECT %s FROM %s%s o', view,
                string_agg(CASE s.toaster WHEN 'keyed' THEN format('pgtoaster.expand(o.%1$I) AS %1$I', c.attname)
                                          WHEN 'appendable' THEN format('pgtoaster.bytes(o.%1$I) AS %1$I', c.attname)
                                          ELSE format('o.%I', c.attname) END, ', ' ORDER BY c.attnum), CASE t.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END, tbl) INTO definition
  FROM pg_attribute c LEFT JOIN pgtoaster.attached_column s ON s.owner = tbl AND s.column_name = c.attname
  WHERE c.attrelid = tbl AND c.attnum > 0 AND NOT c.attisdropped;
  BEGIN
    EXECUTE 'CREATE OR REPLACE ' || definition;
  EXCEPTION WHEN invalid_table_definition THEN
    -- A column was dropped, renamed or attached since.
    EXECUTE 'DROP VIEW ' || view;
    EXECUTE 'CREATE ' || definition;
  END;
  EXECUTE format('CREATE OR REPLACE TRIGGER pgtoaster_write INSTEAD OF INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION pgtoaster.write_view()', view);
  FOR a IN SELECT c.attname, CASE c.attgenerated WHEN '' THEN pg_get_expr(d.adbin, d.adrelid) END AS expression FROM pg_attribute c
           LEFT JOIN pg_attrdef d ON d.adrelid = tbl AND d.adnum = c.attnum WHERE c.attrelid = tbl AND c.attnum > 0 AND NOT c.attisdropped LOOP
    EXECUTE format('ALTER VIEW %s ALTER COLUMN %I %s', view, a.attname, coalesce('SET DEFAULT ' || a.expression, 'DROP DEFAULT'));
  END LOOP;
  IF t.owner <> (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = to_regclass(view)) THEN
    EXECUTE format('ALTER VIEW %s OWNER TO %I', view, t.owner);
  END IF;
  FOR a IN SELECT DISTINCT x.privilege_type, NULL::name AS attname, x.grantee FROM aclexplode(t.relacl) x
           UNION SELECT x.privilege_type, c.attname, x.grantee FROM pg_attribute c, aclexplode(c.attacl) x WHERE c.attrelid = tbl AND NOT c.attisdropped LOOP
    IF a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') AND pg_get_userbyid(a.grantee) <> t.owner THEN
      EXECUTE format('GRANT %s%s ON %s TO %s', a.privilege_type, ' (' || quote_ident(a.attname) || ')', view,
                     CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END);
    END IF;
  END LOOP;
  RETURN view::regclass;
END $$;
-- The way of existing columns to a toaster, and back, while the application goes on: a shadow column beside the old one is filled in
-- small transactions, compared, and takes its name in a short one. A column of jsonb is attached as it is, and goes back to jsonb in place.
--   migrate_plan: what it would mean, and how long it would take
--   migrate_begin, migrate_back: make the shadow column, and the state in a table of the store, store_<n>_migration
--   migrate_step: does some of the work, to be called in transactions of its own until its phase is "ready"
--   migrate_documents, migrate_split: what a client splits in the phase "split", since no function of the server does, and that it is done
--   migrate_finish: exchanges the columns; the old one stays, as <column>_before, until migrate_drop
--   migrate_abort: takes back what was begun
-- A row is pending as long as the shadow column has not what the old one has: a trigger empties it where the old one is changed; of
-- a blob, which changes without its row, generation and length tell. Every step looks for rows that are pending, so that it
-- does not matter where it was interrupted; the last look is under the lock of migrate_finish.

-- A value of a large object is given by its number, any other as its bytes; this much of it is in memory at once.
CREATE OR REPLACE FUNCTION pgtoaster.copied_at_once() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$ SELECT 4194304 $$;

-- Stable, so that it sees the object as the query sees the row: another session may give the row a new one, and unlink this.
CREATE OR REPLACE FUNCTION pgtoaster.object_length(lo oid) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  descriptor integer;
  length bigint;
BEGIN
  descriptor := lo_open(lo, 262144);
  length := lo_lseek64(descriptor, 0, 2);
  PERFORM lo_close(descriptor);
  RETURN length;
EXCEPTION WHEN undefined_object THEN
  RAISE EXCEPTION 'there is no large object %, which a row names', lo USING ERRCODE = 'undefined_object',
    HINT = 'Set the column to NULL where it names none (pg_largeobject_metadata lists what there is), and go on.';
END $$;

-- How the routines of a store of blobs are called, with the leading key as text in $1 where it has one.
CREATE OR REPLACE FUNCTION pgtoaster.blob_routine(store integer, part text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT pgtoaster.store_table(store, part) || '(' || coalesce((
    SELECT format('CAST($1 AS %s), ', format_type(a.atttypid, a.atttypmod)) FROM pg_attribute a
    WHERE a.attrelid = pgtoaster.store_table(store, 'head')::regclass AND a.attname = 'leading_key'), '')
$$;

-- Makes a blob of a value, or of a large object; returns its handle.
CREATE OR REPLACE FUNCTION pgtoaster.fill_blob(store integer, lead text, data bytea, lo oid DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  step CONSTANT integer := pgtoaster.copied_at_once();
  call CONSTANT text := pgtoaster.blob_routine(store, 'write');
  place bigint := 0;
  piece bytea;
  blob bigint;
  outcome text;
BEGIN
  EXECUTE format('INSERT INTO %s (%s chunk_size) VALUES (%s $2) RETURNING id', pgtoaster.store_table(store, 'head'),
                 CASE WHEN call LIKE '%CAST($1%' THEN 'leading_key,' END, substring(call FROM '\((CAST.*)$'))
    INTO blob USING lead, (SELECT CAST(s.options->>'chunk_size' AS integer) FROM pgtoaster.store s WHERE s.id = store);
  -- A compressed value is unpacked once, not for each piece.
  IF octet_length(data) > step AND pg_column_compression(data) IS NOT NULL THEN
    data := data || ''::bytea;
  END IF;
  LOOP
    piece := CASE WHEN lo IS NULL THEN substr(data, CAST(place AS integer) + 1, step) ELSE lo_get(lo, place, step) END;
    EXIT WHEN piece = '';
    EXECUTE concat('SELECT r.outcome FROM ', call, '$2, NULL::text, NULL::text, NULL::text, NULL::text[], ''append''::text, $3, $4, NULL::uuid, NULL::bigint) r') INTO outcome
      USING lead, blob, place, piece;
    IF outcome <> 'applied' THEN
      RAISE EXCEPTION 'what was copied into blob % cannot be: %', blob, outcome USING ERRCODE = 'internal_error';
    END IF;
    place := place + step;
  END LOOP;
  RETURN blob;
END $$;

-- Whether a blob has the bytes of a value, or of a large object.
CREATE OR REPLACE FUNCTION pgtoaster.same_content(store integer, lead text, blob bigint, data bytea, lo oid DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  step CONSTANT integer := pgtoaster.copied_at_once();
  call CONSTANT text := pgtoaster.blob_routine(store, 'range');
  place bigint := 0;
  r record;
BEGIN
  IF octet_length(data) > step AND pg_column_compression(data) IS NOT NULL THEN
    data := data || ''::bytea;
  END IF;
  LOOP
    EXECUTE concat('SELECT r.outcome, r.place, r.bytes FROM ', call, '$2, $3, $4) r') INTO r USING lead, blob, place, step;
    -- The last piece of either is shorter than that, if only by nothing.
    IF r.outcome <> 'applied'
       OR r.bytes <> (CASE WHEN lo IS NULL THEN substr(data, CAST(place AS integer) + 1, step) ELSE lo_get(lo, place, step) END) THEN
      RETURN false;
    ELSIF octet_length(r.bytes) < step THEN
      RETURN true;
    END IF;
    place := place + step;
  END LOOP;
END $$;

-- The content of a blob as a large object, whose number it returns; old: one of an earlier copy, which goes.
CREATE OR REPLACE FUNCTION pgtoaster.fill_object(store integer, lead text, blob bigint, old oid) RETURNS oid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  step CONSTANT integer := pgtoaster.copied_at_once();
  call CONSTANT text := pgtoaster.blob_routine(store, 'range');
  place bigint := 0;
  lo oid;
  r record;
BEGIN
  IF old IS NOT NULL THEN
    PERFORM lo_unlink(old);
  END IF;
  lo := lo_creat(-1);
  LOOP
    EXECUTE concat('SELECT r.outcome, r.place, r.bytes FROM ', call, '$2, $3, $4) r') INTO r USING lead, blob, place, step;
    IF r.outcome <> 'applied' THEN
      PERFORM pgtoaster.corrupt_handle(blob);
    END IF;
    PERFORM lo_put(lo, place, r.bytes);
    place := place + step;
    EXIT WHEN place >= r.place;
  END LOOP;
  RETURN lo;
END $$;

-- The content of a blob as a value.
CREATE OR REPLACE FUNCTION pgtoaster.whole_blob(store integer, lead text, blob bigint) RETURNS bytea
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  r record;
BEGIN
  EXECUTE concat('SELECT r.outcome, r.bytes FROM ', pgtoaster.blob_routine(store, 'range'), '$2, 0::bigint, 2147483647) r') INTO r USING lead, blob;
  IF r.outcome = 'large' THEN
    RAISE EXCEPTION 'the content % is longer than a value can be', blob USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Migrate back to large objects: type "oid".';
  ELSIF r.outcome <> 'applied' THEN
    PERFORM pgtoaster.corrupt_handle(blob);
  END IF;
  RETURN r.bytes;
END $$;

-- The migration of a column: its store, and the row of its state; NULL where there is none.
CREATE OR REPLACE FUNCTION pgtoaster.migration_of(tbl regclass, col name, OUT store integer, OUT state jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  s record;
BEGIN
  IF NOT (SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = tbl) THEN
    RAISE EXCEPTION 'must be owner of table %', tbl USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Of that name there may be a view of anybody's who may create in the schema, which would run what it likes.
  FOR s IN SELECT t.id FROM pgtoaster.store t
           JOIN pg_class m ON m.oid = to_regclass(pgtoaster.store_table(t.id, 'migration')) AND m.relkind = 'r'
           WHERE t.owner = tbl AND m.relowner IN (SELECT o.relowner FROM pg_class o WHERE o.oid IN (t.owner, t.head)) LOOP
    EXECUTE format('SELECT to_jsonb(m) FROM %s m WHERE m.source = $1', pgtoaster.store_table(s.id, 'migration')) INTO state USING col;
    IF state IS NOT NULL THEN
      store := s.id;
      RETURN;
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.need_migration(tbl regclass, col name, OUT store integer, OUT state jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  SELECT * INTO store, state FROM pgtoaster.migration_of(tbl, col);
  IF store IS NULL THEN
    RAISE EXCEPTION 'no migration of column "%" of % has begun', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_begin(%L, %L) begins one.', tbl, col);
  END IF;
END $$;

-- Refuses to begin beside a migration that is not ended.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_migration(tbl regclass, col name, state jsonb) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF state->>'phase' = 'done' THEN
    RAISE EXCEPTION 'column "%" of % was migrated, and column "%" is kept of that', col, tbl, state->>'kept' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%L, %L) ("pgtoaster migrate --drop") drops it; then this can begin.', tbl, col);
  END IF;
  RAISE EXCEPTION 'another migration of column "%" of % has begun', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
    HINT = format('Go on with it, or SELECT pgtoaster.migrate_abort(%L, %L) ("pgtoaster migrate --abort") takes it back.', tbl, col);
END $$;

-- A name for a column beside another.
CREATE OR REPLACE FUNCTION pgtoaster.beside(tbl regclass, col name, suffix text) RETURNS name
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text := col;
BEGIN
  WHILE octet_length(found) + octet_length(suffix) > 63 LOOP
    found := left(found, -1);
  END LOOP;
  found := found || suffix;
  IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = found AND NOT a.attisdropped) THEN
    RAISE EXCEPTION 'column "%" of % is there already', found, tbl USING ERRCODE = 'duplicate_column',
      HINT = 'It may be what an earlier migration kept: pgtoaster.migrate_drop drops that. Otherwise rename it.';
  END IF;
  RETURN found;
END $$;

-- The tables with rows of a table: its partitions, or itself.
CREATE OR REPLACE FUNCTION pgtoaster.leaves_of(tbl regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.relid FROM pg_partition_tree(tbl) p JOIN pg_class c ON c.oid = p.relid WHERE p.isleaf AND c.relkind = 'r'
  UNION
  SELECT c.oid::regclass FROM pg_class c WHERE c.oid = tbl AND c.relkind = 'r'
  ORDER BY 1
$$;

-- What uses a column and would follow the old one, by its number, when the columns are exchanged.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_uses(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  uses text;
BEGIN
  SELECT string_agg(format('%s "%s"', u.kind, u.name), ', ') INTO uses FROM pgtoaster.column_uses(tbl, col) u WHERE u.kind NOT IN ('index', 'statistics')
    AND u.name !~ '^(.*\.)?(pgtoaster|store)_[0-9]+_';
  IF uses IS NOT NULL THEN
    RAISE EXCEPTION 'column "%" of % is used by %', col, tbl, uses USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'Drop it, and make it for the new column after migrate_finish; nothing was changed.';
  END IF;
END $$;

-- Gives the shadow column the rights on the column alone.
CREATE OR REPLACE FUNCTION pgtoaster.copy_column_rights(tbl regclass, source name, target name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  grants record;
BEGIN
  FOR grants IN SELECT x.privilege_type, x.grantee FROM pg_attribute a, aclexplode(a.attacl) x WHERE a.attrelid = tbl AND a.attname = source LOOP
    EXECUTE format('GRANT %s (%I) ON %s TO %s', grants.privilege_type, target, tbl,
                   CASE grants.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grants.grantee)) END);
  END LOOP;
END $$;

-- The trigger that empties the shadow column of a row whose old column changes, given the condition that it does. Where triggers of
-- others change the column, the statement does not tell whether it did. A blob keeps the leading key of its row.
CREATE OR REPLACE FUNCTION pgtoaster.create_sync(store integer, tbl regclass, source name, target name, changes text, lead name DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT name := (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = tbl);
BEGIN
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L', pgtoaster.store_table(store, 'sync'),
                 format('BEGIN IF %s%s THEN NEW.%I := NULL; END IF; RETURN NEW; END',
                        CASE WHEN lead IS NOT NULL THEN format('OLD.%1$I IS DISTINCT FROM NEW.%1$I OR ', lead) END, changes, target));
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE %s ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION %s()', pgtoaster.trigger_name(store, 'sync'),
                 CASE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = tbl AND t.tgtype & 19 = 19 AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_')
                      THEN '' ELSE format('OF %I%s', source, ', ' || quote_ident(lead)) END, tbl, target, pgtoaster.store_table(store, 'sync'));
  IF owner <> current_user THEN
    EXECUTE format('ALTER FUNCTION %s() OWNER TO %I', pgtoaster.store_table(store, 'sync'), owner);
  END IF;
END $$;

-- Begins to bring a column to a toaster: bytea, text and oid (large objects) to one of blobs, json, jsonb and text to "keyed". toaster: NULL
-- for the one of its type, of text blobs. options: as for attach. Waits for the lock of the table for five seconds. Where one has begun
-- it goes on. A column of jsonb is attached, if it is not yet, and then split.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_begin(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type text := (SELECT format_type(a.atttypid, NULL) FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND a.attnum > 0 AND NOT a.attisdropped);
  shadow name;
  store integer;
  m record;
BEGIN
  m := pgtoaster.migration_of(tbl, col);
  IF m.store IS NOT NULL AND m.state->>'phase' <> 'done' AND NOT CAST(m.state->>'back' AS boolean) THEN
    RETURN;
  ELSIF m.store IS NOT NULL THEN
    PERFORM pgtoaster.refuse_migration(tbl, col, m.state);
  ELSIF type IS NULL THEN
    RAISE EXCEPTION 'column "%" of % does not exist', col, tbl USING ERRCODE = 'undefined_column';
  END IF;
  toaster := coalesce(toaster, CASE WHEN type IN ('json', 'jsonb') THEN 'keyed' ELSE 'appendable' END);
  IF type = 'jsonb' AND toaster = 'keyed' THEN
    SELECT c.store INTO store FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col AND c.toaster = 'keyed';
    PERFORM pgtoaster.limit_wait('5s');
    IF store IS NULL THEN
      store := pgtoaster.attach(tbl, col, toaster, options);
    ELSIF options <> '{}' THEN
      PERFORM pgtoaster.set_options(tbl, col, options);
    END IF;
    PERFORM pgtoaster.create_migration(store, tbl, col, col, false, type);
    RETURN;
  ELSIF type NOT IN ('bytea', 'text', 'character varying', 'oid') AND toaster = 'appendable' OR type NOT IN ('json', 'text', 'character varying') AND toaster = 'keyed'
        OR toaster NOT IN ('appendable', 'keyed') THEN
    RAISE EXCEPTION 'column "%" of % has type %, which is not migrated to the toaster "%"', col, tbl, type, toaster USING ERRCODE = 'datatype_mismatch',
      HINT = 'To "appendable" bytea, text and oid are, and to "keyed" json, jsonb and text.';
  ELSIF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND (a.attgenerated <> '' OR a.attidentity <> ''))
        OR EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                   WHERE i.indrelid = tbl AND i.indisprimary AND a.attname = col) THEN
    RAISE EXCEPTION 'column "%" of % is generated, or part of its key', col, tbl USING ERRCODE = 'invalid_column_definition';
  ELSIF type = 'text' AND toaster = 'appendable' AND getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'text columns need a database in UTF8' USING ERRCODE = 'feature_not_supported';
  END IF;
  PERFORM pgtoaster.refuse_uses(tbl, col);
  shadow := pgtoaster.beside(tbl, col, '_toasted');
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF toaster = 'appendable' AND type IN ('text', 'character varying') THEN
    options := options || '{"text": true}';
  END IF;
  -- Content of that toaster is the column's own, and is used by the library without the entry, too; it would name the new column later.
  IF EXISTS (SELECT FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col AND c.toaster = 'default') THEN
    PERFORM pgtoaster.detach(tbl, col);
  END IF;
  store := pgtoaster.attach(tbl, shadow, toaster, options);
  PERFORM pgtoaster.copy_column_rights(tbl, col, shadow);
  PERFORM pgtoaster.mirror_privileges(store);
  PERFORM pgtoaster.create_migration(store, tbl, col, shadow, false, type);
  PERFORM pgtoaster.create_sync(store, tbl, col, shadow,
                                format(CASE type WHEN 'json' THEN 'CAST(OLD.%1$I AS text) IS DISTINCT FROM CAST(NEW.%1$I AS text)'
                                                 ELSE 'OLD.%1$I IS DISTINCT FROM NEW.%1$I' END, col), CAST(options->>'leading_key' AS name));
END $$;

-- Begins to bring an attached column back: of blobs to bytea, text or oid (NULL: text where it holds text, else bytea), documents to
-- json or text, or (NULL) to plain jsonb, in place, also where they are being split in place.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_back(tbl regclass, col name, type text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.migration_of(tbl, col);
  a record;
  shadow name := col;
BEGIN
  IF m.store IS NOT NULL AND m.state->>'phase' <> 'done' AND CAST(m.state->>'back' AS boolean) THEN
    RETURN;
  ELSIF m.state->>'source' = m.state->>'target' THEN
    PERFORM pgtoaster.drop_migration(m.store);
  ELSIF m.store IS NOT NULL THEN
    PERFORM pgtoaster.refuse_migration(tbl, col, m.state);
  END IF;
  SELECT c.store, c.toaster, c.options INTO a FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col;
  IF a.store IS NULL OR a.toaster NOT IN ('appendable', 'keyed') THEN
    RAISE EXCEPTION 'column "%" of % is not attached to the toaster "appendable" or "keyed"', col, tbl USING ERRCODE = 'undefined_object';
  END IF;
  type := coalesce(type, CASE WHEN a.toaster = 'keyed' THEN 'jsonb' WHEN CAST(a.options->>'text' AS boolean) THEN 'text' ELSE 'bytea' END);
  IF type <> ALL (CASE a.toaster WHEN 'keyed' THEN ARRAY['jsonb', 'json', 'text'] ELSE ARRAY['bytea', 'text', 'oid'] END) THEN
    RAISE EXCEPTION 'column "%" of % does not go back to %', col, tbl, type USING ERRCODE = 'datatype_mismatch',
      HINT = 'Blobs go back to bytea, text or oid, documents to jsonb, json or text.';
  END IF;
  PERFORM pgtoaster.limit_wait('5s');
  IF type <> 'jsonb' THEN
    PERFORM pgtoaster.refuse_uses(tbl, col);
    shadow := pgtoaster.beside(tbl, col, '_plain');
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I %s', tbl, shadow, type);
    PERFORM pgtoaster.copy_column_rights(tbl, col, shadow);
  END IF;
  IF a.toaster = 'appendable' THEN
    EXECUTE format('CREATE TABLE %s (id bigint PRIMARY KEY, generation bigint NOT NULL, length bigint NOT NULL)', pgtoaster.store_table(a.store, 'copied'));
  ELSIF type <> 'jsonb' THEN
    -- What copies gives the shadow itself. As text, for jsonb takes 1.0 and 1.00 for the same.
    PERFORM pgtoaster.create_sync(a.store, tbl, col, shadow,
                                  format('CAST(OLD.%2$I AS text) IS NOT DISTINCT FROM CAST(NEW.%2$I AS text) AND CAST(OLD.%1$I AS text) IS DISTINCT FROM CAST(NEW.%1$I AS text)',
                                         col, shadow));
  END IF;
  PERFORM pgtoaster.create_migration(a.store, tbl, col, shadow, true, type);
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.create_migration(store integer, tbl regclass, source name, target name, back boolean, type text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT name := (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = tbl);
  part text;
BEGIN
  EXECUTE format('CREATE TABLE %s (source name NOT NULL, target name NOT NULL, back boolean NOT NULL, type text NOT NULL, phase text NOT NULL DEFAULT ''count'', '
                 'pass integer NOT NULL DEFAULT 0, part oid, filenode oid, place tid NOT NULL DEFAULT ''(0,0)'', pass_bytes bigint NOT NULL DEFAULT 0, pass_rows bigint NOT NULL DEFAULT 0, '
                 'rows bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, total_rows bigint NOT NULL DEFAULT 0, total_bytes bigint NOT NULL DEFAULT 0, '
                 'recopied bigint NOT NULL DEFAULT 0, kept name, began_at timestamptz NOT NULL DEFAULT now())', pgtoaster.store_table(store, 'migration'));
  EXECUTE format('INSERT INTO %s (source, target, back, type) VALUES ($1, $2, $3, $4)', pgtoaster.store_table(store, 'migration')) USING source, target, back, type;
  FOREACH part IN ARRAY '{migration,copied}'::text[] LOOP
    IF to_regclass(pgtoaster.store_table(store, part)) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s OWNER TO %I', pgtoaster.store_table(store, part), owner);
    END IF;
  END LOOP;
END $$;

-- What a migration asks of a row o: whether it is pending, or has something to be compared, its size in bytes, what is set to copy it, and
-- whether the shadow is the same.
CREATE OR REPLACE FUNCTION pgtoaster.migration_terms(store integer, tbl regclass, state jsonb, OUT pending text, OUT filled text, OUT size text, OUT copy text, OUT same text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  src CONSTANT text := 'o.' || quote_ident(state->>'source');
  dst CONSTANT text := 'o.' || quote_ident(state->>'target');
  type CONSTANT text := state->>'type';
  keyed CONSTANT boolean := pgtoaster.holds_documents(store);
  lead CONSTANT name := pgtoaster.leading_key_column(tbl, store);
  lead_text CONSTANT text := concat('CAST(', CASE WHEN lead IS NULL THEN 'NULL' ELSE 'o.' || quote_ident(lead) END, ' AS text)');
  length CONSTANT text := 'h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0)';
BEGIN
  IF NOT CAST(state->>'back' AS boolean) AND src = dst THEN
    -- Nothing is copied.
    pending := 'false';
    filled := concat(src, ' IS NOT NULL');
    size := concat('pg_column_size(', src, ')');
  ELSIF NOT CAST(state->>'back' AS boolean) THEN
    pending := concat(src, ' IS NOT NULL AND ', dst, ' IS NULL');
    filled := concat(src, ' IS NOT NULL');
    size := CASE type WHEN 'oid' THEN concat('pgtoaster.object_length(', src, ')') WHEN 'json' THEN concat('pg_column_size(', src, ')') ELSE concat('octet_length(', src, ')') END;
    IF keyed THEN
      copy := 'pgtoaster.plain_document(CAST({old} AS jsonb))';
      same := 'CAST({old} AS jsonb) = {new}';
    ELSE
      copy := format(CASE type WHEN 'oid' THEN 'pgtoaster.fill_blob(%s, {lead}, NULL, {old})' WHEN 'bytea' THEN 'pgtoaster.fill_blob(%s, {lead}, {old})'
                               ELSE 'pgtoaster.fill_blob(%s, {lead}, convert_to({old}, ''UTF8''))' END, store);
      same := format(CASE type WHEN 'oid' THEN 'pgtoaster.same_content(%s, {lead}, {new}, NULL, {old})' WHEN 'bytea' THEN 'pgtoaster.same_content(%s, {lead}, {new}, {old})'
                               ELSE 'pgtoaster.same_content(%s, {lead}, {new}, convert_to({old}, ''UTF8''))' END, store);
    END IF;
  ELSIF keyed THEN
    pending := concat('pgtoaster.document_id(', src, ') IS NOT NULL');
    filled := pending;
    size := concat('pg_column_size(', src, ') + coalesce((SELECT sum(n.bytes) FROM ', pgtoaster.store_table(store, 'node'), ' n WHERE n.doc = pgtoaster.document_id(', src, ') AND n.kids IS NULL), 0)');
    copy := 'pgtoaster.expand({old})';
    IF src <> dst THEN
      -- A document that is plain changes with its row only: it is brought to that first.
      pending := concat(src, ' IS NOT NULL AND (', dst, ' IS NULL OR ', pending, ')');
      filled := concat(src, ' IS NOT NULL');
      copy := format('(SELECT e.whole, CAST(e.whole AS %s) FROM (SELECT pgtoaster.expand({old}) AS whole OFFSET 0) e)', type);
      same := 'pgtoaster.document_id({old}) IS NULL AND CAST({new} AS text) = CAST({old} AS text)';
    END IF;
  ELSE
    pending := concat('(', src, ' IS NULL) <> (', dst, ' IS NULL) OR ', src, ' IS NOT NULL AND NOT EXISTS (SELECT FROM ', pgtoaster.store_table(store, 'head'), ' h JOIN ',
                      pgtoaster.store_table(store, 'copied'), ' c ON c.id = h.id AND c.generation = h.generation AND c.length = ', length, ' WHERE h.id = ', src,
                      CASE WHEN lead IS NOT NULL THEN concat(' AND h.leading_key = o.', quote_ident(lead)) END, ')');
    filled := concat(src, ' IS NOT NULL');
    size := concat('coalesce((SELECT ', length, ' FROM ', pgtoaster.store_table(store, 'head'), ' h WHERE h.id = ', src,
                   CASE WHEN lead IS NOT NULL THEN concat(' AND h.leading_key = o.', quote_ident(lead)) END, '), 0)');
    -- The version first: what is copied is that or a later one.
    copy := format(CASE type WHEN 'oid' THEN 'CASE WHEN {old} IS NULL THEN pgtoaster.no_object({new}) ELSE pgtoaster.fill_object(%1$s, {lead}, pgtoaster.note_version(%1$s, {lead}, {old}), {new}) END'
                             WHEN 'text' THEN 'CASE WHEN {old} IS NOT NULL THEN convert_from(pgtoaster.whole_blob(%1$s, {lead}, pgtoaster.note_version(%1$s, {lead}, {old})), ''UTF8'') END'
                             ELSE 'CASE WHEN {old} IS NOT NULL THEN pgtoaster.whole_blob(%1$s, {lead}, pgtoaster.note_version(%1$s, {lead}, {old})) END' END, store);
    same := format(CASE type WHEN 'oid' THEN 'pgtoaster.same_content(%s, {lead}, {old}, NULL, {new})' WHEN 'text' THEN 'pgtoaster.same_content(%s, {lead}, {old}, convert_to({new}, ''UTF8''))'
                             ELSE 'pgtoaster.same_content(%s, {lead}, {old}, {new})' END, store);
  END IF;
  -- The leading key, the old column and the new one.
  copy := concat(CASE WHEN copy LIKE '(SELECT e.whole,%' THEN format('(%I, %I)', state->>'source', state->>'target') ELSE quote_ident(state->>'target') END, ' = ',
                 replace(replace(replace(copy, '{lead}', lead_text), '{old}', src), '{new}', dst));
  same := replace(replace(replace(same, '{lead}', lead_text), '{old}', src), '{new}', dst);
END $$;

-- Refuses a document that would be taken for a split one; the triggers that do so may be quiet.
CREATE OR REPLACE FUNCTION pgtoaster.plain_document(document jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF jsonb_typeof(document) = 'object' AND document ? '$pgtoaster' THEN
    RAISE EXCEPTION 'a document is refused: its root key "$pgtoaster" is reserved' USING ERRCODE = 'check_violation',
      HINT = 'Rename the key where a document has it, and go on.';
  END IF;
  RETURN document;
END $$;

-- Takes away the large object of an earlier copy of content that is gone.
CREATE OR REPLACE FUNCTION pgtoaster.no_object(old oid) RETURNS oid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$ BEGIN IF old IS NOT NULL THEN PERFORM lo_unlink(old); END IF; RETURN NULL; END $$;

-- Notes the version of a blob that is copied now; returns its handle. Without a lock, for which its writers could wait for each other's
-- rows: what is written meanwhile makes the row pending again.
CREATE OR REPLACE FUNCTION pgtoaster.note_version(store integer, lead text, blob bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  EXECUTE format('INSERT INTO %s AS c (id, generation, length) SELECT h.id, h.generation, h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0) FROM %s h WHERE h.id = $1 '
                 'ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, length = excluded.length',
                 pgtoaster.store_table(store, 'copied'), pgtoaster.store_table(store, 'head')) USING blob;
  RETURN blob;
END $$;

-- Copies, or compares, the rows of a table from a place on, until so many bytes are done; where it has ended, NULL at the end of the
-- table. It waits for a row that another has locked only while it has locked none itself, so that nobody's transaction ends in a
-- deadlock with it; at its second such row it ends.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_rows(store integer, tbl regclass, state jsonb, leaf regclass, at tid, compare boolean, most bigint,
  OUT place tid, OUT rows bigint, OUT bytes bigint, OUT differed bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  t record := pgtoaster.migration_terms(store, tbl, state);
  which CONSTANT text := CASE WHEN compare THEN t.filled ELSE t.pending END;
  read CONSTANT text := concat('/* pgtoaster */ SELECT o.ctid AS place, (', t.pending, ') AS pending FROM ONLY ', leaf, ' o WHERE o.ctid = $1 AND (', which, ') FOR NO KEY UPDATE');
  again CONSTANT text := concat('/* pgtoaster */ SELECT (', t.pending, ') FROM ONLY ', leaf, ' o WHERE o.ctid = $1');
  found record;
  r record;
  touched boolean := false;
  same boolean;
  pending boolean;
BEGIN
  rows := 0;
  bytes := 0;
  differed := 0;
  FOR found IN EXECUTE concat('SELECT o.ctid AS place, CAST(', t.size, ' AS bigint) AS size FROM ONLY ', leaf, ' o WHERE o.ctid > $1 AND (', which, ')') USING at LOOP
    EXECUTE read || ' SKIP LOCKED' INTO r USING found.place;
    IF r.place IS NULL THEN
      IF touched THEN
        RETURN;
      END IF;
      EXECUTE read INTO r USING found.place;
    END IF;
    place := found.place;
    -- One that has been changed meanwhile stands somewhere else, and is met there, or at the end.
    CONTINUE WHEN r.place IS NULL;
    touched := true;
    same := false;
    IF compare AND NOT r.pending THEN
      EXECUTE concat('/* pgtoaster */ SELECT ', t.same, ' FROM ONLY ', leaf, ' o WHERE o.ctid = $1') INTO same USING r.place;
      IF NOT same THEN
        -- A blob may have changed while it was compared, which its row does not keep it from.
        EXECUTE again INTO pending USING r.place;
        differed := differed + CASE WHEN pending THEN 0 ELSE 1 END;
      END IF;
    END IF;
    IF NOT same THEN
      EXECUTE concat('/* pgtoaster */ UPDATE ONLY ', leaf, ' o SET ', t.copy, ' WHERE o.ctid = $1') USING r.place;
    END IF;
    rows := rows + 1;
    bytes := bytes + found.size;
    IF bytes >= most OR rows >= 10000 THEN
      RETURN;
    END IF;
  END LOOP;
  place := NULL;
END $$;

-- Does the next of a migration, some most bytes (one value may be more), and tells how it stands: the phase is count, copy, compare,
-- split, again (of documents that changed while others were split), or ready, when a pass over the table has found little to do; steps
-- beyond copy what has changed since, in the phase again where that is more than a step. rows and bytes: done in this
-- phase, of total_rows and total_bytes; recopied: rows that were found not to be the same, and copied again. Of documents it leaves out the
-- phase split, which is the client's. One session at a time.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_step(tbl regclass, col name, most bigint DEFAULT 8388608,
  OUT phase text, OUT rows bigint, OUT bytes bigint, OUT total_rows bigint, OUT total_bytes bigint, OUT recopied bigint, OUT step_bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  own CONSTANT text := pgtoaster.store_table(m.store, 'migration');
  s record;
  leaf regclass;
  done record;
BEGIN
  BEGIN
    EXECUTE format('SELECT * FROM %s FOR UPDATE NOWAIT', own) INTO s;
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'another session migrates column "%" of %: %', col, tbl, pgtoaster.lock_holders(own) USING ERRCODE = 'lock_not_available',
      HINT = 'Wait for it. If its client is gone, SELECT pg_terminate_backend(pid) ends it; then resume.';
  END;
  IF s.phase = 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%L, %L) drops what it kept.', tbl, col);
  END IF;
  PERFORM pgtoaster.quiet_triggers(m.store, s.back);
  step_bytes := 0;
  IF s.phase = 'count' THEN
    EXECUTE concat('SELECT count(*), coalesce(sum(', (pgtoaster.migration_terms(m.store, tbl, m.state)).size, '), 0) FROM ', tbl, ' o WHERE ', (pgtoaster.migration_terms(m.store, tbl, m.state)).filled)
      INTO s.total_rows, s.total_bytes;
    s.phase := CASE WHEN s.source = s.target AND NOT s.back THEN 'split' ELSE 'copy' END;
  ELSIF s.phase = 'split' THEN
    RAISE NOTICE 'documents of column "%" of % stay whole until they are written by the library, or compacted', col, tbl;
    s.phase := 'ready';
  ELSE
    SELECT l INTO leaf FROM pgtoaster.leaves_of(tbl) l WHERE l::oid >= coalesce(s.part, 0) ORDER BY l::oid LIMIT 1;
    IF leaf::oid IS DISTINCT FROM s.part OR pg_relation_filenode(leaf) IS DISTINCT FROM s.filenode THEN
      -- The next table, or one that was written anew: places are others then.
      s.part := leaf;
      s.filenode := pg_relation_filenode(leaf);
      s.place := '(0,0)';
    END IF;
    IF leaf IS NOT NULL THEN
      done := pgtoaster.migrate_rows(m.store, tbl, m.state, leaf, s.place, s.phase = 'compare', most);
      s.rows := s.rows + done.rows;
      s.bytes := s.bytes + done.bytes;
      s.pass_rows := s.pass_rows + done.rows;
      s.pass_bytes := s.pass_bytes + done.bytes;
      s.recopied := s.recopied + done.differed;
      step_bytes := done.bytes;
      s.place := coalesce(done.place, s.place);
      IF done.place IS NULL THEN
        s.part := (SELECT min(l::oid) FROM pgtoaster.leaves_of(tbl) l WHERE l::oid > leaf::oid);
        leaf := s.part;
      END IF;
    END IF;
    IF leaf IS NULL THEN
      -- The end of a pass. What is copied in place needs no comparison.
      s.part := NULL;
      IF s.phase = 'compare' AND NOT s.back AND pgtoaster.holds_documents(m.store) THEN
        s.phase := 'split';
        s.rows := 0;
        s.bytes := 0;
      ELSIF s.phase = 'compare' OR s.phase = 'copy' AND s.source = s.target AND s.pass_rows < 1000 THEN
        s.phase := 'ready';
      ELSIF s.phase = 'copy' AND (s.pass_rows < 1000 AND s.pass_bytes < 67108864 OR s.pass >= 9) THEN
        s.phase := 'compare';
        s.rows := 0;
        s.bytes := 0;
      ELSIF s.phase = 'again' AND (s.pass_rows < 1000 AND s.pass_bytes < 67108864 OR s.pass >= 20) THEN
        s.phase := 'ready';
      END IF;
      s.pass := s.pass + 1;
      s.pass_rows := 0;
      s.pass_bytes := 0;
      s.filenode := NULL;
    ELSIF s.phase = 'ready' THEN
      -- More has changed since it was ready than one step copies; the rest is not left for the lock of migrate_finish.
      s.phase := 'again';
    END IF;
  END IF;
  EXECUTE format('UPDATE %s SET phase = $1, pass = $2, part = $3, filenode = $4, place = $5, pass_rows = $6, pass_bytes = $7, rows = $8, bytes = $9, total_rows = $10, '
                 'total_bytes = $11, recopied = $12', own)
    USING s.phase, s.pass, s.part, s.filenode, s.place, s.pass_rows, s.pass_bytes, s.rows, s.bytes, s.total_rows, s.total_bytes, s.recopied;
  phase := s.phase;
  rows := s.rows;
  bytes := s.bytes;
  total_rows := s.total_rows;
  total_bytes := s.total_bytes;
  recopied := s.recopied;
END $$;

-- Of a migration in the phase split: keys of the next documents that a client is to split, of some most bytes, the column that has them,
-- and what it then tells migrate_split; no row in any other phase. Whoever is interrupted in between does them again, which changes nothing.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_documents(tbl regclass, col name, most bigint DEFAULT 8388608)
RETURNS TABLE (target name, keys text[], done jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  s record;
  budget CONSTANT integer := (SELECT CAST(t.options->>'row_budget' AS integer) FROM pgtoaster.store t WHERE t.id = m.store);
  key CONSTANT text := (SELECT string_agg(format('CAST(o.%I AS text)', c), ', ' ORDER BY n) FROM pgtoaster.owner_key(tbl, m.store) k, unnest(k.columns) WITH ORDINALITY u(c, n));
  leaf regclass;
  found record;
  rows bigint := 0;
  bytes bigint := 0;
BEGIN
  SELECT * INTO s FROM jsonb_to_record(m.state) x(phase text, source name, target name, part oid, filenode oid, place tid);
  IF s.phase <> 'split' THEN
    RETURN;
  END IF;
  target := s.target;
  keys := '{}';
  FOR leaf IN SELECT l FROM pgtoaster.leaves_of(tbl) l WHERE l::oid >= coalesce(s.part, 0) ORDER BY l::oid LOOP
    IF leaf::oid IS DISTINCT FROM s.part OR pg_relation_filenode(leaf) IS DISTINCT FROM s.filenode THEN
      s.part := leaf;
      s.filenode := pg_relation_filenode(leaf);
      s.place := '(0,0)';
    END IF;
    FOR found IN EXECUTE format('/* pgtoaster */ SELECT o.ctid AS place, pg_column_size(o.%1$I) AS size, ARRAY[%3$s] AS key, '
                                'pgtoaster.document_id(o.%1$I) IS NULL AND (pg_column_compression(o.%1$I) IS NOT NULL OR pg_column_size(o.%1$I) > %4$s) AS large '
                                'FROM ONLY %2$s o WHERE o.ctid > $1 AND o.%1$I IS NOT NULL', target, leaf, key, budget - 24) USING s.place LOOP
      IF found.large THEN
        keys := keys || ARRAY[found.key];
      END IF;
      s.place := found.place;
      rows := rows + 1;
      bytes := bytes + found.size;
      IF bytes >= most OR rows >= 100000 OR cardinality(keys) >= 1000 THEN
        done := to_jsonb(s) || jsonb_build_object('rows', rows, 'bytes', bytes);
        RETURN NEXT;
        RETURN;
      END IF;
    END LOOP;
  END LOOP;
  done := jsonb_build_object('rows', rows, 'bytes', bytes, 'phase', CASE WHEN s.source = s.target THEN 'ready' ELSE 'again' END, 'place', '(0,0)');
  RETURN NEXT;
END $$;

-- Notes that documents of migrate_documents are split; returns what migrate_step does.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_split(tbl regclass, col name, done jsonb,
  OUT phase text, OUT rows bigint, OUT bytes bigint, OUT total_rows bigint, OUT total_bytes bigint, OUT recopied bigint, OUT step_bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
BEGIN
  step_bytes := CAST(done->>'bytes' AS bigint);
  EXECUTE format('UPDATE %s m SET phase = d.phase, part = d.part, filenode = d.filenode, place = d.place, rows = m.rows + d.rows, bytes = m.bytes + d.bytes '
                 'FROM jsonb_to_record($1) d(phase text, part oid, filenode oid, place tid, rows bigint, bytes bigint) WHERE m.phase = ''split'' '
                 'RETURNING m.phase, m.rows, m.bytes, m.total_rows, m.total_bytes, m.recopied', pgtoaster.store_table(m.store, 'migration'))
    INTO phase, rows, bytes, total_rows, total_bytes, recopied USING done;
  IF phase IS NULL THEN
    RAISE EXCEPTION 'the documents of column "%" of % are not being split', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Another session has gone on with it: look at the phase that pgtoaster.migrate_step returns.';
  END IF;
END $$;

-- Returns the sessions that have locked a table, with what the role may know of them.
CREATE OR REPLACE FUNCTION pgtoaster.lock_holders(locked text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(string_agg(concat('pid ', h.pid, ' of role ' || a.usename, ', in a transaction since ' || date_trunc('second', a.xact_start)), '; ' ORDER BY h.pid),
                  'one that has ended by now')
  FROM (SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.relation = to_regclass(locked) AND l.granted AND l.pid <> pg_backend_pid()) h
  LEFT JOIN pg_stat_activity a ON a.pid = h.pid
$$;

-- Locks the table of a migration, for which it waits for so long, or names the sessions that use it.
CREATE OR REPLACE FUNCTION pgtoaster.lock_to_migrate(tbl regclass, col name, most text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pgtoaster.limit_wait(most);
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tbl);
EXCEPTION WHEN lock_not_available THEN
  RAISE EXCEPTION 'the migration of column "%" of % cannot go on while others use the table: %', col, tbl, pgtoaster.lock_holders(tbl::text)
    USING ERRCODE = 'lock_not_available',
          HINT = 'Nothing was changed. Call it again when they have ended their transactions, or end them: SELECT pg_terminate_backend(pid).';
END $$;

-- Keeps triggers of the table from what is copied, where the role may: the rows do not change for anybody. Documents need ours.
CREATE OR REPLACE FUNCTION pgtoaster.quiet_triggers(store integer, back boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF back AND pgtoaster.holds_documents(store)
     OR NOT has_parameter_privilege('session_replication_role', 'SET') THEN
    RETURN false;
  END IF;
  PERFORM set_config('session_replication_role', 'replica', true);
  RETURN true;
END $$;

-- Exchanges the columns: what is still pending is copied, and compared, under a lock of the table, for which it waits two seconds. The
-- old column is <column>_before from then on. Documents that went back are detached.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_finish(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  own CONSTANT text := pgtoaster.store_table(m.store, 'migration');
  kept name;
  leaf regclass;
  done record;
  quiet boolean;
  role_was CONSTANT text := current_setting('session_replication_role');
  s record;
BEGIN
  EXECUTE format('SELECT * FROM %s FOR UPDATE', own) INTO s;
  IF s.phase <> 'ready' THEN
    RAISE EXCEPTION 'column "%" of % is not ready: phase %', col, tbl, s.phase USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Call pgtoaster.migrate_step in transactions of its own until its phase is ready.';
  END IF;
  IF s.source = s.target AND NOT s.back THEN
    EXECUTE format('DROP TABLE %s', own);
    RETURN;
  END IF;
  PERFORM pgtoaster.require_read_committed();
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '2s');
  IF s.source = s.target THEN
    EXECUTE format('DROP TABLE %s', own);
    PERFORM pgtoaster.detach(tbl, col);
    RETURN;
  END IF;
  kept := pgtoaster.beside(tbl, col, '_before');
  quiet := pgtoaster.quiet_triggers(m.store, s.back);
  FOR leaf IN SELECT l FROM pgtoaster.leaves_of(tbl) l LOOP
    s.place := '(0,0)';
    WHILE s.place IS NOT NULL LOOP
      SELECT r.* INTO done FROM pgtoaster.migrate_rows(m.store, tbl, m.state, leaf, s.place, false, 9223372036854775807) r;
      s.place := done.place;
    END LOOP;
  END LOOP;
  IF quiet THEN
    PERFORM set_config('session_replication_role', role_was, true);
  END IF;
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', pgtoaster.trigger_name(m.store, 'sync'), tbl);
  EXECUTE format('DROP FUNCTION IF EXISTS %s()', pgtoaster.store_table(m.store, 'sync'));
  EXECUTE format('ALTER TABLE %s RENAME COLUMN %I TO %I', tbl, col, kept);
  EXECUTE format('ALTER TABLE %s RENAME COLUMN %I TO %I', tbl, s.target, col);
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL, ALTER COLUMN %I DROP DEFAULT', tbl, kept, kept);
  INSERT INTO pgtoaster.catalog_change (what, store, column_name) VALUES ('set', m.store, CASE WHEN s.back THEN kept ELSE col END);
  EXECUTE format('UPDATE %s SET phase = ''done'', kept = $1', own) USING kept;
  PERFORM pgtoaster.mirror_privileges(m.store);
END $$;

-- Takes back what was begun and is not finished; the old column has never changed. Large objects that a way back has made stay, named by
-- nothing: vacuumlo removes such.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_abort(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
BEGIN
  IF m.state->>'phase' = 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%1$L, %2$L) drops what it kept; then pgtoaster.migrate_back(%1$L, %2$L) leads back.', tbl, col);
  END IF;
  IF NOT CAST(m.state->>'back' AS boolean) AND m.state->>'source' = m.state->>'target' THEN
    RAISE EXCEPTION 'documents of column "%" of % are being split in place', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_back(%L, %L) turns around ("pgtoaster migrate --back").', tbl, col);
  END IF;
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF NOT CAST(m.state->>'back' AS boolean) THEN
    PERFORM pgtoaster.detach(tbl, CAST(m.state->>'target' AS name), true);
  END IF;
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', pgtoaster.trigger_name(m.store, 'sync'), tbl);
  IF m.state->>'source' <> m.state->>'target' THEN
    EXECUTE format('ALTER TABLE %s DROP COLUMN %I', tbl, m.state->>'target');
  END IF;
  PERFORM pgtoaster.drop_migration(m.store);
END $$;

-- Drops the old column, which a finished migration has kept.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_drop(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.migration_of(tbl, col);
BEGIN
  IF m.store IS NULL THEN
    RAISE EXCEPTION 'nothing is kept of a migration of column "%" of %', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Documents are split, and become plain again, in place: then there is nothing to drop.';
  ELSIF m.state->>'phase' <> 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is not finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Finish it, or pgtoaster.migrate_abort.';
  END IF;
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF CAST(m.state->>'back' AS boolean) THEN
    PERFORM pgtoaster.detach(tbl, CAST(m.state->>'kept' AS name), true);
  END IF;
  EXECUTE format('ALTER TABLE %s DROP COLUMN IF EXISTS %I', tbl, m.state->>'kept');
  PERFORM pgtoaster.drop_migration(m.store);
END $$;

-- What a migration has beside the tables that its toaster knows; also where the column is detached or dropped.
CREATE OR REPLACE FUNCTION pgtoaster.drop_migration(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part text;
BEGIN
  FOREACH part IN ARRAY ARRAY['migration', 'copied'] LOOP
    IF to_regclass(pgtoaster.store_table(store, part)) IS NOT NULL THEN
      EXECUTE format('DROP TABLE %s', pgtoaster.store_table(store, part));
    END IF;
  END LOOP;
  IF to_regprocedure(pgtoaster.store_table(store, 'sync') || '()') IS NOT NULL THEN
    EXECUTE format('DROP FUNCTION %s()', pgtoaster.store_table(store, 'sync'));
  END IF;
END $$;

-- The large objects that no column of type oid, or lo, of a table of this database names.
CREATE OR REPLACE FUNCTION pgtoaster.orphaned_objects() RETURNS SETOF oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  named text;
BEGIN
  SELECT string_agg(format('SELECT CAST(o.%I AS oid) FROM ONLY %s o WHERE o.%1$I IS NOT NULL', a.attname, c.oid::regclass), ' UNION ALL ') INTO named
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    AND c.relname !~ '^store_[0-9]+_' AND (t.oid = 'oid'::regtype OR t.typname = 'lo');
  RETURN QUERY EXECUTE 'SELECT m.oid FROM pg_largeobject_metadata m' || coalesce(' WHERE m.oid NOT IN (' || named || ')', '');
END $$;

-- What says how many bytes a value of a type has.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_size(type oid, content text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT concat(CASE WHEN type = 'oid'::regtype THEN 'pgtoaster.object_length(' WHEN type IN ('bytea'::regtype, 'text'::regtype, 'varchar'::regtype) THEN 'octet_length('
                     ELSE 'pg_column_size(' END, content, ')')
$$;

-- Makes a table pgtoaster_sample beside another, with up to so many bytes of what a column holds in its column "content". Whoever
-- calls it rolls back, so that nobody ever sees it.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_sample(tbl regclass, col name, most bigint, OUT schema name, OUT bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type CONSTANT oid := (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND a.attnum > 0);
  content CONSTANT text := 'o.' || quote_ident(col);
  size CONSTANT text := pgtoaster.migrate_size(type, content);
BEGIN
  schema := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = tbl);
  EXECUTE format('CREATE TABLE %I.pgtoaster_sample (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content %s)', schema, format_type(type, NULL));
  EXECUTE format('WITH i AS (INSERT INTO %I.pgtoaster_sample (content) SELECT s.content FROM (SELECT %s AS content, sum(%s) OVER (ROWS UNBOUNDED PRECEDING) - %s AS before '
                 'FROM (SELECT * FROM %s o WHERE %s IS NOT NULL LIMIT 20000) o) s WHERE s.before < $1 RETURNING content) SELECT coalesce(sum(%s), 0) FROM i o',
                 schema, content, size, size, tbl, content, pgtoaster.migrate_size(type, 'o.content')) INTO bytes USING most;
END $$;

-- What a migration would mean, without doing anything: rows and bytes that would be copied, the disk that it would take beside what
-- is there, the seconds that it would take without a limit, measured on a sample of up to 16 MB that is copied and rolled back, and
-- what should be known before. seconds: NULL where documents are to be split, which the client does, and measures; 0 for an attached
-- column, of which it tells what the way back would mean.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_plan(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}',
  OUT rows bigint, OUT bytes bigint, OUT disk bigint, OUT seconds double precision, OUT notes text[])
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a CONSTANT pg_attribute := (SELECT x FROM pg_attribute x WHERE x.attrelid = tbl AND x.attname = col AND x.attnum > 0 AND NOT x.attisdropped);
  column_of CONSTANT text := 'o.' || quote_ident(col);
  attached record;
  began timestamptz;
  sampled record;
  s record;
  documents boolean;
BEGIN
  notes := '{}';
  IF a.attnum IS NULL THEN
    RAISE EXCEPTION 'column "%" of % does not exist', col, tbl USING ERRCODE = 'undefined_column';
  END IF;
  SELECT c.store, c.toaster INTO attached FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col;
  documents := attached.store IS NULL AND (toaster = 'keyed' OR toaster IS NULL AND a.atttypid IN ('json'::regtype, 'jsonb'::regtype));
  EXECUTE concat('SELECT count(', column_of, '), coalesce(sum(', CASE WHEN attached.toaster = 'appendable' THEN concat('pgtoaster.blob_length(', column_of, ')') ELSE pgtoaster.migrate_size(a.atttypid, column_of) END, '), 0) FROM ', tbl, ' o') INTO rows, bytes;
  IF attached.toaster = 'keyed' THEN
    EXECUTE format('SELECT $1 + coalesce(sum(greatest(n.bytes, 0)), 0) FROM %s n', pgtoaster.store_table(attached.store, 'node')) INTO bytes USING bytes;
  END IF;
  IF attached.store IS NOT NULL THEN
    seconds := 0;
  ELSIF NOT documents THEN
    BEGIN
      sampled := pgtoaster.migrate_sample(tbl, col, 16777216);
      PERFORM pgtoaster.migrate_begin(format('%I.pgtoaster_sample', sampled.schema)::regclass, 'content', toaster, options - 'key' - 'leading_key');
      began := clock_timestamp();
      LOOP
        s := pgtoaster.migrate_step(format('%I.pgtoaster_sample', sampled.schema)::regclass, 'content', 16777216);
        EXIT WHEN s.phase = 'ready';
      END LOOP;
      seconds := extract(epoch FROM clock_timestamp() - began);
      RAISE EXCEPTION USING ERRCODE = 'PGT99', MESSAGE = 'measured';
    EXCEPTION WHEN SQLSTATE 'PGT99' THEN
      NULL;
    END;
    -- The sample was copied and compared.
    seconds := coalesce(seconds * bytes / nullif(sampled.bytes, 0), 0);
  END IF;
  disk := CASE WHEN attached.store IS NULL AND a.atttypid = 'jsonb'::regtype THEN bytes ELSE (bytes * 1.05)::bigint + rows * 150 END;
  notes := notes || ARRAY(SELECT format('%s "%s" uses the column: %s', u.kind, u.name, CASE WHEN u.kind IN ('index', 'statistics') THEN 'it stays with the old column'
                                                                                            ELSE 'drop it before, and make it anew behind' END)
                          FROM pgtoaster.column_uses(tbl, col) u WHERE a.atttypid <> 'jsonb'::regtype);
  IF a.attnotnull AND a.atttypid <> 'jsonb'::regtype THEN
    notes := notes || CASE WHEN documents THEN 'NOT NULL goes' ELSE 'NOT NULL goes: a new row of blobs gets its content by the first append' END;
  END IF;
  IF a.atthasdef AND a.atttypid <> 'jsonb'::regtype THEN
    notes := notes || 'the default goes'::text;
  END IF;
  IF NOT has_parameter_privilege('session_replication_role', 'SET') AND EXISTS (
       SELECT FROM pg_trigger t WHERE t.tgrelid = tbl AND NOT t.tgisinternal AND t.tgtype & 17 = 17 AND t.tgname !~ '^~?pgtoaster_[0-9]+_') THEN
    notes := notes || 'triggers of the table fire for each row that is copied: GRANT SET ON PARAMETER session_replication_role keeps them quiet'::text;
  END IF;
  IF a.atttypid = 'oid'::regtype THEN
    BEGIN
      notes := notes || ARRAY(SELECT format('%s large objects are named by no column: pgtoaster.orphaned_objects() lists them', count(*))
                              FROM pgtoaster.orphaned_objects() HAVING count(*) > 0);
    EXCEPTION WHEN insufficient_privilege THEN
      -- Of tables that others own nobody can tell what they name.
      notes := notes || concat('large objects that no column names are not counted: ', SQLERRM);
    END;
    notes := notes || 'what is written into a large object without a change of its row is copied only until it was compared'::text;
  END IF;
END $$;

-- How far the slowest standby that streams, or logical slot, is behind what this server has written, in bytes of WAL, and which it is;
-- NULL where there is none. A slot that nobody reads counts: what it keeps fills the disk.
CREATE OR REPLACE FUNCTION pgtoaster.replication_lag(OUT bytes bigint, OUT who text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
    RAISE EXCEPTION 'role "%" may not see how far standbys are behind', current_user USING ERRCODE = 'insufficient_privilege',
      HINT = format('GRANT pg_monitor TO %I, or migrate without a limit of the lag.', current_user);
  END IF;
  SELECT l.bytes, l.who INTO bytes, who FROM (
    SELECT CAST(pg_current_wal_lsn() - coalesce(r.replay_lsn, r.flush_lsn, r.write_lsn, r.sent_lsn) AS bigint) AS bytes,
           concat('standby "', r.application_name, '"', ' at ' || host(r.client_addr)) AS who
    FROM pg_stat_replication r WHERE r.state IN ('catchup', 'streaming') AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
    UNION ALL
    SELECT CAST(pg_current_wal_lsn() - s.confirmed_flush_lsn AS bigint), concat('logical slot "', s.slot_name, '"', CASE WHEN NOT s.active THEN ', which nobody reads' END)
    FROM pg_replication_slots s WHERE s.slot_type = 'logical' AND s.wal_status <> 'lost') l
  WHERE l.bytes IS NOT NULL ORDER BY l.bytes DESC LIMIT 1;
END $$;

-- All of it, in transactions of its own, as CALL outside of a transaction: begins, or goes on where it was interrupted, copies, compares and
-- exchanges the columns. mb_per_second: at most so many megabytes each second; max_lag_mb: waits between two steps while a standby or
-- logical slot is more megabytes of WAL behind; NULL: no limit.
CREATE OR REPLACE PROCEDURE pgtoaster.migrate(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}', mb_per_second double precision DEFAULT NULL, back boolean DEFAULT false,
  max_lag_mb double precision DEFAULT NULL)
LANGUAGE plpgsql
AS $$
DECLARE
  s pg_catalog.record;
  lag pg_catalog.record;
  began pg_catalog.timestamptz;
  waits pg_catalog.text;
BEGIN
  IF max_lag_mb IS NOT NULL THEN
    PERFORM pgtoaster.replication_lag();
  END IF;
  IF back THEN
    PERFORM pgtoaster.migrate_back(tbl, col, toaster);
  ELSE
    PERFORM pgtoaster.migrate_begin(tbl, col, toaster, options);
  END IF;
  COMMIT;
  LOOP
    began := pg_catalog.clock_timestamp();
    s := pgtoaster.migrate_step(tbl, col);
    COMMIT;
    EXIT WHEN s.phase OPERATOR(pg_catalog.=) 'ready';
    PERFORM pg_catalog.pg_sleep(greatest(0, s.step_bytes OPERATOR(pg_catalog./) (mb_per_second OPERATOR(pg_catalog.*) 1000000.0)
                                            OPERATOR(pg_catalog.-) CAST(EXTRACT(epoch FROM pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) began) AS double precision)))
      WHERE mb_per_second IS NOT NULL;
    LOOP
      EXIT WHEN max_lag_mb IS NULL;
      lag := pgtoaster.replication_lag();
      EXIT WHEN lag.bytes IS NULL OR lag.bytes OPERATOR(pg_catalog.<=) (max_lag_mb OPERATOR(pg_catalog.*) 1000000.0);
      IF waits IS NULL OR waits OPERATOR(pg_catalog.<>) lag.who THEN
        waits := lag.who;
        RAISE NOTICE 'waits for %, % MB behind', lag.who, lag.bytes OPERATOR(pg_catalog./) 1000000;
      END IF;
      COMMIT;
      PERFORM pg_catalog.pg_sleep(0.2);
    END LOOP;
    waits := NULL;
  END LOOP;
  PERFORM pgtoaster.migrate_finish(tbl, col);
END $$;
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

-- What keeps a table from being distributed, by schema or by rows: a trigger that is not one of pgtoaster's. NULL if nothing does.
CREATE OR REPLACE FUNCTION pgtoaster.foreign_trigger(relation oid) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('the trigger %s is not one of pgtoaster''s, and Citus runs triggers on the workers: drop it', quote_ident(t.tgname))
  FROM pg_trigger t WHERE t.tgrelid = $1 AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_|^store_[0-9]+_sweep$' LIMIT 1
$$;

-- What distribute does with the stores of columns: each of their tables, and why it is refused.
CREATE OR REPLACE FUNCTION pgtoaster.distribute_stores(stores integer[])
RETURNS TABLE (relation regclass, column_name name, store integer, bytes bigint, refused text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT to_regclass(pgtoaster.store_table(a.store, p.part)), a.column_name, a.store, pg_table_size(to_regclass(pgtoaster.store_table(a.store, p.part))),
         CASE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = a.owner AND t.tgname = pgtoaster.trigger_name(a.store, 'sync'))
                THEN 'a migration of the column that has not ended: finish it, or break it off' END
  FROM pgtoaster.attached_column a CROSS JOIN LATERAL unnest(pgtoaster.store_parts(a.store)) p(part)
  WHERE a.store = ANY ($1)
  UNION ALL
  SELECT a.owner, a.column_name, a.store, 0::bigint, format('the toaster "%s" of the column is not one of pgtoaster''s own', a.toaster)
  FROM pgtoaster.attached_column a LEFT JOIN pgtoaster.toaster t ON t.name = a.toaster
  WHERE a.store = ANY ($1) AND t.builtin IS NOT TRUE
$$;

-- Brings stores to where they can be distributed: beside their table, with numbers that each node can draw.
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

-- What distribute does with a schema: each table, the column whose store it belongs to, its bytes, and why it is refused.
CREATE OR REPLACE FUNCTION pgtoaster.distribute_plan(schema name)
RETURNS TABLE (relation regclass, column_name name, store integer, bytes bigint, refused text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = $1) THEN
    RAISE EXCEPTION 'schema "%" does not exist', $1 USING ERRCODE = 'undefined_object',
      HINT = 'A table by its rows: SELECT pgtoaster.distribute(''table''::regclass).';
  END IF;
  RETURN QUERY
  SELECT c.oid::regclass, NULL::name, NULL::integer, pg_table_size(c.oid),
         CASE WHEN quote_ident($1) <> $1
                THEN 'the name of the schema needs quotes, which Citus leaves out where it passes grants of functions on: rename it'
              WHEN c.relkind = 'p' AND EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = c.oid)
                THEN 'a partitioned table with attached columns'
              WHEN c.relrowsecurity AND EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = c.oid)
                THEN 'row security, which goes by what one server knows of its transactions: give each tenant a schema and a role of its own'
              ELSE pgtoaster.foreign_trigger(c.oid) END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pgtoaster.store s CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.id)) p(part)
                    WHERE to_regclass(pgtoaster.store_table(s.id, p.part)) = c.oid)
  UNION ALL
  SELECT * FROM pgtoaster.distribute_stores(ARRAY(SELECT a.store FROM pgtoaster.attached_column a WHERE a.schema_name = $1));
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

-- Says of stores whether they are distributed, and has their functions follow.
CREATE OR REPLACE FUNCTION pgtoaster.mark_distributed(stores integer[], distributed boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a record;
  routine regprocedure;
BEGIN
  FOR a IN SELECT s.id, s.options FROM pgtoaster.store s WHERE s.id = ANY (stores) AND pgtoaster.store_parts(s.id) <> '{}' ORDER BY s.id LOOP
    IF NOT $2 THEN
      FOR routine IN SELECT pgtoaster.store_routine(a.id, k.part) FROM pgtoaster.own_routines(a.id) k WHERE k.part IN ('change', 'hold') LOOP
        EXECUTE format('DROP FUNCTION %s', routine);
      END LOOP;
    END IF;
    INSERT INTO pgtoaster.catalog_change (what, store, options)
    VALUES ('set', a.id, CASE WHEN $2 THEN a.options || '{"distributed": true}' ELSE a.options - 'distributed' END);
    PERFORM pgtoaster.write_routines(a.id);
    PERFORM pgtoaster.write_trigger_functions(a.id);
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
  stores CONSTANT integer[] := ARRAY(SELECT a.store FROM pgtoaster.attached_column a WHERE a.schema_name = $1);
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
  PERFORM pgtoaster.prepare_stores(stores);
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  PERFORM pgtoaster.mark_distributed(stores, true);
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
  PERFORM pgtoaster.mark_distributed(stores, false);
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

-- What distribute does with a table: the same of it and of the tables of the stores of its columns.
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
         CASE WHEN leads = '{}' THEN 'no column of it is attached, and Citus distributes it by itself: create_distributed_table'
              WHEN cardinality(leads) > 1 OR leads[1] IS NULL
                THEN 'its columns have no leading_key, or not the same, by which its rows are spread: attach them with one'
              WHEN c.relkind = 'p' THEN 'a partitioned table with attached columns'
              WHEN c.relrowsecurity THEN 'row security, which goes by what one server knows of its transactions'
              ELSE coalesce(pgtoaster.foreign_trigger(c.oid),
                (SELECT format('the unique index %s has not the leading key, and Citus knows of no other: drop it, or add %s to it', i.indexrelid::regclass, quote_ident(leads[1]))
                 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indexrelid::regclass::text !~ '(^|\.)"?pgtoaster_[0-9]+_handle"?$'
                   AND NOT EXISTS (SELECT FROM unnest(i.indkey) k(attnum) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum AND a.attname = leads[1])
                 LIMIT 1)) END
  FROM pg_class c WHERE c.oid = $1
  UNION ALL
  SELECT * FROM pgtoaster.distribute_stores(ARRAY(SELECT a.store FROM pgtoaster.attached_column a WHERE a.owner = $1));
END $$;

-- What names a handle of a store of blobs in a table: the foreign key, dropped and made again around what distributes the
-- tables, which takes no key to a table that is not; and the index, which has the leading key where Citus wants it in all that are unique.
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

-- Distributes a table by its rows: those with one leading key, and their content in the stores of its columns, lie together,
-- on one node of Citus. Rules as of a schema, above.
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
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'SELECT * FROM pgtoaster.distribute_plan(table::regclass) tells all; nothing was changed.';
  END IF;
  IF pgtoaster.is_distributed(relation) THEN
    RAISE EXCEPTION '% is distributed already', relation USING ERRCODE = 'duplicate_object',
      HINT = 'What is attached to it later is distributed by pgtoaster.undistribute and distribute.';
  END IF;
  SELECT array_agg(a.store ORDER BY a.store), min(a.options->>'leading_key'), coalesce(array_agg(a.store) FILTER (WHERE a.toaster = 'appendable'), '{}')
    INTO stores, lead, blobs
  FROM pgtoaster.attached_column a WHERE a.owner = relation AND a.store_schema IS NOT NULL;
  PERFORM pgtoaster.prepare_stores(stores);
  tables := ARRAY(SELECT pgtoaster.store_table(s.s, k.part)::regclass FROM unnest(stores) s(s) CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.s)) k(part));
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
  -- Rows that were copied are still in the tables here, where nobody sees them but who looks past Citus.
  PERFORM set_config('pgtoaster.distributing', 'on', true);
  FOR p IN SELECT relation AS id UNION ALL SELECT t FROM unnest(tables) t LOOP
    EXECUTE 'SELECT pg_catalog.truncate_local_data_after_distributing_table($1)' USING p.id;
  END LOOP;
  PERFORM set_config('pgtoaster.distributing', '', true);
  FOREACH store IN ARRAY blobs LOOP
    PERFORM pgtoaster.name_handles(store, true, relation, lead);
  END LOOP;
END $$;

-- Takes a table back to the coordinator. Citus makes its tables anew there.
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
  SELECT array_agg(s.id ORDER BY s.id), array_agg(s.head::text ORDER BY s.id), coalesce(array_agg(s.id) FILTER (WHERE s.toaster = 'appendable'), '{}')
    INTO stores, heads, blobs
  FROM pgtoaster.store s WHERE s.owner = relation AND s.options->>'distributed' = 'true' AND s.options ? 'leading_key';
  IF stores IS NULL OR NOT pgtoaster.is_distributed(relation) THEN
    RAISE EXCEPTION '% is not distributed by its rows', relation USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See citus_tables.';
  END IF;
  names := owner || ARRAY(SELECT pgtoaster.store_table(s.s, k.part) FROM unnest(stores) s(s) CROSS JOIN LATERAL unnest(pgtoaster.store_parts(s.s)) k(part));
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

-- Where the rows and the content of tables that are distributed by their rows lie, and what they weigh there.
CREATE OR REPLACE FUNCTION pgtoaster.table_places() RETURNS TABLE (relation regclass, node text, shards bigint, bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF pgtoaster.on_citus() THEN
    RETURN QUERY EXECUTE
      'SELECT o.owner::regclass, concat(s.nodename, '':'', s.nodeport), count(*) FILTER (WHERE s.table_name = o.owner), sum(s.shard_size)::bigint '
      'FROM (SELECT t.owner, t.owner AS part FROM pgtoaster.store t UNION '
      '      SELECT t.owner, to_regclass(pgtoaster.store_table(t.id, p.part)) FROM pgtoaster.store t CROSS JOIN LATERAL unnest(pgtoaster.store_parts(t.id)) p(part)) o '
      'JOIN pg_catalog.citus_shards s ON s.table_name = o.part '
      'WHERE s.citus_table_type = ''distributed'' GROUP BY 1, 2 ORDER BY 1, 2';
  END IF;
END $$;

-- Where the rows with one leading key lie, and the bytes of their content.
CREATE OR REPLACE FUNCTION pgtoaster.tenant_place(relation regclass, leading_key text, OUT node text, OUT bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  s record;
  part bigint;
BEGIN
  IF NOT pgtoaster.is_distributed(relation) THEN
    RAISE EXCEPTION '% is not distributed', relation USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See pgtoaster.table_places().';
  END IF;
  EXECUTE 'SELECT concat(p.nodename, '':'', p.nodeport) FROM pg_catalog.citus_shards p '
          'WHERE p.shardid = pg_catalog.get_shard_id_for_distribution_column($1, $2)' INTO node USING relation, leading_key;
  bytes := 0;
  FOR s IN SELECT a.store, a.toaster, l.attname FROM pgtoaster.attached_column a CROSS JOIN LATERAL pgtoaster.lead_attribute(a.store) l WHERE a.owner = relation LOOP
    EXECUTE CASE s.toaster WHEN 'keyed' THEN format('SELECT sum(greatest(n.bytes, 0)) FROM %s n WHERE n.%s = %L', pgtoaster.store_table(s.store, 'node'), s.attname, leading_key)
      ELSE format('SELECT sum(h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0)) FROM %s h WHERE h.%s = %L',
                  pgtoaster.store_table(s.store, 'head'), s.attname, leading_key) END INTO part;
    bytes := bytes + coalesce(part, 0);
  END LOOP;
END $$;
-- Always the last file.

-- Functions that set a parameter anyway do not see two of the session's: names are quoted only where they must be, and
-- literals mean the same whatever the session says of backslashes. Those that are inlined, and those that tables call, have no
-- such literals, or have E''.
DO $$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT p.oid::regprocedure AS name, p.proconfig IS NOT NULL AS sets, p.prosrc LIKE '%' || chr(92) || chr(92) || '%' AS literals
           FROM pg_proc p
           WHERE p.pronamespace = 'pgtoaster'::regnamespace AND p.proname !~ '^store_[0-9]+_[a-z_]+$' AND pg_has_role(p.proowner, 'USAGE') LOOP
    IF f.sets THEN
      EXECUTE format('ALTER FUNCTION %s SET quote_all_identifiers = off', f.name);
    END IF;
    IF f.literals THEN
      EXECUTE format('ALTER FUNCTION %s SET standard_conforming_strings = on', f.name);
    END IF;
  END LOOP;
END $$;

-- What is installed, as a comment: of which scripts, what they have made, and what the routines of stores are made of.
-- Catalog.install() compares it, by the same query, and does nothing if all is as it was.
DO $$ BEGIN
  EXECUTE format('COMMENT ON TABLE pgtoaster.version IS %L', concat_ws(' ', '{scripts}', (
-- made
SELECT pg_catalog.md5(pg_catalog.string_agg(o.o, ' ' ORDER BY o.o COLLATE pg_catalog."C"))
FROM (
  SELECT pg_catalog.concat_ws(' ', p.proname, p.proargtypes, p.proargnames, p.proconfig, p.prosecdef, p.provolatile, p.proisstrict, p.proparallel,
                              pg_catalog.md5(p.prosrc)) AS o
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
  WHERE n.nspname OPERATOR(pg_catalog.=) CAST('pgtoaster' AS pg_catalog.name) AND p.proname OPERATOR(pg_catalog.!~) '^store_[0-9]+_'
  UNION ALL
  SELECT pg_catalog.concat_ws(' ', c.relname, c.relkind, pg_catalog.md5(CAST(v.ev_action AS pg_catalog.text)), t.tgname, t.tgenabled)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
  LEFT JOIN pg_catalog.pg_rewrite v ON v.ev_class OPERATOR(pg_catalog.=) c.oid
  LEFT JOIN pg_catalog.pg_trigger t ON t.tgrelid OPERATOR(pg_catalog.=) c.oid
  WHERE n.nspname OPERATOR(pg_catalog.=) CAST('pgtoaster' AS pg_catalog.name) AND c.relname OPERATOR(pg_catalog.!~) '^store_[0-9]+_'
) o
-- end of made
  ), split_part(pgtoaster.routine_mark(''), ' ', 2)));
END $$;

-- The settings as they were before the first file.
DO $$ BEGIN
  PERFORM pg_catalog.set_config('lock_timeout', pg_catalog.current_setting('pgtoaster.lock_timeout'), true);
  PERFORM pg_catalog.set_config('standard_conforming_strings', pg_catalog.current_setting('pgtoaster.conforming_strings'), true);
  PERFORM pg_catalog.set_config('search_path', pg_catalog.current_setting('pgtoaster.search_path'), true);
END $$;
