-- Status of every attached column: sizes, dead share, options, drift and warnings.

-- Returns whether the role may plan queries of a store without running another role's code: planning runs the expressions
-- of the indexes of its tables. An owner that already has the rights of the role, such as a superuser, gains nothing by
-- that.
CREATE OR REPLACE FUNCTION pgtoaster.can_count_store(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(pg_has_role(c.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')), false)
  FROM unnest(pgtoaster.store_parts($1)) p(part) JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table($1, p.part))
$$;

CREATE OR REPLACE FUNCTION pgtoaster.store_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := CAST('{}' AS text[]);
  own text[];
  routine regproc;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = store_warnings.store;
  IF a.table_name IS NULL THEN
    RETURN ARRAY[format('the table of the column %s was dropped; gc deletes its content', a.column_name)];
  END IF;
  IF NOT a.column_exists THEN
    RETURN ARRAY['the column was dropped; gc deletes its content'];
  END IF;
  IF a.key_index IS NOT NULL AND NOT EXISTS (
      SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = a.owner AND c.relname = a.key_index) THEN
    w := w || format(
      'the key index %I does not exist: INSERT INTO pgtoaster.catalog_change (what, store, key_index) VALUES (''set'', %s, ...)',
      a.key_index, a.store);
  END IF;
  IF pgtoaster.store_parts(a.store) <> '{}' THEN
    w := w || pgtoaster.table_warnings(a.store);
  END IF;
  routine := pgtoaster.toaster_routine(a.toaster, 'warnings');
  IF routine IS NOT NULL THEN
    EXECUTE format('SELECT %s($1)', routine) INTO own USING a.store;
  END IF;
  RETURN w || own;
END $$;

-- Returns the warnings that apply to the tables of any store.
CREATE OR REPLACE FUNCTION pgtoaster.table_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := CAST('{}' AS text[]);
  compression text;
  content regclass;
  part text;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = table_warnings.store;
  SELECT pgtoaster.store_table(a.store, t.content[1]) INTO content FROM pgtoaster.toaster t WHERE t.name = a.toaster;
  FOREACH part IN ARRAY pgtoaster.owner_triggers(a.store) LOOP
    IF NOT EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = a.owner
                   AND t.tgname = pgtoaster.trigger_name(a.store, part) AND t.tgenabled <> 'D') THEN
      w := w || format('trigger %s is missing or disabled: %s', pgtoaster.trigger_name(a.store, part),
                        CASE part WHEN 'edit' THEN 'edits by pgtoaster.set and similar functions are not performed'
                                  ELSE 'removed rows leave their content to gc' END);
    END IF;
  END LOOP;
  IF EXISTS (SELECT FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhparent WHERE c.oid = a.owner AND c.relkind = 'r') THEN
    w := w
      || 'other tables inherit from the table and do not have its triggers: their rows cannot keep content, '
         'and row security hides it from them'::text;
  END IF;
  IF EXISTS (SELECT FROM pgtoaster.unwatched_truncate(a.store) t WHERE t <> a.owner) THEN
    w := w || format('TRUNCATE of a partition leaves its content to gc: SELECT pgtoaster.watch_truncate(%s)', a.store);
  END IF;
  IF pgtoaster.numbers_behind(a.store) THEN
    w := w || format('the next numbers of content are already in use, as after a logical switch-over: SELECT pgtoaster.advance_numbers(%s)',
                     a.store);
  END IF;
  IF EXISTS (SELECT FROM pg_class o, pg_class p WHERE o.oid = a.owner
             AND p.oid = to_regclass(pgtoaster.store_table(a.store, 'head')) AND p.relowner <> o.relowner) THEN
    w := w || format('the store does not belong to the owner of the table: SELECT pgtoaster.mirror_privileges(%L)', a.owner);
  END IF;
  IF EXISTS (SELECT * FROM pgtoaster.wanted_privileges(a.store) EXCEPT SELECT * FROM pgtoaster.actual_privileges(a.store))
     OR EXISTS (SELECT * FROM pgtoaster.actual_privileges(a.store) EXCEPT SELECT * FROM pgtoaster.wanted_privileges(a.store)) THEN
    w := w || format('privileges of the store differ from those of the owner table: SELECT pgtoaster.mirror_privileges(%L)', a.owner);
  END IF;
  IF NOT pgtoaster.has_routines(a.store) THEN
    w := w || format(
      'the routines of the store are outdated, or refer to its tables in another schema: SELECT pgtoaster.mirror_privileges(%L)',
      a.owner);
  END IF;
  IF pgtoaster.policy_drift(a.store) IS NOT NULL THEN
    w := w || format('%s: SELECT pgtoaster.mirror_privileges(%L)', pgtoaster.policy_drift(a.store), a.owner);
  END IF;
  IF EXISTS (SELECT FROM pg_class r WHERE r.oid = a.owner AND r.relforcerowsecurity) THEN
    w := w || 'the owner table forces row security: removing rows fails, because clean-up could not see every row'::text;
  END IF;
  IF EXISTS (SELECT p.pubname FROM pg_publication_tables p WHERE p.schemaname = a.schema_name AND p.tablename = a.table_name
             EXCEPT SELECT p.pubname FROM pg_publication_tables p
             WHERE p.schemaname = a.store_schema AND format('%I.%I', p.schemaname, p.tablename)::regclass = content) THEN
    w := w || format('the owner table is published, but its store is not: add %s%s', pgtoaster.store_table(a.store, 'head'),
                     (SELECT string_agg(CASE n WHEN cardinality(p.parts) THEN ' and _' ELSE ', _' END || parts[n], '' ORDER BY n)
                      FROM (SELECT ARRAY(SELECT x FROM unnest(pgtoaster.store_parts(a.store)) WITH ORDINALITY u(x, n)
                                         WHERE x IN ('chunk', 'piece', 'token', 'node') ORDER BY n)) p(parts),
                           generate_subscripts(p.parts, 1) n));
  END IF;
  SELECT CASE t.attstorage WHEN 'e' THEN 'none' ELSE
           CASE t.attcompression WHEN 'l' THEN 'lz4' WHEN 'p' THEN 'pglz' ELSE current_setting('default_toast_compression') END END
    INTO compression FROM pg_attribute t WHERE t.attrelid = content AND t.attname IN ('data', 'value');
  IF compression IS DISTINCT FROM a.options->>'compression' THEN
    w := w || format('content is stored with compression %s, but the option is %s', compression, a.options->>'compression');
  END IF;
  RETURN w;
END $$;

-- Returns the warnings for a store of blobs.
CREATE OR REPLACE FUNCTION pgtoaster.blob_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := CAST('{}' AS text[]);
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = blob_warnings.store;
  IF NOT EXISTS (SELECT FROM pgtoaster.naming_columns(a.store) n WHERE n.relation = a.owner) THEN
    w := w || format('foreign key pgtoaster_%s_head is missing: live content cannot be distinguished from garbage, so nothing is removed',
                     a.store);
  END IF;
  IF current_setting('wal_level') = 'logical' AND (a.options->>'tail')::integer > 128 THEN
    w := w || 'wal_level is logical, so each append logs the whole tail: set_options with {"tail": 96}'::text;
  END IF;
  RETURN w;
END $$;

-- Returns whether the role may read all rows of a store's table and may plan that query (see above), and no other session
-- has locked the table.
CREATE OR REPLACE FUNCTION pgtoaster.can_read_rows(store integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(pgtoaster.can_count_store(a.store)
                           AND pg_has_role(r.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')
                           AND NOT row_security_active(a.owner) AND NOT pgtoaster.is_sharded(a.store)
                           AND EXISTS (SELECT FROM pgtoaster.owner_key(a.owner, a.store))
                           AND NOT EXISTS (SELECT FROM pg_locks l
                                           WHERE l.relation = a.owner AND l.mode = 'AccessExclusiveLock' AND l.pid <> pg_backend_pid())),
                  false)
  FROM pgtoaster.attached_column a JOIN pg_class r ON r.oid = a.owner WHERE a.store = $1 AND a.column_exists
$$;

-- Returns the warnings for a store of documents.
CREATE OR REPLACE FUNCTION pgtoaster.document_warnings(store integer) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a pgtoaster.attached_column;
  w text[] := CAST('{}' AS text[]);
  kept boolean;
  part name;
  u record;
BEGIN
  SELECT c.* INTO a FROM pgtoaster.attached_column c WHERE c.store = document_warnings.store;
  IF getdatabaseencoding() <> 'UTF8' THEN
    w := w || format(
      'the database is in %s, an encoding with which edits of documents lose members: '
      'verify the data, then move it to a database with encoding UTF8',
      getdatabaseencoding());
  END IF;
  IF NOT EXISTS (SELECT FROM pgtoaster.naming_columns(a.store) n WHERE n.relation = a.owner) THEN
    w := w || format('index pgtoaster_%s_owner is missing: live content cannot be distinguished from garbage, so nothing is removed',
                     a.store);
  END IF;
  IF has_table_privilege(pgtoaster.store_table(a.store, 'aside'), 'SELECT') AND pgtoaster.can_count_store(a.store) THEN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s)', pgtoaster.store_table(a.store, 'aside')) INTO kept;
    IF kept THEN
      w := w || format('%s contains content that repair has set aside', pgtoaster.store_table(a.store, 'aside'));
    END IF;
  END IF;
  IF pgtoaster.can_read_rows(a.store) THEN
    -- Sample the pages of heads, because each head takes a lookup of its row.
    EXECUTE format(
      '/* pgtoaster */ SELECT EXISTS ('
      'SELECT FROM %1$s h TABLESAMPLE SYSTEM (least(100, 100.0 * 1048576 / greatest(pg_relation_size(%1$L::regclass), 1))) '
      'JOIN %2$s o ON %3$s WHERE o.%4$I IS NOT NULL AND o.%4$I -> ''$pgtoaster'' IS NULL)',
      pgtoaster.store_table(a.store, 'head'), a.owner,
      (SELECT k.same_key FROM pgtoaster.owner_key(a.owner, a.store) k), a.column_name) INTO kept;
    w := array_remove(w || pgtoaster.pinned_members_note(a.owner, a.column_name, a.options), NULL);
    IF kept THEN
      w := w || format('documents lost their header while triggers were off: SELECT * FROM pgtoaster.repair(%L, %L)',
                       a.owner, a.column_name);
    END IF;
  END IF;
  FOR part IN SELECT DISTINCT t.tgname FROM pg_trigger t
              WHERE t.tgrelid IN (SELECT a.owner UNION SELECT p.relid FROM pg_partition_tree(a.owner) p)
                AND t.tgtype & 19 = 19 AND t.tgname > pgtoaster.trigger_name(a.store, 'edit')::name
                AND t.tgname !~ '^~pgtoaster_[0-9]+_'
              ORDER BY t.tgname LOOP
    w := w || format(
      'trigger %I fires after edits of documents, so a row that it skips is edited anyway. Give it a name that begins with an ASCII letter',
      part);
  END LOOP;
  w := w || ARRAY(
    SELECT format('the search index of kind %s lacks its part on %s: SELECT pgtoaster.create_index(%L, %L, %L, %L)',
                  i.kind, a.owner, a.owner, a.column_name, i.kind,
                  jsonb_strip_nulls(jsonb_build_object('config', i.config, 'paths', i.paths)))
    FROM pgtoaster.search_index(a.store) i WHERE i.rows IS NULL ORDER BY i.kind);
  FOR u IN SELECT * FROM pgtoaster.column_uses(a.owner, a.column_name) c
           WHERE c.effect LIKE 'refused%' OR NOT a.options->'keep_inline' @> to_jsonb(c.members) LOOP
    w := w || CASE
      WHEN u.effect LIKE 'refused%' THEN
        format('%s %I does not see whole documents if they are split: %s', u.kind, u.name, u.definition)
      ELSE
        format('%s %I uses members that may be moved out of the row (%s): SELECT pgtoaster.set_options(%L, %L, ''{}''), then compact',
               u.kind, u.name, array_to_string(u.members, ', '), a.owner, a.column_name) END;
  END LOOP;
  IF EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = a.owner AND t.attname = a.column_name AND t.attstorage <> 'm') THEN
    w := w || format('the column can be moved out of the row: ALTER TABLE %s ALTER COLUMN %I SET STORAGE MAIN', a.owner, a.column_name);
  END IF;
  IF (SELECT array_agg(c.name || ' ' || format_type(h.atttypid, h.atttypmod) ORDER BY c.position)
      FROM pgtoaster.owner_key(a.owner, a.store) k CROSS JOIN LATERAL unnest(k.columns) WITH ORDINALITY c(name, position)
      JOIN pg_attribute h ON h.attrelid = pgtoaster.store_table(a.store, 'head')::regclass AND h.attname = 'owner_' || c.position)
     IS DISTINCT FROM
     (SELECT array_agg(t.attname || ' ' || format_type(t.atttypid, t.atttypmod) ORDER BY k.position) FROM pg_index i
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, position)
      JOIN pg_attribute t ON t.attrelid = i.indrelid AND t.attnum = k.attnum
      LEFT JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = a.owner AND k.position <= i.indnkeyatts
        AND CASE WHEN a.key_index IS NULL THEN i.indisprimary ELSE c.relname = a.key_index END) THEN
    w := w || 'the row key is not the one that the column was attached with: detach and attach it again'::text;
  END IF;
  RETURN w;
