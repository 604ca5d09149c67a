-- Attaches and detaches columns of the appendable toaster, and checks their options.

-- Checks the options of an appendable column and fills in the defaults; rejects unknown names.
CREATE OR REPLACE FUNCTION pgtoaster.blob_options(given jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  o jsonb;
  unknown text;
  compression text;
  crc boolean;
BEGIN
  SELECT k INTO unknown FROM jsonb_object_keys(given) k
  WHERE k NOT IN ('chunk_size', 'tail', 'crc32c', 'compression', 'text', 'leading_key', 'key', 'notify', 'store_schema', 'distributed')
  LIMIT 1;
  IF unknown IS NOT NULL THEN
    RAISE EXCEPTION 'unknown option "%"', unknown USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Options are chunk_size, tail, crc32c, compression, text, leading_key, key, notify and store_schema.';
  END IF;
  compression := coalesce(given->>'compression', 'none');
  crc := coalesce((given->>'crc32c')::boolean, false);
  IF compression NOT IN ('none', 'pglz', 'lz4') THEN
    RAISE EXCEPTION 'compression "%" is not one of none, pglz, lz4', compression USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- The tail is short at wal_level logical, because PostgreSQL then logs the whole new row of a head, instead of only
  -- the part that differs.
  o := jsonb_build_object(
    'compression', compression,
    'crc32c', crc,
    'chunk_size', coalesce((given->>'chunk_size')::integer, CASE compression WHEN 'none' THEN 8100 ELSE 32768 END),
    'tail', coalesce((given->>'tail')::integer, CASE WHEN crc THEN 0
                                                     WHEN current_setting('wal_level') = 'logical' THEN 96 ELSE 1012 END),
    'text', coalesce((given->>'text')::boolean, false),
    'notify', coalesce((given->>'notify')::boolean, false));
  IF (o->>'chunk_size')::integer NOT BETWEEN 512 AND 1048576 THEN
    RAISE EXCEPTION 'chunk_size % is not between 512 and 1048576 bytes', o->>'chunk_size' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF (o->>'tail')::integer NOT BETWEEN 0 AND 4000 THEN
    RAISE EXCEPTION 'tail % is not between 0 and 4000 bytes', o->>'tail' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF crc AND (o->>'tail')::integer > 0 THEN
    RAISE EXCEPTION 'a store with crc32c cannot have a tail' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Omit the option tail, or set it to 0: a checksum must cover each byte of such a store.';
  END IF;
  IF given ? 'leading_key' THEN
    o := o || jsonb_build_object('leading_key', given->>'leading_key');
  END IF;
  RETURN o || pgtoaster.distributed_option(given);
END $$;

-- Attaches a new or empty column for blobs and changes its type to bigint.
CREATE OR REPLACE FUNCTION pgtoaster.attach_blob(owner regclass, handle name, key_index regclass, options jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  settings jsonb;
  col pg_attribute;
  lk name;
  lk_type text;
  populated boolean;
  new_store integer;
BEGIN
  settings := pgtoaster.blob_options(options);
  lk := settings->>'leading_key';
  IF lk IS NOT NULL THEN
    SELECT format_type(a.atttypid, a.atttypmod) INTO lk_type FROM pg_attribute a
    WHERE a.attrelid = owner AND a.attname = lk AND a.attnotnull AND NOT a.attisdropped;
    IF lk_type IS NULL THEN
      RAISE EXCEPTION 'leading key "%" is not a NOT NULL column of %', lk, owner USING ERRCODE = 'invalid_parameter_value';
    END IF;
  END IF;

  SELECT * INTO col FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = handle AND NOT a.attisdropped;
  IF col.attnum IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I bigint', owner, handle);
  ELSE
    IF EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = key_index AND col.attnum = ANY (i.indkey)) THEN
      RAISE EXCEPTION 'column "%" of % is part of the row key and cannot hold a handle', handle, owner
        USING ERRCODE = 'invalid_column_definition';
    END IF;
    IF col.attnum < 0 OR col.attgenerated <> '' OR col.attidentity <> '' OR handle = lk THEN
      RAISE EXCEPTION 'column "%" of % cannot hold a handle', handle, owner USING ERRCODE = 'invalid_column_definition';
    END IF;
    IF col.atttypid NOT IN ('bigint'::regtype, 'bytea'::regtype, 'text'::regtype) THEN
      RAISE EXCEPTION 'column "%" of % has type %, not bigint, bytea or text', handle, owner, col.atttypid::regtype
        USING ERRCODE = 'datatype_mismatch';
    END IF;
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NOT NULL)', owner, handle) INTO populated;
    IF populated THEN
      RAISE EXCEPTION 'column "%" of % already contains values, but only a new or empty column can be attached', handle, owner
        USING ERRCODE = 'object_not_in_prerequisite_state',
              HINT = format(
                'CALL pgtoaster.migrate(%L, %L), or "pgtoaster migrate" on the command line, migrates a column with its content.',
                owner, handle);
    END IF;
    IF col.atttypid <> 'bigint'::regtype THEN
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT, ALTER COLUMN %I TYPE bigint USING NULL', owner, handle, handle);
    END IF;
    settings := CASE WHEN col.atttypid = 'text'::regtype THEN settings || '{"text": true}' ELSE settings END;
  END IF;

  new_store := pgtoaster.add_store(owner, handle, 'appendable', (options->>'key')::name, settings);
  PERFORM pgtoaster.create_store_tables(new_store, pgtoaster.new_store_schema(owner, options), lk_type, settings);

  -- A unique index allows one row per blob. If the table cannot have one on the handle alone, the index is not unique.
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || new_store || '_handle');
  -- The index is partial, so that the handle is not a key column. Otherwise setting it would take the lock of a key
  -- update, which conflicts with foreign keys to the owner table.
  EXECUTE format('CREATE %s INDEX %I ON %s (%I) WHERE %I IS NOT NULL',
                 CASE (SELECT c.relkind FROM pg_class c WHERE c.oid = owner) WHEN 'r' THEN 'UNIQUE' ELSE '' END,
                 'pgtoaster_' || new_store || '_handle', owner, handle, handle);
  IF lk IS NULL THEN
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I) REFERENCES %s (id) DEFERRABLE',
                   owner, 'pgtoaster_' || new_store || '_head', handle, pgtoaster.store_table(new_store, 'head'));
  ELSE
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I FOREIGN KEY (%I, %I) REFERENCES %s (leading_key, id) DEFERRABLE',
                   owner, 'pgtoaster_' || new_store || '_head', lk, handle, pgtoaster.store_table(new_store, 'head'));
  END IF;
  PERFORM pgtoaster.create_triggers(new_store, owner, handle);
  PERFORM pgtoaster.mirror_grants(new_store);
  RETURN new_store;
