-- Functions for blobs by key: the toaster "default". The value of the column is the content. For a text, the content is
-- its bytes in UTF-8.

-- Returns the column and its bytes; raises an error if it cannot contain a blob.
CREATE OR REPLACE FUNCTION pgtoaster.plain_column(owner regclass, column_name name, key text[],
  OUT name text, OUT bytes text, OUT is_text boolean)
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
    RAISE EXCEPTION 'column "%" of % has type %, which cannot store a blob', column_name, owner, CAST(type AS regtype)
      USING ERRCODE = 'feature_not_supported';
  ELSIF is_text AND getdatabaseencoding() <> 'UTF8' THEN
    -- The server counts lengths in its own encoding.
    PERFORM pgtoaster.refuse_blob('encoding', owner, column_name, key);
  END IF;
END $$;

-- Converts bytes to text; returns NULL if they are not valid text. The server's own error would show the bytes.
CREATE OR REPLACE FUNCTION pgtoaster.text_of(bytes bytea) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.append_plain(store integer, owner regclass, column_name name, same text, key text[],
  data bytea, expected bigint, author uuid, number bigint, OUT "offset" bigint, OUT length bigint, OUT outcome text)
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  -- A value can have at most 1 GB minus one byte, minus its header.
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
    EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)),
                              ' = coalesce(', c.name, ', '''') OPERATOR(pg_catalog.||) ',
                              CASE WHEN c.is_text THEN '$3' ELSE '$1' END, ' WHERE ', same,
                              ' AND ', size, ' OPERATOR(pg_catalog.<=) $4 AND ($5 IS NULL OR ', size,
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
CREATE OR REPLACE FUNCTION pgtoaster.write_plain(store integer, owner regclass, column_name name, same text, key text[],
  at bigint, data bytea) RETURNS void
LANGUAGE plpgsql
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  seen boolean;
  bytes pg_catalog.bytea;
  rows integer;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true, ', c.bytes, ' FROM ', owner, ' AS o WHERE ', same, ' FOR NO KEY UPDATE')
    INTO seen, bytes USING owner, key;
  IF seen IS NULL THEN
    PERFORM pgtoaster.refuse_change('row', owner, column_name, same, key);
  ELSIF bytes IS NULL THEN
    PERFORM pgtoaster.refuse_blob('null', owner, column_name, key);
  ELSIF at OPERATOR(pg_catalog.>) pg_catalog.octet_length(bytes) THEN
    PERFORM pgtoaster.refuse_blob('offset', owner, column_name, key, at, pg_catalog.octet_length(bytes));
  ELSIF at OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(data), 0) OPERATOR(pg_catalog.>) 1073741819 THEN
    PERFORM pgtoaster.refuse_blob('large', owner, column_name, key);
  END IF;
  bytes := CASE WHEN data IS NULL THEN pg_catalog.substr(bytes, 1, CAST(at AS integer))
                ELSE pg_catalog.overlay(bytes, data, CAST(at AS integer) OPERATOR(pg_catalog.+) 1) END;
  IF c.is_text AND (pgtoaster.text_of(bytes) IS NULL OR data IS NOT NULL AND pgtoaster.text_of(data) IS NULL) THEN
    PERFORM pgtoaster.refuse_blob('text', owner, column_name, key);
  END IF;
  EXECUTE pg_catalog.concat('UPDATE ', owner, ' AS o SET ', pg_catalog.quote_ident(CAST(column_name AS pg_catalog.text)), ' = ',
                            CASE WHEN c.is_text THEN 'pg_catalog.convert_from($1, ''UTF8'')' ELSE '$1' END, ' WHERE ', same)
    USING bytes, key;
  GET DIAGNOSTICS rows = ROW_COUNT;
  IF rows OPERATOR(pg_catalog.<>) 1 THEN
    PERFORM pgtoaster.refuse_blob('suppressed', owner, column_name, key);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.truncate_plain(store integer, owner regclass, column_name name, same text, key text[],
  at bigint) RETURNS void
LANGUAGE plpgsql
AS $$ BEGIN PERFORM pgtoaster.write_plain(store, owner, column_name, same, key, at, NULL); END $$;

CREATE OR REPLACE FUNCTION pgtoaster.read_plain(store integer, owner regclass, column_name name, same text, key text[],
  at bigint, count integer) RETURNS bytea
LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
#variable_conflict use_variable
DECLARE
  c CONSTANT pg_catalog.record := pgtoaster.plain_column(owner, column_name, key);
  r pg_catalog.record;
BEGIN
  EXECUTE pg_catalog.concat('SELECT true AS seen, pg_catalog.octet_length(', c.name, ') AS length, pg_catalog.substr(', c.bytes,
                            ', $1, $3) AS bytes FROM ', owner, ' AS o WHERE ', same)
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
  EXECUTE pg_catalog.concat('SELECT true AS seen, pg_catalog.octet_length(', c.name, ') AS length FROM ', owner, ' AS o WHERE ', same)
    INTO r USING owner, key;
  IF r.seen IS NULL THEN
    PERFORM pgtoaster.refuse_blob('row', owner, column_name, key);
  END IF;
  RETURN r.length;
END $$;
