-- The pgtoaster catalog: the attached columns, with their toasters and options. Run the files of these folders in the
-- order of Catalog.scriptNames(), in one transaction, as any role that may create a schema in the database:
--   ./pgtoaster install --print | psql -1 -v ON_ERROR_STOP=1
-- Running them again is harmless.

-- These settings make the installed code use the server's own functions, operators and types, regardless of the search
-- path, and give literals with backslashes the same meaning everywhere. The last file, catalog/finish.sql, restores both
-- settings.
DO $$ BEGIN
  PERFORM pg_catalog.set_config('pgtoaster.search_path', pg_catalog.current_setting('search_path'), true);
  PERFORM pg_catalog.set_config('pgtoaster.conforming_strings', pg_catalog.current_setting('standard_conforming_strings'), true);
END $$;
SET LOCAL standard_conforming_strings = on;
SET LOCAL search_path = pg_catalog, pg_temp;
SET LOCAL client_min_messages = warning;

DO $$
BEGIN
  -- With quote_all_identifiers, the server quotes the names given to SET.
  IF replace(current_setting('search_path'), '"', '') <> 'pg_catalog, pg_temp' THEN
    RAISE EXCEPTION 'the pgtoaster catalog must be installed in one transaction' USING ERRCODE = 'no_active_sql_transaction',
      HINT = 'BEGIN before the first file and COMMIT after the last, or psql -1; nothing was changed.';
  END IF;
  CREATE SCHEMA IF NOT EXISTS pgtoaster;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE EXCEPTION 'role % may not create the schema pgtoaster in database %', quote_ident(current_user), quote_ident(current_database())
    USING ERRCODE = 'insufficient_privilege',
          HINT = format('GRANT CREATE ON DATABASE %I TO %I, or install as the owner of the database; nothing was changed.',
                        current_database(), current_user);
WHEN unique_violation OR duplicate_schema THEN
  -- Another installation created it while this one waited.
  NULL;
END $$;

-- The objects that are installed here must not belong to another role.
DO $$
DECLARE
  other record;
