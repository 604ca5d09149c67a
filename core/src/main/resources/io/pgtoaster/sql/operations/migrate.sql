-- Migrates existing columns to a toaster, and back, while the application keeps running: a shadow column next to the old
-- one is filled in small transactions, compared, and takes its name in a short transaction. A column of jsonb is attached
-- as it is, and goes back to jsonb in place.
--   migrate_plan: returns what a migration would do, and how long it would take
--   migrate_begin, migrate_back: create the shadow column, and the state in a table of the store, store_<n>_migration
--   migrate_step: does part of the work; call it in separate transactions until its phase is "ready"
--   migrate_documents, migrate_split: return the documents that a client must split in the phase "split", since no function of the
--     server splits them, and note that they are split
--   migrate_finish: exchanges the columns; the old one stays, as <column>_before, until migrate_drop
--   migrate_abort: undoes a migration that is not finished
-- A row is pending as long as the shadow column does not have the content of the old one. A trigger empties the shadow
-- column when the old one changes. A blob changes without its row, which its generation and length show. Every step looks
-- for pending rows, so an interruption at any point does no harm. The last search runs under the lock of migrate_finish.

-- The number of bytes of a value that are in memory at once. A large object is passed by its number, any other value as
-- its bytes.
CREATE OR REPLACE FUNCTION pgtoaster.copied_at_once() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$ SELECT 4194304 $$;

-- STABLE, so that it sees the object as the query sees the row: another session may give the row a new object and unlink
-- this one.
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
    EXECUTE concat('SELECT r.outcome FROM ', call, '$2, NULL::text, NULL::text, NULL::text, NULL::text[], ''append''::text, $3, $4, NULL::uuid, NULL::bigint) r') INTO outcome
      USING lead, blob, place, piece;
    IF outcome <> 'applied' THEN
      RAISE EXCEPTION 'content could not be copied to blob %: %', blob, outcome USING ERRCODE = 'internal_error';
    END IF;
    place := place + step;
  END LOOP;
  RETURN blob;
END $$;

-- Whether a blob has the same bytes as a value, or as a large object.
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
    -- The last piece of either is shorter than a step, even if it is empty.
    IF r.outcome <> 'applied'
       OR r.bytes <> (CASE WHEN lo IS NULL THEN substr(data, CAST(place AS integer) + 1, step) ELSE lo_get(lo, place, step) END) THEN
      RETURN false;
    ELSIF octet_length(r.bytes) < step THEN
      RETURN true;
    END IF;
    place := place + step;
  END LOOP;
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
    IF r.outcome <> 'applied' THEN
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
  EXECUTE concat('SELECT r.outcome, r.bytes FROM ', pgtoaster.blob_routine(store, 'range'), '$2, 0::bigint, 2147483647) r') INTO r USING lead, blob;
  IF r.outcome = 'large' THEN
    RAISE EXCEPTION 'the content % is too long for one value', blob USING ERRCODE = 'program_limit_exceeded',
      HINT = 'Migrate back to large objects: type "oid".';
  ELSIF r.outcome <> 'applied' THEN
    PERFORM pgtoaster.corrupt_handle(blob);
  END IF;
  RETURN r.bytes;
END $$;

-- Returns the migration of a column: its store, and the row with its state, or NULL.
CREATE OR REPLACE FUNCTION pgtoaster.migration_of(tbl regclass, col name, OUT store integer, OUT state jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  s record;
BEGIN
  IF NOT (SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = tbl) THEN
    RAISE EXCEPTION 'must be owner of table %', tbl USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Any role that may create in the schema may have a view of that name, which would run its code.
  FOR s IN SELECT t.id FROM pgtoaster.store t
           JOIN pg_class m ON m.oid = to_regclass(pgtoaster.store_table(t.id, 'migration')) AND m.relkind = 'r'
           WHERE t.owner = tbl AND m.relowner IN (SELECT o.relowner FROM pg_class o WHERE o.oid IN (t.owner, t.head)) LOOP
    EXECUTE format('SELECT to_jsonb(m) FROM %s m WHERE m.source = $1', pgtoaster.store_table(s.id, 'migration')) INTO state USING col;
    IF state IS NOT NULL THEN
      store := s.id;
      RETURN;
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.need_migration(tbl regclass, col name, OUT store integer, OUT state jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  SELECT * INTO store, state FROM pgtoaster.migration_of(tbl, col);
  IF store IS NULL THEN
    RAISE EXCEPTION 'no migration of column "%" of % has begun', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_begin(%L, %L) begins one.', tbl, col);
  END IF;
END $$;

-- Raises an error if a migration is not ended yet.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_migration(tbl regclass, col name, state jsonb) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF state->>'phase' = 'done' THEN
    RAISE EXCEPTION 'column "%" of % was migrated, and column "%" is kept of that', col, tbl, state->>'kept' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%L, %L) ("pgtoaster migrate --drop") drops it; then this can begin.', tbl, col);
  END IF;
  RAISE EXCEPTION 'another migration of column "%" of % has begun', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
    HINT = format('Continue it, or SELECT pgtoaster.migrate_abort(%L, %L) ("pgtoaster migrate --abort") undoes it.', tbl, col);
END $$;

-- Returns a free name for a column next to another.
CREATE OR REPLACE FUNCTION pgtoaster.beside(tbl regclass, col name, suffix text) RETURNS name
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text := col;
BEGIN
  WHILE octet_length(found) + octet_length(suffix) > 63 LOOP
    found := left(found, -1);
  END LOOP;
  found := found || suffix;
  IF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = found AND NOT a.attisdropped) THEN
    RAISE EXCEPTION 'column "%" of % is there already', found, tbl USING ERRCODE = 'duplicate_column',
      HINT = 'An earlier migration may have kept it: pgtoaster.migrate_drop drops it then. Otherwise rename it.';
  END IF;
  RETURN found;
END $$;

