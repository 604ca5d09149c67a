-- Attaches and detaches columns, and changes their options.

-- Returns the options that pgtoaster.distribute sets; they are kept when other options change.
CREATE OR REPLACE FUNCTION pgtoaster.distributed_option(given jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN (given->>'distributed')::boolean THEN '{"distributed": true}' ELSE '{}' END::jsonb $$;

-- Returns the unique index whose columns identify a row: the primary key, or the given index.
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
      RAISE EXCEPTION 'the primary key of % is deferrable, so two rows may temporarily have the same key', owner
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
    RAISE EXCEPTION 'index "%" cannot address the rows of %: its collation differs from that of its column', k, owner
      USING ERRCODE = 'invalid_table_definition', HINT = 'Keys that differ in the index would be equal in queries.';
  END IF;
  RETURN k;
END $$;

-- attach and detach check whether a column is empty after they have locked the table. If the snapshot of a transaction
-- is older than the lock, it does not show what others committed during the wait.
CREATE OR REPLACE FUNCTION pgtoaster.require_read_committed() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'columns can be attached and detached only at isolation level READ COMMITTED'
      USING ERRCODE = 'active_sql_transaction', HINT = 'BEGIN ISOLATION LEVEL READ COMMITTED; nothing was changed.';
  END IF;
END $$;

-- Drops an index of a store on its owner table, if it exists: dropping the whole catalog leaves these indexes behind.
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

-- Raises an error for changes of tables, triggers and indexes while their schema or table is distributed.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_distributed(owner regclass, what text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  schema name := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = owner);
BEGIN
  IF pgtoaster.is_distributed(schema) THEN
    RAISE EXCEPTION '% is in the distributed schema "%", in which no column can be %', owner, schema, what
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('Run SELECT pgtoaster.undistribute(%L), repeat this call, then run SELECT pgtoaster.distribute(%1$L).', schema);
  ELSIF pgtoaster.is_distributed(owner) THEN
    RAISE EXCEPTION '% is distributed, so no column of it can be %', owner, what
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format(
              'Run SELECT pgtoaster.undistribute(%L::regclass), repeat this call, then run SELECT pgtoaster.distribute(%1$L::regclass).',
              owner);
  END IF;
END $$;

-- Checks what every toaster requires of a table, and locks the table. Returns the unique index that identifies its rows:
-- the given one, or that of the primary key.
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
    RAISE EXCEPTION '% is a temporary table, and its content would remain after it is dropped', owner
      USING ERRCODE = 'wrong_object_type', HINT = 'Use a plain or an UNLOGGED table; the toaster "default" works on a '
                                                  'bytea, text or jsonb column of any table without being attached.';
  END IF;
  IF NOT pg_has_role(rel.relowner, 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', owner USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pgtoaster.require_read_committed();
  PERFORM pgtoaster.refuse_distributed(owner, 'attached');
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', owner);
  IF EXISTS (SELECT FROM pgtoaster.attached_column a
             WHERE a.owner = lock_to_attach.owner AND a.column_name = lock_to_attach.column_name) THEN
    RAISE EXCEPTION 'column "%" of % is already attached', column_name, owner USING ERRCODE = 'duplicate_object',
      HINT = 'Detach it first, or see pgtoaster.status() for its store.';
  END IF;
  RETURN pgtoaster.row_key(owner, key_index);
END $$;

-- Registers a column for a toaster that is unknown to the catalog, such as one from a jar. The toaster has already
-- checked the column and the options. It creates the other objects that it needs; their names begin with store_<number>_
-- or pgtoaster_<number>_, so that leftovers can be found. Returns the number of the store.
CREATE OR REPLACE FUNCTION pgtoaster.add_column(owner regclass, column_name name, toaster text, options jsonb DEFAULT '{}') RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = add_column.toaster) THEN
    RAISE EXCEPTION 'toaster "%" is already known to pgtoaster.attach', toaster USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Attach the column with SELECT pgtoaster.attach(table, column, toaster).';
  END IF;
  PERFORM pgtoaster.lock_to_attach(owner, column_name, (options->>'key')::name);
  RETURN pgtoaster.add_store(owner, column_name, toaster, (options->>'key')::name, options - 'key');
END $$;

-- Attaches a column with its toaster, adding the column if it does not exist; returns the number of its store.
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
      HINT = format('SQL can attach columns only to %s; use the libraries of other toasters.',
                    (SELECT string_agg(t.name, ', ' ORDER BY t.name) FROM pgtoaster.toaster t));
  END IF;
  IF NOT known.builtin AND known.handler IS NOT NULL THEN
    PERFORM pgtoaster.validate(toaster);
  END IF;
  key_index := pgtoaster.lock_to_attach(owner, column_name, (options->>'key')::name);
  IF known.parts <> '{}' THEN
    IF EXISTS (SELECT FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhparent WHERE c.oid = owner AND c.relkind = 'r') THEN
      RAISE EXCEPTION 'other tables inherit from %, and do not have its triggers', owner USING ERRCODE = 'wrong_object_type',
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
        HINT = CASE WHEN taken ~ '(store|pgtoaster)_[0-9]+_'
                    THEN 'Names that begin with store_<number>_ and pgtoaster_<number>_ belong to '
                         'stores, and this one is in use: drop the object that has it, or call this again, which takes the next number.'
                    ELSE hint END;
    END;
  ELSE
    settings := pgtoaster.checked_options(toaster, options - 'key');
    new_store := pgtoaster.add_store(owner, column_name, toaster, (options->>'key')::name, settings);
    EXECUTE 'SELECT toaster.attach_callback($1, $2, $3, $4)' USING to_regprocedure(known.handler), owner, column_name, new_store;
  END IF;
  -- Adding the store may have waited for a concurrent drop_toaster.
  IF NOT EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = toaster) THEN
    RAISE EXCEPTION 'toaster "%" was dropped', toaster USING ERRCODE = 'undefined_object';
  END IF;
  RETURN new_store;
