-- Functions for blobs by table, column and key of the row, in SQL: for psql, reports and other languages. They run with
-- the rights of the caller and change data in the caller's transaction. Functions with statements on the user's table
-- do not set a search_path, because it would apply to the table's triggers and policies. All names in them are
-- qualified.

-- CRC32C (RFC 3720, appendix B.4), as stored in rows of a store. PostgreSQL 18 has a function for it.
DO $do$
BEGIN
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION pgtoaster.crc32c(data bytea) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $$
    DECLARE
      steps CONSTANT bigint[] := CAST(%L AS bigint[]);
      -- Make an uncompressed copy in memory, so that each byte is read in constant time.
      bytes CONSTANT bytea := data || ''::bytea;
      crc bigint := 4294967295;
    BEGIN
      IF current_setting('server_version_num')::integer >= 180000 THEN
        crc := crc32c(data);
      ELSE
        FOR i IN 0 .. octet_length(bytes) - 1 LOOP
          crc := steps[((crc # get_byte(bytes, i)) & 255) + 1] # (crc >> 8);
        END LOOP;
        crc := crc # 4294967295;
      END IF;
      RETURN crc - CASE WHEN crc > 2147483647 THEN 4294967296 ELSE 0 END;
    END $$
  $f$, (WITH RECURSIVE step(byte, bit, crc) AS (
          SELECT b, 0, b FROM generate_series(0::bigint, 255) b
          UNION ALL
          SELECT s.byte, s.bit + 1, CASE s.crc & 1 WHEN 1 THEN (s.crc >> 1) # 2197175160 ELSE s.crc >> 1 END FROM step s WHERE s.bit < 8)
        SELECT array_agg(s.crc ORDER BY s.byte) FROM step s WHERE s.bit = 8));
END $do$;

-- Returns the key of a row as texts, given one value, an array of texts, or a row.
CREATE OR REPLACE FUNCTION pgtoaster.key_texts(key anyelement) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  type CONSTANT regtype := pg_typeof(key);
BEGIN
  IF type IN (CAST('text[]' AS regtype), CAST('varchar[]' AS regtype)) THEN
    RETURN CAST(CAST(key AS text) AS text[]);
  ELSIF type = CAST('record' AS regtype)
        -- A user-defined type may be a row type.
     OR (CASE WHEN CAST(type AS oid) >= 16384 THEN (SELECT t.typtype = 'c' FROM pg_type t WHERE t.oid = type) END) THEN
    RETURN ARRAY(SELECT j.value FROM json_each_text(to_json(key)) WITH ORDINALITY j(name, value, n) ORDER BY j.n);
  END IF;
  RETURN ARRAY[CAST(key AS text)];
END $$;

-- The common part of the functions below. Returns the store of a column, the function with which its toaster handles the
-- event, the condition that a row o has the key in the texts $2, and these texts. value: the text of the key as given; an
-- array of texts is the key of several columns, or the value of a single column of an array type. No plan of a
-- statement here may depend on the user's table, or each call would plan it again.
CREATE OR REPLACE FUNCTION pgtoaster.blob_call(tbl regclass, col name, given text[], value text, event text,
  OUT store integer, OUT routine text, OUT same text, OUT key text[])
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  found record;
  columns integer;
  arrays boolean;
BEGIN
  IF tbl IS NULL OR col IS NULL THEN
    RAISE EXCEPTION 'the table and the column cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  -- A renamed column is found by its trigger, as in pgtoaster.attached_column.
  SELECT s.id, s.key_index, s.toaster, t.name AS known, t.builtin, t.routines ->> event AS routine INTO found
  FROM pgtoaster.store s LEFT JOIN pgtoaster.toaster t ON t.name = s.toaster
  WHERE s.owner = tbl
    AND coalesce((SELECT a.attname FROM pg_trigger g JOIN pg_attribute a ON a.attrelid = g.tgrelid AND a.attnum = g.tgattr[0]
                  WHERE g.tgrelid = s.owner AND g.tgname = CAST(concat('pgtoaster_', s.id, '_update') AS name)), s.column_name) = col;
  IF found.id IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to a toaster', col, tbl USING ERRCODE = 'undefined_object',
      HINT = format('SELECT pgtoaster.attach(%L, %L) attaches it; pgtoaster.attached_column lists the attached columns.', tbl, col);
  ELSIF found.routine IS NULL THEN
    RAISE EXCEPTION 'toaster "%" of %.% does not support %()', found.toaster, tbl, quote_ident(col), event
      USING ERRCODE = 'feature_not_supported',
            HINT = CASE WHEN found.known IS NULL THEN 'The server does not know that toaster: use its library.'
                        ELSE format('SELECT routines FROM pgtoaster.toaster WHERE name = %L lists its operations.', found.toaster) END;
  END IF;
  store := found.id;
  -- Built-in toasters use the functions of the catalog.
  routine := CASE WHEN found.builtin THEN found.routine ELSE CAST(pgtoaster.toaster_routine(found.toaster, event) AS text) END;
  -- For user-defined types, including domains, use the operator of the index: the search path may find
  -- another operator with the same name.
  SELECT count(*), bool_and(t.typcategory = 'A'),
         string_agg(concat('o.', quote_ident(CAST(a.attname AS text)), CASE WHEN a.atttypid < 16384 THEN ' OPERATOR(pg_catalog.=) ' ELSE (
                      SELECT concat(' OPERATOR(', p.oprnamespace::regnamespace, '.', p.oprname, ') ') FROM pg_opclass c
                      JOIN pg_amop m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype
                                        AND m.amoprighttype = c.opcintype AND m.amopstrategy = 3
                      JOIN pg_operator p ON p.oid = m.amopopr WHERE c.oid = k.class) END,
                           'CAST(($2)[', k.n, '] AS ', t.typnamespace::regnamespace, '.', quote_ident(t.typname), ')'),
                    ' AND ')
    INTO columns, arrays, same
  FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY k(attnum, class, n)
  JOIN pg_attribute a ON a.attrelid = tbl AND a.attnum = k.attnum JOIN pg_type t ON t.oid = a.atttypid
  WHERE i.indrelid = tbl AND k.n <= i.indnkeyatts
    AND CASE WHEN found.key_index IS NULL THEN i.indisprimary
             ELSE (SELECT c.relname FROM pg_class c WHERE c.oid = i.indexrelid) = found.key_index END;
  IF columns = 0 THEN
    RAISE EXCEPTION 'the index that identifies the rows of % does not exist', tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Create it again with the same name, or add a primary key to the table.';
  END IF;
  -- The text of a row begins with a parenthesis.
  key := CASE WHEN columns = 1 AND arrays AND left(value, 1) <> '(' THEN ARRAY[value] ELSE given END;
  IF columns > 1 AND cardinality(key) = 1 AND starts_with(key[1], '{') THEN
    key := CAST(key[1] AS text[]);
  END IF;
  IF array_position(key, NULL) IS NOT NULL OR key IS NULL THEN
    RAISE EXCEPTION 'the key of a row cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF cardinality(key) <> columns THEN
    RAISE EXCEPTION 'the row key of % has % columns, but the given key has %', tbl, columns, cardinality(key)
      USING ERRCODE = 'datatype_mismatch', HINT = 'Pass a key of several columns as an array of texts: ARRAY[''north'', ''7''].';
  END IF;
END $$;

-- Raises the error for a failed operation on a row; outcome is the reason. at: the requested offset or length; size: the
-- length of the blob; both only if they are the reason. Toasters call it.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_blob(outcome text, owner regclass, column_name name, key text[],
  at bigint DEFAULT NULL, size bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place text := (SELECT format('%I.%I.%I', n.nspname, c.relname, column_name)
                 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                 WHERE c.oid = owner)
                || '(' || (SELECT string_agg(left(k.k, 100), ', ' ORDER BY k.n) FROM unnest(key) WITH ORDINALITY k(k, n)) || ')';
BEGIN
  CASE outcome
    WHEN 'row' THEN
      RAISE EXCEPTION 'there is no row %', place USING ERRCODE = 'no_data_found',
        HINT = 'Insert the row first; a row that a policy hides counts as missing.';
    WHEN 'null' THEN
      RAISE EXCEPTION '% is NULL', place USING ERRCODE = 'no_data_found', HINT = 'Append to it first; append zero bytes for an empty blob.';
    WHEN 'sealed' THEN
      RAISE EXCEPTION 'the blob in % is sealed; nothing was changed', place USING ERRCODE = 'object_not_in_prerequisite_state';
    WHEN 'offset' THEN
      RAISE EXCEPTION 'the offset or length % is beyond the end of the blob in %, which has % bytes; nothing was changed', at, place, size
        USING ERRCODE = 'invalid_parameter_value', HINT = 'Offsets go from 0 to the length, which pgtoaster.blob_length returns.';
    WHEN 'discarded' THEN
      RAISE EXCEPTION 'the bytes before offset % of the blob in % were discarded, but the call begins at %; nothing was changed',
                      size, place, at
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = format('Begin at offset %s or later.', size);
    WHEN 'mismatch' THEN
      RAISE EXCEPTION 'this writer appended different content to % with this sequence; nothing was changed', place
        USING ERRCODE = 'invalid_parameter_value', HINT = 'A retry must repeat the content; a new append must use the next sequence.';
    WHEN 'unknown' THEN
      RAISE EXCEPTION 'it is no longer known whether this sequence was appended to %; nothing was changed', place
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Compare the content, then continue with a new writer.';
    WHEN 'damaged' THEN
      PERFORM pgtoaster.require_snapshot(a.store) FROM pgtoaster.attached_column a WHERE a.owner = $2 AND a.column_name = $3;
      RAISE EXCEPTION 'the stored rows of % are inconsistent; nothing was changed', place USING ERRCODE = 'data_corrupted',
        HINT = '"pgtoaster verify" lists the problems.';
    WHEN 'large' THEN
      RAISE EXCEPTION 'the result for % does not fit into one value; nothing was changed', place USING ERRCODE = 'program_limit_exceeded',
        HINT = 'Request a part of it; a column of the toaster "appendable" can contain more than one value can.';
    WHEN 'suppressed' THEN
      RAISE EXCEPTION 'the UPDATE that should set % changed no row', place USING ERRCODE = 'triggered_action_exception',
        HINT = 'A trigger, a rule or a policy of the table suppressed it.';
    WHEN 'denied' THEN
      RAISE EXCEPTION 'row security lets the role read % but not change it', place USING ERRCODE = 'insufficient_privilege';
    WHEN 'update' THEN
      RAISE EXCEPTION 'permission denied to update column "%" of %', column_name, owner USING ERRCODE = 'insufficient_privilege';
    WHEN 'tokens' THEN
      RAISE EXCEPTION 'the toaster of % does not store tokens; nothing was changed', place USING ERRCODE = 'feature_not_supported',
        HINT = 'Append with an expected offset, or attach a column to "appendable".';
    WHEN 'text' THEN
      RAISE EXCEPTION '% can contain only whole characters of UTF-8, and no zero byte; nothing was changed', place
        USING ERRCODE = 'character_not_in_repertoire', HINT = 'Keep characters whole in each call, or use a bytea column.';
    WHEN 'encoding' THEN
      RAISE EXCEPTION 'text columns such as that of % need a database with encoding UTF8', place USING ERRCODE = 'feature_not_supported';
    ELSE
      RAISE EXCEPTION 'an operation on % ended with the outcome "%"', place, outcome USING ERRCODE = 'internal_error';
  END CASE;
END $$;

-- Finds out why a change found no row, and raises the error for it.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_change(otherwise text, owner regclass, column_name name, same text, key text[]) RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  seen integer;
BEGIN
  EXECUTE pg_catalog.concat('SELECT 1 FROM ', owner, ' AS o WHERE ', same) INTO seen USING owner, key;
  IF seen IS NULL THEN
    otherwise := 'row';
  ELSIF pg_catalog.row_security_active(owner) THEN
    EXECUTE pg_catalog.concat('SELECT 1 FROM ', owner, ' AS o WHERE ', same, ' FOR KEY SHARE') INTO seen USING owner, key;
    otherwise := CASE WHEN seen IS NULL THEN 'denied' ELSE otherwise END;
  END IF;
  PERFORM pgtoaster.refuse_blob(otherwise, owner, column_name, key);
END $$;

-- The functions for users. Each exists for keys of any type, for texts (the type of literals and of driver parameters),
-- and for "char", because calls with one would otherwise be ambiguous. Offsets count from 0:
--   blob_append: appends; creates the content of a NULL column. outcome is applied, already applied (the token, writer and sequence,
--     was used before for the same number of bytes), or conflict (the content does not have the expected length; offset is its length)
--   blob_read: up to length bytes from an offset; NULL if the column is NULL
--   blob_length: length in bytes; NULL if the column is NULL
--   blob_write: overwrites, and appends the bytes that reach beyond the end; blob_truncate: truncates; blob_seal: makes the content
--     final. All three return true.
--   blob_discard: removes the bytes before an offset; returns the first offset that is left
DO $do$
DECLARE
  kind text[];
  f text;
BEGIN
  FOREACH kind SLICE 1 IN ARRAY ARRAY[['anyelement', 'pgtoaster.key_texts(key), CAST(key AS pg_catalog.text)'], ['text', 'ARRAY[key], key'],
                                              ['"char"', 'ARRAY[CAST(key AS pg_catalog.text)], CAST(key AS pg_catalog.text)']] LOOP
    FOREACH f IN ARRAY ARRAY[
      $f$blob_append(tbl regclass, col name, key {type}, data bytea, expected_offset bigint DEFAULT NULL,
          writer uuid DEFAULT NULL, sequence bigint DEFAULT NULL,
          OUT "offset" bigint, OUT length bigint, OUT outcome text) LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          IF data IS NULL THEN
            RAISE EXCEPTION 'the data cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          ELSIF writer IS NULL AND sequence IS NOT NULL OR sequence IS NULL AND writer IS NOT NULL THEN
            RAISE EXCEPTION 'a token consists of a writer and a sequence, but one of them is NULL'
              USING ERRCODE = 'invalid_parameter_value';
          END IF;
          length := pgtoaster.require_number(coalesce(expected_offset, 0), 'the expected offset');
          length := pgtoaster.require_number(coalesce(sequence, 0), 'a sequence');
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_append');
          EXECUTE pg_catalog.concat('SELECT * FROM ', c.routine, '($1, $2, $3, $4, $5, $6, $7, $8, $9)')
            INTO "offset", length, outcome USING c.store, tbl, col, c.same, c.key, data, expected_offset, writer, sequence;
        END $$$f$,
      $f$blob_read(tbl regclass, col name, key {type}, "offset" bigint, length integer) RETURNS bytea
          LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
        DECLARE
          c pg_catalog.record;
          bytes pg_catalog.bytea;
        BEGIN
          "offset" := pgtoaster.require_number("offset", 'the offset');
          length := pgtoaster.require_number(length, 'the length');
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_read');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6, $7)')
            INTO bytes USING c.store, tbl, col, c.same, c.key, "offset", length;
          RETURN bytes;
        END $$$f$,
      $f$blob_length(tbl regclass, col name, key {type}) RETURNS bigint LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
        DECLARE
          c CONSTANT pg_catalog.record := pgtoaster.blob_call(tbl, col, {texts}, 'blob_length');
          bytes bigint;
        BEGIN
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5)') INTO bytes USING c.store, tbl, col, c.same, c.key;
          RETURN bytes;
        END $$$f$,
      $f$blob_write(tbl regclass, col name, key {type}, "offset" bigint, data bytea) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          "offset" := pgtoaster.require_number("offset", 'the offset');
          IF data IS NULL THEN
            RAISE EXCEPTION 'the data cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          END IF;
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_write');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6, $7)')
            USING c.store, tbl, col, c.same, c.key, "offset", data;
          RETURN true;
        END $$$f$,
      $f$blob_truncate(tbl regclass, col name, key {type}, length bigint) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          length := pgtoaster.require_number(length, 'the length');
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_truncate');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6)') USING c.store, tbl, col, c.same, c.key, length;
          RETURN true;
        END $$$f$,
      $f$blob_discard(tbl regclass, col name, key {type}, "offset" bigint) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
          first bigint;
        BEGIN
          "offset" := pgtoaster.require_number("offset", 'the offset');
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_discard');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6)')
            INTO first USING c.store, tbl, col, c.same, c.key, "offset";
          RETURN first;
        END $$$f$,
      $f$blob_seal(tbl regclass, col name, key {type}) RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE
          c CONSTANT pg_catalog.record := pgtoaster.blob_call(tbl, col, {texts}, 'blob_seal');
        BEGIN
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5)') USING c.store, tbl, col, c.same, c.key;
          RETURN true;
        END $$$f$] LOOP
      EXECUTE 'CREATE OR REPLACE FUNCTION pgtoaster.' || replace(replace(f, '{type}', kind[1]), '{texts}', kind[2]);
    END LOOP;
  END LOOP;