-- Returns the tables that contain the rows of a table: its partitions, or itself.
CREATE OR REPLACE FUNCTION pgtoaster.leaves_of(tbl regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.relid FROM pg_partition_tree(tbl) p JOIN pg_class c ON c.oid = p.relid WHERE p.isleaf AND c.relkind = 'r'
  UNION
  SELECT c.oid::regclass FROM pg_class c WHERE c.oid = tbl AND c.relkind = 'r'
  ORDER BY 1
$$;

-- Rejects a column if other objects use it: they would follow the old column, by its number, when the columns are
-- exchanged.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_uses(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  uses text;
BEGIN
  SELECT string_agg(format('%s "%s"', u.kind, u.name), ', ') INTO uses FROM pgtoaster.column_uses(tbl, col) u WHERE u.kind NOT IN ('index', 'statistics')
    AND u.name !~ '^(.*\.)?(pgtoaster|store)_[0-9]+_';
  IF uses IS NOT NULL THEN
    RAISE EXCEPTION 'column "%" of % is used by %', col, tbl, uses USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'Drop it, and create it for the new column after migrate_finish; nothing was changed.';
  END IF;
END $$;

-- Copies the column privileges to the shadow column.
CREATE OR REPLACE FUNCTION pgtoaster.copy_column_rights(tbl regclass, source name, target name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  grants record;
BEGIN
  FOR grants IN SELECT x.privilege_type, x.grantee FROM pg_attribute a, aclexplode(a.attacl) x WHERE a.attrelid = tbl AND a.attname = source LOOP
    EXECUTE format('GRANT %s (%I) ON %s TO %s', grants.privilege_type, target, tbl,
                   CASE grants.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grants.grantee)) END);
  END LOOP;
END $$;

-- Creates the trigger that empties the shadow column of a row when its old column changes, given the condition for a
-- change. If other triggers may change the column, the trigger fires for every UPDATE, since the statement does not show
-- it. A blob keeps the leading key of its row.
CREATE OR REPLACE FUNCTION pgtoaster.create_sync(store integer, tbl regclass, source name, target name, changes text, lead name DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT name := (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = tbl);
BEGIN
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L', pgtoaster.store_table(store, 'sync'),
                 format('BEGIN IF %s%s THEN NEW.%I := NULL; END IF; RETURN NEW; END',
                        CASE WHEN lead IS NOT NULL THEN format('OLD.%1$I IS DISTINCT FROM NEW.%1$I OR ', lead) END, changes, target));
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE %s ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION %s()', pgtoaster.trigger_name(store, 'sync'),
                 CASE WHEN EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = tbl AND t.tgtype & 19 = 19 AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_')
                      THEN '' ELSE format('OF %I%s', source, ', ' || quote_ident(lead)) END, tbl, target, pgtoaster.store_table(store, 'sync'));
  IF owner <> current_user THEN
    EXECUTE format('ALTER FUNCTION %s() OWNER TO %I', pgtoaster.store_table(store, 'sync'), owner);
  END IF;
END $$;

-- Begins to migrate a column to a toaster: bytea, text and oid (large objects) to blobs; json, jsonb and text to "keyed".
-- toaster: NULL for the default of the type, which is blobs for text. options: as for attach. Waits five seconds for the
-- lock of the table. If a migration has begun, it is continued. A column of jsonb is attached, if it is not attached yet,
-- and then split.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_begin(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  type text := (SELECT format_type(a.atttypid, NULL) FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND a.attnum > 0 AND NOT a.attisdropped);
  shadow name;
  store integer;
  m record;
BEGIN
  m := pgtoaster.migration_of(tbl, col);
  IF m.store IS NOT NULL AND m.state->>'phase' <> 'done' AND NOT CAST(m.state->>'back' AS boolean) THEN
    RETURN;
  ELSIF m.store IS NOT NULL THEN
    PERFORM pgtoaster.refuse_migration(tbl, col, m.state);
  ELSIF type IS NULL THEN
    RAISE EXCEPTION 'column "%" of % does not exist', col, tbl USING ERRCODE = 'undefined_column';
  END IF;
  toaster := coalesce(toaster, CASE WHEN type IN ('json', 'jsonb') THEN 'keyed' ELSE 'appendable' END);
  IF type = 'jsonb' AND toaster = 'keyed' THEN
    SELECT c.store INTO store FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col AND c.toaster = 'keyed';
    PERFORM pgtoaster.limit_wait('5s');
    IF store IS NULL THEN
      store := pgtoaster.attach(tbl, col, toaster, options);
    ELSIF options <> '{}' THEN
      PERFORM pgtoaster.set_options(tbl, col, options);
    END IF;
    PERFORM pgtoaster.create_migration(store, tbl, col, col, false, type);
    RETURN;
  ELSIF type NOT IN ('bytea', 'text', 'character varying', 'oid') AND toaster = 'appendable' OR type NOT IN ('json', 'text', 'character varying') AND toaster = 'keyed'
        OR toaster NOT IN ('appendable', 'keyed') THEN
    RAISE EXCEPTION 'column "%" of % has type %, which cannot be migrated to the toaster "%"', col, tbl, type, toaster USING ERRCODE = 'datatype_mismatch',
      HINT = 'Columns of bytea, text and oid can be migrated to "appendable", and columns of json, jsonb and text to "keyed".';
  ELSIF EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = tbl AND a.attname = col AND (a.attgenerated <> '' OR a.attidentity <> ''))
        OR EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
                   WHERE i.indrelid = tbl AND i.indisprimary AND a.attname = col) THEN
    RAISE EXCEPTION 'column "%" of % is generated, or part of its key', col, tbl USING ERRCODE = 'invalid_column_definition';
  ELSIF type = 'text' AND toaster = 'appendable' AND getdatabaseencoding() <> 'UTF8' THEN
    RAISE EXCEPTION 'text columns need a database with encoding UTF8' USING ERRCODE = 'feature_not_supported';
  END IF;
  PERFORM pgtoaster.refuse_uses(tbl, col);
  shadow := pgtoaster.beside(tbl, col, '_toasted');
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF toaster = 'appendable' AND type IN ('text', 'character varying') THEN
    options := options || '{"text": true}';
  END IF;
  -- The content of that toaster is the value of the column, and the library also uses it without the entry, which would
  -- later refer to the new column.
  IF EXISTS (SELECT FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col AND c.toaster = 'default') THEN
    PERFORM pgtoaster.detach(tbl, col);
  END IF;
  store := pgtoaster.attach(tbl, shadow, toaster, options);
  PERFORM pgtoaster.copy_column_rights(tbl, col, shadow);
  PERFORM pgtoaster.mirror_privileges(store);
  PERFORM pgtoaster.create_migration(store, tbl, col, shadow, false, type);
  PERFORM pgtoaster.create_sync(store, tbl, col, shadow,
                                format(CASE type WHEN 'json' THEN 'CAST(OLD.%1$I AS text) IS DISTINCT FROM CAST(NEW.%1$I AS text)'
                                                 ELSE 'OLD.%1$I IS DISTINCT FROM NEW.%1$I' END, col), CAST(options->>'leading_key' AS name));
END $$;

