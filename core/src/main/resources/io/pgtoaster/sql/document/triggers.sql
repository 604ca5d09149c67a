-- The triggers of the keyed toaster, which release documents and follow the keys of rows.

-- For trigger functions (see catalog/cleanup.sql). Returns a query of the tables whose rows may own documents of a
-- store, with relation, handle, columns and same_key as in pgtoaster.naming_rows, and whether the role may read all of
-- them. If no trigger has the name of the column, the name from attach is used.
CREATE OR REPLACE FUNCTION pgtoaster.owners_source(store integer, handle name) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$(
        SELECT m.relation::regclass AS relation, m.columns, m.same_key, m.whole, pg_has_role(r.relowner, 'USAGE') AS mine,
               d.attname AS handle
        FROM (SELECT g.*, coalesce(g.followed, max(g.followed) OVER (), %2$L) AS known FROM (
          SELECT k.*,
                 -- Partitions are read through their table, unless they are being detached from it.
                 NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.index_id)
                   OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.relation AND h.inhdetachpending) AS whole,
                 (SELECT u.attname FROM pg_trigger t JOIN pg_attribute u ON u.attrelid = t.tgrelid AND u.attnum = t.tgattr[0]
                  WHERE t.tgrelid = k.relation AND t.tgname = 'pgtoaster_%1$s_update') AS followed
          FROM %3$s k) g) m
        JOIN pg_class r ON r.oid = m.relation
        LEFT JOIN pg_attribute d ON d.attrelid = m.relation AND d.atttypid = 'jsonb'::regtype AND d.attnum > 0 AND NOT d.attisdropped
          AND (d.attname = m.known OR m.followed IS NULL AND NOT EXISTS (
                SELECT FROM pg_attribute u
                WHERE u.attrelid = m.relation AND u.atttypid = 'jsonb'::regtype AND u.attname = m.known AND NOT u.attisdropped))
        WHERE d.attname IS NOT NULL OR m.followed IS NOT NULL)$f$,
    store, handle, pgtoaster.row_keys_source(quote_literal(store), '(prefix || ''head'')::regclass', 'NULL'))
$$;

-- For trigger functions. Returns the code that checks whether the row to which the head of a document refers as its owner
-- still contains the document; it reads the variables prefix, document and head_lead and sets owned. If the owners of a
-- store cannot be read, every document counts as owned.
CREATE OR REPLACE FUNCTION pgtoaster.owned_source(store integer, handle name) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT $f$
      owned := NULL;
      FOR n IN SELECT * FROM $f$ || pgtoaster.owners_source(store, handle) || $f$ s WHERE s.whole LOOP
        owned := true;
        -- Tables of other owners are not read with the rights of this owner; gc checks what they may own.
        EXIT WHEN n.handle IS NULL OR NOT n.mine;
        EXECUTE '/* pgtoaster */ SELECT EXISTS (SELECT FROM ' || prefix || 'head h JOIN ' || n.relation || ' o ON ' || n.same_key
                || ' WHERE ' || head_lead || 'h.id = $1'
                ' AND (' || document_id || ' FROM (SELECT o.' || quote_ident(n.handle) || ' AS document) d) = $1)'
          INTO owned USING document;
        EXIT WHEN owned;
      END LOOP;
      owned := coalesce(owned, true);$f$
$$;

-- Returns a trigger condition that is true if the key of a row has changed. It compares the stored form, because texts
-- depend on settings of the session, and operators may belong to any role. A key that is equal but stored differently
-- (1.0 and 1.00) only causes an unnecessary check.
CREATE OR REPLACE FUNCTION pgtoaster.key_changes(columns name[]) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('record_image_ne(ROW(%s), ROW(%s))',
                string_agg(format('OLD.%I', c), ', ' ORDER BY n), string_agg(format('NEW.%I', c), ', ' ORDER BY n))
  FROM unnest(columns) WITH ORDINALITY u(c, n)
$$;