END $do$;

-- Appends to many rows with one statement. keys: those of the rows; for a key of several columns, arrays of texts such as
-- '{north,7}', as texts. A key may occur several times. Returns a row for each element, in their order. Locks the rows in the
-- order of their keys.
CREATE OR REPLACE FUNCTION pgtoaster.blob_append_all(tbl regclass, col name, keys anyarray, data bytea[],
  OUT key text, OUT "offset" bigint, OUT length bigint) RETURNS SETOF record
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  given CONSTANT pg_catalog.text[] := CAST(keys AS pg_catalog.text[]);
  texts pg_catalog.text[];
  list pg_catalog.bytea[];
  places pg_catalog.int8[];
  columns integer;
  bad text;
  c pg_catalog.record;
  place bigint;
BEGIN
  IF coalesce(pg_catalog.cardinality(given), -1) OPERATOR(pg_catalog.<>) coalesce(pg_catalog.cardinality(data), -1) THEN
    RAISE EXCEPTION 'there are % keys, but % values', coalesce(pg_catalog.cardinality(given), 0), coalesce(pg_catalog.cardinality(data), 0)
      USING ERRCODE = 'invalid_parameter_value';
  ELSIF pg_catalog.array_position(data, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'the data cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF pg_catalog.cardinality(given) OPERATOR(pg_catalog.=) 0 THEN
    RETURN;
  END IF;
  bad := given[pg_catalog.array_lower(given, 1)];
  c := pgtoaster.blob_call(tbl, col, ARRAY[bad], bad, 'blob_append');
  columns := pg_catalog.cardinality(c.key);
  SELECT u.k INTO bad FROM pg_catalog.unnest(given) u(k)
  WHERE u.k IS NULL OR columns OPERATOR(pg_catalog.>) 1
    AND coalesce(pg_catalog.cardinality(CASE WHEN pg_catalog.starts_with(u.k, '{') THEN CAST(u.k AS pg_catalog.text[]) END), 0)
        OPERATOR(pg_catalog.<>) columns
  LIMIT 1;
  IF FOUND THEN
    PERFORM pgtoaster.blob_call(tbl, col, ARRAY[bad], bad, 'blob_append');
  END IF;
  SELECT pg_catalog.array_agg(g.k), pg_catalog.array_agg(g.d) INTO texts, list
  FROM (SELECT u.k, pg_catalog.string_agg(u.d, '' ORDER BY u.n) AS d
        FROM ROWS FROM (pg_catalog.unnest(given), pg_catalog.unnest(data)) WITH ORDINALITY u(k, d, n) GROUP BY u.k
        ORDER BY CASE WHEN columns OPERATOR(pg_catalog.=) 1 THEN ARRAY[u.k] ELSE CAST(u.k AS pg_catalog.text[]) END
                 COLLATE pg_catalog."C") g;
  places := CASE WHEN c.routine OPERATOR(pg_catalog.=) 'pgtoaster.append_blob'
                 THEN pgtoaster.append_blobs(c.store, tbl, col, c.same, columns, texts, list) END;
  FOR i IN 1 .. pg_catalog.cardinality(texts) LOOP
    CONTINUE WHEN places[i] IS NOT NULL;
    EXECUTE pg_catalog.concat('SELECT "offset" FROM ', c.routine, '($1, $2, $3, $4, $5, $6, NULL, NULL, NULL)')
      INTO place USING c.store, tbl, col, c.same,
                   CASE WHEN columns OPERATOR(pg_catalog.=) 1 THEN ARRAY[texts[i]] ELSE CAST(texts[i] AS pg_catalog.text[]) END, list[i];
    places[i] := place;
  END LOOP;
  RETURN QUERY
  SELECT u.k, p.place OPERATOR(pg_catalog.+) pg_catalog.sum(pg_catalog.octet_length(u.d)) OVER (PARTITION BY u.k ORDER BY u.n)
              OPERATOR(pg_catalog.-) pg_catalog.octet_length(u.d), CAST(pg_catalog.octet_length(u.d) AS bigint)
  FROM ROWS FROM (pg_catalog.unnest(given), pg_catalog.unnest(data)) WITH ORDINALITY u(k, d, n)
  JOIN ROWS FROM (pg_catalog.unnest(texts), pg_catalog.unnest(places)) p(k, place) ON p.k OPERATOR(pg_catalog.=) u.k
  ORDER BY u.n;
END $$;
