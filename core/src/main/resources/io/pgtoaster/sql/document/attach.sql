-- Attaches and detaches columns of the keyed toaster, and checks their options.

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
  WHERE k NOT IN ('row_budget', 'leaf_size', 'fan_out', 'keep_inline', 'compression', 'touch', 'unchanged', 'leading_key', 'key',
                  'store_schema', 'distributed') LIMIT 1;
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
      HINT = 'Pass a JSON array of JSON Pointers, such as ["/status", "/address/city"].';
  END IF;
  o := jsonb_build_object(
    'row_budget', coalesce((given->>'row_budget')::integer, 2000),
    'leaf_size', coalesce((given->>'leaf_size')::integer, 16384),
    'fan_out', coalesce((given->>'fan_out')::integer, 128),
    'keep_inline', (SELECT coalesce(jsonb_agg(DISTINCT e), '[]') FROM jsonb_array_elements(keep) e),
    -- The default method of PostgreSQL 19.
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
    || CASE WHEN given ? 'leading_key' THEN jsonb_build_object('leading_key', given->>'leading_key') ELSE '{}' END
    || pgtoaster.distributed_option(given);
END $$;

-- Rejects a database whose encoding does not sort keys as UTF-8 does: leaves are cut and searched in that order, and
-- members would be lost.
CREATE OR REPLACE FUNCTION pgtoaster.require_utf8(owner regclass, column_name name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'column "%" of % cannot be attached: documents need a database with encoding UTF8, but this one has %',
      column_name, owner, getdatabaseencoding()
      USING ERRCODE = 'feature_not_supported',
            HINT = 'CREATE DATABASE ... TEMPLATE template0 ENCODING ''UTF8'', and move the data there: pg_dump and psql convert it. '
                   'Blobs work in any encoding.';
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
      RAISE EXCEPTION 'column "%" of % cannot contain split documents', handle, owner
        USING ERRCODE = 'invalid_column_definition', HINT = 'It is generated, or part of the row key.';
    END IF;
    EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %s WHERE %I -> ''$pgtoaster'' IS NOT NULL)', owner, handle) INTO reserved;
    IF reserved THEN
      RAISE EXCEPTION 'a document in column "%" of % has the root key "$pgtoaster"', handle, owner
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'That key marks split documents: rename it first.';
    END IF;
    settings := pgtoaster.keep_used_members(owner, handle, settings);
  END IF;
  IF settings ? 'leading_key' AND NOT EXISTS (
       SELECT FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE i.indexrelid = key_index AND k.position <= i.indnkeyatts AND a.attname = settings->>'leading_key') THEN
    RAISE EXCEPTION 'leading key "%" is not a column of the row key of %', settings->>'leading_key', owner
      USING ERRCODE = 'invalid_parameter_value',
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
  PERFORM pgtoaster.mirror_grants(new_store);
  PERFORM pgtoaster.adopt_indexes(new_store);
  RETURN new_store;
END $$;

-- Immediately checks the deferred constraints of a table, and of tables that refer to it; later changes are deferred as
-- before. Names each constraint, because SET CONSTRAINTS ALL would affect everything that the caller does until the end
-- of the transaction.
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

-- Rejects options that require more content in the row than an attached column of documents keeps.
CREATE OR REPLACE FUNCTION pgtoaster.compare_documents(store integer, options jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a pgtoaster.attached_column;
  keep jsonb := pgtoaster.document_options(options)->'keep_inline';
  missing jsonb;
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.store = compare_documents.store;
  SELECT jsonb_agg(e) INTO missing FROM jsonb_array_elements(keep) e WHERE NOT a.options->'keep_inline' @> e;
  IF missing IS NOT NULL THEN
    keep := (SELECT jsonb_agg(DISTINCT e) FROM jsonb_array_elements(a.options->'keep_inline' || keep) e);
    RAISE EXCEPTION 'column "%" of % is already attached and does not keep % in the row', a.column_name, a.owner, missing
      USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = format('SELECT pgtoaster.set_options(%L, %L, %L); then compact the column, which brings it back into the row.',
                          a.owner, a.column_name, jsonb_build_object('keep_inline', keep));
  END IF;
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
                                          pgtoaster.store_table(store, 'head'), k.same_key, handle)
                            FROM pgtoaster.owner_key(owner, store) k)
                      ELSE format('pgtoaster.document_id(o.%I) >> 40 IN ('
                                  'SELECT s.id FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner WHERE r.relrowsecurity)',
                                  handle) END;
  forged_header text := current_setting('pgtoaster.forged_header', true);
