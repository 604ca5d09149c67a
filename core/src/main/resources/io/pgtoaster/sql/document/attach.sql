-- Stores of the keyed toaster: options, tables, clean-up, and attach and detach of documents.

-- Checks the options of a keyed column and fills in the defaults; rejects unknown names.
CREATE OR REPLACE FUNCTION pgtoaster.document_options(given jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  o jsonb;
  unknown text;
  keep jsonb;
  r record;
BEGIN
  SELECT k INTO unknown FROM jsonb_object_keys(given) k
  WHERE k NOT IN ('row_budget', 'leaf_size', 'fan_out', 'keep_inline', 'compression', 'touch', 'unchanged', 'leading_key', 'key', 'store_schema', 'distributed') LIMIT 1;
  IF unknown IS NOT NULL THEN
    RAISE EXCEPTION 'unknown option "%"', unknown USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Options are row_budget, leaf_size, fan_out, keep_inline, compression, touch, unchanged, leading_key, key and store_schema.';
  END IF;
  -- A client that passes every option as text passes the list as JSON text.
  keep := CASE jsonb_typeof(given->'keep_inline') WHEN 'string' THEN (given->>'keep_inline')::jsonb
                                                  ELSE coalesce(given->'keep_inline', '[]') END;
  IF jsonb_typeof(keep) <> 'array' OR EXISTS (
       SELECT FROM jsonb_array_elements(keep) e
       WHERE jsonb_typeof(e) <> 'string' OR e #>> '{}' !~ '^(/([^~/]|~0|~1)*)+$') THEN
    RAISE EXCEPTION 'keep_inline is not a list of paths' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Give a JSON array of JSON Pointers, such as ["/status", "/address/city"].';
  END IF;
  o := jsonb_build_object(
    'row_budget', coalesce((given->>'row_budget')::integer, 2000),
    'leaf_size', coalesce((given->>'leaf_size')::integer, 16384),
    'fan_out', coalesce((given->>'fan_out')::integer, 128),
    'keep_inline', (SELECT coalesce(jsonb_agg(DISTINCT e), '[]') FROM jsonb_array_elements(keep) e),
    -- The same method as PostgreSQL 19 uses by default.
    'compression', coalesce(given->>'compression',
                            (SELECT CASE WHEN 'lz4' = ANY (s.enumvals) THEN 'lz4' ELSE 'pglz' END
                             FROM pg_settings s WHERE s.name = 'default_toast_compression')),
    'touch', coalesce(given->>'touch', 'none'));
  FOR r IN SELECT * FROM (VALUES ('row_budget', 256, 8000), ('leaf_size', 512, 65536), ('fan_out', 4, 512)) v(name, low, high) LOOP
    IF (o->>r.name)::integer NOT BETWEEN r.low AND r.high THEN
      RAISE EXCEPTION '% % is not between % and %', r.name, o->>r.name, r.low, r.high USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END LOOP;
  IF o->>'compression' NOT IN ('none', 'pglz', 'lz4') THEN
    RAISE EXCEPTION 'compression "%" is not one of none, pglz, lz4', o->>'compression' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF o->>'touch' NOT IN ('none', 'row') THEN
    RAISE EXCEPTION 'touch "%" is not one of none, row', o->>'touch' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF given->>'unchanged' NOT IN ('warning', 'error', 'ignore') THEN
    RAISE EXCEPTION 'unchanged "%" is not one of warning, error, ignore', given->>'unchanged' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN o || CASE WHEN given->>'unchanged' <> 'warning' THEN jsonb_build_object('unchanged', given->>'unchanged') ELSE '{}' END
    || CASE WHEN given ? 'leading_key' THEN jsonb_build_object('leading_key', given->>'leading_key') ELSE '{}' END || pgtoaster.distributed_option(given);
END $$;

-- Sets the storage of the column of the leaves. With storage MAIN, a row of more than 2 KB is compressed in line whatever
-- the target, and is moved to the TOAST table only if it is still above 8 KB. Uncompressed leaves must not be moved before
-- that size.
CREATE OR REPLACE FUNCTION pgtoaster.shape_leaves(node regclass, compression text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF compression = 'none' THEN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN value SET STORAGE EXTERNAL', node);
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 8160)', node);
  ELSE
    EXECUTE format('ALTER TABLE %s ALTER COLUMN value SET STORAGE MAIN', node);
    EXECUTE format('ALTER TABLE %s ALTER COLUMN value SET COMPRESSION %I', node, compression);
    EXECUTE format('ALTER TABLE %s SET (toast_tuple_target = 2032)', node);
  END IF;
END $$;

-- Creates the tables of one store. A head contains the key of the row that owns the document, in the types of the key's
-- own columns. With the option leading_key, every table has that key column. It comes last in the indexes, so that nodes
-- can be found by their document without it.
CREATE OR REPLACE FUNCTION pgtoaster.create_document_tables(store integer, schema name, key_index regclass, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  head text := format('%I.%I', schema, 'store_' || store || '_head');
  node text := format('%I.%I', schema, 'store_' || store || '_node');
  owner_columns text;
  owner_names text;
  lead text;
  lead_column text;
BEGIN
  SELECT string_agg(format('owner_%s %s %s NOT NULL', k.position, format_type(a.atttypid, a.atttypmod),
                           CASE WHEN a.attcollation <> 0 THEN format('COLLATE %I.%I', n.nspname, c.collname) ELSE '' END),
                    ', ' ORDER BY k.position),
         string_agg('owner_' || k.position, ', ' ORDER BY k.position),
         coalesce(min(', owner_' || k.position) FILTER (WHERE a.attname = options->>'leading_key'), ''),
         coalesce(min(format(', owner_%s %s %s NOT NULL', k.position, format_type(a.atttypid, a.atttypmod),
                             CASE WHEN a.attcollation <> 0 THEN format('COLLATE %I.%I', n.nspname, c.collname) ELSE '' END))
                    FILTER (WHERE a.attname = options->>'leading_key'), '')
    INTO owner_columns, owner_names, lead, lead_column
  FROM pg_index i
  CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
  LEFT JOIN pg_collation c ON c.oid = a.attcollation
  LEFT JOIN pg_namespace n ON n.oid = c.collnamespace
  WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts;
  -- Leave space for more versions on the same page: every change of the generation creates one.
  EXECUTE format(
    'CREATE TABLE %s (id bigint GENERATED BY DEFAULT AS IDENTITY (MINVALUE %s MAXVALUE %s), %s, '
    'generation bigint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT clock_timestamp(), '
    'created_by xid8 NOT NULL DEFAULT pg_current_xact_id(), created_as oid NOT NULL DEFAULT to_regrole(quote_ident(current_user)), '
    'PRIMARY KEY (id%s)) WITH (fillfactor = 80)',
    head, (store::bigint << 40) + 1, ((store::bigint + 1) << 40) - 1, owner_columns, lead);
  INSERT INTO pgtoaster.catalog_change (what, store, head) VALUES ('set', store, head::regclass);
  EXECUTE format('CREATE INDEX %I ON %s (%s)', 'store_' || store || '_head_owner', head, owner_names);
  EXECUTE format(
    'CREATE TABLE %s (doc bigint NOT NULL, id bigint NOT NULL, version bigint NOT NULL DEFAULT 0, kind "char" NOT NULL, '
    'bytes integer NOT NULL, value jsonb, kids bigint[], starts bigint[], lows bytea[]%s, PRIMARY KEY (doc, id%s))',
    node, lead_column, lead);
  EXECUTE format('ALTER TABLE %s ALTER COLUMN kids SET STORAGE MAIN, ALTER COLUMN starts SET STORAGE MAIN, '
                 'ALTER COLUMN lows SET STORAGE MAIN', node);
  PERFORM pgtoaster.shape_leaves(node::regclass, options->>'compression');
  EXECUTE format('CREATE TABLE %s (id bigint NOT NULL, released boolean NOT NULL, at timestamptz NOT NULL DEFAULT now(), '
                 'given_as name%s, PRIMARY KEY (id%s))', pgtoaster.store_table(store, 'garbage'), lead_column, lead);
  EXECUTE format('CREATE TABLE %s (id bigint GENERATED ALWAYS AS IDENTITY, at timestamptz NOT NULL DEFAULT now(), '
                 'row_key text[] NOT NULL, place text, what text NOT NULL, value jsonb%s, PRIMARY KEY (id%s))',
                 pgtoaster.store_table(store, 'aside'), lead_column, lead);
END $$;

-- For trigger functions (see catalog/cleanup.sql). Returns a query of the tables whose rows may own documents of a
-- store, with relation, handle, columns and same_key as in pgtoaster.naming_rows, and whether the role may read all of
-- them. If no trigger has the name of the column, the name from attach is used.
CREATE OR REPLACE FUNCTION pgtoaster.owners_source(store integer, handle name) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$(
        SELECT m.relation::regclass AS relation, m.columns, m.same_key, m.whole, pg_has_role(r.relowner, 'USAGE') AS mine, d.attname AS handle
        FROM (SELECT g.*, coalesce(g.followed, max(g.followed) OVER (), %2$L) AS known FROM (
          SELECT k.*,
                 -- Partitions are read through their table, unless they are just being detached from it.
                 NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.index_id)
                   OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.relation AND h.inhdetachpending) AS whole,
                 (SELECT u.attname FROM pg_trigger t JOIN pg_attribute u ON u.attrelid = t.tgrelid AND u.attnum = t.tgattr[0]
                  WHERE t.tgrelid = k.relation AND t.tgname = 'pgtoaster_%1$s_update') AS followed
          FROM %3$s k) g) m
        JOIN pg_class r ON r.oid = m.relation
        LEFT JOIN pg_attribute d ON d.attrelid = m.relation AND d.atttypid = 'jsonb'::regtype AND d.attnum > 0 AND NOT d.attisdropped
          AND (d.attname = m.known OR m.followed IS NULL AND NOT EXISTS (
                 SELECT FROM pg_attribute u WHERE u.attrelid = m.relation AND u.atttypid = 'jsonb'::regtype AND u.attname = m.known AND NOT u.attisdropped))
        WHERE d.attname IS NOT NULL OR m.followed IS NOT NULL)$f$,
    store, handle, pgtoaster.row_keys_source(quote_literal(store), '(prefix || ''head'')::regclass', 'NULL'))
