-- Functions for blobs by table, column and key of the row, in SQL: for psql, reports and other languages. They run with
-- the rights of the caller and change data in the caller's transaction. Functions with statements on the user's table do
-- not set a search_path, which its triggers and policies would see; all names in them are qualified.

-- CRC32C (RFC 3720, appendix B.4), as stored in rows of a store. PostgreSQL 18 has a function for it.
DO $do$
BEGIN
  EXECUTE format($f$
    CREATE OR REPLACE FUNCTION pgtoaster.crc32c(data bytea) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $$
    DECLARE
      steps CONSTANT bigint[] := %L;
      -- An uncompressed copy in memory: a byte is then accessed in constant time.
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
-- event, the condition that a row o has the key in the texts $2, and these texts. value is the text of the key as given:
-- an array of texts is the key of several columns, or the value of a single column of an array type. No plans that depend
-- on the table: each call would make them again.
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
      HINT = format('SELECT pgtoaster.attach(%L, %L) attaches it; pgtoaster.attached_column lists what is.', tbl, col);
  ELSIF found.routine IS NULL THEN
    RAISE EXCEPTION 'toaster "%" of %.% does not support %()', found.toaster, tbl, quote_ident(col), event USING ERRCODE = 'feature_not_supported',
      HINT = CASE WHEN found.known IS NULL THEN 'The server does not know that toaster: use its library.'
                  ELSE format('SELECT routines FROM pgtoaster.toaster WHERE name = %L lists its operations.', found.toaster) END;
  END IF;
  store := found.id;
  -- Built-in toasters use the functions of the catalog.
  routine := CASE WHEN found.builtin THEN found.routine ELSE CAST(pgtoaster.toaster_routine(found.toaster, event) AS text) END;
  -- For user-defined types, including domains, use the operator of the index: another one of its name may be on the path.
  SELECT count(*), bool_and(t.typcategory = 'A'),
         string_agg(concat('o.', quote_ident(CAST(a.attname AS text)), CASE WHEN a.atttypid < 16384 THEN ' OPERATOR(pg_catalog.=) ' ELSE (
                      SELECT concat(' OPERATOR(', p.oprnamespace::regnamespace, '.', p.oprname, ') ') FROM pg_opclass c
                      JOIN pg_amop m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype AND m.amopstrategy = 3
                      JOIN pg_operator p ON p.oid = m.amopopr WHERE c.oid = k.class) END,
                                                 'CAST(($2)[', k.n, '] AS ', t.typnamespace::regnamespace, '.', quote_ident(t.typname), ')'), ' AND ')
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
    RAISE EXCEPTION 'rows of % are addressed by % columns, and a key of % was given', tbl, columns, cardinality(key)
      USING ERRCODE = 'datatype_mismatch', HINT = 'Pass a key of several columns as an array of texts: ARRAY[''north'', ''7''].';
  END IF;
END $$;

-- Raises the error for a failed operation on a row; outcome is the reason. at: the requested offset or length; size: the
-- length of the blob; both only if they are the reason. Toasters call it.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_blob(outcome text, owner regclass, column_name name, key text[], at bigint DEFAULT NULL, size bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  place text := (SELECT format('%I.%I.%I', n.nspname, c.relname, column_name) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = owner)
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
      RAISE EXCEPTION 'the result on % does not fit into one value; nothing was changed', place USING ERRCODE = 'program_limit_exceeded',
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

-- Raises the error for a change that found no row; finds out the reason.
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

-- CREATE OR REPLACE cannot replace a version that lacks the last of the results.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_proc f WHERE f.pronamespace = 'pgtoaster'::regnamespace AND f.proname = 'blob_store' AND 'modifies' = ANY (f.proargnames)) THEN
    DROP FUNCTION IF EXISTS pgtoaster.blob_store(integer, regclass);
  END IF;
END $$;

-- Returns where the tables and routines of a store of blobs are: the prefix of their names, and the leading key of a row o
-- as their first argument, if there is one. For a distributed table, modifies makes Citus treat a SELECT of one of its
-- rows as a modification; the condition on the row and ") " follow it. Citus would otherwise treat the SELECT as a read,
-- and commit without noticing that the worker is gone.
CREATE OR REPLACE FUNCTION pgtoaster.blob_store(store integer, owner regclass, OUT prefix text, OUT lead text, OUT checksums boolean, OUT chunk_size integer,
  OUT modifies text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  s record;
BEGIN
  SELECT concat(quote_ident(CAST(n.nspname AS text)), '.store_', store, '_') AS prefix, CAST(o.options ->> 'crc32c' AS boolean) AS checksums, CAST(o.options ->> 'chunk_size' AS integer) AS chunk_size,
         o.options ->> 'distributed' = 'true' AS distributed, h.relrowsecurity AS follows, EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = h.oid AND a.attname = 'leading_key') AS leads,
         -- The second number of pgtoaster.routine_mark.
         EXISTS (SELECT FROM pg_proc f WHERE f.pronamespace = h.relnamespace AND f.proname = CAST(concat('store_', store, '_write') AS name)
                 AND split_part(split_part(substr(f.prosrc, 1, 60), chr(10), 1), ' ', 3)
                     = CAST(hashtextextended(CAST(n.nspname AS text), 0) AS text)) AS whole INTO s
  FROM pgtoaster.store o JOIN pg_class h ON h.oid = o.head JOIN pg_namespace n ON n.oid = h.relnamespace WHERE o.id = store;
  IF s.whole IS NOT TRUE THEN
    RAISE EXCEPTION 'the routines of the store of % are missing, or refer to its tables in another schema', owner USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('Its owner must run SELECT pgtoaster.mirror_privileges(%L).', owner);
  ELSIF NOT s.follows AND row_security_active(owner) THEN
    RAISE EXCEPTION 'row security was enabled on % after its column was attached, and the store does not have it yet', owner
      USING ERRCODE = 'insufficient_privilege', HINT = format('Its owner must run SELECT pgtoaster.mirror_privileges(%L).', owner);
  END IF;
  prefix := s.prefix;
  checksums := s.checksums;
  chunk_size := s.chunk_size;
  lead := CASE WHEN s.leads THEN concat('o.', quote_ident(CAST(pgtoaster.leading_key_column(owner, store) AS text)), ', ') ELSE '' END;
  modifies := CASE WHEN s.distributed THEN concat(
    'WITH pgtoaster_modified AS (UPDATE ', prefix, 'head AS h SET sealed = h.sealed FROM ', owner, ' AS o WHERE h.id OPERATOR(pg_catalog.=) -1 AND ',
    CASE WHEN s.leads THEN concat('h.leading_key OPERATOR(pg_catalog.=) ', rtrim(lead, ', '), ' AND ') END) END;
END $$;

-- The toaster "appendable".

-- Makes one change with the routines of the store (blob/append_template.sql, blob/write_template.sql): append, write,
-- truncate or seal. The second routine makes the appends that the first does not handle (whole chunks with checksums,
-- or many chunks), and returns the reason for a failure.
CREATE OR REPLACE FUNCTION pgtoaster.change_blob(store integer, owner regclass, column_name name, same text, key text[], op text, at bigint, data bytea,
  author uuid, number bigint, OUT outcome text, OUT place bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  handle CONSTANT text := pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text));
  crc CONSTANT integer := CASE WHEN s.checksums AND op OPERATOR(pg_catalog.=) 'append' AND pg_catalog.octet_length(data) OPERATOR(pg_catalog.<) s.chunk_size THEN pgtoaster.crc32c(data) END;
  part text := CASE WHEN op OPERATOR(pg_catalog.=) 'append' THEN 'append' ELSE 'write' END;
  x pg_catalog.record;
  r pg_catalog.record;
  rows integer;