BEGIN
  SELECT format('schema %I', n.nspname) AS what, n.nspowner AS owner INTO other
  FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner
  WHERE n.nspname = 'pgtoaster' AND r.rolname <> current_user AND NOT r.rolsuper;
  IF NOT FOUND THEN
    -- The tables and functions of a store belong to the owner of the attached table. Nothing here calls them by name.
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
    RAISE EXCEPTION '% belongs to role %, which could change it to run code with the rights of other roles', other.what,
                    quote_ident(pg_get_userbyid(other.owner))
      USING ERRCODE = 'insufficient_privilege',
            HINT = format('If that role installed the catalog, install it again as that role: SET ROLE %I. '
                          'Otherwise drop its objects; nothing was changed.',
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

-- Only one installation runs at a time. A table lock is used because any role could take an advisory lock.
LOCK TABLE pgtoaster.version IN SHARE ROW EXCLUSIVE MODE;
-- A transaction that has read the catalog and never ends must not block the installation, or the sessions that wait for
-- the installation.
DO $$ BEGIN
  PERFORM set_config('pgtoaster.lock_timeout', current_setting('lock_timeout'), true);
  IF current_setting('lock_timeout') = '0' THEN
    SET LOCAL lock_timeout = '10s';
  END IF;
END $$;

-- Upgrades an older catalog: these files replace its functions, triggers and views, and catalog/routine.sql replaces the
-- routines of its stores.
DO $$
DECLARE
  this CONSTANT integer := 14;
  -- Stores of catalogs before this version have different tables.
  oldest CONSTANT integer := 13;
  found integer;
BEGIN
  SELECT version INTO found FROM pgtoaster.version;
  IF found < oldest THEN
    RAISE EXCEPTION 'the pgtoaster catalog has version %, and this script upgrades version % and later', found, oldest
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Nothing was changed. Export the content with the pgtoaster version that created it '
                   '(detach makes documents plain jsonb, "pgtoaster cat" copies a blob to a file), '
                   'then DROP SCHEMA pgtoaster CASCADE, install, attach, and put the content back.';
  ELSIF found > this THEN
    RAISE EXCEPTION 'the pgtoaster catalog has version %, newer than the version % of this script', found, this
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Install with a pgtoaster of at least that version; nothing was changed.';
  END IF;
  INSERT INTO pgtoaster.version (version) VALUES (this)
  ON CONFLICT (only_row) DO UPDATE SET version = EXCLUDED.version WHERE version.version <> EXCLUDED.version;
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

COMMENT ON TABLE pgtoaster.store IS
  'one row per attached column; the store of a column is the set of tables store_<id>_* in the schema of its head';
COMMENT ON COLUMN pgtoaster.store.head IS 'table store_<id>_head; NULL: the toaster keeps no tables here';
COMMENT ON COLUMN pgtoaster.store.key_index IS 'name of the unique index that addresses rows of the owner table; NULL: its primary key';

GRANT USAGE ON SCHEMA pgtoaster TO PUBLIC;
GRANT SELECT ON pgtoaster.version, pgtoaster.store TO PUBLIC;
-- Roles that attach columns of their own tables may only INSERT here. They have no rights on the table of stores,
-- because any right would allow them to lock its rows and block all other users. The first trigger runs as the
-- inserting role and checks whether that role may make the change. The second runs as the owner of the catalog, makes
-- the change and discards the inserted row. what: add, set (NULL columns stay as they are), drop or lock.
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
  -- An oid that is unused now may later belong to another role's table.
  IF NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = CASE NEW.what WHEN 'add' THEN NEW.owner ELSE s.owner END) THEN
    RAISE EXCEPTION 'a store needs an existing table' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF NEW.what = 'set' AND (NEW.owner <> s.owner OR NEW.toaster <> s.toaster) THEN
    RAISE EXCEPTION 'the table and the toaster of a store cannot be changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- The tables in the schema of the head count as the store's tables, so check the head.
  IF NEW.head IS NOT NULL AND (NEW.what = 'add' OR s.head IS NOT NULL
                               OR NOT EXISTS (SELECT FROM pg_class c
                                              WHERE c.oid = NEW.head AND c.relkind = 'r' AND c.relname = 'store_' || s.id || '_head')) THEN
    RAISE EXCEPTION '% is not the head of a new store', NEW.head USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.owner = coalesce(s.owner, NEW.owner) AND a.column_name = NEW.column_name
             AND a.store IS DISTINCT FROM s.id) THEN
    RAISE EXCEPTION 'column "%" of % is already attached', NEW.column_name, coalesce(s.owner, NEW.owner) USING ERRCODE = 'duplicate_object';
  END IF;
  -- Other roles read the options of all stores.
  IF octet_length(NEW.toaster) > 63 THEN
    RAISE EXCEPTION 'the name of a toaster has at most 63 bytes' USING ERRCODE = 'name_too_long';
  ELSIF octet_length(NEW.options::text) > 65536 THEN
    RAISE EXCEPTION 'the options of a store have % bytes; the limit is 65536', octet_length(NEW.options::text)
      USING ERRCODE = 'program_limit_exceeded',
            HINT = 'Name fewer paths in keep_inline: a path includes all paths below it.';
  END IF;
  toaster := coalesce(NEW.toaster, s.toaster);
  IF pgtoaster.toaster_routine(toaster, 'options') IS NOT NULL THEN
    sound := pgtoaster.checked_options(toaster, coalesce(NEW.options, '{}'));
  END IF;
  IF sound <> NEW.options OR NEW.what = 'add' AND sound IS NOT NULL AND NEW.options IS NULL THEN
    RAISE EXCEPTION 'the options % do not have the form that pgtoaster writes: %', NEW.options, sound
      USING ERRCODE = 'invalid_parameter_value',
            HINT = 'SELECT pgtoaster.set_options(table, column, changes).';
  END IF;
  -- A table has at most as many stores as columns.
  IF NEW.column_name IS NOT NULL AND NOT EXISTS (
       SELECT FROM pg_attribute a
       WHERE a.attrelid = coalesce(s.owner, NEW.owner) AND a.attname = NEW.column_name AND a.attnum > 0 AND NOT a.attisdropped) THEN
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
      -- Any role may drop a store without tables, and no role may block that.
      IF EXISTS (SELECT FROM pgtoaster.store s JOIN pg_class c ON c.oid IN (s.owner, s.head) WHERE s.id = NEW.store) THEN
        PERFORM FROM pgtoaster.store s WHERE s.id = NEW.store FOR UPDATE;
      ELSE
        PERFORM FROM pgtoaster.store s WHERE s.id = NEW.store FOR UPDATE NOWAIT;
      END IF;
  END CASE;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION pgtoaster.do_change() FROM PUBLIC;

