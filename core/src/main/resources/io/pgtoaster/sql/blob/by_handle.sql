-- Functions that read blobs in SQL by their handle, for psql, reports and other languages. They use the rights and the
-- snapshot of the caller. They find the store by the handle, which is unique across stores.

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
    -- With Citus, this query searches the rows of all tenants for the tenant of the handle.
    FOR naming IN
      SELECT c.relation, c.handle, pgtoaster.leading_key_column(c.relation, store) AS lead, format_type(l.atttypid, l.atttypmod) AS type
      FROM pgtoaster.naming_columns(store) c CROSS JOIN pgtoaster.lead_attribute(store) l
      WHERE pgtoaster.is_sharded(store) LOOP
      EXECUTE format('SELECT CAST(o.%I AS text) FROM %s o WHERE o.%I = $1 LIMIT 1', naming.lead, naming.relation, naming.handle)
        INTO value USING handle;
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
  RAISE EXCEPTION 'the handle % does not refer to any content', handle USING ERRCODE = 'data_corrupted',
    HINT = 'Pass the value of a column that is attached to the toaster "appendable".';
END $$;

-- Returns a number that a caller has passed; raises an error if it is NULL or negative. what: its name, for the error.
CREATE OR REPLACE FUNCTION pgtoaster.require_number(value bigint, what text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF value IS NULL THEN
    RAISE EXCEPTION '% cannot be NULL', what USING ERRCODE = 'null_value_not_allowed';
  ELSIF value OPERATOR(pg_catalog.<) 0 THEN
    RAISE EXCEPTION '% cannot be negative: %', what, value USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN value;
END $$;

-- Returns the length of the content of a handle, and its bytes from the offset "first" up to, but not including,
-- "until".
CREATE OR REPLACE FUNCTION pgtoaster.content_range(handle bigint, first bigint, until bigint, OUT length bigint, OUT bytes bytea)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record := pgtoaster.head_condition(handle);
  intact boolean;
  kept bigint;
BEGIN
  EXECUTE format('SELECT h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0), %s FROM %shead h WHERE %s',
                 pgtoaster.first_offset((handle >> 40)::integer), c.prefix, c.condition) INTO length, kept USING handle;
  IF length IS NULL THEN
    PERFORM pgtoaster.corrupt_handle(handle);
  END IF;
  until := least(until, length);
  bytes := '';
  IF until <= first THEN
    RETURN;
  ELSIF first < kept THEN
    RAISE EXCEPTION 'the bytes before offset % of the content % were discarded, but the call begins at %', kept, handle, first
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('Begin at offset %s or later.', kept);
  END IF;
  -- The parts must not overlap: duplicate bytes must not compensate for missing ones.
  EXECUTE format(
    'SELECT string_agg(substring(r.data FROM (r.first - r.start)::integer + 1 FOR (r.last - r.first)::integer), '''' ORDER BY r.start), '
    'sum((r.last - r.first) * (r.last::numeric + r.first)) = $3::numeric * $3 - $2::numeric * $2 '
    'AND bool_and(CASE WHEN r.crc IS NULL THEN true ELSE r.crc = pgtoaster.crc32c(r.data) END) '
    'FROM (SELECT r.start, r.data, r.crc, greatest($2, r.start) AS first, least($3, r.start + octet_length(r.data)) AS last '
    'FROM %1$shead h CROSS JOIN LATERAL ('
    '  SELECT c.start, c.data, c.crc FROM %1$schunk c'
    ' WHERE %3$s c.blob_id = h.id AND c.start > $2 - h.chunk_size AND c.start < least($3, h.piece_start)'
    '  UNION ALL'
    '  SELECT c.start, c.data, c.crc FROM %1$spiece c WHERE %3$s c.blob_id = h.id AND c.slot < h.piece_rows AND h.piece_start < $3'
    '  UNION ALL'
    '  SELECT h.base, substring(h.tail FROM 1 FOR greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0)), NULL) r '
    'WHERE %2$s) r WHERE r.first < r.last',
    c.prefix, c.condition, c.leading_key) INTO bytes, intact USING handle, first, until;
  IF octet_length(bytes) IS DISTINCT FROM (until - first)::integer OR NOT intact THEN
    PERFORM pgtoaster.require_snapshot((handle >> 40)::integer);
    RAISE EXCEPTION 'stored bytes of the content % are missing, or their checksum does not match', handle USING ERRCODE = 'data_corrupted',
      HINT = 'See verify.';
  END IF;
END $$;

-- Returns the length in bytes of the content of a handle; NULL for NULL.
CREATE OR REPLACE FUNCTION pgtoaster.blob_length(handle bigint) RETURNS bigint
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN (pgtoaster.content_range(handle, 0, 0)).length;
END $$;

-- In catalog 13, the arguments of the function had other names, and it counted bytes from 1.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_proc f
             WHERE f.oid = to_regprocedure('pgtoaster.blob_read(bigint, bigint, integer)') AND 'start' = ANY (f.proargnames)) THEN
    DROP FUNCTION pgtoaster.blob_read(bigint, bigint, integer);
  END IF;
END $$;

-- Reads up to length bytes of the content of a handle, from an offset that counts from 0; NULL for a NULL handle.
CREATE OR REPLACE FUNCTION pgtoaster.blob_read(handle bigint, "offset" bigint, length integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  r record;
BEGIN
  "offset" := pgtoaster.require_number("offset", 'the offset');
  length := pgtoaster.require_number(length, 'the length');
  IF handle IS NULL THEN
    RETURN NULL;
  END IF;
  r := pgtoaster.content_range(handle, "offset", "offset" + least(length, 9223372036854775807 - "offset"));
  IF "offset" > r.length THEN
    RAISE EXCEPTION 'the offset % is beyond the end of the content %, which has % bytes', "offset", handle, r.length
      USING ERRCODE = 'invalid_parameter_value',
            HINT = 'For rows whose content may be shorter, use pgtoaster.substring(handle, start, count).';
  END IF;
  RETURN r.bytes;
END $$;

-- Returns a range of the content of a handle, as substring(bytea FROM start FOR count) does: start counts from 1, and
-- bytes outside the content are omitted. NULL for NULL.
CREATE OR REPLACE FUNCTION pgtoaster.substring(handle bigint, start bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF count < 0 THEN
    RAISE EXCEPTION 'negative substring length not allowed' USING ERRCODE = 'substring_error';
  END IF;
  RETURN (pgtoaster.content_range(handle, greatest(start, 1) - 1, CAST(least(start - 1.0 + count, 9223372036854775807) AS bigint))).bytes;
END $$;

-- Returns the whole content of a handle, up to 1 GB, for views and other uses that expect bytea. With the extension and
-- SET pgtoaster.transparent = on, length() and substring() of the result read only the bytes that they need. Not
-- LANGUAGE sql: the planner would inline the function before the extension sees the call.
CREATE OR REPLACE FUNCTION pgtoaster.bytes(handle bigint) RETURNS bytea
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp COST 1000
AS $$
BEGIN
  RETURN (pgtoaster.content_range(handle, 0, 2147483647)).bytes;
END $$;