$$;

-- For trigger functions. Returns the code that checks whether the row to which the head of a document refers as its owner
-- still contains the document; it reads the variables prefix, document and head_lead and sets owned. If the owners of a
-- store cannot be read, everything counts as owned.
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
                || ' WHERE ' || head_lead || 'h.id = $1 AND (' || document_id || ' FROM (SELECT o.' || quote_ident(n.handle) || ' AS document) d) = $1)'
          INTO owned USING document;
        EXIT WHEN owned;
      END LOOP;
      owned := coalesce(owned, true);$f$
$$;

-- Returns the condition of a trigger that the key of a row has changed. It compares the stored form, since text depends
-- on settings of the session and operators may belong to any role. A key that is equal but stored differently (1.0 and
-- 1.00) only causes an unnecessary check.
CREATE OR REPLACE FUNCTION pgtoaster.key_changes(columns name[]) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format('record_image_ne(ROW(%s), ROW(%s))', string_agg(format('OLD.%I', c), ', ' ORDER BY n), string_agg(format('NEW.%I', c), ', ' ORDER BY n))
  FROM unnest(columns) WITH ORDINALITY u(c, n)
$$;

-- Writes the trigger functions of a store of documents. document/guard.sql determines what plain SQL may do to a split
-- document.
CREATE OR REPLACE FUNCTION pgtoaster.write_document_functions(store integer, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The declarations of all three functions; the text of pgtoaster.document_id ends before its FROM. If the tables of the
  -- store have the leading key, lead is the condition on it in each statement, and head_lead the condition on a head h;
  -- otherwise both are empty.
  variables text := format($f$
    #variable_conflict use_variable
    DECLARE
      document_id CONSTANT text := %L;
      prefix text;
      handle name;
      document bigint;
      n record;
      owned boolean;
      lead_place CONSTANT integer := %L;
      lead_name CONSTANT text := %L;
      lead_type CONSTANT text := %L;
      lead_value text;
      lead text := '';
      head_lead text := '';$f$, (SELECT f.prosrc FROM pg_proc f WHERE f.oid = 'pgtoaster.document_id(jsonb)'::regprocedure),
    (SELECT substr(l.attname, 7) FROM pgtoaster.lead_attribute(store) l), (SELECT ', ' || l.attname FROM pgtoaster.lead_attribute(store) l),
    (SELECT format_type(l.atttypid, l.atttypmod) FROM pgtoaster.lead_attribute(store) l));
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
        EXECUTE concat('INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') VALUES ($1, true', ', CAST($2 AS ' || lead_type || ')',
                       ') ON CONFLICT (id', lead_name, ') DO UPDATE SET released = true') USING document, lead_value;
      ELSE
        EXECUTE 'DELETE FROM ' || prefix || 'node WHERE ' || lead || 'doc = $1' USING document;
      END IF;
$f$ || pgtoaster.snapshot_source(store) || $f$
      EXECUTE 'DELETE FROM ' || prefix || 'head WHERE ' || lead || 'id = $1' USING document;
      RETURN NULL;
    END $f$);
  PERFORM pgtoaster.create_watch_functions(store, handle, variables);
  PERFORM pgtoaster.create_trigger_function(store, 'truncate', variables || $f$
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

-- Creates the triggers of a keyed column. A document without a header costs one short condition: each statement that fires
-- a trigger parses its condition again, which took 20 of the 24 us of an UPDATE.
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
  -- At once for a row that was deleted before, at commit for a row that is deleted afterwards.
  EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s(''insert'')',
                 trigger_prefix || 'insert', owner,
                 format('%s AND %s(NULL::jsonb, NEW.%I)', new_split, pgtoaster.store_table(store, 'watched'), handle), watch_function);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s(''commit'')',
                 trigger_prefix || 'inserted', owner,
                 format('%s AND NOT %s(%s, NEW.%I)', new_split, pgtoaster.store_table(store, 'placed'),
                        (SELECT string_agg(format('NEW.%I', c), ', ' ORDER BY n) FROM unnest(key_columns) WITH ORDINALITY u(c, n)), handle), watch_function);
  PERFORM pgtoaster.watch_truncate(store);
  PERFORM pgtoaster.create_sweep(store);
  PERFORM pgtoaster.hide_functions(store);
