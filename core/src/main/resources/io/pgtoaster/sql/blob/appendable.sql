-- Functions for blobs by key: the toaster "appendable".

-- Returns how to address the tables and routines of a store of blobs: the prefix of their names and, if there is one,
-- the leading key of a row o as the routines' first argument. For a distributed table, modifies is a text that makes
-- Citus treat a SELECT of one of its rows as a modification; the condition on the row and ") " must follow it. Citus
-- would otherwise treat the SELECT as a read, and commit without noticing that the connection to the worker was lost.
CREATE OR REPLACE FUNCTION pgtoaster.blob_store(store integer, owner regclass, OUT prefix text, OUT lead text, OUT checksums boolean,
  OUT chunk_size integer, OUT modifies text)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  s record;
BEGIN
  SELECT concat(quote_ident(CAST(n.nspname AS text)), '.store_', store, '_') AS prefix,
         CAST(o.options ->> 'crc32c' AS boolean) AS checksums, CAST(o.options ->> 'chunk_size' AS integer) AS chunk_size,
         o.options ->> 'distributed' = 'true' AS distributed, h.relrowsecurity AS follows,
         EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = h.oid AND a.attname = 'leading_key') AS leads,
         -- Compare the second number of pgtoaster.routine_mark.
         EXISTS (SELECT FROM pg_proc f WHERE f.pronamespace = h.relnamespace AND f.proname = CAST(concat('store_', store, '_write') AS name)
                 AND split_part(split_part(substr(f.prosrc, 1, 60), chr(10), 1), ' ', 3)
                     = CAST(hashtextextended(CAST(n.nspname AS text), 0) AS text)) AS whole INTO s
  FROM pgtoaster.store o JOIN pg_class h ON h.oid = o.head JOIN pg_namespace n ON n.oid = h.relnamespace WHERE o.id = store;
  IF s.whole IS NOT TRUE THEN
    RAISE EXCEPTION 'the routines of the store of % are missing, or refer to its tables in another schema', owner
      USING ERRCODE = 'object_not_in_prerequisite_state',
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
    'WITH pgtoaster_modified AS (UPDATE ', prefix, 'head AS h SET sealed = h.sealed FROM ', owner,
    ' AS o WHERE h.id OPERATOR(pg_catalog.=) -1 AND ',
    CASE WHEN s.leads THEN concat('h.leading_key OPERATOR(pg_catalog.=) ', rtrim(lead, ', '), ' AND ') END) END;
END $$;

-- Makes one change with the routines of the store (blob/append_template.sql, blob/write_template.sql): append, write,
-- truncate, discard or seal. The second routine makes the appends that the first does not handle (whole chunks with checksums,
-- or many chunks), and returns the reason for a failure.
CREATE OR REPLACE FUNCTION pgtoaster.change_blob(store integer, owner regclass, column_name name, same text, key text[], op text, at bigint,
  data bytea, author uuid, number bigint, OUT outcome text, OUT place bigint)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  handle CONSTANT text := pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text));
  crc CONSTANT integer := CASE
    WHEN s.checksums AND op OPERATOR(pg_catalog.=) 'append' AND pg_catalog.octet_length(data) OPERATOR(pg_catalog.<) s.chunk_size
    THEN pgtoaster.crc32c(data) END;
  part text := CASE WHEN op OPERATOR(pg_catalog.=) 'append' THEN 'append' ELSE 'write' END;
  x pg_catalog.record;
  r pg_catalog.record;
  rows integer;