END $$;

-- Returns the options of a column after its toaster has checked them; a toaster without options rejects all.
CREATE OR REPLACE FUNCTION pgtoaster.checked_options(toaster text, options jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  routine regproc := pgtoaster.toaster_routine(toaster, 'options');
BEGIN
  IF routine IS NOT NULL THEN
    EXECUTE format('SELECT %s($1)', routine) INTO options USING options;
  ELSIF options <> '{}' THEN
    RAISE EXCEPTION 'toaster "%" has only the option "key"', toaster USING ERRCODE = 'invalid_parameter_value';
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
    RAISE EXCEPTION 'the default toaster has only the option "key"' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN pgtoaster.add_store(owner, column_name, 'default', (options->>'key')::name, '{}');
END $$;

-- Attaches a column, unless it is already attached to that toaster. In that case nothing changes, not even the options.
-- Returns the number of its store. For schema tools, which run the same statements again. Raises an error if
-- keep_inline contains paths that the column does not keep in line, because queries depend on members that stay in the
-- row.
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
    -- Another session may be attaching it.
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

-- Drops the triggers of a store. DROP COLUMN does not drop triggers that do not name the column. Checks more than the
-- names, because any role may give such names to triggers of its own tables.
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

-- Detaches a column: drops its triggers, foreign key, index and store; the column stays. For a column of blobs, raises an
-- error while the column, or a table that was detached from the owner, still refers to content, unless drop_content is
-- set. Split documents become plain ones.
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

-- Drops an object of a store. Objects of other roles that depend on it are not dropped: the error names them and says what
-- to do.
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
    HINT = 'Its owner or a superuser must drop it: DROP VIEW, DROP CAST (source AS target), ALTER TABLE .. DROP COLUMN; '
           'then call this again. Nothing was changed.';
END $$;

-- Drops the tables, functions and triggers of a store whose column was dropped.
CREATE OR REPLACE FUNCTION pgtoaster.drop_store(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- Without the head, the other tables cannot be found.
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

-- Changes options of an attached column. New options apply to new content as soon as its writer looks up the column
-- again, and to stored content when it is compacted. Changing the compression locks the store briefly.
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

-- Rejects changes of options that determine what attach creates.
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
