-- Migrates existing columns to a toaster, and back, while the application keeps running: a shadow column next to the old
-- one is filled in small transactions, compared, and takes its name in a short transaction. A column of jsonb is attached
-- as it is, and becomes plain jsonb again in place.
--   migrate_plan: returns what a migration would do, and how long it would take
--   migrate_begin, migrate_back: create the shadow column, and the state in a table of the store, store_<n>_migration
--   migrate_step: does part of the work; call it in separate transactions until its phase is "ready"
--   migrate_documents, migrate_split: return the documents that a client must split in the phase "split", since no function of the
-- server splits them, and record that they are split
--   migrate_finish: exchanges the columns; the old one stays, as <column>_before, until migrate_drop
--   migrate_abort: undoes a migration that is not finished
-- A row is pending as long as its shadow column does not have the content of the old column. A trigger empties the
-- shadow column when the old one changes. A blob can change without its row; its generation and length show this. Every
-- step looks for pending rows, so it can be interrupted at any point. The last search runs under the lock of
-- migrate_finish.

-- Returns the migration of a column: its store, and the row with its state, or NULL.
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
  -- Any role that may create objects in the schema may have created a view with that name, which would run its code.
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

-- Raises an error if a migration has not ended.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_migration(tbl regclass, col name, state jsonb) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF state->>'phase' = 'done' THEN
    RAISE EXCEPTION 'column "%" of % was migrated, and its old content is kept in column "%"', col, tbl, state->>'kept'
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('SELECT pgtoaster.migrate_drop(%L, %L) ("pgtoaster migrate --drop") drops it; then this can begin.', tbl, col);
  END IF;
  RAISE EXCEPTION 'another migration of column "%" of % has begun', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
    HINT = format('Continue it, or SELECT pgtoaster.migrate_abort(%L, %L) ("pgtoaster migrate --abort") undoes it.', tbl, col);
END $$;

-- Returns an unused name for a column next to another one.
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
    RAISE EXCEPTION 'column "%" of % already exists', found, tbl USING ERRCODE = 'duplicate_column',
      HINT = 'If an earlier migration kept this column, drop it with pgtoaster.migrate_drop. Otherwise rename it.';
  END IF;
  RETURN found;
END $$;