-- Writes the trigger functions of a store of documents. document/guard.sql determines what plain SQL may do to a split
-- document.
CREATE OR REPLACE FUNCTION pgtoaster.write_document_functions(store integer, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The declarations of all three functions; the text of pgtoaster.document_id ends before its FROM. The last variables
  -- are NULL if the tables of the store do not have the leading key.
  shared text := format($f$
    #variable_conflict use_variable
    DECLARE
      document_id CONSTANT text := %L;
      prefix text;
      handle name;
      lead_place CONSTANT integer := CAST(%L AS integer);
      lead_name CONSTANT text := %L;$f$,
    (SELECT f.prosrc FROM pg_proc f WHERE f.oid = 'pgtoaster.document_id(jsonb)'::regprocedure),
    (SELECT substr(l.attname, 7) FROM pgtoaster.lead_attribute(store) l),
    (SELECT ', ' || l.attname FROM pgtoaster.lead_attribute(store) l));
  -- lead is the condition on the leading key in each statement, and head_lead the condition on a head h, or both are empty.
  variables text := shared || format($f$
      document bigint;
      n record;
      owned boolean;
      lead_type CONSTANT text := %L;
      lead_value text;
      lead text := '';
      head_lead text := '';$f$, (SELECT format_type(l.atttypid, l.atttypmod) FROM pgtoaster.lead_attribute(store) l));
BEGIN
  -- At commit, and for the garbage list: deletes the document unless its owner still contains it. The head is locked
  -- first, and the content of the row is checked under that lock. Nodes of up to 64 MB are deleted at once; larger
  -- documents are put on the garbage list, which gc sweeps in batches.
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
      IF found_id IS NULL THEN$f$ || pgtoaster.snapshot_source(store) || $f$
        RETURN NULL;
      END IF;$f$ || pgtoaster.owned_source(store, handle) || $f$
      IF owned THEN
        RETURN NULL;
      END IF;
      EXECUTE 'SELECT coalesce(sum(n.bytes), 0) > 67108864 OR count(*) > 131072 FROM (SELECT bytes FROM ' || prefix
              || 'node WHERE ' || lead || 'doc = $1 LIMIT 131073) n' INTO large USING document;
      IF large THEN
        EXECUTE concat('INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') VALUES ($1, true',
                       ', CAST($2 AS ' || lead_type || ')',
                       ') ON CONFLICT (id', lead_name, ') DO UPDATE SET released = true') USING document, lead_value;
      ELSE
        EXECUTE 'DELETE FROM ' || prefix || 'node WHERE ' || lead || 'doc = $1' USING document;
      END IF;
$f$ || pgtoaster.snapshot_source(store) || $f$
      EXECUTE 'DELETE FROM ' || prefix || 'head WHERE ' || lead || 'id = $1' USING document;
      RETURN NULL;
    END $f$);
  PERFORM pgtoaster.create_watch_functions(store, handle, variables);
  PERFORM pgtoaster.create_trigger_function(store, 'truncate', shared || $f$
    BEGIN$f$ || pgtoaster.place_source(store) || $f$
      -- A detached partition has lost its other triggers; gc finds the content that it releases.
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
END $$;

-- Creates the triggers of a keyed column. Documents without a header must cost only a short condition, because each
-- statement that fires a trigger parses the condition again. This took 20 of the 24 us of an UPDATE.
CREATE OR REPLACE FUNCTION pgtoaster.create_document_triggers(store integer, owner regclass, handle name, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  watch_function text := pgtoaster.store_table(store, 'watch');
  trigger_prefix text := 'pgtoaster_' || store || '_';
  key_columns name[] := (SELECT k.columns FROM pgtoaster.owner_key(owner, store) k);
  new_split text := format('NEW.%I ? ''$pgtoaster''', handle);
BEGIN
  PERFORM pgtoaster.write_document_functions(store, handle);
  EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %s FOR EACH ROW WHEN (OLD.%I ? ''$pgtoaster'') EXECUTE FUNCTION %s(''delete'')',
                 trigger_prefix || 'delete', owner, handle, watch_function);
  PERFORM pgtoaster.create_update_trigger(store, owner, handle, options);
  PERFORM pgtoaster.write_routines(store);
  PERFORM pgtoaster.create_edit_trigger(store, owner, handle);
  EXECUTE format('CREATE TRIGGER %I AFTER UPDATE OF %s ON %s FOR EACH ROW WHEN (%s AND (%s)) EXECUTE FUNCTION %s(''key'')',
                 trigger_prefix || 'adopt', (SELECT string_agg(quote_ident(c), ', ') FROM unnest(key_columns) c),
                 owner, new_split, pgtoaster.key_changes(key_columns), watch_function);
  -- The first trigger fires at once, for a row that was deleted before; the second fires at commit, for a row that is
  -- deleted afterwards.
  EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s(''insert'')',
                 trigger_prefix || 'insert', owner,
                 format('%s AND %s(NULL::jsonb, NEW.%I)', new_split, pgtoaster.store_table(store, 'watched'), handle), watch_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s(''commit'')',
                 trigger_prefix || 'inserted', owner,
                 format('%s AND NOT %s(%s, NEW.%I)', new_split, pgtoaster.store_table(store, 'placed'),
                        (SELECT string_agg(format('NEW.%I', c), ', ' ORDER BY n) FROM unnest(key_columns) WITH ORDINALITY u(c, n)), handle),
                 watch_function);
  PERFORM pgtoaster.watch_truncate(store);
  PERFORM pgtoaster.create_sweep(store);
  PERFORM pgtoaster.hide_functions(store);
END $$;

-- Creates the trigger for updates of the column, or replaces it if the option unchanged has changed.
CREATE OR REPLACE FUNCTION pgtoaster.create_update_trigger(store integer, owner regclass, handle name, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (%s(OLD.%I, NEW.%I)) '
                 'EXECUTE FUNCTION %s(''update'', %L)',
                 'pgtoaster_' || store || '_update', handle, owner, pgtoaster.store_table(store, 'watched'), handle, handle,
                 pgtoaster.store_table(store, 'watch'), coalesce(options->>'unchanged', 'warning'));
END $$;