END $$;

-- Returns whether the sequence of a store's numbers is lower than the existing numbers, as after a switch-over to a
-- subscriber: logical replication transfers rows, not sequences. NULL if the role may not read or count both.
CREATE OR REPLACE FUNCTION pgtoaster.numbers_behind(store integer) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  sequence regclass := pg_get_serial_sequence(head, 'id')::regclass;
  behind boolean;
BEGIN
  IF sequence IS NULL OR NOT has_table_privilege(head, 'SELECT') OR NOT has_sequence_privilege(sequence, 'SELECT')
     OR NOT pgtoaster.can_count_store(store) THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT coalesce((SELECT max(id) FROM %s) > (SELECT CASE WHEN q.is_called THEN q.last_value ELSE q.last_value - 1 END '
                 'FROM %s q), false)', head, sequence) INTO behind;
  RETURN behind;
END $$;

-- Advances the sequence of a store beyond the existing numbers; returns the last number it has given. Run it as the owner
-- after a logical switch-over, on the new primary, for each store.
CREATE OR REPLACE FUNCTION pgtoaster.advance_numbers(store integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  sequence text := pg_get_serial_sequence(head, 'id');
  last bigint;
BEGIN
  EXECUTE format('SELECT setval(%L, greatest(nextval(%L), (SELECT max(id) FROM %s)))', sequence, sequence, head) INTO last;
  RETURN last;
END $$;

-- Returns the number of contents, their bytes, and the number of rows that store them, for a store of blobs. The number
-- of rows is computed as if all chunks were full. If chunks are shorter, the server's estimate is larger and is used
-- instead.
CREATE OR REPLACE FUNCTION pgtoaster.measure_blobs(store integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  figures bigint[];
BEGIN
  EXECUTE format('SELECT ARRAY[count(*), least(coalesce(sum('
                 'greatest(h.base, 0)::numeric - %1$s + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0)), 0), '
                 '9223372036854775807)::bigint, '
                 'least(greatest(coalesce(sum(greatest(div(h.piece_start - %1$s, nullif(h.chunk_size, 0)), 0)), 0), $1) '
                 '+ coalesce(sum(greatest(h.piece_rows, 0)), 0), 9223372036854775807)::bigint] FROM %2$s h',
                 pgtoaster.first_offset(store), pgtoaster.store_table(store, 'head')) INTO figures
    USING (SELECT c.reltuples::bigint FROM pg_class c WHERE c.oid = pgtoaster.store_table(store, 'chunk')::regclass);
  RETURN figures;
END $$;

-- Does the same for a store of documents; a large store is sampled.
CREATE OR REPLACE FUNCTION pgtoaster.measure_documents(store integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
DECLARE
  node regclass := pgtoaster.store_table(store, 'node')::regclass;
  share double precision := least(100, 100.0 * 67108864 / greatest(CASE WHEN pgtoaster.is_distributed(node) THEN pgtoaster.total_size(node)
                                                                        ELSE pg_relation_size(node) END, 1));
  documents bigint;
  figures bigint[];
BEGIN
  EXECUTE format('SELECT count(*) FROM %s', pgtoaster.store_table(store, 'head')) INTO documents;
  EXECUTE format('SELECT ARRAY[(coalesce(sum(greatest(bytes, 0)), 0) * 100 / $1)::bigint, (count(*) * 100 / $1)::bigint] '
                 'FROM %s TABLESAMPLE SYSTEM ($1)', node) INTO figures USING share;
  RETURN documents || figures;
END $$;

-- Returns the status of all stores. contents: blobs, or split documents; stored_rows: their rows, approximately. For
-- a large store of documents, bytes and stored_rows are estimated from a sample. If the role may not count a store (see
-- above), contents, stored_rows and garbage are the server's estimates, and bytes is the size of the tables that store the
-- content.
CREATE OR REPLACE FUNCTION pgtoaster.status()
RETURNS TABLE (store integer, schema_name name, table_name name, column_name name, toaster text, options jsonb,
               contents bigint, bytes bigint, stored_rows bigint, table_bytes bigint, dead_share double precision,
               garbage bigint, warnings text[])
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  a pgtoaster.attached_column;
  head text;
  routine regproc;
  figures bigint[];
  part text;
  holder oid;
  locked_by oid[] := CAST('{}' AS oid[]);
  wait text;
BEGIN
  FOR a IN SELECT * FROM pgtoaster.attached_column ORDER BY store LOOP
    store := a.store; schema_name := a.schema_name; table_name := a.table_name; column_name := a.column_name;
    toaster := a.toaster; options := a.options;
    contents := NULL; bytes := NULL; stored_rows := NULL; table_bytes := NULL; dead_share := NULL; garbage := NULL;
    IF NOT pgtoaster.can_use_store(a.store) THEN
      warnings := ARRAY[format('role %I may not use the schema of this store, so its status is unknown', current_user)];
      RETURN NEXT;
      CONTINUE;
    END IF;
    -- Limit how long to wait for locks of other sessions, and wait only once per role.
    holder := pgtoaster.store_owner(a.store);
    IF holder = ANY (locked_by) THEN
      warnings := ARRAY['the status of this store is unknown: another store of the same owner is locked'];
      RETURN NEXT;
      CONTINUE;
    END IF;
    -- An error in one store is reported with that store, and does not hide the others.
    BEGIN
      wait := pgtoaster.limit_wait('200ms');
      warnings := pgtoaster.store_warnings(a.store);
      -- A role that may not read a store sees that it exists, but not how much it contains.
      head := pgtoaster.store_table(a.store, 'head');
      -- Objects that the owner created in place of the tables of a store are not read either.
      IF cardinality(pgtoaster.store_parts(a.store)) > 0 AND has_table_privilege(to_regclass(head), 'SELECT')
         AND NOT EXISTS (SELECT FROM unnest(pgtoaster.store_parts(a.store)) p(part)
                         LEFT JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table(a.store, p.part))
                         WHERE c.relkind IS DISTINCT FROM 'r') THEN
        IF NOT pgtoaster.can_count_store(a.store) THEN
          contents := pg_stat_get_live_tuples(to_regclass(head));
          SELECT sum(pg_stat_get_live_tuples(c.oid)), sum(pg_table_size(c.oid)) INTO stored_rows, bytes
          FROM pgtoaster.toaster t CROSS JOIN unnest(t.content) p(part)
          JOIN pg_class c ON c.oid = to_regclass(pgtoaster.store_table(a.store, p.part)) WHERE t.name = a.toaster;
        END IF;
        IF has_table_privilege(pgtoaster.store_table(a.store, 'garbage'), 'SELECT') THEN
          IF pgtoaster.can_count_store(a.store) THEN
            EXECUTE format('SELECT count(*) FROM %s', pgtoaster.store_table(a.store, 'garbage')) INTO garbage;
          ELSE
            garbage := pg_stat_get_live_tuples(to_regclass(pgtoaster.store_table(a.store, 'garbage')));
          END IF;
        END IF;
        table_bytes := 0;
        FOREACH part IN ARRAY pgtoaster.store_parts(a.store) LOOP
          table_bytes := table_bytes + pgtoaster.total_size(pgtoaster.store_table(a.store, part)::regclass);
        END LOOP;
        SELECT sum(s.n_dead_tup)::double precision / nullif(sum(s.n_live_tup + s.n_dead_tup), 0) INTO dead_share
        FROM pgtoaster.toaster t CROSS JOIN unnest(t.content) p(part)
        JOIN pg_stat_user_tables s ON s.relid = to_regclass(pgtoaster.store_table(a.store, p.part)) WHERE t.name = a.toaster;
      END IF;
      routine := pgtoaster.toaster_routine(a.toaster, 'measure');
      IF routine IS NOT NULL
         AND (pgtoaster.store_parts(a.store) = '{}' OR table_bytes IS NOT NULL AND pgtoaster.can_count_store(a.store)) THEN
        EXECUTE format('SELECT %s($1)', routine) INTO figures USING a.store;
        contents := figures[1]; bytes := figures[2]; stored_rows := figures[3];
      END IF;
      PERFORM set_config('lock_timeout', wait, true);
    EXCEPTION WHEN OTHERS THEN
      IF SQLSTATE = '55P03' AND pg_get_userbyid(holder) <> current_user THEN
        locked_by := locked_by || holder;
      END IF;
      warnings := ARRAY[format('the status of this store is unknown: %s', SQLERRM)];
    END;
    RETURN NEXT;
  END LOOP;
END $$;