BEGIN
  IF NOT pg_catalog.has_column_privilege(owner, CAST(column_name AS pg_catalog.text), CAST('UPDATE' AS pg_catalog.text)) THEN
    PERFORM pgtoaster.refuse_blob('update', owner, column_name, key);
  END IF;
  -- Try again if the row has another blob by now, or none.
  FOR look IN 1 .. 10 LOOP
    EXECUTE pg_catalog.concat(
      s.modifies OPERATOR(pg_catalog.||) same OPERATOR(pg_catalog.||) ') ',
      'SELECT o.', handle, ' AS blob, ', s.prefix, CASE WHEN part OPERATOR(pg_catalog.=) 'write' THEN 'write' ELSE 'append' END,
      '(', s.lead, 'o.', handle, ', $1, $3, $4, $2, ',
      CASE WHEN part OPERATOR(pg_catalog.=) 'append' THEN '$5, $6, $7, $8, $9'
           -- Creates empty content for a row without content; the general routine then makes the change.
           WHEN part OPERATOR(pg_catalog.=) 'create' THEN 'CAST('''' AS pg_catalog.bytea), CAST(NULL AS integer), $7, CAST(NULL AS uuid), CAST(NULL AS bigint)'
           ELSE '$10, $7, $5, $8, $9' END, ') AS r FROM ', owner, ' AS o WHERE ', same)
      INTO x USING CAST(owner AS pg_catalog.text), key, handle, same, data, crc, at, author, number, op;
    GET DIAGNOSTICS rows = ROW_COUNT;
    IF rows OPERATOR(pg_catalog.=) 0 THEN
      PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
    END IF;
    r := x.r;
    outcome := r.outcome;
    place := r.place;
    EXIT WHEN part OPERATOR(pg_catalog.<>) 'create' AND outcome OPERATOR(pg_catalog.<>) 'other' AND NOT (op OPERATOR(pg_catalog.=) 'append' AND outcome OPERATOR(pg_catalog.=) 'null');
    part := CASE WHEN op OPERATOR(pg_catalog.<>) 'append' OR part OPERATOR(pg_catalog.=) 'create' AND outcome OPERATOR(pg_catalog.=) 'applied' THEN 'write'
                 WHEN part OPERATOR(pg_catalog.<>) 'append' THEN 'append'
                 WHEN x.blob IS NULL THEN 'create' ELSE 'write' END;
  END LOOP;
  IF outcome OPERATOR(pg_catalog.=) 'other' THEN
    PERFORM pgtoaster.refuse_change(CASE WHEN x.blob IS NULL THEN 'suppressed' ELSE 'damaged' END, owner, column_name, same, key);
  ELSIF outcome OPERATOR(pg_catalog.<>) ALL (ARRAY['applied', 'already', 'conflict']) THEN
    PERFORM pgtoaster.refuse_blob(outcome, owner, column_name, key, coalesce(at, place), place);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.append_blob(store integer, owner regclass, column_name name, same text, key text[], data bytea, expected bigint,
  author uuid, number bigint, OUT "offset" bigint, OUT length bigint, OUT outcome text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  r CONSTANT pg_catalog.record := pgtoaster.change_blob(store, owner, column_name, same, key, 'append', expected, data, author, number);
BEGIN
  "offset" := r.place;
  length := CASE WHEN r.outcome OPERATOR(pg_catalog.=) 'conflict' THEN 0 ELSE pg_catalog.octet_length(data) END;
  outcome := CASE WHEN r.outcome OPERATOR(pg_catalog.=) 'already' THEN 'already applied' ELSE r.outcome END;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.write_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint, data bytea) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'write', at, data, NULL, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.truncate_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'truncate', at, NULL, NULL, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.seal_blob(store integer, owner regclass, column_name name, same text, key text[]) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'seal', NULL, NULL, NULL, NULL); END $$;

-- Returns the result of the store's routine for a range.
CREATE OR REPLACE FUNCTION pgtoaster.range_of_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint, count integer,
  OUT place bigint, OUT bytes bytea)
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  x pg_catalog.record;
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, ', s.prefix, 'range(', s.lead, 'o.', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ', $1, $3) AS r FROM ', owner,
                            ' AS o WHERE ', same) INTO x USING at, key, count;
  IF x.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  END IF;
  r := x.r;
  IF r.outcome OPERATOR(pg_catalog.<>) ALL (ARRAY['applied', 'null']) THEN
    PERFORM pgtoaster.refuse_blob(r.outcome, owner, column_name, key, at, r.place);
  END IF;
  place := r.place;
  bytes := r.bytes;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.read_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$ BEGIN RETURN (pgtoaster.range_of_blob(store, owner, column_name, same, key, at, count)).bytes; END $$;

CREATE OR REPLACE FUNCTION pgtoaster.length_of_blob(store integer, owner regclass, column_name name, same text, key text[]) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$ BEGIN RETURN (pgtoaster.range_of_blob(store, owner, column_name, same, key, 0, 0)).place; END $$;

-- The toaster "default": the value of the column is the content; for a text, its bytes in UTF-8.

-- Returns the column and its bytes; raises an error if it cannot contain a blob.
CREATE OR REPLACE FUNCTION pgtoaster.plain_column(owner regclass, column_name name, key text[], OUT name text, OUT bytes text, OUT is_text boolean)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type oid := (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = owner AND a.attname = column_name);
BEGIN
  is_text := type = CAST('text' AS regtype);
  name := 'o.' || quote_ident(CAST(column_name AS text));
  bytes := CASE WHEN is_text THEN 'pg_catalog.convert_to(' || name || ', ''UTF8'')' ELSE name END;
  IF NOT is_text AND type <> CAST('bytea' AS regtype) THEN
    RAISE EXCEPTION 'column "%" of % has type %, which cannot store a blob', column_name, owner, CAST(type AS regtype) USING ERRCODE = 'feature_not_supported';
  ELSIF is_text AND getdatabaseencoding() <> 'UTF8' THEN
    -- The server would return lengths in its own encoding.
    PERFORM pgtoaster.refuse_blob('encoding', owner, column_name, key);
  END IF;
END $$;

-- Converts bytes to a text; NULL if they are not a text. The server's own error would show the bytes.
CREATE OR REPLACE FUNCTION pgtoaster.text_of(bytes bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.append_plain(store integer, owner regclass, column_name name, same text, key text[], data bytea, expected bigint,
  author uuid, number bigint, OUT "offset" bigint, OUT length bigint, OUT outcome text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  -- A value has at most 1 GB less one byte, less its header.
  most CONSTANT bigint := 1073741819 OPERATOR(pg_catalog.-) pg_catalog.octet_length(data);
  added CONSTANT text := CASE WHEN c.is_text THEN pgtoaster.text_of(data) END;
  size CONSTANT text := pg_catalog.concat('coalesce(pg_catalog.octet_length(', c.name, '), 0)');
BEGIN
  IF author IS NOT NULL THEN
    PERFORM pgtoaster.refuse_blob('tokens', owner, column_name, key);
  ELSIF c.is_text AND added IS NULL THEN
    PERFORM pgtoaster.refuse_blob('text', owner, column_name, key);
  END IF;
  length := pg_catalog.octet_length(data);
  FOR look IN 1 .. 5 LOOP
    EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ' = coalesce(', c.name, ', '''') OPERATOR(pg_catalog.||) ',
                              CASE WHEN c.is_text THEN '$3' ELSE '$1' END, ' WHERE ', same, ' AND ', size, ' OPERATOR(pg_catalog.<=) $4 AND ($5 IS NULL OR ', size,
                              ' OPERATOR(pg_catalog.=) $5) RETURNING ', size)
      INTO "offset" USING data, key, added, most, expected;
    IF "offset" IS NOT NULL THEN
      "offset" := "offset" OPERATOR(pg_catalog.-) length;
      outcome := 'applied';
      RETURN;
    END IF;
    -- Find the reason. The row may have changed meanwhile.
    EXECUTE pg_catalog.concat('SELECT ', size, ' FROM ', owner, ' AS o WHERE ', same, ' FOR NO KEY UPDATE') INTO "offset" USING owner, key;
    IF "offset" IS NULL THEN
      PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
    ELSIF "offset" OPERATOR(pg_catalog.<>) expected THEN
      length := 0;
      outcome := 'conflict';
      RETURN;
    ELSIF "offset" OPERATOR(pg_catalog.>) most THEN
      PERFORM pgtoaster.refuse_blob('large', owner, column_name, key);
    END IF;
  END LOOP;
  PERFORM pgtoaster.refuse_blob('suppressed', owner, column_name, key);