-- Begins to migrate an attached column back: blobs to bytea, text or oid (NULL: text for a column of text, otherwise
-- bytea); documents to json or text, or (NULL) to plain jsonb, in place, even while they are being split in place.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_back(tbl regclass, col name, type text DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.migration_of(tbl, col);
  a record;
  shadow name := col;
BEGIN
  IF m.store IS NOT NULL AND m.state->>'phase' <> 'done' AND CAST(m.state->>'back' AS boolean) THEN
    RETURN;
  ELSIF m.state->>'source' = m.state->>'target' THEN
    PERFORM pgtoaster.drop_migration(m.store);
  ELSIF m.store IS NOT NULL THEN
    PERFORM pgtoaster.refuse_migration(tbl, col, m.state);
  END IF;
  SELECT c.store, c.toaster, c.options INTO a FROM pgtoaster.attached_column c WHERE c.owner = tbl AND c.column_name = col;
  IF a.store IS NULL OR a.toaster NOT IN ('appendable', 'keyed') THEN
    RAISE EXCEPTION 'column "%" of % is not attached to the toaster "appendable" or "keyed"', col, tbl USING ERRCODE = 'undefined_object';
  END IF;
  type := coalesce(type, CASE WHEN a.toaster = 'keyed' THEN 'jsonb' WHEN CAST(a.options->>'text' AS boolean) THEN 'text' ELSE 'bytea' END);
  IF type <> ALL (CASE a.toaster WHEN 'keyed' THEN ARRAY['jsonb', 'json', 'text'] ELSE ARRAY['bytea', 'text', 'oid'] END) THEN
    RAISE EXCEPTION 'column "%" of % cannot be migrated back to %', col, tbl, type USING ERRCODE = 'datatype_mismatch',
      HINT = 'Blobs can be migrated back to bytea, text or oid, and documents to jsonb, json or text.';
  END IF;
  PERFORM pgtoaster.limit_wait('5s');
  IF type <> 'jsonb' THEN
    PERFORM pgtoaster.refuse_uses(tbl, col);
    shadow := pgtoaster.beside(tbl, col, '_plain');
    EXECUTE format('ALTER TABLE %s ADD COLUMN %I %s', tbl, shadow, type);
    PERFORM pgtoaster.copy_column_rights(tbl, col, shadow);
  END IF;
  IF a.toaster = 'appendable' THEN
    EXECUTE format('CREATE TABLE %s (id bigint PRIMARY KEY, generation bigint NOT NULL, length bigint NOT NULL)', pgtoaster.store_table(a.store, 'copied'));
  ELSIF type <> 'jsonb' THEN
    -- The copying statement sets the shadow itself. Compared as text, because jsonb considers 1.0 and 1.00 equal.
    PERFORM pgtoaster.create_sync(a.store, tbl, col, shadow,
                                  format('CAST(OLD.%2$I AS text) IS NOT DISTINCT FROM CAST(NEW.%2$I AS text) AND CAST(OLD.%1$I AS text) IS DISTINCT FROM CAST(NEW.%1$I AS text)',
                                         col, shadow));
  END IF;
  PERFORM pgtoaster.create_migration(a.store, tbl, col, shadow, true, type);
END $$;

CREATE OR REPLACE FUNCTION pgtoaster.create_migration(store integer, tbl regclass, source name, target name, back boolean, type text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  owner CONSTANT name := (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = tbl);
  part text;
BEGIN
  EXECUTE format('CREATE TABLE %s (source name NOT NULL, target name NOT NULL, back boolean NOT NULL, type text NOT NULL, phase text NOT NULL DEFAULT ''count'', '
                 'pass integer NOT NULL DEFAULT 0, part oid, filenode oid, place tid NOT NULL DEFAULT ''(0,0)'', pass_bytes bigint NOT NULL DEFAULT 0, pass_rows bigint NOT NULL DEFAULT 0, '
                 'rows bigint NOT NULL DEFAULT 0, bytes bigint NOT NULL DEFAULT 0, total_rows bigint NOT NULL DEFAULT 0, total_bytes bigint NOT NULL DEFAULT 0, '
                 'recopied bigint NOT NULL DEFAULT 0, kept name, began_at timestamptz NOT NULL DEFAULT now())', pgtoaster.store_table(store, 'migration'));
  EXECUTE format('INSERT INTO %s (source, target, back, type) VALUES ($1, $2, $3, $4)', pgtoaster.store_table(store, 'migration')) USING source, target, back, type;
  FOREACH part IN ARRAY '{migration,copied}'::text[] LOOP
    IF to_regclass(pgtoaster.store_table(store, part)) IS NOT NULL THEN
      EXECUTE format('ALTER TABLE %s OWNER TO %I', pgtoaster.store_table(store, part), owner);
    END IF;
  END LOOP;
END $$;

-- Returns the expressions of a migration for a row o: whether it is pending, whether it has content to compare, its size
-- in bytes, the SET clause that copies it, and whether the shadow is the same.
CREATE OR REPLACE FUNCTION pgtoaster.migration_terms(store integer, tbl regclass, state jsonb, OUT pending text, OUT filled text, OUT size text, OUT copy text, OUT same text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  src CONSTANT text := 'o.' || quote_ident(state->>'source');
  dst CONSTANT text := 'o.' || quote_ident(state->>'target');
  type CONSTANT text := state->>'type';
  keyed CONSTANT boolean := pgtoaster.holds_documents(store);
  lead CONSTANT name := pgtoaster.leading_key_column(tbl, store);
  lead_text CONSTANT text := concat('CAST(', CASE WHEN lead IS NULL THEN 'NULL' ELSE 'o.' || quote_ident(lead) END, ' AS text)');
  length CONSTANT text := 'h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0)';
BEGIN
  IF NOT CAST(state->>'back' AS boolean) AND src = dst THEN
    -- Nothing is copied.
    pending := 'false';
    filled := concat(src, ' IS NOT NULL');
    size := concat('pg_column_size(', src, ')');
  ELSIF NOT CAST(state->>'back' AS boolean) THEN
    pending := concat(src, ' IS NOT NULL AND ', dst, ' IS NULL');
    filled := concat(src, ' IS NOT NULL');
    size := CASE type WHEN 'oid' THEN concat('pgtoaster.object_length(', src, ')') WHEN 'json' THEN concat('pg_column_size(', src, ')') ELSE concat('octet_length(', src, ')') END;
    IF keyed THEN
      copy := 'pgtoaster.plain_document(CAST({old} AS jsonb))';
      same := 'CAST({old} AS jsonb) = {new}';
    ELSE
      copy := format(CASE type WHEN 'oid' THEN 'pgtoaster.fill_blob(%s, {lead}, NULL, {old})' WHEN 'bytea' THEN 'pgtoaster.fill_blob(%s, {lead}, {old})'
                               ELSE 'pgtoaster.fill_blob(%s, {lead}, convert_to({old}, ''UTF8''))' END, store);
      same := format(CASE type WHEN 'oid' THEN 'pgtoaster.same_content(%s, {lead}, {new}, NULL, {old})' WHEN 'bytea' THEN 'pgtoaster.same_content(%s, {lead}, {new}, {old})'
                               ELSE 'pgtoaster.same_content(%s, {lead}, {new}, convert_to({old}, ''UTF8''))' END, store);
    END IF;
  ELSIF keyed THEN
    pending := concat('pgtoaster.document_id(', src, ') IS NOT NULL');
    filled := pending;
    size := concat('pg_column_size(', src, ') + coalesce((SELECT sum(n.bytes) FROM ', pgtoaster.store_table(store, 'node'), ' n WHERE n.doc = pgtoaster.document_id(', src, ') AND n.kids IS NULL), 0)');
    copy := 'pgtoaster.expand({old})';
    IF src <> dst THEN
      -- A plain document changes only with its row, so the document is made plain first.
      pending := concat(src, ' IS NOT NULL AND (', dst, ' IS NULL OR ', pending, ')');
      filled := concat(src, ' IS NOT NULL');
      copy := format('(SELECT e.whole, CAST(e.whole AS %s) FROM (SELECT pgtoaster.expand({old}) AS whole OFFSET 0) e)', type);
      same := 'pgtoaster.document_id({old}) IS NULL AND CAST({new} AS text) = CAST({old} AS text)';
    END IF;
  ELSE
    pending := concat('(', src, ' IS NULL) <> (', dst, ' IS NULL) OR ', src, ' IS NOT NULL AND NOT EXISTS (SELECT FROM ', pgtoaster.store_table(store, 'head'), ' h JOIN ',
                      pgtoaster.store_table(store, 'copied'), ' c ON c.id = h.id AND c.generation = h.generation AND c.length = ', length, ' WHERE h.id = ', src,
                      CASE WHEN lead IS NOT NULL THEN concat(' AND h.leading_key = o.', quote_ident(lead)) END, ')');
    filled := concat(src, ' IS NOT NULL');
    size := concat('coalesce((SELECT ', length, ' FROM ', pgtoaster.store_table(store, 'head'), ' h WHERE h.id = ', src,
                   CASE WHEN lead IS NOT NULL THEN concat(' AND h.leading_key = o.', quote_ident(lead)) END, '), 0)');
    -- Note the version first: the copied content is that version or a later one.
    copy := format(CASE type WHEN 'oid' THEN 'CASE WHEN {old} IS NULL THEN pgtoaster.no_object({new}) ELSE pgtoaster.fill_object(%1$s, {lead}, pgtoaster.note_version(%1$s, {lead}, {old}), {new}) END'
                             WHEN 'text' THEN 'CASE WHEN {old} IS NOT NULL THEN convert_from(pgtoaster.whole_blob(%1$s, {lead}, pgtoaster.note_version(%1$s, {lead}, {old})), ''UTF8'') END'
                             ELSE 'CASE WHEN {old} IS NOT NULL THEN pgtoaster.whole_blob(%1$s, {lead}, pgtoaster.note_version(%1$s, {lead}, {old})) END' END, store);
    same := format(CASE type WHEN 'oid' THEN 'pgtoaster.same_content(%s, {lead}, {old}, NULL, {new})' WHEN 'text' THEN 'pgtoaster.same_content(%s, {lead}, {old}, convert_to({new}, ''UTF8''))'
                             ELSE 'pgtoaster.same_content(%s, {lead}, {old}, {new})' END, store);
  END IF;
  -- Insert the leading key, the old column and the new one.
  copy := concat(CASE WHEN copy LIKE '(SELECT e.whole,%' THEN format('(%I, %I)', state->>'source', state->>'target') ELSE quote_ident(state->>'target') END, ' = ',
                 replace(replace(replace(copy, '{lead}', lead_text), '{old}', src), '{new}', dst));
  same := replace(replace(replace(same, '{lead}', lead_text), '{old}', src), '{new}', dst);
END $$;

-- Rejects a document that would be taken for a split one; the triggers that check this may be disabled.
CREATE OR REPLACE FUNCTION pgtoaster.plain_document(document jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF jsonb_typeof(document) = 'object' AND document ? '$pgtoaster' THEN
    RAISE EXCEPTION 'a document is refused: its root key "$pgtoaster" is reserved' USING ERRCODE = 'check_violation',
      HINT = 'Rename the key in the documents that have it, and continue.';
  END IF;
  RETURN document;
END $$;

-- Deletes the large object of an earlier copy whose content is gone.
CREATE OR REPLACE FUNCTION pgtoaster.no_object(old oid) RETURNS oid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$ BEGIN IF old IS NOT NULL THEN PERFORM lo_unlink(old); END IF; RETURN NULL; END $$;

-- Notes the version of a blob that is being copied; returns its handle. Takes no lock, with which writers of blobs could
-- wait for each other's rows: later writes make the row pending again.
CREATE OR REPLACE FUNCTION pgtoaster.note_version(store integer, lead text, blob bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  EXECUTE format('INSERT INTO %s AS c (id, generation, length) SELECT h.id, h.generation, h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0) FROM %s h WHERE h.id = $1 '
                 'ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, length = excluded.length',
                 pgtoaster.store_table(store, 'copied'), pgtoaster.store_table(store, 'head')) USING blob;
  RETURN blob;
END $$;

-- Copies or compares the rows of a table from a place on, up to a number of bytes. Returns the place at which it ended,
-- NULL at the end of the table. It waits for a locked row only before it has locked a row itself, so that it causes no
-- deadlock. At the next locked row it returns.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_rows(store integer, tbl regclass, state jsonb, leaf regclass, at tid, compare boolean, most bigint,
  OUT place tid, OUT rows bigint, OUT bytes bigint, OUT differed bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  t record := pgtoaster.migration_terms(store, tbl, state);
  which CONSTANT text := CASE WHEN compare THEN t.filled ELSE t.pending END;
  read CONSTANT text := concat('/* pgtoaster */ SELECT o.ctid AS place, (', t.pending, ') AS pending FROM ONLY ', leaf, ' o WHERE o.ctid = $1 AND (', which, ') FOR NO KEY UPDATE');
  again CONSTANT text := concat('/* pgtoaster */ SELECT (', t.pending, ') FROM ONLY ', leaf, ' o WHERE o.ctid = $1');
  found record;
  r record;
  touched boolean := false;
  same boolean;
  pending boolean;
BEGIN
  rows := 0;
  bytes := 0;
  differed := 0;
  FOR found IN EXECUTE concat('SELECT o.ctid AS place, CAST(', t.size, ' AS bigint) AS size FROM ONLY ', leaf, ' o WHERE o.ctid > $1 AND (', which, ')') USING at LOOP
    EXECUTE read || ' SKIP LOCKED' INTO r USING found.place;
    IF r.place IS NULL THEN
      IF touched THEN
        RETURN;
      END IF;
      EXECUTE read INTO r USING found.place;
    END IF;
    place := found.place;
    -- A row that was changed meanwhile has a new place, and is found there or in the last search.
    CONTINUE WHEN r.place IS NULL;
    touched := true;
    same := false;
    IF compare AND NOT r.pending THEN
      EXECUTE concat('/* pgtoaster */ SELECT ', t.same, ' FROM ONLY ', leaf, ' o WHERE o.ctid = $1') INTO same USING r.place;
      IF NOT same THEN
        -- A blob may have changed during the comparison: locking its row does not prevent that.
        EXECUTE again INTO pending USING r.place;
        differed := differed + CASE WHEN pending THEN 0 ELSE 1 END;
      END IF;
    END IF;
    IF NOT same THEN
      EXECUTE concat('/* pgtoaster */ UPDATE ONLY ', leaf, ' o SET ', t.copy, ' WHERE o.ctid = $1') USING r.place;
    END IF;
    rows := rows + 1;
    bytes := bytes + found.size;
    IF bytes >= most OR rows >= 10000 THEN
      RETURN;
    END IF;
  END LOOP;
  place := NULL;
END $$;

-- Does the next part of a migration, about most bytes (a single value may be larger), and returns the progress. The phases
-- are count, copy, compare, split, again (for documents that changed while others were split), and ready, when a pass over
-- the table has found little to do.
-- Further steps copy later changes, and return to the phase again if there are more than fit into one step. rows and
-- bytes: done in this phase, of total_rows and total_bytes. recopied: rows that were found to differ and copied again. For
-- documents it skips the phase split, which is the client's task. Only one session may call it at a time.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_step(tbl regclass, col name, most bigint DEFAULT 8388608,
  OUT phase text, OUT rows bigint, OUT bytes bigint, OUT total_rows bigint, OUT total_bytes bigint, OUT recopied bigint, OUT step_bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  own CONSTANT text := pgtoaster.store_table(m.store, 'migration');
  s record;
  leaf regclass;
  done record;
BEGIN
  BEGIN
    EXECUTE format('SELECT * FROM %s FOR UPDATE NOWAIT', own) INTO s;
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'another session migrates column "%" of %: %', col, tbl, pgtoaster.lock_holders(own) USING ERRCODE = 'lock_not_available',
      HINT = 'Wait for it. If its client is gone, SELECT pg_terminate_backend(pid) ends it; then resume.';
  END;
  IF s.phase = 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%L, %L) drops what it kept.', tbl, col);
  END IF;
  PERFORM pgtoaster.quiet_triggers(m.store, s.back);
  step_bytes := 0;
  IF s.phase = 'count' THEN
    EXECUTE concat('SELECT count(*), coalesce(sum(', (pgtoaster.migration_terms(m.store, tbl, m.state)).size, '), 0) FROM ', tbl, ' o WHERE ', (pgtoaster.migration_terms(m.store, tbl, m.state)).filled)
      INTO s.total_rows, s.total_bytes;
    s.phase := CASE WHEN s.source = s.target AND NOT s.back THEN 'split' ELSE 'copy' END;
  ELSIF s.phase = 'split' THEN
    RAISE NOTICE 'documents of column "%" of % stay whole until they are written by the library, or compacted', col, tbl;
    s.phase := 'ready';
  ELSE
    SELECT l INTO leaf FROM pgtoaster.leaves_of(tbl) l WHERE l::oid >= coalesce(s.part, 0) ORDER BY l::oid LIMIT 1;
    IF leaf::oid IS DISTINCT FROM s.part OR pg_relation_filenode(leaf) IS DISTINCT FROM s.filenode THEN
      -- The next table, or one that was rewritten: its rows have new places.
      s.part := leaf;
      s.filenode := pg_relation_filenode(leaf);
      s.place := '(0,0)';
    END IF;
    IF leaf IS NOT NULL THEN
      done := pgtoaster.migrate_rows(m.store, tbl, m.state, leaf, s.place, s.phase = 'compare', most);
      s.rows := s.rows + done.rows;
      s.bytes := s.bytes + done.bytes;
      s.pass_rows := s.pass_rows + done.rows;
      s.pass_bytes := s.pass_bytes + done.bytes;
      s.recopied := s.recopied + done.differed;
      step_bytes := done.bytes;
      s.place := coalesce(done.place, s.place);
      IF done.place IS NULL THEN
        s.part := (SELECT min(l::oid) FROM pgtoaster.leaves_of(tbl) l WHERE l::oid > leaf::oid);
        leaf := s.part;
      END IF;
    END IF;
    IF leaf IS NULL THEN
      -- The end of a pass. Content that is copied in place needs no comparison.
      s.part := NULL;
      IF s.phase = 'compare' AND NOT s.back AND pgtoaster.holds_documents(m.store) THEN
        s.phase := 'split';
        s.rows := 0;
        s.bytes := 0;
      ELSIF s.phase = 'compare' OR s.phase = 'copy' AND s.source = s.target AND s.pass_rows < 1000 THEN
        s.phase := 'ready';
      ELSIF s.phase = 'copy' AND (s.pass_rows < 1000 AND s.pass_bytes < 67108864 OR s.pass >= 9) THEN
        s.phase := 'compare';
        s.rows := 0;
        s.bytes := 0;
      ELSIF s.phase = 'again' AND (s.pass_rows < 1000 AND s.pass_bytes < 67108864 OR s.pass >= 20) THEN
        s.phase := 'ready';
      END IF;
      s.pass := s.pass + 1;
      s.pass_rows := 0;
      s.pass_bytes := 0;
      s.filenode := NULL;
    ELSIF s.phase = 'ready' THEN
      -- More has changed since the phase ready than one step copies; do not leave the rest for the lock of migrate_finish.
      s.phase := 'again';
    END IF;
  END IF;
  EXECUTE format('UPDATE %s SET phase = $1, pass = $2, part = $3, filenode = $4, place = $5, pass_rows = $6, pass_bytes = $7, rows = $8, bytes = $9, total_rows = $10, '
                 'total_bytes = $11, recopied = $12', own)
    USING s.phase, s.pass, s.part, s.filenode, s.place, s.pass_rows, s.pass_bytes, s.rows, s.bytes, s.total_rows, s.total_bytes, s.recopied;
  phase := s.phase;
  rows := s.rows;
  bytes := s.bytes;
  total_rows := s.total_rows;
  total_bytes := s.total_bytes;
  recopied := s.recopied;
END $$;

-- Returns, for a migration in the phase split, the keys of the next documents that a client must split, about most bytes
-- of them, the column that contains them, and the value to pass to migrate_split; no row in any other phase. A client that
-- is interrupted in between processes the same documents again, which changes nothing.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_documents(tbl regclass, col name, most bigint DEFAULT 8388608)
RETURNS TABLE (target name, keys text[], done jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  s record;
  budget CONSTANT integer := (SELECT CAST(t.options->>'row_budget' AS integer) FROM pgtoaster.store t WHERE t.id = m.store);
  key CONSTANT text := (SELECT string_agg(format('CAST(o.%I AS text)', c), ', ' ORDER BY n) FROM pgtoaster.owner_key(tbl, m.store) k, unnest(k.columns) WITH ORDINALITY u(c, n));
  leaf regclass;
  found record;
  rows bigint := 0;
  bytes bigint := 0;
BEGIN
  SELECT * INTO s FROM jsonb_to_record(m.state) x(phase text, source name, target name, part oid, filenode oid, place tid);
  IF s.phase <> 'split' THEN
    RETURN;
  END IF;
  target := s.target;
  keys := '{}';
  FOR leaf IN SELECT l FROM pgtoaster.leaves_of(tbl) l WHERE l::oid >= coalesce(s.part, 0) ORDER BY l::oid LOOP
    IF leaf::oid IS DISTINCT FROM s.part OR pg_relation_filenode(leaf) IS DISTINCT FROM s.filenode THEN
      s.part := leaf;
      s.filenode := pg_relation_filenode(leaf);
      s.place := '(0,0)';
    END IF;
    FOR found IN EXECUTE format('/* pgtoaster */ SELECT o.ctid AS place, pg_column_size(o.%1$I) AS size, ARRAY[%3$s] AS key, '
                                'pgtoaster.document_id(o.%1$I) IS NULL AND (pg_column_compression(o.%1$I) IS NOT NULL OR pg_column_size(o.%1$I) > %4$s) AS large '
                                'FROM ONLY %2$s o WHERE o.ctid > $1 AND o.%1$I IS NOT NULL', target, leaf, key, budget - 24) USING s.place LOOP
      IF found.large THEN
        keys := keys || ARRAY[found.key];
      END IF;
      s.place := found.place;
      rows := rows + 1;
      bytes := bytes + found.size;
      IF bytes >= most OR rows >= 100000 OR cardinality(keys) >= 1000 THEN
        done := to_jsonb(s) || jsonb_build_object('rows', rows, 'bytes', bytes);
        RETURN NEXT;
        RETURN;
      END IF;
    END LOOP;
  END LOOP;
  done := jsonb_build_object('rows', rows, 'bytes', bytes, 'phase', CASE WHEN s.source = s.target THEN 'ready' ELSE 'again' END, 'place', '(0,0)');
  RETURN NEXT;
END $$;

-- Notes that the documents of a call of migrate_documents are split; returns the same as migrate_step.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_split(tbl regclass, col name, done jsonb,
  OUT phase text, OUT rows bigint, OUT bytes bigint, OUT total_rows bigint, OUT total_bytes bigint, OUT recopied bigint, OUT step_bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
BEGIN
  step_bytes := CAST(done->>'bytes' AS bigint);
  EXECUTE format('UPDATE %s m SET phase = d.phase, part = d.part, filenode = d.filenode, place = d.place, rows = m.rows + d.rows, bytes = m.bytes + d.bytes '
                 'FROM jsonb_to_record($1) d(phase text, part oid, filenode oid, place tid, rows bigint, bytes bigint) WHERE m.phase = ''split'' '
                 'RETURNING m.phase, m.rows, m.bytes, m.total_rows, m.total_bytes, m.recopied', pgtoaster.store_table(m.store, 'migration'))
    INTO phase, rows, bytes, total_rows, total_bytes, recopied USING done;
  IF phase IS NULL THEN
    RAISE EXCEPTION 'the documents of column "%" of % are not being split', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Another session has continued it: see the phase that pgtoaster.migrate_step returns.';
  END IF;
END $$;

-- Returns the sessions that have locked a table, with the details that the role may see.
CREATE OR REPLACE FUNCTION pgtoaster.lock_holders(locked text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(string_agg(concat('pid ', h.pid, ' of role ' || a.usename, ', in a transaction since ' || date_trunc('second', a.xact_start)), '; ' ORDER BY h.pid),
                  'one that has ended by now')
  FROM (SELECT DISTINCT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
        WHERE l.relation = to_regclass(locked) AND l.granted AND l.pid <> pg_backend_pid()) h
  LEFT JOIN pg_stat_activity a ON a.pid = h.pid
$$;

-- Locks the table of a migration; waits for the given time, and then raises an error with the sessions that use the table.
CREATE OR REPLACE FUNCTION pgtoaster.lock_to_migrate(tbl regclass, col name, most text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM pgtoaster.limit_wait(most);
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tbl);
EXCEPTION WHEN lock_not_available THEN
  RAISE EXCEPTION 'the migration of column "%" of % cannot continue while other sessions use the table: %', col, tbl, pgtoaster.lock_holders(tbl::text)
    USING ERRCODE = 'lock_not_available',
          HINT = 'Nothing was changed. Call it again when they have ended their transactions, or end them: SELECT pg_terminate_backend(pid).';
END $$;

-- Disables triggers of the table for the copy, if the role may do so: users see no change of the rows. Documents that are
-- migrated back need our triggers.
CREATE OR REPLACE FUNCTION pgtoaster.quiet_triggers(store integer, back boolean) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF back AND pgtoaster.holds_documents(store)
     OR NOT has_parameter_privilege('session_replication_role', 'SET') THEN
    RETURN false;
  END IF;
  PERFORM set_config('session_replication_role', 'replica', true);
  RETURN true;
END $$;

-- Exchanges the columns: copies and compares the rows that are still pending under a lock of the table, for which it waits
-- two seconds. The old column is then named <column>_before. Documents that were migrated back are detached.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_finish(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  own CONSTANT text := pgtoaster.store_table(m.store, 'migration');
  kept name;
  leaf regclass;
  done record;
  quiet boolean;
  role_was CONSTANT text := current_setting('session_replication_role');
  s record;
BEGIN
  EXECUTE format('SELECT * FROM %s FOR UPDATE', own) INTO s;
  IF s.phase <> 'ready' THEN
    RAISE EXCEPTION 'column "%" of % is not ready: phase %', col, tbl, s.phase USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Call pgtoaster.migrate_step in separate transactions until its phase is ready.';
  END IF;
  IF s.source = s.target AND NOT s.back THEN
    EXECUTE format('DROP TABLE %s', own);
    RETURN;
  END IF;
  PERFORM pgtoaster.require_read_committed();
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '2s');
  IF s.source = s.target THEN
    EXECUTE format('DROP TABLE %s', own);
    PERFORM pgtoaster.detach(tbl, col);
    RETURN;
  END IF;
  kept := pgtoaster.beside(tbl, col, '_before');
  quiet := pgtoaster.quiet_triggers(m.store, s.back);
  FOR leaf IN SELECT l FROM pgtoaster.leaves_of(tbl) l LOOP
    s.place := '(0,0)';
    WHILE s.place IS NOT NULL LOOP
      SELECT r.* INTO done FROM pgtoaster.migrate_rows(m.store, tbl, m.state, leaf, s.place, false, 9223372036854775807) r;
      s.place := done.place;
    END LOOP;
  END LOOP;
  IF quiet THEN
    PERFORM set_config('session_replication_role', role_was, true);
  END IF;
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', pgtoaster.trigger_name(m.store, 'sync'), tbl);
  EXECUTE format('DROP FUNCTION IF EXISTS %s()', pgtoaster.store_table(m.store, 'sync'));
  EXECUTE format('ALTER TABLE %s RENAME COLUMN %I TO %I', tbl, col, kept);
  EXECUTE format('ALTER TABLE %s RENAME COLUMN %I TO %I', tbl, s.target, col);
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL, ALTER COLUMN %I DROP DEFAULT', tbl, kept, kept);
  INSERT INTO pgtoaster.catalog_change (what, store, column_name) VALUES ('set', m.store, CASE WHEN s.back THEN kept ELSE col END);
  EXECUTE format('UPDATE %s SET phase = ''done'', kept = $1', own) USING kept;
  PERFORM pgtoaster.mirror_privileges(m.store);
END $$;

-- Undoes a migration that has begun and is not finished; the old column was never changed. Large objects created by a
-- migration back stay without a reference: vacuumlo removes such objects.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_abort(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
BEGIN
  IF m.state->>'phase' = 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%1$L, %2$L) drops what it kept; then pgtoaster.migrate_back(%1$L, %2$L) leads back.', tbl, col);
  END IF;
  IF NOT CAST(m.state->>'back' AS boolean) AND m.state->>'source' = m.state->>'target' THEN
    RAISE EXCEPTION 'documents of column "%" of % are being split in place', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_back(%L, %L) turns around ("pgtoaster migrate --back").', tbl, col);
  END IF;
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF NOT CAST(m.state->>'back' AS boolean) THEN
    PERFORM pgtoaster.detach(tbl, CAST(m.state->>'target' AS name), true);
  END IF;
  EXECUTE format('DROP TRIGGER IF EXISTS %I ON %s', pgtoaster.trigger_name(m.store, 'sync'), tbl);
  IF m.state->>'source' <> m.state->>'target' THEN
    EXECUTE format('ALTER TABLE %s DROP COLUMN %I', tbl, m.state->>'target');
  END IF;
  PERFORM pgtoaster.drop_migration(m.store);
END $$;

-- Drops the old column, which a finished migration has kept.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_drop(tbl regclass, col name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.migration_of(tbl, col);
BEGIN
  IF m.store IS NULL THEN
    RAISE EXCEPTION 'no old column is kept from a migration of column "%" of %', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Documents are split, and become plain again, in place, so nothing needs to be dropped.';
  ELSIF m.state->>'phase' <> 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is not finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Finish it, or pgtoaster.migrate_abort.';
  END IF;
  PERFORM pgtoaster.lock_to_migrate(tbl, col, '5s');
  IF CAST(m.state->>'back' AS boolean) THEN
    PERFORM pgtoaster.detach(tbl, CAST(m.state->>'kept' AS name), true);
  END IF;
  EXECUTE format('ALTER TABLE %s DROP COLUMN IF EXISTS %I', tbl, m.state->>'kept');
  PERFORM pgtoaster.drop_migration(m.store);
END $$;

-- Drops the objects of a migration that the toaster does not know; also called when the column is detached or dropped.
CREATE OR REPLACE FUNCTION pgtoaster.drop_migration(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  part text;
BEGIN
  FOREACH part IN ARRAY ARRAY['migration', 'copied'] LOOP
    IF to_regclass(pgtoaster.store_table(store, part)) IS NOT NULL THEN
      EXECUTE format('DROP TABLE %s', pgtoaster.store_table(store, part));
    END IF;
  END LOOP;
  IF to_regprocedure(pgtoaster.store_table(store, 'sync') || '()') IS NOT NULL THEN
    EXECUTE format('DROP FUNCTION %s()', pgtoaster.store_table(store, 'sync'));
  END IF;
END $$;

-- Returns the large objects that no column of type oid, or lo, in a table of this database refers to.
CREATE OR REPLACE FUNCTION pgtoaster.orphaned_objects() RETURNS SETOF oid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  named text;
BEGIN
  SELECT string_agg(format('SELECT CAST(o.%I AS oid) FROM ONLY %s o WHERE o.%1$I IS NOT NULL', a.attname, c.oid::regclass), ' UNION ALL ') INTO named
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid
  WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    AND c.relname !~ '^store_[0-9]+_' AND (t.oid = 'oid'::regtype OR t.typname = 'lo');
  RETURN QUERY EXECUTE 'SELECT m.oid FROM pg_largeobject_metadata m' || coalesce(' WHERE m.oid NOT IN (' || named || ')', '');
END $$;

-- Returns the expression for the number of bytes of a value of a type.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_size(type oid, content text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT concat(CASE WHEN type = 'oid'::regtype THEN 'pgtoaster.object_length(' WHEN type IN ('bytea'::regtype, 'text'::regtype, 'varchar'::regtype) THEN 'octet_length('
                     ELSE 'pg_column_size(' END, content, ')')
$$;

-- Creates a table pgtoaster_sample next to another, with up to a number of bytes of the content of a column in its column
-- "content". The caller rolls back, so that no other session ever sees the table.
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
  EXECUTE format('CREATE TABLE %I.pgtoaster_sample (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, content %s)', schema, format_type(type, NULL));
  EXECUTE format('WITH i AS (INSERT INTO %I.pgtoaster_sample (content) SELECT s.content FROM (SELECT %s AS content, sum(%s) OVER (ROWS UNBOUNDED PRECEDING) - %s AS before '
                 'FROM (SELECT * FROM %s o WHERE %s IS NOT NULL LIMIT 20000) o) s WHERE s.before < $1 RETURNING content) SELECT coalesce(sum(%s), 0) FROM i o',
                 schema, content, size, size, tbl, content, pgtoaster.migrate_size(type, 'o.content')) INTO bytes USING most;
END $$;

-- Returns what a migration would do, without a change: rows and bytes to copy, the additional disk space, the seconds
-- without a speed limit (measured on a sample of up to 16 MB that is copied and rolled back), and notes to read before.
-- seconds: NULL for documents to be split, which the client does and measures. For an attached column it describes the
-- migration back, with seconds 0.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_plan(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}',
  OUT rows bigint, OUT bytes bigint, OUT disk bigint, OUT seconds double precision, OUT notes text[])
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a CONSTANT pg_attribute := (SELECT x FROM pg_attribute x WHERE x.attrelid = tbl AND x.attname = col AND x.attnum > 0 AND NOT x.attisdropped);
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
  EXECUTE concat('SELECT count(', column_of, '), coalesce(sum(', CASE WHEN attached.toaster = 'appendable' THEN concat('pgtoaster.blob_length(', column_of, ')') ELSE pgtoaster.migrate_size(a.atttypid, column_of) END, '), 0) FROM ', tbl, ' o') INTO rows, bytes;
  IF attached.toaster = 'keyed' THEN
    EXECUTE format('SELECT $1 + coalesce(sum(greatest(n.bytes, 0)), 0) FROM %s n', pgtoaster.store_table(attached.store, 'node')) INTO bytes USING bytes;
  END IF;
  IF attached.store IS NOT NULL THEN
    seconds := 0;
  ELSIF NOT documents THEN
    BEGIN
      sampled := pgtoaster.migrate_sample(tbl, col, 16777216);
      PERFORM pgtoaster.migrate_begin(format('%I.pgtoaster_sample', sampled.schema)::regclass, 'content', toaster, options - 'key' - 'leading_key');
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
  notes := notes || ARRAY(SELECT format('%s "%s" uses the column: %s', u.kind, u.name, CASE WHEN u.kind IN ('index', 'statistics') THEN 'it stays with the old column'
                                                                                            ELSE 'drop it before the migration, and create it again afterwards' END)
                          FROM pgtoaster.column_uses(tbl, col) u WHERE a.atttypid <> 'jsonb'::regtype);
  IF a.attnotnull AND a.atttypid <> 'jsonb'::regtype THEN
    notes := notes || CASE WHEN documents THEN 'NOT NULL is dropped' ELSE 'NOT NULL is dropped: a new row of blobs gets its content with the first append' END;
  END IF;
  IF a.atthasdef AND a.atttypid <> 'jsonb'::regtype THEN
    notes := notes || 'the default goes'::text;
  END IF;
  IF NOT has_parameter_privilege('session_replication_role', 'SET') AND EXISTS (
       SELECT FROM pg_trigger t WHERE t.tgrelid = tbl AND NOT t.tgisinternal AND t.tgtype & 17 = 17 AND t.tgname !~ '^~?pgtoaster_[0-9]+_') THEN
    notes := notes || 'triggers of the table fire for each row that is copied: GRANT SET ON PARAMETER session_replication_role prevents that'::text;
  END IF;
  IF a.atttypid = 'oid'::regtype THEN
    BEGIN
      notes := notes || ARRAY(SELECT format('%s large objects are not referenced by any column: pgtoaster.orphaned_objects() lists them', count(*))
                              FROM pgtoaster.orphaned_objects() HAVING count(*) > 0);
    EXCEPTION WHEN insufficient_privilege THEN
      -- The references in tables of other owners cannot be read.
      notes := notes || concat('large objects that no column references are not counted: ', SQLERRM);
    END;
    notes := notes || 'writes to a large object that do not change its row are copied only until it is compared'::text;
  END IF;
END $$;

-- Returns the lag of the slowest streaming standby or logical slot, in bytes of WAL written by this server, and its
-- name; NULL without standbys and slots. A slot without a reader counts: the WAL that it keeps fills the disk.
CREATE OR REPLACE FUNCTION pgtoaster.replication_lag(OUT bytes bigint, OUT who text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  IF NOT pg_has_role('pg_read_all_stats', 'USAGE') THEN
    RAISE EXCEPTION 'role "%" may not see the lag of standbys', current_user USING ERRCODE = 'insufficient_privilege',
      HINT = format('GRANT pg_monitor TO %I, or migrate without a limit of the lag.', current_user);
  END IF;
  SELECT l.bytes, l.who INTO bytes, who FROM (
    SELECT CAST(pg_current_wal_lsn() - coalesce(r.replay_lsn, r.flush_lsn, r.write_lsn, r.sent_lsn) AS bigint) AS bytes,
           concat('standby "', r.application_name, '"', ' at ' || host(r.client_addr)) AS who
    FROM pg_stat_replication r WHERE r.state IN ('catchup', 'streaming') AND NOT EXISTS (SELECT FROM pg_replication_slots s WHERE s.active_pid = r.pid AND s.slot_type = 'logical')
    UNION ALL
    SELECT CAST(pg_current_wal_lsn() - s.confirmed_flush_lsn AS bigint), concat('logical slot "', s.slot_name, '"', CASE WHEN NOT s.active THEN ', which nobody reads' END)
    FROM pg_replication_slots s WHERE s.slot_type = 'logical' AND s.wal_status <> 'lost') l
  WHERE l.bytes IS NOT NULL ORDER BY l.bytes DESC LIMIT 1;
END $$;

-- Runs a whole migration in separate transactions; CALL it outside of a transaction. Begins the migration, or resumes
-- an interrupted one; copies, compares, and exchanges the columns. mb_per_second: the limit in megabytes per second.
-- max_lag_mb: waits between two steps while the lag of a standby or logical slot is larger than this, in megabytes of
-- WAL. NULL: no limit.
CREATE OR REPLACE PROCEDURE pgtoaster.migrate(tbl regclass, col name, toaster text DEFAULT NULL, options jsonb DEFAULT '{}', mb_per_second double precision DEFAULT NULL, back boolean DEFAULT false,
  max_lag_mb double precision DEFAULT NULL)
LANGUAGE plpgsql
AS $$
DECLARE
  s pg_catalog.record;
  lag pg_catalog.record;
  began pg_catalog.timestamptz;
  waits pg_catalog.text;
BEGIN
  IF max_lag_mb IS NOT NULL THEN
    PERFORM pgtoaster.replication_lag();
  END IF;
  IF back THEN
    PERFORM pgtoaster.migrate_back(tbl, col, toaster);
  ELSE
    PERFORM pgtoaster.migrate_begin(tbl, col, toaster, options);
  END IF;
  COMMIT;
  LOOP
    began := pg_catalog.clock_timestamp();
    s := pgtoaster.migrate_step(tbl, col);
    COMMIT;
    EXIT WHEN s.phase OPERATOR(pg_catalog.=) 'ready';
    PERFORM pg_catalog.pg_sleep(greatest(0, s.step_bytes OPERATOR(pg_catalog./) (mb_per_second OPERATOR(pg_catalog.*) 1000000.0)
                                            OPERATOR(pg_catalog.-) CAST(EXTRACT(epoch FROM pg_catalog.clock_timestamp() OPERATOR(pg_catalog.-) began) AS double precision)))
      WHERE mb_per_second IS NOT NULL;
    LOOP
      EXIT WHEN max_lag_mb IS NULL;
      lag := pgtoaster.replication_lag();
      EXIT WHEN lag.bytes IS NULL OR lag.bytes OPERATOR(pg_catalog.<=) (max_lag_mb OPERATOR(pg_catalog.*) 1000000.0);
      IF waits IS NULL OR waits OPERATOR(pg_catalog.<>) lag.who THEN
        waits := lag.who;
        RAISE NOTICE 'waits for %, % MB behind', lag.who, lag.bytes OPERATOR(pg_catalog./) 1000000;
      END IF;
      COMMIT;
      PERFORM pg_catalog.pg_sleep(0.2);
    END LOOP;
    waits := NULL;
  END LOOP;
  PERFORM pgtoaster.migrate_finish(tbl, col);
END $$;
