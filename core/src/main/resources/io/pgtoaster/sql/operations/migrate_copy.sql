-- Copies content between values, large objects and blobs, and compares it.

-- Returns how many bytes of a value are held in memory at a time. Large objects are passed by number, other values as
-- bytes.
CREATE OR REPLACE FUNCTION pgtoaster.copied_at_once() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$ SELECT 4194304 $$;

-- Returns the length of a large object. It is STABLE, so that it sees the object in the snapshot in which the query
-- sees the row. Another session may give the row a new object and unlink this one.
CREATE OR REPLACE FUNCTION pgtoaster.object_length(lo oid) RETURNS bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  descriptor integer;
  length bigint;
BEGIN
  descriptor := lo_open(lo, 262144);
  length := lo_lseek64(descriptor, 0, 2);
  PERFORM lo_close(descriptor);
  RETURN length;
EXCEPTION WHEN undefined_object THEN
  RAISE EXCEPTION 'a row refers to the large object %, which does not exist', lo USING ERRCODE = 'undefined_object',
    HINT = 'Set the column to NULL where the object is missing (pg_largeobject_metadata lists those that exist), and continue.';
END $$;

-- Returns the call of a routine of a store of blobs, with the leading key as text in $1 if the store has one.
CREATE OR REPLACE FUNCTION pgtoaster.blob_routine(store integer, part text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT pgtoaster.store_table(store, part) || '(' || coalesce((
    SELECT format('CAST($1 AS %s), ', format_type(a.atttypid, a.atttypmod)) FROM pg_attribute a
    WHERE a.attrelid = pgtoaster.store_table(store, 'head')::regclass AND a.attname = 'leading_key'), '')
$$;

-- Creates a blob from a value, or from a large object; returns its handle.
CREATE OR REPLACE FUNCTION pgtoaster.fill_blob(store integer, lead text, data bytea, lo oid DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  step CONSTANT integer := pgtoaster.copied_at_once();
  call CONSTANT text := pgtoaster.blob_routine(store, 'write');
  place bigint := 0;
  piece bytea;
  blob bigint;
  outcome text;
BEGIN
  EXECUTE format('INSERT INTO %s (%s chunk_size) VALUES (%s $2) RETURNING id', pgtoaster.store_table(store, 'head'),
                 CASE WHEN call LIKE '%CAST($1%' THEN 'leading_key,' END, substring(call FROM '\((CAST.*)$'))
    INTO blob USING lead, (SELECT CAST(s.options->>'chunk_size' AS integer) FROM pgtoaster.store s WHERE s.id = store);
  -- Decompress a compressed value once, not for each piece.
  IF octet_length(data) > step AND pg_column_compression(data) IS NOT NULL THEN
    data := data || ''::bytea;
  END IF;
  LOOP
    piece := CASE WHEN lo IS NULL THEN substr(data, CAST(place AS integer) + 1, step) ELSE lo_get(lo, place, step) END;
    EXIT WHEN piece = '';
    EXECUTE concat('SELECT r.outcome FROM ', call,
                   '$2, NULL::text, NULL::text, NULL::text, NULL::text[], ''append''::text, $3, $4, NULL::uuid, NULL::bigint) r')
      INTO outcome USING lead, blob, place, piece;
    IF outcome <> 'applied' THEN
      RAISE EXCEPTION 'content could not be copied to blob %: %', blob, outcome USING ERRCODE = 'internal_error';
    END IF;
    place := place + step;
  END LOOP;
  RETURN blob;
END $$;

-- Returns whether a blob has the same bytes as a value, or as a large object.
CREATE OR REPLACE FUNCTION pgtoaster.same_content(store integer, lead text, blob bigint, data bytea, lo oid DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  step CONSTANT integer := pgtoaster.copied_at_once();
  call CONSTANT text := pgtoaster.blob_routine(store, 'range');
  place bigint := 0;
  r record;
BEGIN
  IF octet_length(data) > step AND pg_column_compression(data) IS NOT NULL THEN
    data := data || ''::bytea;
  END IF;
  LOOP
    EXECUTE concat('SELECT r.outcome, r.place, r.bytes FROM ', call, '$2, $3, $4) r') INTO r USING lead, blob, place, step;
    -- The last piece of each is shorter than a step, and may be empty.
    IF r.outcome <> 'applied'
       OR r.bytes <> (CASE WHEN lo IS NULL THEN substr(data, CAST(place AS integer) + 1, step) ELSE lo_get(lo, place, step) END) THEN
      RETURN false;
    ELSIF octet_length(r.bytes) < step THEN
      RETURN true;
    END IF;
    place := place + step;
  END LOOP;
END $$;

-- Rejects a blob whose first bytes were discarded: a plain value cannot keep the offsets of the others.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_discarded(blob bigint, first bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the bytes before offset % of the content % were discarded, and a plain column cannot keep the offsets of the others',
                  first, blob
    USING ERRCODE = 'object_not_in_prerequisite_state',
          HINT = 'Replace the content of such rows with what is left of it, which then begins at offset 0; or set them to NULL.';
END $$;

-- Copies the content of a blob to a large object and returns its number. old: the large object of an earlier copy, which
-- is deleted.
CREATE OR REPLACE FUNCTION pgtoaster.fill_object(store integer, lead text, blob bigint, old oid) RETURNS oid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  step CONSTANT integer := pgtoaster.copied_at_once();
  call CONSTANT text := pgtoaster.blob_routine(store, 'range');
  place bigint := 0;
  lo oid;
  r record;
BEGIN
  IF old IS NOT NULL THEN
    PERFORM lo_unlink(old);
  END IF;
  lo := lo_creat(-1);
  LOOP
    EXECUTE concat('SELECT r.outcome, r.place, r.bytes FROM ', call, '$2, $3, $4) r') INTO r USING lead, blob, place, step;
    IF r.outcome = 'discarded' THEN
      PERFORM pgtoaster.refuse_discarded(blob, r.place);
    ELSIF r.outcome <> 'applied' THEN
      PERFORM pgtoaster.corrupt_handle(blob);
    END IF;
    PERFORM lo_put(lo, place, r.bytes);
    place := place + step;
    EXIT WHEN place >= r.place;
  END LOOP;
  RETURN lo;
END $$;

-- Returns the content of a blob as a value.
CREATE OR REPLACE FUNCTION pgtoaster.whole_blob(store integer, lead text, blob bigint) RETURNS bytea
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  r record;
BEGIN
  EXECUTE concat('SELECT r.outcome, r.place, r.bytes FROM ', pgtoaster.blob_routine(store, 'range'), '$2, 0::bigint, 2147483647) r')
    INTO r USING lead, blob;
  IF r.outcome = 'large' THEN
    RAISE EXCEPTION 'the content % is too long for one value', blob USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Migrate back to large objects: type "oid".';
  ELSIF r.outcome = 'discarded' THEN
    PERFORM pgtoaster.refuse_discarded(blob, r.place);
  ELSIF r.outcome <> 'applied' THEN
    PERFORM pgtoaster.corrupt_handle(blob);
  END IF;
  RETURN r.bytes;
END $$;