END $$;

-- Writes data at an offset, or truncates there if data is NULL.
CREATE OR REPLACE FUNCTION pgtoaster.write_plain(store integer, owner regclass, column_name name, same text, key text[], at bigint, data bytea) RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  seen boolean;
  bytes pg_catalog.bytea;
  rows integer;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true, ', c.bytes, ' FROM ', owner, ' AS o WHERE ', same, ' FOR NO KEY UPDATE') INTO seen, bytes USING owner, key;
  IF seen IS NULL THEN
    PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
  ELSIF bytes IS NULL THEN
    PERFORM pgtoaster.refuse_blob('null', owner, column_name, key);
  ELSIF at OPERATOR(pg_catalog.>) pg_catalog.octet_length(bytes) THEN
    PERFORM pgtoaster.refuse_blob('offset', owner, column_name, key, at, pg_catalog.octet_length(bytes));
  ELSIF at OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(data), 0) OPERATOR(pg_catalog.>) 1073741819 THEN
    PERFORM pgtoaster.refuse_blob('large', owner, column_name, key);
  END IF;
  bytes := CASE WHEN data IS NULL THEN pg_catalog.substr(bytes, 1, CAST(at AS integer)) ELSE pg_catalog.overlay(bytes, data, CAST(at AS integer) OPERATOR(pg_catalog.+) 1) END;
  IF c.is_text AND (pgtoaster.text_of(bytes) IS NULL OR data IS NOT NULL AND pgtoaster.text_of(data) IS NULL) THEN
    PERFORM pgtoaster.refuse_blob('text', owner, column_name, key);
  END IF;
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ' = ',
                            CASE WHEN c.is_text THEN 'pg_catalog.convert_from($1, ''UTF8'')' ELSE '$1' END, ' WHERE ', same) USING bytes, key;
  GET DIAGNOSTICS rows = ROW_COUNT;
  IF rows OPERATOR(pg_catalog.<>) 1 THEN
    PERFORM pgtoaster.refuse_blob('suppressed', owner, column_name, key);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.truncate_plain(store integer, owner regclass, column_name name, same text, key text[], at bigint) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.write_plain(store, owner, column_name, same, key, at, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.read_plain(store integer, owner regclass, column_name name, same text, key text[], at bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, pg_catalog.octet_length(', c.name, ') AS length, pg_catalog.substr(', c.bytes, ', $1, $3) AS bytes FROM ', owner, ' AS o WHERE ', same)
    INTO r USING CAST(least(at, 1073741819) AS integer) OPERATOR(pg_catalog.+) 1, key, count;
  IF r.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  ELSIF at OPERATOR(pg_catalog.>) r.length THEN
    PERFORM pgtoaster.refuse_blob('offset', owner, column_name, key, at, r.length);
  END IF;
  RETURN r.bytes;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.length_of_plain(store integer, owner regclass, column_name name, same text, key text[]) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, pg_catalog.octet_length(', c.name, ') AS length FROM ', owner, ' AS o WHERE ', same) INTO r USING owner, key;
  IF r.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  END IF;
  RETURN r.length;
END $$;

-- The functions for users. Each exists for keys of any type, for texts (the type of literals and of driver parameters),
-- and for "char", which could become a text as well as any other type. Offsets count from 0:
--   blob_append: appends; creates the content of a NULL column. outcome is applied, already applied (the token, writer and sequence,
--     was used before for the same number of bytes), or conflict (the content does not have the expected length; offset is its length)
--   blob_read: up to length bytes from an offset; NULL if the column is NULL
--   blob_length: length in bytes; NULL if the column is NULL
--   blob_write: overwrites, and appends the bytes that reach beyond the end; blob_truncate: truncates; blob_seal: makes the content
--     final. All three return true.
DO $do$
DECLARE
  kind text[];
  f text;
BEGIN
  FOREACH kind SLICE 1 IN ARRAY ARRAY[['anyelement', 'pgtoaster.key_texts(key), CAST(key AS pg_catalog.text)'], ['text', 'ARRAY[key], key'],
                                              ['"char"', 'ARRAY[CAST(key AS pg_catalog.text)], CAST(key AS pg_catalog.text)']] LOOP
    FOREACH f IN ARRAY ARRAY[
      $f$blob_append(tbl regclass, col name, key {type}, data bytea, expected_offset bigint DEFAULT NULL, writer uuid DEFAULT NULL, sequence bigint DEFAULT NULL,
          OUT "offset" bigint, OUT length bigint, OUT outcome text) LANGUAGE plpgsql AS $$
        DECLARE
          c pg_catalog.record;
        BEGIN
          IF data IS NULL THEN
            RAISE EXCEPTION 'the data cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
          ELSIF writer IS NULL AND sequence IS NOT NULL OR sequence IS NULL AND writer IS NOT NULL THEN
            RAISE EXCEPTION 'a token consists of a writer and a sequence, and one of them is NULL' USING ERRCODE = 'invalid_parameter_value';
          END IF;
          length := pgtoaster.require_number(coalesce(expected_offset, 0), 'the expected offset');
          length := pgtoaster.require_number(coalesce(sequence, 0), 'a sequence');
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_append');
          EXECUTE pg_catalog.concat('SELECT * FROM ', c.routine, '($1, $2, $3, $4, $5, $6, $7, $8, $9)')
            INTO "offset", length, outcome USING c.store, tbl, col, c.same, c.key, data, expected_offset, writer, sequence;
        END $$$f$,
      $f$blob_read(tbl regclass, col name, key {type}, "offset" bigint, length integer) RETURNS bytea LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
        DECLARE
          c pg_catalog.record;
          bytes pg_catalog.bytea;
        BEGIN
          "offset" := pgtoaster.require_number("offset", 'the offset');
          length := pgtoaster.require_number(length, 'the length');
          c := pgtoaster.blob_call(tbl, col, {texts}, 'blob_read');
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6, $7)') INTO bytes USING c.store, tbl, col, c.same, c.key, "offset", length;
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
          EXECUTE pg_catalog.concat('SELECT ', c.routine, '($1, $2, $3, $4, $5, $6, $7)') USING c.store, tbl, col, c.same, c.key, "offset", data;
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