END $$;

-- Detaches a column of blobs, for pgtoaster.detach.
CREATE OR REPLACE FUNCTION pgtoaster.detach_blob(store integer, owner regclass, handle name, drop_content boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  n record;
  named boolean;
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_columns(store) LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %I IS NOT NULL)', n.relation, n.handle) INTO named;
    IF named AND (NOT drop_content OR n.relation <> owner) THEN
      RAISE EXCEPTION 'column "%" of % still refers to content', n.handle, n.relation
        USING ERRCODE = 'dependent_objects_still_exist',
              HINT = 'Copy what you need, set the column to NULL, and detach again; or detach with drop_content.';
    END IF;
  END LOOP;
  PERFORM pgtoaster.drop_triggers(store);
  EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', owner, 'pgtoaster_' || store || '_head');
  PERFORM pgtoaster.drop_index(owner, 'pgtoaster_' || store || '_handle');
  EXECUTE format('UPDATE %s SET %I = NULL WHERE %I IS NOT NULL', owner, handle, handle);
  PERFORM pgtoaster.drop_store(store);
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.set_blob_options(store integer, changes jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  a pgtoaster.attached_column;
  settings jsonb;
  part text;
BEGIN
  PERFORM pgtoaster.refuse_fixed_options(changes, '{leading_key,key,text,crc32c,store_schema,distributed}');
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.store = set_blob_options.store;
  -- A new compression uses its own default chunk size.
  settings := a.options || pgtoaster.blob_options(
    CASE WHEN changes ? 'compression' THEN a.options - 'chunk_size' ELSE a.options END || changes);
  -- Changing the storage waits for all users of the store, and blocks new ones.
  IF settings->>'compression' <> a.options->>'compression' THEN
    FOREACH part IN ARRAY ARRAY['chunk', 'piece'] LOOP
      PERFORM pgtoaster.shape_data_column(pgtoaster.store_table(a.store, part)::regclass, settings->>'compression');
    END LOOP;
  END IF;
  INSERT INTO pgtoaster.catalog_change (what, store, options) VALUES ('set', a.store, settings);
  PERFORM pgtoaster.write_routines(a.store);
END $$;
