-- Clean-up: content is released when the transaction that removes the last reference to it commits, and not before. Up
-- to 64 MB are deleted at that commit; larger content is left to gc.

-- Deletes one blob or document unless a row still refers to it; returns true if it was deleted. Puts it on the garbage
-- list, whose trigger checks it at once.
CREATE OR REPLACE FUNCTION pgtoaster.release(store integer, blob bigint, leading_key text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  head regclass := pgtoaster.store_table(store, 'head')::regclass;
  lk pg_attribute := (SELECT a FROM pgtoaster.lead_attribute(store) a);
  lk_value text := CASE WHEN lk IS NULL THEN '' ELSE format('CAST(%L AS %s), ', leading_key, format_type(lk.atttypid, lk.atttypmod)) END;
  lk_name text := CASE WHEN lk IS NULL THEN '' ELSE lk.attname || ', ' END;
  lk_equal text := CASE WHEN lk IS NULL THEN ''
                        ELSE format('%s = CAST(%L AS %s) AND ', lk.attname, leading_key, format_type(lk.atttypid, lk.atttypmod)) END;
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
  IF found_id IS NULL THEN
    PERFORM pgtoaster.require_snapshot(store);
  END IF;
  RETURN found_id IS NULL;
END $$;

-- Returns the column of a table that contains the leading key, the first column of the foreign key; NULL in a store
-- without one.
CREATE OR REPLACE FUNCTION pgtoaster.leading_key_column(relation oid, store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  WHERE k.conrelid = $1 AND k.contype = 'f' AND cardinality(k.conkey) = 2
    AND k.confrelid = to_regclass(pgtoaster.store_table($2, 'head'))
$$;

-- Revokes EXECUTE on the functions of a store that only triggers call. A function in the condition of a trigger is called
-- by the updating role.
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

-- Trigger functions of a store belong to the owner of the attached table and run with that role's rights, so a role that
-- may delete a row releases its content without any grant on the store. They therefore call only the server's own
-- functions, and none of pgtoaster's. Their text is assembled here.

-- Returns the code that finds the current schema of the store, and the column's name in the table that fired the trigger
-- (a partition has its own column numbers), and sets the variables prefix and handle. Tables and functions of a store are
-- in one schema; the update trigger follows renames of the column.
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

-- Returns the code that a trigger function runs before it deletes a head. It raises a serialization failure if a table
-- was rewritten after the snapshot was taken: REPACK (CONCURRENTLY) makes older snapshots see a table as empty. Without
-- this check, content that rows still refer to would be deleted, and rows of the store would be left without a head.
CREATE OR REPLACE FUNCTION pgtoaster.snapshot_source(store integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$
      IF current_setting('transaction_isolation') <> 'read committed' AND EXISTS (
           SELECT FROM pg_class c
           WHERE (c.oid IN (SELECT to_regclass(prefix || p.p) FROM unnest('{head,node,chunk,piece,token}'::text[]) p(p))
                  OR c.oid IN (SELECT t.tgrelid FROM pg_trigger t WHERE t.tgname IN ('pgtoaster_%1$s_delete', 'pgtoaster_%1$s_truncate')))
             AND c.relkind = 'r' AND c.relfilenode <> pg_relation_filenode(c.oid)) THEN
        RAISE EXCEPTION 'a table of store %1$s, or of its rows, was rewritten after this transaction took its snapshot'
          USING ERRCODE = 'serialization_failure', HINT = 'Run the transaction again.';
      END IF;$f$, store)
$$;

-- Creates a trigger function of a store, or replaces it if its source has changed.
CREATE OR REPLACE FUNCTION pgtoaster.create_trigger_function(store integer, part text, body text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (SELECT pgtoaster.on_shards(f.prosrc, false) FROM pg_proc f
      WHERE f.oid = pgtoaster.store_routine(store, part)) IS DISTINCT FROM body THEN
    EXECUTE format('CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER '
                   'SET search_path = pg_catalog, pg_temp SET row_security = off AS %L',
                   pgtoaster.store_table(store, part), body);
  END IF;
END $$;

-- Creates the trigger on the garbage list that checks entries noted by TRUNCATE at commit, and entries of release() at
-- once.
CREATE OR REPLACE FUNCTION pgtoaster.create_sweep(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (NOT NEW.released) EXECUTE FUNCTION %s()',
                 'store_' || store || '_sweep', pgtoaster.store_table(store, 'garbage'), pgtoaster.store_table(store, 'release'));
END $$;

-- Returns the tables, among the owner table and its partitions, that lack the TRUNCATE trigger of a store: partitions,
-- including those created later, do not inherit statement triggers.
CREATE OR REPLACE FUNCTION pgtoaster.unwatched_truncate(store integer) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.oid::regclass FROM pgtoaster.store s
  CROSS JOIN LATERAL (SELECT s.owner AS relid UNION SELECT p.relid FROM pg_partition_tree(s.owner) p) t
  JOIN pg_class c ON c.oid = t.relid AND c.relkind IN ('r', 'p')
  WHERE s.id = $1 AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'pgtoaster_' || $1 || '_truncate')
  ORDER BY c.oid
$$;

-- Makes TRUNCATE of the owner table, and of each existing partition, release content; returns the number of tables that
-- did not release it before. Run it as the owner after creating partitions.
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
