-- Returns what a migration would do, and how long it would take.

-- Returns the expression for the number of bytes of a value of a type.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_size(type oid, content text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT concat(CASE WHEN type = 'oid'::regtype THEN 'pgtoaster.object_length('
                     WHEN type IN ('bytea'::regtype, 'text'::regtype, 'varchar'::regtype) THEN 'octet_length('
                     ELSE 'pg_column_size(' END, content, ')')
$$;

-- Creates a table pgtoaster_sample in the schema of another table. Its column "content" contains at most a given number
-- of bytes of the content of a column. The caller rolls back, so that no other session ever sees the table.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_sample(tbl regclass, col name, most bigint, OUT schema name, OUT bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type CONSTANT oid := (SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND a.attnum > 0);
  content CONSTANT text := 'o.' || quote_ident(col);
  size CONSTANT text := pgtoaster.migrate_size(type, content);
BEGIN
  schema := (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = tbl);
  EXECUTE format('CREATE TABLE %I.pgtoaster_sample (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content %s)',
                 schema, format_type(type, NULL));
  EXECUTE format('WITH i AS (INSERT INTO %I.pgtoaster_sample (content) SELECT s.content '
                 'FROM (SELECT %s AS content, sum(%s) OVER (ROWS UNBOUNDED PRECEDING) - %s AS before '
                 'FROM (SELECT * FROM %s o WHERE %s IS NOT NULL LIMIT 20000) o) s WHERE s.before < $1 RETURNING content) '
                 'SELECT coalesce(sum(%s), 0) FROM i o',
                 schema, content, size, size, tbl, content, pgtoaster.migrate_size(type, 'o.content')) INTO bytes USING most;
END $$;

-- Returns what a migration would do, without doing it: rows and bytes to copy, the additional disk space, the seconds
-- without a speed limit (measured on a sample of up to 16 MB that is copied and rolled back), and notes to read first.
-- seconds: NULL for documents to be split, which the client does and measures. For an attached column it describes the
-- migration back, with seconds 0.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_plan(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}',
  OUT rows bigint, OUT bytes bigint, OUT disk bigint, OUT seconds double precision, OUT notes text[])
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a CONSTANT pg_attribute := (SELECT x FROM pg_attribute x
                              WHERE x.attrelid = tbl AND x.attname = col AND x.attnum > 0 AND NOT x.attisdropped);
  column_of CONSTANT text := 'o.' || quote_ident(col);
  attached record;
  began timestamptz;
  sampled record;
  s record;
  documents boolean;
BEGIN
  notes := '{}';
  IF a.attnum IS NULL THEN
    RAISE EXCEPTION 'column "%" of % does not exist', col, tbl USING ERRCODE = 'undefined_column';
  END IF;
  SELECT c.store, c.toaster INTO attached FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col;
  documents := attached.store IS NULL AND (toaster = 'keyed' OR toaster IS NULL AND a.atttypid IN ('json'::regtype, 'jsonb'::regtype));
  EXECUTE concat('SELECT count(', column_of, '), coalesce(sum(',
                 CASE WHEN attached.toaster = 'appendable' THEN concat('pgtoaster.blob_length(', column_of, ')')
                      ELSE pgtoaster.migrate_size(a.atttypid, column_of) END,
                 '), 0) FROM ', tbl, ' o') INTO rows, bytes;
  IF attached.toaster = 'keyed' THEN
    EXECUTE format('SELECT $1 + coalesce(sum(greatest(n.bytes, 0)), 0) FROM %s n', pgtoaster.store_table(attached.store, 'node'))
      INTO bytes USING bytes;
  END IF;
  IF attached.store IS NOT NULL THEN
    seconds := 0;
  ELSIF NOT documents THEN
    BEGIN
      sampled := pgtoaster.migrate_sample(tbl, col, 16777216);
      PERFORM pgtoaster.migrate_begin(format('%I.pgtoaster_sample', sampled.schema)::regclass, 'content', toaster,
                                      options - 'key' - 'leading_key');
      began := clock_timestamp();
      LOOP
        s := pgtoaster.migrate_step(format('%I.pgtoaster_sample', sampled.schema)::regclass, 'content', 16777216);
        EXIT WHEN s.phase = 'ready';
      END LOOP;
      seconds := extract(epoch FROM clock_timestamp() - began);
      RAISE EXCEPTION USING ERRCODE = 'PGT99', MESSAGE = 'measured';
    EXCEPTION WHEN SQLSTATE 'PGT99' THEN
      NULL;
    END;
    -- The sample was copied and compared.
    seconds := coalesce(seconds * bytes / nullif(sampled.bytes, 0), 0);
  END IF;
  disk := CASE WHEN attached.store IS NULL AND a.atttypid = 'jsonb'::regtype THEN bytes ELSE (bytes * 1.05)::bigint + rows * 150 END;
  notes := notes || ARRAY(SELECT format('%s "%s" uses the column: %s', u.kind, u.name,
                                        CASE WHEN u.kind IN ('index', 'statistics') THEN 'it stays with the old column'
                                             ELSE 'drop it before the migration, and create it again afterwards' END)
                          FROM pgtoaster.column_uses(tbl, col) u WHERE a.atttypid <> 'jsonb'::regtype);
  IF a.attnotnull AND a.atttypid <> 'jsonb'::regtype THEN
    notes := notes || CASE WHEN documents THEN 'NOT NULL is dropped'
                           ELSE 'NOT NULL is dropped: a new row of blobs gets its content with the first append' END;
  END IF;
  IF a.atthasdef AND a.atttypid <> 'jsonb'::regtype THEN
    notes := notes || 'the default is dropped'::text;
  END IF;
  IF NOT has_parameter_privilege('session_replication_role', 'SET') AND EXISTS (
       SELECT FROM pg_trigger t
       WHERE t.tgrelid = tbl AND NOT t.tgisinternal AND t.tgtype & 17 = 17 AND t.tgname !~ '^~?pgtoaster_[0-9]+_') THEN
    notes := notes
      || 'triggers of the table fire for each row that is copied: GRANT SET ON PARAMETER session_replication_role prevents that'::text;
  END IF;
  IF a.atttypid = 'oid'::regtype THEN
    BEGIN
      notes := notes || ARRAY(
        SELECT format('%s large objects are not referenced by any column: pgtoaster.orphaned_objects() lists them', count(*))
        FROM pgtoaster.orphaned_objects() HAVING count(*) > 0);
    EXCEPTION WHEN insufficient_privilege THEN
      -- The references in tables of other owners cannot be read.
      notes := notes || concat('large objects that no column references are not counted: ', SQLERRM);
    END;
    notes := notes || 'writes to a large object that do not change its row are copied only until it is compared'::text;
  END IF;
END $$;
