-- The triggers of the appendable toaster, which release content.

-- Fires at commit of a DELETE, of an UPDATE of the handle, or for a row of the garbage table. The lock on the head serialises
-- two transactions that drop the last two references to a blob, so that the second one deletes it. At REPEATABLE
-- READ, neither sees the other's change, and gc deletes the blob. Content of up to 64 MB is deleted at once; larger
-- content goes to the garbage table, which gc sweeps in batches.
CREATE OR REPLACE FUNCTION pgtoaster.template_blob_release() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
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
BEGIN
  PERFORM store.find_place();
  listed := TG_RELID = (prefix || 'garbage')::regclass;
  IF listed THEN
    blob := NEW.id;
    lk := to_jsonb(NEW)->>'leading_key';
  ELSE
    EXECUTE format('SELECT ($1).%I, CAST(%s AS text)', handle, coalesce('($1).' || quote_ident(store.leading_key_column), 'NULL'))
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
  EXECUTE format('SELECT base - coalesce(first, 0) FROM %shead WHERE %s id = $1 FOR UPDATE', prefix, lk_equal) INTO size USING blob;
  IF size IS NULL THEN
    PERFORM store.check_snapshot();
    RETURN NULL;
  END IF;
  -- This is the same search as in naming_columns().
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
    -- Tables of other owners are not read with the rights of this owner; gc checks what they may refer to.
    EXIT WHEN NOT n.mine;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s %I = $1)', n.relation, n.leads, n.handle) INTO named USING blob;
    EXIT WHEN named;
  END LOOP;
  -- Without the foreign key, references cannot be found.
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
  PERFORM store.check_snapshot();
  IF NOT several OR current_setting('transaction_isolation') = 'read committed' THEN
    EXECUTE format('DELETE FROM %shead WHERE %s id = $1', prefix, lk_equal) USING blob;
    RETURN NULL;
  END IF;
  -- A second row may have begun to refer to the blob since this transaction took its snapshot. The foreign key
  -- detects that. This is a conflict of two transactions, not an error in this one.
  BEGIN
    EXECUTE format('DELETE FROM %shead WHERE %s id = $1', prefix, lk_equal) USING blob;
  EXCEPTION WHEN foreign_key_violation THEN
    RAISE EXCEPTION 'could not serialize access: a concurrent transaction added a reference to blob %', blob
      USING ERRCODE = 'serialization_failure', HINT = 'The transaction might succeed if it is run again.';
  END;
  RETURN NULL;
END $$;

-- Before a TRUNCATE, enters the handles of the rows in the garbage table. Its deferred trigger checks them at commit, so
-- that rows inserted again in the same transaction keep their content.
CREATE OR REPLACE FUNCTION pgtoaster.template_blob_truncate() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  prefix text;
  handle name;
  lk text;
BEGIN
  PERFORM store.find_place();
  -- A detached partition has lost its other triggers; gc finds the content that it releases.
  IF handle IS NULL THEN
    RETURN NULL;
  END IF;
  lk := quote_ident(store.leading_key_column) || ', ';
  EXECUTE format('INSERT INTO %sgarbage (%s id, released) SELECT %s %I, false FROM %s WHERE %I IS NOT NULL ON CONFLICT DO NOTHING',
                 prefix, CASE WHEN lk IS NULL THEN '' ELSE 'leading_key, ' END, coalesce(lk, ''), handle,
                 TG_RELID::regclass, handle);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.create_triggers(store integer, owner regclass, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  release_function text := pgtoaster.store_table(store, 'release');
BEGIN
  PERFORM pgtoaster.write_routines(store);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER DELETE ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_delete', owner, handle, release_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER UPDATE OF %I ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (OLD.%I IS NOT NULL AND OLD.%I IS DISTINCT FROM NEW.%I) EXECUTE FUNCTION %s()',
                 'pgtoaster_' || store || '_update', handle, owner, handle, handle, handle, release_function);
  PERFORM pgtoaster.watch_truncate(store);
  PERFORM pgtoaster.create_sweep(store);
END $$;