END $$;

-- Creates the trigger for updates of the column, or replaces it if the option unchanged has changed.
CREATE OR REPLACE FUNCTION pgtoaster.create_update_trigger(store integer, owner regclass, handle name, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (%s(OLD.%I, NEW.%I)) EXECUTE FUNCTION %s(''update'', %L)',
                 'pgtoaster_' || store || '_update', handle, owner, pgtoaster.store_table(store, 'watched'), handle, handle,
                 pgtoaster.store_table(store, 'watch'), coalesce(options->>'unchanged', 'warning'));
END $$;

-- Rejects a database whose encoding does not sort keys as UTF-8 does, by which leaves are cut and searched: members would
-- be lost.
CREATE OR REPLACE FUNCTION pgtoaster.require_utf8(owner regclass, column_name name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'column "%" of % cannot be attached: documents need a database with encoding UTF8, and this one has %', column_name, owner, getdatabaseencoding()
      USING ERRCODE = 'feature_not_supported',
            HINT = 'CREATE DATABASE ... TEMPLATE template0 ENCODING ''UTF8'', and move the data there: pg_dump and psql convert it. Blobs work in any encoding.';
  END IF;
END $$;

-- Attaches a column to the keyed toaster, for pgtoaster.attach, which has locked the table and checked it. Existing
-- documents stay as they are.
CREATE OR REPLACE FUNCTION pgtoaster.attach_document(owner regclass, handle name, key_index regclass, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  settings jsonb := pgtoaster.document_options(options);
  col pg_attribute;
  reserved boolean;
  new_store integer;
  mark text;
BEGIN
  PERFORM pgtoaster.require_utf8(owner, handle);
  SELECT * INTO col FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = handle AND NOT a.attisdropped;
  IF col.attnum IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I jsonb', owner, handle);
  ELSE
    IF col.atttypid <> 'jsonb'::regtype THEN
      RAISE EXCEPTION 'column "%" of % has type %, not jsonb', handle, owner, col.atttypid::regtype
        USING ERRCODE = 'datatype_mismatch';
    END IF;
    IF col.attgenerated <> '' OR EXISTS (
         SELECT FROM pg_index i WHERE i.indexrelid = key_index AND col.attnum = ANY (i.indkey)) THEN
      RAISE EXCEPTION 'column "%" of % cannot contain documents that are split', handle, owner
        USING ERRCODE = 'invalid_column_definition', HINT = 'It is generated, or part of the row key.';
    END IF;
    EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %s WHERE %I -> ''$pgtoaster'' IS NOT NULL)', owner, handle) INTO reserved;
    IF reserved THEN
      RAISE EXCEPTION 'a document in column "%" of % has the root key "$pgtoaster"', handle, owner
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'It marks documents that are split: rename that key first.';
    END IF;
    settings := pgtoaster.keep_used_members(owner, handle, settings);
  END IF;
  IF settings ? 'leading_key' AND NOT EXISTS (
       SELECT FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts AND a.attname = settings->>'leading_key') THEN
    RAISE EXCEPTION 'leading key "%" is not a column of the row key of %', settings->>'leading_key', owner USING ERRCODE = 'invalid_parameter_value',
      HINT = format('The row key is the primary key, or the index that the option "key" names; here %s.', key_index);
  END IF;
  new_store := pgtoaster.add_store(owner, handle, 'keyed', (options->>'key')::name, settings);
  PERFORM pgtoaster.create_document_tables(new_store, pgtoaster.new_store_schema(owner, options), key_index, settings);
  -- MAIN keeps the stub in line even next to another wide column.
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN', owner, handle);
  mark := 'pgtoaster_' || new_store || '_owner';
  PERFORM pgtoaster.drop_index(owner, mark);
  EXECUTE (
    SELECT format('CREATE INDEX %I ON %s (%s) WHERE %s IS NULL AND %s', mark, owner,
                  string_agg(quote_ident(a.attname), ', ' ORDER BY k.position),
                  min(quote_ident(a.attname)) FILTER (WHERE k.position = 1), pgtoaster.row_mark(new_store))
    FROM pg_index i
    CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts);
  PERFORM pgtoaster.create_document_triggers(new_store, owner, handle, settings);
  PERFORM pgtoaster.mirror_privileges(new_store);
  PERFORM pgtoaster.adopt_indexes(new_store);
  RETURN new_store;
END $$;

-- Checks the deferred constraints of a table, and of tables that refer to it, now; later changes are deferred as before.
-- One by one: SET CONSTRAINTS ALL would apply to everything that the caller does until the end of the transaction.
CREATE OR REPLACE FUNCTION pgtoaster.check_constraints(relation regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record;
BEGIN
  FOR c IN
    WITH tables AS (SELECT relation::oid AS id UNION SELECT p.relid FROM pg_partition_tree(relation) p)
    SELECT format('%I.%I', n.nspname, k.conname) AS name, bool_or(k.condeferred) AS deferred
    FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
    WHERE k.condeferrable AND (k.conrelid IN (SELECT id FROM tables) OR k.confrelid IN (SELECT id FROM tables))
    GROUP BY 1 LOOP
    EXECUTE format('SET CONSTRAINTS %s IMMEDIATE', c.name);
    IF c.deferred THEN
      EXECUTE format('SET CONSTRAINTS %s DEFERRED', c.name);
    END IF;
  END LOOP;
END $$;

-- Detaches a column from the keyed toaster, for pgtoaster.detach: split documents become plain ones again, or NULL if
-- their content may be dropped.
CREATE OR REPLACE FUNCTION pgtoaster.detach_document(store integer, owner regclass, handle name, drop_content boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  n record;
  named boolean;
  others text := CASE WHEN (SELECT r.relrowsecurity FROM pg_class r WHERE r.oid = owner)
                      THEN (SELECT format('NOT EXISTS (SELECT FROM %s h WHERE %s AND h.id = pgtoaster.document_id(o.%I))',
                                          pgtoaster.store_table(store, 'head'), k.same_key, handle) FROM pgtoaster.owner_key(owner, store) k)
                      ELSE format('pgtoaster.document_id(o.%I) >> 40 IN (SELECT s.id FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner '
                                  'WHERE r.relrowsecurity)', handle) END;
  forged_header text := current_setting('pgtoaster.forged_header', true);
BEGIN
  SELECT r.relation, r.column_name, r.readable INTO n FROM pgtoaster.marked_rows(store) r LIMIT 1;
  IF FOUND AND NOT n.readable THEN
    RAISE EXCEPTION 'column "%" of % may still contain split documents', n.column_name, n.relation
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = format('That table was detached from %s and belongs to another role, so it is not read. As its owner UPDATE %s SET %I = '
                          'pgtoaster.expand(%I), then DROP TRIGGER %I ON %2$s; or drop it.',
                          owner, n.relation, n.column_name, n.column_name, 'pgtoaster_' || store || '_truncate');
  ELSIF FOUND THEN
    RAISE EXCEPTION 'column "%" of % still contains split documents', n.column_name, n.relation
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = format('That table was detached from %s: UPDATE %s SET %I = pgtoaster.expand(%I), or drop it.',
                          owner, n.relation, n.column_name, n.column_name);
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', pgtoaster.store_table(store, 'aside')) INTO named;
  IF named AND NOT drop_content THEN
    RAISE EXCEPTION '% contains content that repair has set aside', pgtoaster.store_table(store, 'aside') USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'Put back or copy what you need, delete its rows, and detach again; or detach with drop_content.';
  END IF;
  -- Pending deferred checks would prevent altering the tables.
  PERFORM pgtoaster.check_constraints(owner);
  PERFORM pgtoaster.check_constraints(pgtoaster.store_table(store, 'garbage')::regclass);
  -- Without its triggers, the column is found by its name, which may have changed.
  INSERT INTO pgtoaster.catalog_change (what, store, column_name) VALUES ('set', store, handle);
  PERFORM pgtoaster.drop_triggers(store);
  -- An invalid header written by a user becomes a key of a plain document. So does a header that belongs to another row
  -- or store, if one of the tables has row security: the role that wrote it here has no right to the content.
  PERFORM set_config('pgtoaster.forged_header', 'warning', true);
  BEGIN
    EXECUTE format('/* pgtoaster */ UPDATE %s o SET %I = %s WHERE o.%I -> ''$pgtoaster'' IS NOT NULL', owner, handle,
                   CASE WHEN drop_content THEN 'NULL'
                        ELSE format('CASE WHEN %2$s THEN o.%1$I ELSE pgtoaster.expand(o.%1$I) END', handle, others) END,
                   handle);
  EXCEPTION WHEN program_limit_exceeded OR statement_too_complex OR data_corrupted THEN
    RAISE EXCEPTION 'a document in column "%" of % cannot become plain jsonb: %', handle, owner, SQLERRM
      USING ERRCODE = SQLSTATE,
            HINT = 'Make it smaller, repair it (pgtoaster.repair), or copy what you need and set its column to NULL; or detach with drop_content, which sets it to NULL.';
  END;
  PERFORM set_config('pgtoaster.forged_header', coalesce(forged_header, ''), true);
  PERFORM pgtoaster.check_constraints(owner);
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || store || '_owner');
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE EXTENDED', owner, handle);
  PERFORM pgtoaster.drop_store(store);
END $$;

-- Returns the documents that no row owns and that are older than gc_horizon, and locks them.
CREATE OR REPLACE FUNCTION pgtoaster.unowned_documents(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  n record;
  clauses text := '';
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_rows(store) LOOP
    IF n.handle IS NULL THEN
      RETURN;
    END IF;
    clauses := clauses || format(' AND NOT EXISTS (SELECT FROM %s o WHERE %s AND pgtoaster.document_id(o.%I) = h.id)',
                                 n.relation, n.same_key, n.handle);
  END LOOP;
  IF clauses = '' THEN
    RETURN;
  END IF;
  RETURN QUERY EXECUTE format(
    '/* pgtoaster */ SELECT h.id, (SELECT coalesce(sum(greatest(n.bytes, 0)), 0)::bigint FROM %s n WHERE n.doc = h.id %s), h.created_at FROM %s h '
    'WHERE ($2 IS NULL OR h.id = ANY ($2)) AND h.created_at < $1 %s ORDER BY h.id %s',
    pgtoaster.store_table(store, 'node'), (SELECT format('AND n.%s = h.%1$s', l.attname) FROM pgtoaster.lead_attribute(store) l WHERE pgtoaster.is_sharded(store)),
    pgtoaster.store_table(store, 'head'), clauses, pgtoaster.gc_lock(store))
  USING pgtoaster.gc_horizon(grace), only_ids;
  IF FOUND THEN
    PERFORM pgtoaster.require_snapshot(store);
  END IF;
END $$;

-- Returns the jsonb columns of the database that may refer to documents of a store. readable: the role may read the whole
-- column, and the owner of the table gains nothing by that, since planning a query runs the expressions of the table's
-- indexes. The owner must therefore be the owner of the store, a role that has the rights of the current role, or a
-- superuser, or the table must be a partition.
-- A partition that was detached and given to another role is recognised by a trigger that only the owner of the store
-- could create. It is not readable, and is assumed to refer to everything.
CREATE OR REPLACE FUNCTION pgtoaster.jsonb_columns(store integer) RETURNS TABLE (relation regclass, column_name name, readable boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.oid::regclass, a.attname, w.safe
  FROM pg_attribute a JOIN pg_class r ON r.oid = a.attrelid JOIN pg_namespace n ON n.oid = r.relnamespace
  JOIN pgtoaster.store s ON s.id = $1
  LEFT JOIN pg_class h ON h.oid = s.head
  CROSS JOIN LATERAL (SELECT r.relowner = h.relowner OR pg_has_role(r.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')
                               OR r.oid IN (SELECT p.relid FROM pg_partition_tree(s.owner) p) AS safe) w
  WHERE a.atttypid = 'jsonb'::regtype AND a.attnum > 0 AND NOT a.attisdropped AND r.relkind IN ('r', 'm')
    AND (r.relkind = 'r' OR r.relispopulated) AND r.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pgtoaster.store o JOIN pg_class x ON x.oid = o.head
                    WHERE x.relnamespace = r.relnamespace AND r.relname = 'store_' || o.id || '_node')
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND CASE WHEN w.safe THEN has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(r.oid, a.attnum, 'SELECT')
                              AND NOT row_security_active(r.oid)
             ELSE EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid
                          AND t.tgfoid = to_regprocedure(pgtoaster.store_table($1, 'truncate') || '()')) END
  ORDER BY 1, 2
$$;

-- Returns the columns whose rows refer to documents by their header, even if other rows own the documents: copies made and
-- keys changed while triggers were off, copies in tables without triggers, and partitions that were detached and given to
-- another role; also headers with noted edits that were not performed. It reads every column that jsonb_columns calls
-- readable, so it is called only for documents that would be deleted.
-- Also returns the rows to which heads refer as owners and whose document has no header. The header was removed, or the
-- document overwritten, while triggers were off; the two cases cannot be distinguished.
CREATE OR REPLACE FUNCTION pgtoaster.named_documents(store integer, ids bigint[])
RETURNS TABLE (id bigint, relation regclass, column_name name)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  c record;
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  FOR c IN SELECT * FROM pgtoaster.jsonb_columns($1) LOOP
    IF NOT c.readable THEN
      RETURN QUERY SELECT u, c.relation, c.column_name FROM unnest(ids) u;
      CONTINUE;
    END IF;
    RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT DISTINCT d.id, $2, $3 FROM (SELECT pgtoaster.document_id(CASE WHEN o.%1$I -> ''$pgtoaster'' ? ''edits'' '
      'THEN jsonb_build_object(''$pgtoaster'', o.%1$I #> ''{$pgtoaster,document}'') ELSE o.%1$I END) AS id FROM ONLY %2$s o WHERE o.%1$I ? ''$pgtoaster'') d '
      'WHERE d.id = ANY ($1)', c.column_name, c.relation) USING ids, c.relation, c.column_name;
  END LOOP;
  FOR c IN SELECT r.relation, r.handle, r.same_key FROM pgtoaster.naming_rows($1) r WHERE r.handle IS NOT NULL LOOP
    RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT h.id, $2, $3 FROM %s h JOIN %s o ON %s WHERE h.id = ANY ($1) AND o.%I IS NOT NULL AND o.%4$I -> ''$pgtoaster'' IS NULL',
      pgtoaster.store_table($1, 'head'), c.relation, c.same_key, c.handle) USING ids, c.relation, c.handle;
  END LOOP;
END $$;

-- Returns the tables other than the attached one that have the mark of a store and whose rows refer to its documents:
-- detached partitions. If such a table no longer counts as an owner of documents, its references count if no row of the
-- attached table has the key of the document. A table that may not be read (see jsonb_columns) is assumed to contain some.
CREATE OR REPLACE FUNCTION pgtoaster.marked_rows(store integer) RETURNS TABLE (relation regclass, column_name name, readable boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  unowned text;
  m record;
  named boolean;
BEGIN
  SELECT format('EXISTS (SELECT FROM %s h WHERE h.id = d.id %s)', pgtoaster.store_table($1, 'head'),
                CASE WHEN k.same_key IS NOT NULL THEN format('AND NOT EXISTS (SELECT FROM %s o WHERE %s)', r.oid::regclass, k.same_key) END) INTO unowned
  FROM pgtoaster.store s LEFT JOIN pg_class r ON r.oid = s.owner LEFT JOIN pgtoaster.owner_key(r.oid, s.id) k ON true WHERE s.id = $1;
  FOR m IN
    SELECT j.relation, j.column_name, j.readable, EXISTS (SELECT FROM pgtoaster.naming_rows($1) r WHERE r.relation = j.relation) AS own
    FROM pgtoaster.jsonb_columns($1) j
    WHERE j.relation <> (SELECT s.owner FROM pgtoaster.store s WHERE s.id = $1)
      AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = j.relation)
      -- For other tables, pg_get_expr is not called: it locks the table.
      AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = j.relation AND i.indpred IS NOT NULL
                  AND CASE WHEN i.indrelid = j.relation THEN position(pgtoaster.row_mark($1) IN replace(pg_get_expr(i.indpred, i.indrelid), '"', '')) > 0 ELSE false END) LOOP
    named := true;
    IF m.readable THEN
      EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM (SELECT pgtoaster.document_id(o.%1$I) AS id FROM ONLY %2$s o WHERE o.%1$I ? ''$pgtoaster'') d '
                     'WHERE d.id >> 40 = $1 AND %3$s)', m.column_name, m.relation, CASE WHEN m.own THEN 'true' ELSE unowned END)
        INTO named USING $1;
    END IF;
    IF named THEN
      relation := m.relation;
      column_name := m.column_name;
      readable := m.readable;
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Returns the documents that no row owns or refers to by its header, as gc_blobs does for blobs. only_ids: check these
-- again, under lock; a document without references stays without.
CREATE OR REPLACE FUNCTION pgtoaster.gc_documents(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, leading_key text, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  unowned bigint[] := ARRAY(SELECT u.id FROM pgtoaster.unowned_documents(gc_documents.store, grace, only_ids) u);
  lead name := pgtoaster.lead_column(gc_documents.store);
BEGIN
  FOR id, bytes, created_at IN
    SELECT u.id, u.bytes, u.created_at FROM pgtoaster.unowned_documents(gc_documents.store, grace, unowned) u
    WHERE only_ids IS NOT NULL OR u.id NOT IN (SELECT n.id FROM pgtoaster.named_documents(gc_documents.store, unowned) n) LOOP
    IF lead IS NOT NULL THEN
      EXECUTE format('SELECT CAST(%s AS text) FROM %s WHERE id = $1', lead, pgtoaster.store_table($1, 'head')) INTO leading_key USING id;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Returns the documents that no row owns and that gc keeps, because rows refer to them by their header or have lost it,
-- and where these rows are. See pgtoaster.repair.
CREATE OR REPLACE FUNCTION pgtoaster.gc_kept_documents(store integer, grace interval)
RETURNS TABLE (id bigint, bytes bigint, relation regclass, column_name name)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  unowned bigint[] := ARRAY(SELECT u.id FROM pgtoaster.unowned_documents(gc_kept_documents.store, grace) u);
BEGIN
  RETURN QUERY SELECT u.id, u.bytes, n.relation, n.column_name
  FROM pgtoaster.named_documents(gc_kept_documents.store, unowned) n JOIN pgtoaster.unowned_documents(gc_kept_documents.store, grace, unowned) u ON u.id = n.id
  ORDER BY u.id, n.relation, n.column_name;
END $$;
