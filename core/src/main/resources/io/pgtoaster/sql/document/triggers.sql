-- The triggers of the keyed toaster, which release documents and follow the keys of rows.

-- For trigger functions (see catalog/cleanup.sql). Returns a query of the tables whose rows may own documents of a
-- store, with relation, handle, columns and same_key as in pgtoaster.naming_rows, and whether the role may read all of
-- them. Partitions are read through their table, unless they are being detached from it. If no trigger has the name of
-- the column, the name from attach is used.
CREATE OR REPLACE FUNCTION pgtoaster.owners_source(store integer, handle name) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format(pgtoaster.one_line($f$(
        SELECT m.relation::regclass AS relation, m.columns, m.same_key, m.whole, pg_has_role(r.relowner, 'USAGE') AS mine,
               d.attname AS handle
        FROM (SELECT g.*, coalesce(g.followed, max(g.followed) OVER (), %2$L) AS known FROM (
          SELECT k.*,
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
        WHERE d.attname IS NOT NULL OR m.followed IS NOT NULL)$f$),
    store, handle, pgtoaster.one_line(pgtoaster.row_keys_source(quote_literal(store), '(prefix || ''head'')::regclass', 'NULL')))
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

-- The trigger functions of a store of documents. The text of pgtoaster.document_id ends before its FROM. lead_place,
-- lead_name and lead_type are NULL if the tables of the store do not have the leading key. lead is the condition on it in
-- each statement, and head_lead the condition on a head h, or both are empty. document/guard.sql determines what plain SQL
-- may do to a split document.

-- At commit, or for a row of the garbage table: deletes the document unless its owner still contains it. The head is locked
-- first, and the content of the row is checked under that lock. Nodes of up to 64 MB are deleted at once; larger
-- documents go to the garbage table, which gc sweeps in batches.
CREATE OR REPLACE FUNCTION pgtoaster.template_document_release() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  document_id CONSTANT text := store.document_id;
  prefix text;
  handle name;
  lead_place CONSTANT integer := CAST(store.lead_place AS integer);
  lead_name CONSTANT text := store.lead_name;
  document bigint;
  n record;
  owned boolean;
  lead_type CONSTANT text := store.lead_type;
  new_lead text;
  lead text := '';
  head_lead text := '';
  found_id bigint;
  large boolean;
BEGIN
  PERFORM store.find_place();
  document := NEW.id;
  IF lead_place IS NOT NULL THEN
    EXECUTE 'SELECT CAST(($1).owner_' || lead_place || ' AS text)' INTO new_lead USING NEW;
    lead := format('owner_%s = CAST(%L AS %s) AND ', lead_place, new_lead, lead_type);
    head_lead := 'h.' || lead;
  END IF;
  EXECUTE 'DELETE FROM ' || prefix || 'garbage WHERE ' || lead || 'id = $1 AND NOT released' USING document;
  EXECUTE 'SELECT id FROM ' || prefix || 'head WHERE ' || lead || 'id = $1 FOR UPDATE' INTO found_id USING document;
  IF found_id IS NULL THEN
    PERFORM store.check_snapshot();
    RETURN NULL;
  END IF;
  PERFORM store.find_owner();
  IF owned THEN
    RETURN NULL;
  END IF;
  EXECUTE 'SELECT coalesce(sum(n.bytes), 0) > 67108864 OR count(*) > 131072 FROM (SELECT bytes FROM ' || prefix
          || 'node WHERE ' || lead || 'doc = $1 LIMIT 131073) n' INTO large USING document;
  IF large THEN
    EXECUTE concat('INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') VALUES ($1, true',
                   ', CAST($2 AS ' || lead_type || ')',
                   ') ON CONFLICT (id', lead_name, ') DO UPDATE SET released = true') USING document, new_lead;
  ELSE
    EXECUTE 'DELETE FROM ' || prefix || 'node WHERE ' || lead || 'doc = $1' USING document;
  END IF;
  PERFORM store.check_snapshot();
  EXECUTE 'DELETE FROM ' || prefix || 'head WHERE ' || lead || 'id = $1' USING document;
  RETURN NULL;
END $$;

-- Before a TRUNCATE, enters the documents of the rows in the garbage table, whose deferred trigger checks them at commit.
CREATE OR REPLACE FUNCTION pgtoaster.template_document_truncate() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  document_id CONSTANT text := store.document_id;
  prefix text;
  handle name;
  lead_place CONSTANT integer := CAST(store.lead_place AS integer);
  lead_name CONSTANT text := store.lead_name;
BEGIN
  PERFORM store.find_place();
  -- A detached partition has lost its other triggers; gc finds the content that it releases.
  IF handle IS NULL THEN
    RETURN NULL;
  END IF;
  EXECUTE 'SET CONSTRAINTS ' || prefix || 'sweep DEFERRED';
  EXECUTE concat('/* pgtoaster */ INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') SELECT DISTINCT x.id, false',
                 (SELECT ', o.' || quote_ident(s.columns[lead_place]) FROM store.owners s
                  WHERE lead_place IS NOT NULL AND s.relation = TG_RELID), ' FROM ', TG_RELID::regclass,
                 ' o CROSS JOIN LATERAL (', document_id, ' AS id FROM (SELECT o.', quote_ident(handle),
                 ' AS document) d) x WHERE x.id IS NOT NULL ON CONFLICT DO NOTHING');
  RETURN NULL;
END $$;

-- Creates the triggers of a keyed column. Documents without a header must cost only a short condition, because each
-- statement that fires a trigger parses the condition again. Parsing took 20 of the 24 us of an UPDATE.
CREATE OR REPLACE FUNCTION pgtoaster.create_document_triggers(store integer, owner regclass, handle name, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  watch_function text := pgtoaster.store_table(store, 'watch');
  trigger_prefix text := 'pgtoaster_' || store || '_';
  key_columns name[] := (SELECT k.columns FROM pgtoaster.owner_key(owner, store) k);
  new_split text := format('NEW.%I ? ''$pgtoaster''', handle);
BEGIN
  PERFORM pgtoaster.write_routines(store);
  EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %s FOR EACH ROW WHEN (OLD.%I ? ''$pgtoaster'') EXECUTE FUNCTION %s(''delete'')',
                 trigger_prefix || 'delete', owner, handle, watch_function);
  PERFORM pgtoaster.create_update_trigger(store, owner, handle, options);
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
