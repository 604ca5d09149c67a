-- Finishes, aborts and drops a migration.

-- Returns the sessions that have locked a table, with the details that the role may see.
CREATE OR REPLACE FUNCTION pgtoaster.lock_holders(locked text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(string_agg(concat('pid ', h.pid, ' of role ' || a.usename,
                                    ', in a transaction since ' || date_trunc('second', a.xact_start)),
                             '; ' ORDER BY h.pid),
                  'one that has since ended')
  FROM (SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.relation = to_regclass(locked) AND l.granted AND l.pid <> pg_backend_pid()) h
  LEFT JOIN pg_stat_activity a ON a.pid = h.pid
$$;

-- Locks the table of a migration and the tables of its store; waits for the given time, and then raises an error with the
-- sessions that use the table. A statement may lock the store first and then wait for the table. To let it finish, this
-- function unlocks the table if it does not get the store's tables soon, well before the server looks for a deadlock. The
-- first lock blocks only VACUUM, not statements.
CREATE OR REPLACE FUNCTION pgtoaster.lock_to_migrate(tbl regclass, col name, most text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  began CONSTANT timestamptz := clock_timestamp();
  store CONSTANT integer := (pgtoaster.migration_of(tbl, col)).store;
  tables CONSTANT text := (SELECT string_agg(c.oid::regclass::text, ', ') FROM unnest(pgtoaster.store_parts(store)) p(part)
                           JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table(store, p.part))
                             AND c.relkind = 'r' AND pg_has_role(c.relowner, 'USAGE'));
  turn timestamptz;
  wait text;
BEGIN
  PERFORM pgtoaster.limit_wait(most);
  IF tables IS NOT NULL THEN
    EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', tables);
  END IF;
  LOOP
    BEGIN
      turn := clock_timestamp();
      EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tbl);
      IF tables IS NOT NULL THEN
        -- Statements that have queued behind this lock for a while will soon look for a deadlock.
        wait := pgtoaster.limit_wait(CASE WHEN clock_timestamp() > turn + interval '500 ms' THEN '1ms' ELSE '50ms' END);
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tables);
        PERFORM set_config('lock_timeout', wait, true);
      END IF;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      IF clock_timestamp() > began + current_setting('lock_timeout')::interval THEN
        RAISE EXCEPTION 'the migration of column "%" of % cannot continue while other sessions use the table: %',
            col, tbl, pgtoaster.lock_holders(tbl::text)
          USING ERRCODE = 'lock_not_available',
                HINT = 'Nothing was changed. Call it again when they have ended their transactions, or end them: '
                       'SELECT pg_terminate_backend(pid).';
      END IF;
    END;
  END LOOP;
END $$;

-- Disables triggers of the table for the copy, if the role may do so: users see no change of the rows. Documents that are
-- migrated back need our triggers.
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

-- Exchanges the columns: locks the table, for which it waits at most two seconds, then copies and compares the rows
-- that are still pending. The old column is then named <column>_before. If documents were migrated back, the column is
-- detached.
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
      HINT = 'Call pgtoaster.migrate_step in separate transactions until its phase is ready.';
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

-- Undoes a migration that has begun and is not finished; the old column was never changed. Large objects that a migration
-- back has created are left without a reference; vacuumlo removes them.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_abort(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
BEGIN
  IF m.state->>'phase' = 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is finished', col, tbl
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format(
              'SELECT pgtoaster.migrate_drop(%1$L, %2$L) drops what it kept; then pgtoaster.migrate_back(%1$L, %2$L) migrates back.',
              tbl, col);
  END IF;
  IF NOT CAST(m.state->>'back' AS boolean) AND m.state->>'source' = m.state->>'target' THEN
    RAISE EXCEPTION 'documents of column "%" of % are being split in place', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_back(%L, %L) reverses this ("pgtoaster migrate --back").', tbl, col);
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
    RAISE EXCEPTION 'no old column is kept from a migration of column "%" of %', col, tbl
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Documents are migrated in place, in both directions, so there is nothing to drop.';
  ELSIF m.state->>'phase' <> 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is not finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Finish it, or call pgtoaster.migrate_abort.';
  END IF;
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF CAST(m.state->>'back' AS boolean) THEN
    PERFORM pgtoaster.detach(tbl, CAST(m.state->>'kept' AS name), true);
  END IF;
  EXECUTE format('ALTER TABLE %s DROP COLUMN IF EXISTS %I', tbl, m.state->>'kept');
  PERFORM pgtoaster.drop_migration(m.store);
END $$;

-- Drops the objects of a migration, which the toaster does not know. Also called when the column is detached or dropped.
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

-- Returns the large objects that no column of type oid, or lo, in a table of this database refers to.
CREATE OR REPLACE FUNCTION pgtoaster.orphaned_objects() RETURNS SETOF oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  named text;
BEGIN
  SELECT string_agg(format('SELECT CAST(o.%I AS oid) FROM ONLY %s o WHERE o.%1$I IS NOT NULL', a.attname, c.oid::regclass),
                    ' UNION ALL ') INTO named
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't'
    AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    AND c.relname !~ '^store_[0-9]+_' AND (t.oid = 'oid'::regtype OR t.typname = 'lo');
  RETURN QUERY EXECUTE 'SELECT m.oid FROM pg_largeobject_metadata m' || coalesce(' WHERE m.oid NOT IN (' || named || ')', '');
END $$;
