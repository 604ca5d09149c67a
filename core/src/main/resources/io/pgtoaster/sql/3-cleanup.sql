-- Clean-up: content goes when the last row that names it goes, at commit, and never before.

-- Removes one blob unless a row still names it; true if it was removed. The lock on the head makes two
-- transactions that drop the last two names of a blob take turns, so that the second one removes it.
-- Content of up to 64 MB goes at once; more is put on the store's garbage list, which gc sweeps in batches.
CREATE OR REPLACE FUNCTION pgtoaster.release(store integer, blob bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  n record;
  named boolean;
  size bigint;
  lk text;
  lk_columns text := '';
BEGIN
  EXECUTE format('SELECT base FROM %s WHERE id = $1 FOR UPDATE', head) INTO size USING blob;
  IF size IS NULL THEN
    RETURN false;
  END IF;
  FOR n IN SELECT * FROM pgtoaster.naming_columns(store) LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I = $1)', n.relation, n.handle) INTO named USING blob;
    IF named THEN
      RETURN false;
    END IF;
  END LOOP;
  IF size > 67108864 THEN
    IF (SELECT options ? 'leading_key' FROM pgtoaster.store s WHERE s.id = store) THEN
      lk_columns := 'leading_key, ';
    END IF;
    EXECUTE format('INSERT INTO %s (%s id, released) SELECT %s id, true FROM %s WHERE id = $1 '
                   'ON CONFLICT (%s id) DO UPDATE SET released = true',
                   pgtoaster.store_table(store, 'garbage'), lk_columns, lk_columns, head, lk_columns) USING blob;
  ELSE
    EXECUTE format('DELETE FROM %s WHERE blob_id = $1', pgtoaster.store_table(store, 'chunk')) USING blob;
    EXECUTE format('DELETE FROM %s WHERE blob_id = $1', pgtoaster.store_table(store, 'piece')) USING blob;
    EXECUTE format('DELETE FROM %s WHERE blob_id = $1', pgtoaster.store_table(store, 'token')) USING blob;
  END IF;
  EXECUTE format('DELETE FROM %s WHERE blob_id = $1', pgtoaster.store_table(store, 'follower')) USING blob;
  EXECUTE format('DELETE FROM %s WHERE id = $1', head) USING blob;
  RETURN true;
END $$;

-- The present name of the attached column in the table that fired a trigger of this store (a partition
-- has column numbers of its own), read from the update trigger, which follows renames.
CREATE OR REPLACE FUNCTION pgtoaster.handle_column(relation oid, store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname FROM pg_trigger t JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = t.tgattr[0]
  WHERE t.tgrelid = $1 AND t.tgname = 'pgtoaster_' || $2 || '_update'
$$;

-- Each store has trigger functions of its own, owned by the owner of the attached table and run with
-- that role's rights: whoever may delete a row gives up its content without any grant on the store.
CREATE OR REPLACE FUNCTION pgtoaster.create_triggers(store integer, owner regclass, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  release_function text := pgtoaster.store_table(store, 'release');
  truncate_function text := pgtoaster.store_table(store, 'truncate');
  sweep_function text := pgtoaster.store_table(store, 'sweep');
  garbage text := pgtoaster.store_table(store, 'garbage');
BEGIN
  -- At commit of a DELETE, or of an UPDATE of the handle.
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    DECLARE
      blob bigint;
    BEGIN
      EXECUTE format('SELECT ($1).%%I', pgtoaster.handle_column(TG_RELID, %s)) INTO blob USING OLD;
      IF blob IS NOT NULL THEN
        PERFORM pgtoaster.release(%s, blob);
      END IF;
      RETURN NULL;
    END $body$ $f$, release_function, store, store);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER DELETE ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_delete', owner, handle, release_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER UPDATE OF %I ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL AND OLD.%I IS DISTINCT FROM NEW.%I) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_update', handle, owner, handle, handle, handle, release_function);
  -- TRUNCATE: the handles are noted before they vanish; the deferred trigger on the notes judges them at
  -- commit, so that rows put back in the same transaction keep their content.
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    DECLARE
      has_leading_key boolean := (SELECT options ? 'leading_key' FROM pgtoaster.store WHERE id = %s);
      handle name := pgtoaster.handle_column(TG_RELID, %s);
    BEGIN
      EXECUTE format('INSERT INTO %s (%%s id, released) SELECT %%s id, false FROM %s '
                     'WHERE id IN (SELECT %%I FROM %%s) ON CONFLICT DO NOTHING',
                     CASE WHEN has_leading_key THEN 'leading_key, ' ELSE '' END,
                     CASE WHEN has_leading_key THEN 'leading_key, ' ELSE '' END, handle, TG_RELID::regclass);
      RETURN NULL;
    END $body$ $f$, truncate_function, store, store, garbage, pgtoaster.store_table(store, 'head'));
  EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_truncate', owner, truncate_function);
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      PERFORM pgtoaster.release(%s, NEW.id);
      DELETE FROM %s WHERE id = NEW.id AND NOT released;
      RETURN NULL;
    END $body$ $f$, sweep_function, store, garbage);
  EXECUTE format('CREATE CONSTRAINT TRIGGER sweep AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (NOT NEW.released) EXECUTE FUNCTION %s()', garbage, sweep_function);
  -- Only triggers call these.
  EXECUTE format('REVOKE ALL ON FUNCTION %s(), %s(), %s() FROM PUBLIC', release_function, truncate_function, sweep_function);
END $$;
