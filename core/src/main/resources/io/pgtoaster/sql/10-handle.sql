-- Functions that read blobs in SQL by their handle, for psql, reports and other languages. They run with the rights and in
-- the snapshot of the caller. They find the store by the handle, which is unique across stores.

-- Returns the condition that selects the head h of a handle, $1. Raises an error if the handle is not from a store of
-- blobs. In a store with a leading key, the rows that contain the handle determine the key. prefix: the qualified prefix
-- of the store's table names.
CREATE OR REPLACE FUNCTION pgtoaster.head_condition(handle bigint, OUT prefix text, OUT condition text, OUT leading_key text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  store integer;
  head text;
  naming record;
  value text;
BEGIN
  PERFORM pgtoaster.require_catalog();
  SELECT s.id INTO store FROM pgtoaster.store s WHERE s.id = handle >> 40 AND s.toaster = 'appendable';
  IF store IS NULL THEN
    PERFORM pgtoaster.corrupt_handle(handle);
  END IF;
  prefix := pgtoaster.store_table(store, '');
  head := prefix || 'head';
  IF NOT has_table_privilege(head, 'SELECT') THEN
    PERFORM pgtoaster.deny(store);
  END IF;
  condition := 'h.id = $1';
  leading_key := '';
  IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = head::regclass AND a.attname = 'leading_key') THEN
    leading_key := 'c.leading_key = h.leading_key AND ';
    SELECT string_agg(format('(h.leading_key, h.id) IN (SELECT o.%I, o.%I FROM %s o WHERE o.%I = $1)',
                             pgtoaster.leading_key_column(n.relation, store), n.handle, n.relation, n.handle), ' OR ')
      INTO condition FROM pgtoaster.naming_columns(store) n;
    condition := '(' || coalesce(condition, 'h.id = $1') || ')';
    -- Citus looks up the rows of all tenants, which determines the tenant of the handle.
    FOR naming IN SELECT c.relation, c.handle, pgtoaster.leading_key_column(c.relation, store) AS lead, format_type(l.atttypid, l.atttypmod) AS type
             FROM pgtoaster.naming_columns(store) c CROSS JOIN pgtoaster.lead_attribute(store) l WHERE pgtoaster.is_sharded(store) LOOP
      EXECUTE format('SELECT CAST(o.%I AS text) FROM %s o WHERE o.%I = $1 LIMIT 1', naming.lead, naming.relation, naming.handle) INTO value USING handle;
      condition := format('h.leading_key = CAST(%L AS %s) AND h.id = $1', value, naming.type);
      leading_key := format('c.leading_key = CAST(%L AS %s) AND ', value, naming.type);
    END LOOP;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.corrupt_handle(handle bigint) RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pgtoaster.require_snapshot((handle >> 40)::integer);
  RAISE EXCEPTION 'the handle % names no content', handle USING ERRCODE = 'data_corrupted',
    HINT = 'Give the value of a column that is attached to the toaster "appendable".';
END $$;

-- Returns the length in bytes of the content of a handle; NULL for NULL.
CREATE OR REPLACE FUNCTION pgtoaster.blob_length(handle bigint) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record := pgtoaster.head_condition(handle);
  length bigint;
BEGIN
  EXECUTE format('SELECT h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0) FROM %shead h WHERE %s',
                 c.prefix, c.condition) INTO length USING handle;
  IF length IS NULL THEN
    PERFORM pgtoaster.corrupt_handle(handle);
  END IF;
  RETURN length;
END $$;

-- Returns a range of the content of a handle, like substring(bytea FROM start FOR count): bytes are numbered from 1, and
-- positions outside the content are ignored. NULL for NULL.
CREATE OR REPLACE FUNCTION pgtoaster.blob_read(handle bigint, start bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record := pgtoaster.head_condition(handle);
  first bigint := greatest(start, 1) - 1;
  behind bigint := least(start - 1.0 + count, pgtoaster.blob_length(handle));
  bytes bytea := '';
  gapless boolean;
BEGIN
  IF count < 0 THEN
    RAISE EXCEPTION 'negative substring length not allowed' USING ERRCODE = 'substring_error';
  END IF;
  IF behind <= first THEN
    RETURN bytes;
  END IF;
  -- The parts must follow each other without overlap: duplicate bytes must not make up for missing ones.
  EXECUTE format(
    'SELECT string_agg(substring(r.data FROM (r.first - r.start)::integer + 1 FOR (r.last - r.first)::integer), '''' ORDER BY r.start), '
    'sum((r.last - r.first) * (r.last::numeric + r.first)) = $3::numeric * $3 - $2::numeric * $2 '
    'FROM (SELECT r.start, r.data, greatest($2, r.start) AS first, least($3, r.start + octet_length(r.data)) AS last '
    'FROM %1$shead h CROSS JOIN LATERAL ('
    '  SELECT c.start, c.data FROM %1$schunk c WHERE %3$s c.blob_id = h.id AND c.start > $2 - h.chunk_size AND c.start < least($3, h.piece_start)'
    '  UNION ALL'
    '  SELECT c.start, c.data FROM %1$spiece c WHERE %3$s c.blob_id = h.id AND c.slot < h.piece_rows AND h.piece_start < $3'
    '  UNION ALL'
    '  SELECT h.base, substring(h.tail FROM 1 FOR greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0))) r '
    'WHERE %2$s) r WHERE r.first < r.last',
    c.prefix, c.condition, c.leading_key) INTO bytes, gapless USING handle, first, behind;
  IF octet_length(bytes) IS DISTINCT FROM (behind - first)::integer OR NOT gapless THEN
    PERFORM pgtoaster.require_snapshot((handle >> 40)::integer);
    RAISE EXCEPTION 'stored bytes of the content % are missing', handle USING ERRCODE = 'data_corrupted',
      HINT = 'See verify.';
  END IF;
  RETURN bytes;
END $$;

-- Returns the whole content of a handle, up to 1 GB, for views and other uses that expect bytea. With the extension and
-- SET pgtoaster.transparent = on, length() and substring() of it read only the bytes they need. Not LANGUAGE sql: the
-- function would be inlined before that.
CREATE OR REPLACE FUNCTION pgtoaster.bytes(handle bigint) RETURNS bytea
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp COST 1000
AS $$
BEGIN
  RETURN pgtoaster.blob_read(handle, 1, 2147483647);
END $$;
