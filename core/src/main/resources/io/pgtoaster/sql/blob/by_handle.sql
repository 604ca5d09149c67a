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

-- Returns the length of the content of a handle, and up to count bytes from an offset.
CREATE OR REPLACE FUNCTION pgtoaster.content_range(handle bigint, first bigint, count bigint, OUT length bigint, OUT bytes bytea)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  c record := pgtoaster.head_condition(handle);
  outcome text;
BEGIN
  EXECUTE format('SELECT r.outcome, r.place, r.bytes FROM %1$shead h CROSS JOIN LATERAL %1$srange(%2$s h.id, $2, $3) r WHERE %3$s',
                 c.prefix, CASE WHEN c.leading_key <> '' THEN 'h.leading_key,' END, c.condition)
    INTO outcome, length, bytes USING handle, first, least(count, 2147483647)::integer;
  IF outcome IS NULL THEN
    PERFORM pgtoaster.corrupt_handle(handle);
  ELSIF outcome = 'discarded' THEN
    RAISE EXCEPTION 'the bytes before offset % of the content % were discarded, but the call begins at %', length, handle, first
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('Begin at offset %s or later.', length);
  ELSIF outcome = 'large' THEN
    RAISE EXCEPTION 'the content % is too large for one value', handle USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Read it in ranges: pgtoaster.blob_read(handle, 0, 1000000).';
  ELSIF outcome = 'damaged' THEN
    PERFORM pgtoaster.require_snapshot((handle >> 40)::integer);
    RAISE EXCEPTION 'stored bytes of the content % are missing, or their checksum does not match', handle USING ERRCODE = 'data_corrupted',
      HINT = 'See verify.';
  END IF;
  bytes := coalesce(bytes, '');
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
  r := pgtoaster.content_range(handle, "offset", length);
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
  RETURN (pgtoaster.content_range(handle, greatest(start, 1) - 1, greatest(count + least(start - 1.0, 0), 0)::bigint)).bytes;
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