-- Returns the tables that contain the rows of a table: its partitions, or itself.
CREATE OR REPLACE FUNCTION pgtoaster.leaves_of(tbl regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.relid FROM pg_partition_tree(tbl) p JOIN pg_class c ON c.oid = p.relid WHERE p.isleaf AND c.relkind = 'r'
  UNION
  SELECT c.oid::regclass FROM pg_class c WHERE c.oid = tbl AND c.relkind = 'r'
  ORDER BY 1
$$;

-- Rejects a column that other objects use, because they would still use the old column after the exchange.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_uses(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  uses text;
BEGIN
  SELECT string_agg(format('%s "%s"', u.kind, u.name), ', ') INTO uses
  FROM pgtoaster.column_uses(tbl, col) u
  WHERE u.kind NOT IN ('index', 'statistics') AND u.name !~ '^(.*\.)?(pgtoaster|store)_[0-9]+_';
  IF uses IS NOT NULL THEN
    RAISE EXCEPTION 'column "%" of % is used by %', col, tbl, uses USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'Drop it, and create it for the new column after migrate_finish; nothing was changed.';
  END IF;
END $$;

-- Copies the column privileges to the shadow column.
CREATE OR REPLACE FUNCTION pgtoaster.copy_column_rights(tbl regclass, source name, target name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  grants record;
BEGIN
  FOR grants IN SELECT x.privilege_type, x.grantee FROM pg_attribute a, aclexplode(a.attacl) x
                WHERE a.attrelid = tbl AND a.attname = source LOOP
    EXECUTE format('GRANT %s (%I) ON %s TO %s', grants.privilege_type, target, tbl,
                   CASE grants.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grants.grantee)) END);
  END LOOP;
END $$;

-- Creates the trigger that empties the shadow column of a row when its old column changes, given the condition for a
-- change. If other triggers may change the column, the trigger fires for every UPDATE, because the statement does not
-- show such changes. A blob keeps the leading key of its row.
CREATE OR REPLACE FUNCTION pgtoaster.create_sync(
  store integer, tbl regclass, source name, target name, changes text, lead name DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT name := (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = tbl);
BEGIN
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                 pgtoaster.store_table(store, 'sync'),
                 format('BEGIN IF %s%s THEN NEW.%I := NULL; END IF; RETURN NEW; END',
                        CASE WHEN lead IS NOT NULL THEN format('OLD.%1$I IS DISTINCT FROM NEW.%1$I OR ', lead) END, changes, target));
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE %s ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION %s()',
                 pgtoaster.trigger_name(store, 'sync'),
                 CASE WHEN EXISTS (SELECT FROM pg_trigger t
                                   WHERE t.tgrelid = tbl AND t.tgtype & 19 = 19
                                     AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_')
                      THEN '' ELSE format('OF %I%s', source, ', ' || quote_ident(lead)) END,
                 tbl, target, pgtoaster.store_table(store, 'sync'));
  IF owner <> current_user THEN
    EXECUTE format('ALTER FUNCTION %s() OWNER TO %I', pgtoaster.store_table(store, 'sync'), owner);
  END IF;
END $$;

-- Begins to migrate a column to a toaster: bytea, text and oid (large objects) to blobs; json, jsonb and text to "keyed".
-- toaster: NULL for the default of the type, which is blobs for text. options: as for attach. Waits five seconds for the
-- lock of the table. If a migration has begun, it is continued. A column of jsonb is attached, if it is not attached yet,
-- and then split.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_begin(
  tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type text := (SELECT format_type(a.atttypid, NULL) FROM pg_attribute a
                WHERE a.attrelid = tbl AND a.attname = col AND a.attnum > 0 AND NOT a.attisdropped);
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
  ELSIF type NOT IN ('bytea', 'text', 'character varying', 'oid') AND toaster = 'appendable'
        OR type NOT IN ('json', 'text', 'character varying') AND toaster = 'keyed'
        OR toaster NOT IN ('appendable', 'keyed') THEN
    RAISE EXCEPTION 'column "%" of % has type %, which cannot be migrated to the toaster "%"', col, tbl, type, toaster
      USING ERRCODE = 'datatype_mismatch',
            HINT = 'Columns of bytea, text and oid can be migrated to "appendable", and columns of json, jsonb and text to "keyed".';
  ELSIF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND (a.attgenerated <> '' OR a.attidentity <> ''))
        OR EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                   WHERE i.indrelid = tbl AND i.indisprimary AND a.attname = col) THEN
    RAISE EXCEPTION 'column "%" of % is generated, or part of its key', col, tbl USING ERRCODE = 'invalid_column_definition';
  ELSIF type = 'text' AND toaster = 'appendable' AND getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'text columns need a database with encoding UTF8' USING ERRCODE = 'feature_not_supported';
  END IF;
  PERFORM pgtoaster.refuse_uses(tbl, col);
  shadow := pgtoaster.beside(tbl, col, '_toasted');
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF toaster = 'appendable' AND type IN ('text', 'character varying') THEN
    options := options || '{"text": true}';
  END IF;
  -- The library also works without this entry, because the value of the column is the content. Later the entry would
  -- refer to the new column.
  IF EXISTS (SELECT FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col AND c.toaster = 'default') THEN
    PERFORM pgtoaster.detach(tbl, col);
  END IF;
  store := pgtoaster.attach(tbl, shadow, toaster, options);
  PERFORM pgtoaster.copy_column_rights(tbl, col, shadow);
  PERFORM pgtoaster.mirror_privileges(store);
  PERFORM pgtoaster.create_migration(store, tbl, col, shadow, false, type);
  PERFORM pgtoaster.create_sync(store, tbl, col, shadow,
                                format(CASE type WHEN 'json' THEN 'CAST(OLD.%1$I AS text) IS DISTINCT FROM CAST(NEW.%1$I AS text)'
                                                 ELSE 'OLD.%1$I IS DISTINCT FROM NEW.%1$I' END, col),
                                CAST(options->>'leading_key' AS name));
END $$;

