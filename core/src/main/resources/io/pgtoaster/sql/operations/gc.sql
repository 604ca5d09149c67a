-- Deletes content that no row owns, and the stores of tables and columns that were dropped.

-- Returns whether the table or column of a store was dropped, so that the store may be dropped. For a toaster without
-- tables, only the table counts: the toaster of an extension drops its own objects.
CREATE OR REPLACE FUNCTION pgtoaster.is_orphaned(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN t.parts <> '{}' THEN NOT (a.table_name IS NOT NULL AND a.column_exists)
              ELSE a.table_name IS NULL AND (t.builtin IS NOT FALSE OR t.routines ? 'drop') END
  FROM pgtoaster.attached_column a LEFT JOIN pgtoaster.toaster t ON t.name = a.toaster WHERE a.store = $1
$$;

-- For gc: calls the toaster to find or remove content of a store that no row refers to. No rows if a library does that.
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

-- Drops a store whose table or column was dropped, unless a detached partition may refer to its content; returns true if
-- it was dropped. Waits one second for a lock.
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

-- Drops all stores whose table or column was dropped, except those of other roles; returns their numbers. Schema tools
-- call it after DROP TABLE; gc does the same. only_ids: only these; NULL: all. Raises a warning for each store that
-- cannot be dropped. After a lock timeout, it skips the other stores of the same owner.
CREATE OR REPLACE FUNCTION pgtoaster.drop_orphaned_stores(only_ids integer[] DEFAULT NULL) RETURNS SETOF integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  id integer;
  holder oid;
  locked_by oid[] := CAST('{}' AS oid[]);
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
      RAISE WARNING 'store % was skipped: another store of the same owner is locked', id USING ERRCODE = 'lock_not_available';
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
      RAISE WARNING 'store % was not dropped: %', id, concat_ws('; ', SQLERRM, nullif(dependents, '')) USING ERRCODE = SQLSTATE;
    END;
  END LOOP;
END $$;

-- Returns the time before which content can be garbage: newer content is in its grace period, or may belong to a running
-- transaction. If the role may not see when another role's transaction started (grant pg_read_all_stats), that
-- transaction counts as one day old; its lock shows that it is running. Autovacuum workers are ignored: they create no
-- references.
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

-- Returns the clause that locks unreferenced content during the check. Citus does not lock rows on several nodes:
-- release() checks them.
CREATE OR REPLACE FUNCTION pgtoaster.gc_lock(store integer) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN current_setting('transaction_read_only') = 'on'
                OR pgtoaster.is_sharded(store) AND pgtoaster.lead_column(store) IS NOT NULL THEN ''
              ELSE 'FOR UPDATE OF h SKIP LOCKED' END
$$;

-- Returns blobs that no row refers to and that are older than gc_horizon. A blob whose row an open transaction is
-- inserting is locked by the foreign key and therefore left out. only_ids: check only these; NULL: all.
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
    clauses := clauses
      || format(' AND NOT EXISTS (SELECT FROM %s o WHERE o.%I = h.id %s)', n.relation, n.handle,
                CASE WHEN pgtoaster.is_sharded(store)
                     THEN 'AND o.' || quote_ident(pgtoaster.leading_key_column(n.relation, store)) || ' = h.leading_key' END);
  END LOOP;
  RETURN QUERY EXECUTE format(
    'SELECT h.id, %s, greatest(least(h.base, 1::bigint << 62), 0) + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0), '
    'h.created_at FROM %s h '
    'WHERE ($2 IS NULL OR h.id = ANY ($2)) AND h.created_at < $1 %s ORDER BY h.id %s',
    lk, head, clauses,
    pgtoaster.gc_lock(store))
  USING pgtoaster.gc_horizon(grace), only_ids;
  IF FOUND THEN
    PERFORM pgtoaster.require_snapshot(store);
  END IF;
END $$;