-- Existing triggers are left as they are: creating one takes a lock that conflicts with every open transaction that
-- attaches a column.
DO $$
BEGIN
  IF (SELECT count(*) FROM pg_trigger t
      WHERE t.tgrelid = 'pgtoaster.catalog_change'::regclass AND t.tgname IN ('check_change', 'do_change')) < 2 THEN
    CREATE OR REPLACE TRIGGER check_change BEFORE INSERT ON pgtoaster.catalog_change FOR EACH ROW EXECUTE FUNCTION pgtoaster.check_change();
    CREATE OR REPLACE TRIGGER do_change BEFORE INSERT ON pgtoaster.catalog_change FOR EACH ROW EXECUTE FUNCTION pgtoaster.do_change();
  END IF;
END $$;

-- The attached columns under their current names. A renamed table is found by its oid, a renamed column by the update
-- trigger that attach created for it, and a renamed leading key by the foreign key or by the index of the row key. All of
-- these survive renames, dump and restore.
CREATE OR REPLACE VIEW pgtoaster.attached_column AS
SELECT s.id AS store, s.owner, n.nspname AS schema_name, c.relname AS table_name,
       coalesce(followed.attname, named.attname, s.column_name) AS column_name,
       coalesce(followed.attname, named.attname) IS NOT NULL AS column_exists,
       s.toaster, s.key_index,
       -- This is not a join, so queries that do not select the options do not read it.
       s.options || coalesce((
         SELECT jsonb_build_object('leading_key', a.attname) FROM pg_catalog.pg_constraint k
         JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
         WHERE k.conrelid = s.owner AND k.conname = 'pgtoaster_' || s.id || '_head' AND cardinality(k.conkey) = 2
         UNION ALL
         -- For documents, the position in the row key is known; the index that marks the table has the column's current
         -- name.
         SELECT jsonb_build_object('leading_key', a.attname) FROM pg_catalog.pg_class g
         JOIN pg_catalog.pg_attribute l ON l.attrelid = g.oid AND l.attname ~ '^owner_[0-9]+$'
         JOIN pg_catalog.pg_class m ON m.relnamespace = c.relnamespace AND m.relname = 'pgtoaster_' || s.id || '_owner'
         JOIN pg_catalog.pg_index i ON i.indexrelid = m.oid AND i.indrelid = s.owner
         JOIN pg_catalog.pg_attribute a ON a.attrelid = s.owner AND a.attnum = i.indkey[substr(l.attname, 7)::integer - 1]
         WHERE s.options->'leading_key' IS NOT NULL AND g.relnamespace = head.relnamespace AND g.relname = 'store_' || s.id || '_garbage'
         LIMIT 1), '{}') AS options,
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
LEFT JOIN pg_catalog.pg_attribute named
  ON named.attrelid = s.owner AND named.attname = s.column_name AND named.attnum > 0 AND NOT named.attisdropped;
GRANT SELECT ON pgtoaster.attached_column TO PUBLIC;