-- Begins to migrate an attached column back: blobs to bytea, text or oid (NULL: text for a column of text, otherwise
-- bytea); documents to json or text, or (NULL) to plain jsonb, in place, even while they are being split in place.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_back(tbl regclass, col name, type text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.migration_of(tbl, col);
  a record;
  shadow name := col;
  blob bigint;
  first bigint;
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
    RAISE EXCEPTION 'column "%" of % cannot be migrated back to %', col, tbl, type USING ERRCODE = 'datatype_mismatch',
      HINT = 'Blobs can be migrated back to bytea, text or oid, and documents to jsonb, json or text.';
  END IF;
  IF a.toaster = 'appendable' THEN
    FOR blob, first IN EXECUTE format('SELECT h.id, %1$s FROM %2$s h WHERE %1$s > 0 LIMIT 1', pgtoaster.first_offset(a.store),
                                      pgtoaster.store_table(a.store, 'head')) LOOP
      PERFORM pgtoaster.refuse_discarded(blob, first);
    END LOOP;
  END IF;
  PERFORM pgtoaster.limit_wait('5s');
  IF type <> 'jsonb' THEN
    PERFORM pgtoaster.refuse_uses(tbl, col);
    shadow := pgtoaster.beside(tbl, col, '_plain');
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I %s', tbl, shadow, type);
    PERFORM pgtoaster.copy_column_rights(tbl, col, shadow);
  END IF;
  IF a.toaster = 'appendable' THEN
    EXECUTE format('CREATE TABLE %s (id bigint PRIMARY KEY, generation bigint NOT NULL, length bigint NOT NULL)',
                   pgtoaster.store_table(a.store, 'copied'));
  ELSIF type <> 'jsonb' THEN
    -- The copying statement sets the shadow itself. Compared as text, because jsonb considers 1.0 and 1.00 equal.
    PERFORM pgtoaster.create_sync(
      a.store, tbl, col, shadow,
      format('CAST(OLD.%2$I AS text) IS NOT DISTINCT FROM CAST(NEW.%2$I AS text) '
             'AND CAST(OLD.%1$I AS text) IS DISTINCT FROM CAST(NEW.%1$I AS text)',
             col, shadow));
  END IF;
  PERFORM pgtoaster.create_migration(a.store, tbl, col, shadow, true, type);
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.create_migration(
  store integer, tbl regclass, source name, target name, back boolean, type text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT name := (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = tbl);
  part text;
BEGIN
  EXECUTE format('CREATE TABLE %s (source name NOT NULL, target name NOT NULL, back boolean NOT NULL, type text NOT NULL, '
                 'phase text NOT NULL DEFAULT ''count'', pass integer NOT NULL DEFAULT 0, part oid, filenode oid, '
                 'place tid NOT NULL DEFAULT ''(0,0)'', pass_bytes bigint NOT NULL DEFAULT 0, pass_rows bigint NOT NULL DEFAULT 0, '
                 'rows bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, '
                 'total_rows bigint NOT NULL DEFAULT 0, total_bytes bigint NOT NULL DEFAULT 0, '
                 'recopied bigint NOT NULL DEFAULT 0, kept name, began_at timestamptz NOT NULL DEFAULT now())',
                 pgtoaster.store_table(store, 'migration'));
  EXECUTE format('INSERT INTO %s (source, target, back, type) VALUES ($1, $2, $3, $4)', pgtoaster.store_table(store, 'migration'))
    USING source, target, back, type;
  FOREACH part IN ARRAY '{migration,copied}'::text[] LOOP
    IF to_regclass(pgtoaster.store_table(store, part)) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s OWNER TO %I', pgtoaster.store_table(store, part), owner);
    END IF;
  END LOOP;
END $$;

-- Returns the lag of the slowest streaming standby or logical slot, in bytes of WAL written by this server, and its
-- name; NULL if there are no standbys and slots. A slot without a reader also counts, because the WAL that it keeps
-- fills the disk.
CREATE OR REPLACE FUNCTION pgtoaster.replication_lag(OUT bytes bigint, OUT who text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
    RAISE EXCEPTION 'role "%" may not see the lag of standbys', current_user USING ERRCODE = 'insufficient_privilege',
      HINT = format('GRANT pg_monitor TO %I, or migrate without a limit on the lag.', current_user);
  END IF;
  SELECT l.bytes, l.who INTO bytes, who FROM (
    SELECT CAST(pg_current_wal_lsn() - coalesce(r.replay_lsn, r.flush_lsn, r.write_lsn, r.sent_lsn) AS bigint) AS bytes,
           concat('standby "', r.application_name, '"', ' at ' || host(r.client_addr)) AS who
    FROM pg_stat_replication r
    WHERE r.state IN ('catchup', 'streaming')
      AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
    UNION ALL
    SELECT CAST(pg_current_wal_lsn() - s.confirmed_flush_lsn AS bigint),
           concat('logical slot "', s.slot_name, '"', CASE WHEN NOT s.active THEN ', which nobody reads' END)
    FROM pg_replication_slots s WHERE s.slot_type = 'logical' AND s.wal_status <> 'lost') l
  WHERE l.bytes IS NOT NULL ORDER BY l.bytes DESC LIMIT 1;
END $$;

-- Runs a whole migration in separate transactions; CALL it outside a transaction. Begins the migration, or resumes
-- an interrupted one; copies, compares, and exchanges the columns. mb_per_second: the limit in megabytes per second.
-- max_lag_mb: waits between two steps while the lag of a standby or logical slot is larger than this, in megabytes of
-- WAL. NULL: no limit.
CREATE OR REPLACE PROCEDURE pgtoaster.migrate(
  tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}', mb_per_second double precision DEFAULT NULL,
  back boolean DEFAULT false, max_lag_mb double precision DEFAULT NULL)
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
    PERFORM pg_catalog.pg_sleep(
        greatest(0, s.step_bytes OPERATOR(pg_catalog./) (mb_per_second OPERATOR(pg_catalog.*) 1000000.0)
                    OPERATOR(pg_catalog.-)
                    CAST(EXTRACT(epoch FROM pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) began) AS double precision)))
      WHERE mb_per_second IS NOT NULL;
    LOOP
      EXIT WHEN max_lag_mb IS NULL;
      lag := pgtoaster.replication_lag();
      EXIT WHEN lag.bytes IS NULL OR lag.bytes OPERATOR(pg_catalog.<=) (max_lag_mb OPERATOR(pg_catalog.*) 1000000.0);
      IF waits IS NULL OR waits OPERATOR(pg_catalog.<>) lag.who THEN
        waits := lag.who;
        RAISE NOTICE 'waiting for %, which lags by % MB', lag.who, lag.bytes OPERATOR(pg_catalog./) 1000000;
      END IF;
      COMMIT;
      PERFORM pg_catalog.pg_sleep(0.2);
    END LOOP;
    waits := NULL;
  END LOOP;
  PERFORM pgtoaster.migrate_finish(tbl, col);
END $$;