BEGIN
  IF NOT pg_catalog.has_column_privilege(owner, CAST(column_name AS pg_catalog.text), CAST('UPDATE' AS pg_catalog.text)) THEN
    PERFORM pgtoaster.refuse_blob('update', owner, column_name, key);
  END IF;
  -- Try again if the row now has another blob or none.
  FOR look IN 1 .. 10 LOOP
    EXECUTE pg_catalog.concat(
      s.modifies OPERATOR(pg_catalog.||) same OPERATOR(pg_catalog.||) ') ',
      'SELECT o.', handle, ' AS blob, ', s.prefix, CASE WHEN part OPERATOR(pg_catalog.=) 'write' THEN 'write' ELSE 'append' END,
      '(', s.lead, 'o.', handle, ', $1, $3, $4, $2, ',
      CASE WHEN part OPERATOR(pg_catalog.=) 'append' THEN '$5, $6, $7, $8, $9'
           -- Creates empty content for a row without content; the general routine then makes the change.
           WHEN part OPERATOR(pg_catalog.=) 'create'
           THEN 'CAST('''' AS pg_catalog.bytea), CAST(NULL AS integer), $7, CAST(NULL AS uuid), CAST(NULL AS bigint)'
           ELSE '$10, $7, $5, $8, $9' END, ') AS r FROM ', owner, ' AS o WHERE ', same)
      INTO x USING CAST(owner AS pg_catalog.text), key, handle, same, data, crc, at, author, number, op;
    GET DIAGNOSTICS rows = ROW_COUNT;
    IF rows OPERATOR(pg_catalog.=) 0 THEN
      PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
    END IF;
    r := x.r;
    outcome := r.outcome;
    place := r.place;
    EXIT WHEN part OPERATOR(pg_catalog.<>) 'create' AND outcome OPERATOR(pg_catalog.<>) 'other'
      AND NOT (op OPERATOR(pg_catalog.=) 'append' AND outcome OPERATOR(pg_catalog.=) 'null');
    part := CASE
      WHEN op OPERATOR(pg_catalog.<>) 'append' OR part OPERATOR(pg_catalog.=) 'create' AND outcome OPERATOR(pg_catalog.=) 'applied'
      THEN 'write'
      WHEN part OPERATOR(pg_catalog.<>) 'append' THEN 'append'
      WHEN x.blob IS NULL THEN 'create'
      ELSE 'write' END;
  END LOOP;
  IF outcome OPERATOR(pg_catalog.=) 'other' THEN
    PERFORM pgtoaster.refuse_change(CASE WHEN x.blob IS NULL THEN 'suppressed' ELSE 'damaged' END, owner, column_name, same, key);
  ELSIF outcome OPERATOR(pg_catalog.<>) ALL (ARRAY['applied', 'already', 'conflict']) THEN
    PERFORM pgtoaster.refuse_blob(outcome, owner, column_name, key, coalesce(at, place), place);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.append_blob(store integer, owner regclass, column_name name, same text, key text[], data bytea,
  expected bigint, author uuid, number bigint, OUT "offset" bigint, OUT length bigint, OUT outcome text)
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

-- Appends to several rows with the routine of the store (blob/batch_template.sql). columns: the number of columns of a key.
-- Returns the offset of each append; NULL if append_blob must make it, or raise its error.
CREATE OR REPLACE FUNCTION pgtoaster.append_blobs(store integer, owner regclass, column_name name, same text, columns integer, keys text[],
  data bytea[]) RETURNS bigint[]
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  handle CONSTANT text := pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text));
  leads CONSTANT boolean := s.lead OPERATOR(pg_catalog.<>) '';
  places pg_catalog.int8[] := pg_catalog.array_fill(CAST(NULL AS bigint), ARRAY[pg_catalog.cardinality(keys)]);
  n integer;
  outcome text;
  place bigint;
BEGIN
  -- A statement on the nodes of Citus changes the rows of one node only.
  IF s.modifies IS NOT NULL
     OR NOT pg_catalog.has_column_privilege(owner, CAST(column_name AS pg_catalog.text), CAST('UPDATE' AS pg_catalog.text)) THEN
    RETURN places;
  END IF;
  FOR n, outcome, place IN EXECUTE pg_catalog.concat(
    'WITH g AS MATERIALIZED (
       SELECT ', CASE WHEN leads THEN 's.lead, ' END, 'pg_catalog.array_agg(s.n) AS numbers,
              pg_catalog.array_agg(s.handle) AS handles, pg_catalog.array_agg(CAST(s.key AS pg_catalog.text)) AS keys,
              pg_catalog.array_agg(s.data) AS data, pg_catalog.array_agg(',
      CASE WHEN s.checksums
           THEN pg_catalog.concat('CASE WHEN pg_catalog.octet_length(s.data) OPERATOR(pg_catalog.<) ', s.chunk_size,
                                  ' THEN pgtoaster.crc32c(s.data) END')
           ELSE 'CAST(NULL AS integer)' END, ') AS crcs
       FROM (
         SELECT q.n, q.data, q.key, x.*
         FROM (SELECT u.n, u.data, ',
      CASE WHEN columns OPERATOR(pg_catalog.=) 1 THEN 'ARRAY[u.key]' ELSE 'CAST(u.key AS pg_catalog.text[])' END, ' AS key
               FROM ROWS FROM (pg_catalog.unnest((SELECT $1)), pg_catalog.unnest((SELECT $2))) WITH ORDINALITY u(key, data, n)) q
         CROSS JOIN LATERAL (
           SELECT ', CASE WHEN leads THEN pg_catalog.rtrim(s.lead, ', ') OPERATOR(pg_catalog.||) ' AS lead, ' END, 'o.', handle, ' AS handle
           FROM ', owner, ' AS o WHERE ',
      -- Quoted names may contain the same text: an even number of quotes must follow.
      pg_catalog.regexp_replace(same, '\(\$2\)\[(?=[^"]*("[^"]*"[^"]*)*$)', '(q.key)[', 'g'), ' OFFSET 0) x
         ORDER BY ', CASE WHEN leads THEN 'x.lead, ' END, 'q.n) s', CASE WHEN leads THEN ' GROUP BY s.lead ORDER BY s.lead' END, ')
     SELECT (g.numbers)[r.n] AS n, r.outcome, r.place
     FROM g CROSS JOIN LATERAL ', s.prefix, 'batch(', CASE WHEN leads THEN 'g.lead, ' END, 'g.handles, $3, $4, $5, g.keys, g.data, g.crcs,
             NULL, NULL, NULL) r')
    USING keys, data, CAST(owner AS pg_catalog.text), handle, same
  LOOP
    IF outcome OPERATOR(pg_catalog.=) 'applied' THEN
      places[n] := place;
    END IF;
  END LOOP;
  RETURN places;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.write_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint,
  data bytea) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'write', at, data, NULL, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.truncate_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint)
RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'truncate', at, NULL, NULL, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.discard_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint)
RETURNS bigint
LANGUAGE plpgsql
AS $$
BEGIN RETURN (pgtoaster.change_blob(store, owner, column_name, same, key, 'discard', at, NULL, NULL, NULL)).place; END $$;

CREATE OR REPLACE FUNCTION pgtoaster.seal_blob(store integer, owner regclass, column_name name, same text, key text[]) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.change_blob(store, owner, column_name, same, key, 'seal', NULL, NULL, NULL, NULL); END $$;

-- Reads a range with the routine of the store, and returns its result.
CREATE OR REPLACE FUNCTION pgtoaster.range_of_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint,
  count integer, OUT place bigint, OUT bytes bytea)
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  s CONSTANT pg_catalog.record := pgtoaster.blob_store(store, owner);
  x pg_catalog.record;
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, ', s.prefix, 'range(', s.lead, 'o.',
                            pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ', $1, $3) AS r FROM ', owner,
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

CREATE OR REPLACE FUNCTION pgtoaster.read_blob(store integer, owner regclass, column_name name, same text, key text[], at bigint,
  count integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$ BEGIN RETURN (pgtoaster.range_of_blob(store, owner, column_name, same, key, at, count)).bytes; END $$;

CREATE OR REPLACE FUNCTION pgtoaster.length_of_blob(store integer, owner regclass, column_name name, same text, key text[]) RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$ BEGIN RETURN (pgtoaster.range_of_blob(store, owner, column_name, same, key, 0, 0)).place; END $$;
