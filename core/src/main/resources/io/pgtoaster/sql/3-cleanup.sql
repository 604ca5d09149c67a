-- Clean-up: content goes when the last row that names it goes, at commit, and never before.

-- Removes one blob, or document, unless a row still names it; true if it was removed. The lock on the head makes two
-- transactions that drop the last two names of a blob take turns, so that the second one removes it (at
-- REPEATABLE READ neither sees the other, and the blob is left to gc).
-- Content of up to 64 MB goes at once; more is put on the store's garbage list, which gc sweeps in batches.
CREATE OR REPLACE FUNCTION pgtoaster.release(store integer, blob bigint, leading_key text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  lk_type text := (SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
                   WHERE a.attrelid = head::regclass AND a.attname = 'leading_key');
  lk_name text := CASE WHEN lk_type IS NULL THEN '' ELSE 'leading_key, ' END;
  lk_equal text := CASE WHEN lk_type IS NULL THEN '' ELSE format('leading_key = CAST(%L AS %s) AND ', leading_key, lk_type) END;
  n record;
  part text;
  named boolean;
  watched boolean := false;
  size bigint;
BEGIN
  IF (SELECT s.toaster FROM pgtoaster.store s WHERE s.id = store) = 'keyed' THEN
    RETURN pgtoaster.release_document(store, blob);
  END IF;
  EXECUTE format('SELECT base FROM %s WHERE %s id = $1 FOR UPDATE', head, lk_equal) INTO size USING blob;
  IF size IS NULL THEN
    RETURN false;
  END IF;
  FOR n IN SELECT * FROM pgtoaster.naming_columns(store) LOOP
    watched := true;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I = $1)', n.relation, n.handle) INTO named USING blob;
    IF named THEN
      RETURN false;
    END IF;
  END LOOP;
  IF NOT watched THEN
    -- Without the foreign key nobody can tell who names what.
    RETURN false;
  END IF;
  IF size > 67108864 THEN
    EXECUTE format('INSERT INTO %s (%s id, released) SELECT %s id, true FROM %s WHERE %s id = $1 '
                   'ON CONFLICT (%s id) DO UPDATE SET released = true',
                   pgtoaster.store_table(store, 'garbage'), lk_name, lk_name, head, lk_equal, lk_name) USING blob;
  ELSE
    FOREACH part IN ARRAY ARRAY['chunk', 'piece', 'token'] LOOP
      EXECUTE format('DELETE FROM %s WHERE %s blob_id = $1', pgtoaster.store_table(store, part), lk_equal) USING blob;
    END LOOP;
  END IF;
  EXECUTE format('DELETE FROM %s WHERE %s blob_id = $1', pgtoaster.store_table(store, 'follower'), lk_equal) USING blob;
  EXECUTE format('DELETE FROM %s WHERE %s id = $1', head, lk_equal) USING blob;
  RETURN true;
END $$;

-- The present name of the attached column in the table that fired a trigger of this store (a partition
-- has column numbers of its own), read from the update trigger, which follows renames.
CREATE OR REPLACE FUNCTION pgtoaster.handle_column(relation oid, store integer) RETURNS name
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT a.attname FROM pg_trigger t JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = t.tgattr[0]
  WHERE t.tgrelid = $1 AND t.tgname = 'pgtoaster_' || $2 || '_update');
END $$;

-- The same for the leading key, NULL in a store without one: the first column of the foreign key.
CREATE OR REPLACE FUNCTION pgtoaster.leading_key_column(relation oid, store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  WHERE k.conrelid = $1 AND k.contype = 'f' AND cardinality(k.conkey) = 2
    AND k.confrelid = to_regclass(pgtoaster.store_table($2, 'head'))
$$;

-- The trigger on the garbage list that judges at commit what TRUNCATE noted.
CREATE OR REPLACE FUNCTION pgtoaster.create_sweep(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  sweep_function text := pgtoaster.store_table(store, 'sweep');
  garbage text := pgtoaster.store_table(store, 'garbage');
BEGIN
  EXECUTE format($f$
    CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      PERFORM pgtoaster.release(%s, NEW.id, to_jsonb(NEW)->>'leading_key');
      DELETE FROM %s g WHERE %s g.id = NEW.id AND NOT g.released;
      RETURN NULL;
    END $body$ $f$, sweep_function, store, garbage,
    CASE WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = garbage::regclass AND a.attname = 'leading_key')
         THEN 'g.leading_key = NEW.leading_key AND ' ELSE '' END);
  EXECUTE format('CREATE CONSTRAINT TRIGGER sweep AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (NOT NEW.released) EXECUTE FUNCTION %s()', garbage, sweep_function);
END $$;

-- Only triggers call the functions of a store.
CREATE OR REPLACE FUNCTION pgtoaster.hide_functions(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part text;
BEGIN
  FOREACH part IN ARRAY pgtoaster.store_functions(store) LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s() FROM PUBLIC', pgtoaster.store_table(store, part));
  END LOOP;
END $$;

-- Each store has trigger functions of its own, owned by the owner of the attached table and run with
-- that role's rights: whoever may delete a row gives up its content without any grant on the store.
CREATE OR REPLACE FUNCTION pgtoaster.create_triggers(store integer, owner regclass, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  release_function text := pgtoaster.store_table(store, 'release');
  truncate_function text := pgtoaster.store_table(store, 'truncate');
  garbage text := pgtoaster.store_table(store, 'garbage');
BEGIN
  -- At commit of a DELETE, or of an UPDATE of the handle.
  EXECUTE format($f$
    CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    DECLARE
      blob bigint;
      lk text;
    BEGIN
      EXECUTE format('SELECT ($1).%%I, CAST(%%s AS text)', pgtoaster.handle_column(TG_RELID, %s),
                     coalesce('($1).' || quote_ident(pgtoaster.leading_key_column(TG_RELID, %s)), 'NULL'))
        INTO blob, lk USING OLD;
      IF blob IS NOT NULL THEN
        PERFORM pgtoaster.release(%s, blob, lk);
      END IF;
      RETURN NULL;
    END $body$ $f$, release_function, store, store, store);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER DELETE ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_delete', owner, handle, release_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER UPDATE OF %I ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL AND OLD.%I IS DISTINCT FROM NEW.%I) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_update', handle, owner, handle, handle, handle, release_function);
  -- TRUNCATE: the handles are noted before they vanish; the deferred trigger on the notes judges them at
  -- commit, so that rows put back in the same transaction keep their content.
  EXECUTE format($f$
    CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    DECLARE
      handle text := quote_ident(pgtoaster.handle_column(TG_RELID, %s));
      lk text := quote_ident(pgtoaster.leading_key_column(TG_RELID, %s)) || ', ';
    BEGIN
      EXECUTE format('INSERT INTO %s (%%s id, released) SELECT %%s %%s, false FROM %%s '
                     'WHERE %%s IS NOT NULL ON CONFLICT DO NOTHING',
                     CASE WHEN lk IS NULL THEN '' ELSE 'leading_key, ' END, coalesce(lk, ''), handle,
                     TG_RELID::regclass, handle);
      RETURN NULL;
    END $body$ $f$, truncate_function, store, store, garbage);
  EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_truncate', owner, truncate_function);
  PERFORM pgtoaster.create_sweep(store);
  PERFORM pgtoaster.hide_functions(store);
END $$;