BEGIN
  SELECT r.relation, r.column_name, r.readable INTO n FROM pgtoaster.marked_rows(store) r LIMIT 1;
  IF FOUND AND NOT n.readable THEN
    RAISE EXCEPTION 'column "%" of % may still contain split documents', n.column_name, n.relation
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = format('That table was detached from %s and belongs to another role, so it is not read. Its owner can '
                          'UPDATE %s SET %I = pgtoaster.expand(%I), then DROP TRIGGER %I ON %2$s, or drop it.',
                          owner, n.relation, n.column_name, n.column_name, 'pgtoaster_' || store || '_truncate');
  ELSIF FOUND THEN
    RAISE EXCEPTION 'column "%" of % still contains split documents', n.column_name, n.relation
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = format('That table was detached from %s: UPDATE %s SET %I = pgtoaster.expand(%I), or drop it.',
                          owner, n.relation, n.column_name, n.column_name);
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', pgtoaster.store_table(store, 'aside')) INTO named;
  IF named AND NOT drop_content THEN
    RAISE EXCEPTION '% contains content that repair has set aside', pgtoaster.store_table(store, 'aside')
      USING ERRCODE = 'dependent_objects_still_exist',
            HINT = 'Put back or copy what you need, delete its rows, and detach again; or detach with drop_content.';
  END IF;
  -- Pending deferred checks would prevent altering the tables.
  PERFORM pgtoaster.check_constraints(owner);
  PERFORM pgtoaster.check_constraints(pgtoaster.store_table(store, 'garbage')::regclass);
  -- The triggers are dropped by now, so find the column by its name, which may have changed.
  INSERT INTO pgtoaster.catalog_change (what, store, column_name) VALUES ('set', store, handle);
  PERFORM pgtoaster.drop_triggers(store);
  -- An invalid header written by a user becomes a key of a plain document. A header that belongs to another row or
  -- store also does, if one of the tables has row security: the role that wrote it here has no right to the content.
  PERFORM set_config('pgtoaster.forged_header', 'warning', true);
  BEGIN
    EXECUTE format('/* pgtoaster */ UPDATE %s o SET %I = %s WHERE o.%I -> ''$pgtoaster'' IS NOT NULL', owner, handle,
                   CASE WHEN drop_content THEN 'NULL'
                        ELSE format('CASE WHEN %2$s THEN o.%1$I ELSE pgtoaster.expand(o.%1$I) END', handle, others) END,
                   handle);
  EXCEPTION WHEN program_limit_exceeded OR statement_too_complex OR data_corrupted THEN
    RAISE EXCEPTION 'a document in column "%" of % cannot become plain jsonb: %', handle, owner, SQLERRM
      USING ERRCODE = SQLSTATE,
            HINT = 'Make it smaller, repair it (pgtoaster.repair), or copy what you need and set its column to NULL; '
                   'or detach with drop_content, which sets it to NULL.';
  END;
  PERFORM set_config('pgtoaster.forged_header', coalesce(forged_header, ''), true);
  PERFORM pgtoaster.check_constraints(owner);
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || store || '_owner');
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STORAGE EXTENDED', owner, handle);
  PERFORM pgtoaster.drop_store(store);
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.set_document_options(store integer, changes jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a pgtoaster.attached_column;
  settings jsonb;
BEGIN
  PERFORM pgtoaster.refuse_fixed_options(changes, '{leading_key,key,store_schema,distributed}');
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.store = set_document_options.store;
  settings := pgtoaster.keep_used_members(a.owner, a.column_name, pgtoaster.document_options(a.options || changes));
  IF settings->>'compression' <> a.options->>'compression' THEN
    PERFORM pgtoaster.shape_leaves(pgtoaster.store_table(a.store, 'node')::regclass, settings->>'compression');
  END IF;
  IF settings->>'unchanged' IS DISTINCT FROM a.options->>'unchanged' THEN
    PERFORM pgtoaster.create_update_trigger(a.store, a.owner, a.column_name, settings);
  END IF;
  INSERT INTO pgtoaster.catalog_change (what, store, options) VALUES ('set', a.store, settings);
  PERFORM pgtoaster.write_routines(a.store);
END $$;
