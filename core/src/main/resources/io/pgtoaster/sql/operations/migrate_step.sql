-- The steps of a migration. Each step copies, compares or changes some rows in a separate transaction.

-- Returns the expressions of a migration for a row o: whether it is pending, whether it has content to compare, its size
-- in bytes, the SET clause that copies it, and whether the shadow is the same.
CREATE OR REPLACE FUNCTION pgtoaster.migration_terms(
  store integer, tbl regclass, state jsonb, OUT pending text, OUT filled text, OUT size text, OUT copy text, OUT same text)
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
    size := CASE type WHEN 'oid' THEN concat('pgtoaster.object_length(', src, ')')
                      WHEN 'json' THEN concat('pg_column_size(', src, ')')
                      ELSE concat('octet_length(', src, ')') END;
    IF keyed THEN
      copy := 'pgtoaster.plain_document(CAST({old} AS jsonb))';
      same := 'CAST({old} AS jsonb) = {new}';
    ELSE
      copy := format(CASE type WHEN 'oid' THEN 'pgtoaster.fill_blob(%s, {lead}, NULL, {old})'
                               WHEN 'bytea' THEN 'pgtoaster.fill_blob(%s, {lead}, {old})'
                               ELSE 'pgtoaster.fill_blob(%s, {lead}, convert_to({old}, ''UTF8''))' END, store);
      same := format(CASE type WHEN 'oid' THEN 'pgtoaster.same_content(%s, {lead}, {new}, NULL, {old})'
                               WHEN 'bytea' THEN 'pgtoaster.same_content(%s, {lead}, {new}, {old})'
                               ELSE 'pgtoaster.same_content(%s, {lead}, {new}, convert_to({old}, ''UTF8''))' END, store);
    END IF;
  ELSIF keyed THEN
    pending := concat('pgtoaster.document_id(', src, ') IS NOT NULL');
    filled := pending;
    size := concat('pg_column_size(', src, ') + coalesce((SELECT sum(n.bytes) FROM ', pgtoaster.store_table(store, 'node'),
                   ' n WHERE n.doc = pgtoaster.document_id(', src, ') AND n.kids IS NULL), 0)');
    copy := 'pgtoaster.expand({old})';
    IF src <> dst THEN
      -- A plain document can change only together with its row, so make the document plain first.
      pending := concat(src, ' IS NOT NULL AND (', dst, ' IS NULL OR ', pending, ')');
      filled := concat(src, ' IS NOT NULL');
      copy := format('(SELECT e.whole, CAST(e.whole AS %s) FROM (SELECT pgtoaster.expand({old}) AS whole OFFSET 0) e)', type);
      same := 'pgtoaster.document_id({old}) IS NULL AND CAST({new} AS text) = CAST({old} AS text)';
    END IF;
  ELSE
    pending := concat('(', src, ' IS NULL) <> (', dst, ' IS NULL) OR ', src, ' IS NOT NULL AND NOT EXISTS (SELECT FROM ',
                      pgtoaster.store_table(store, 'head'), ' h JOIN ', pgtoaster.store_table(store, 'copied'),
                      ' c ON c.id = h.id AND c.generation = h.generation AND c.length = ', length, ' WHERE h.id = ', src,
                      CASE WHEN lead IS NOT NULL THEN concat(' AND h.leading_key = o.', quote_ident(lead)) END, ')');
    filled := concat(src, ' IS NOT NULL');
    size := concat('coalesce((SELECT ', length, ' FROM ', pgtoaster.store_table(store, 'head'), ' h WHERE h.id = ', src,
                   CASE WHEN lead IS NOT NULL THEN concat(' AND h.leading_key = o.', quote_ident(lead)) END, '), 0)');
    -- Record the version first, so that the copied content is that version or a later one.
    copy := format(
      CASE type
        WHEN 'oid' THEN
          'CASE WHEN {old} IS NULL THEN pgtoaster.no_object({new}) '
          'ELSE pgtoaster.fill_object(%1$s, {lead}, pgtoaster.note_version(%1$s, {old}), {new}) END'
        WHEN 'text' THEN
          'CASE WHEN {old} IS NOT NULL '
          'THEN convert_from(pgtoaster.whole_blob(%1$s, {lead}, pgtoaster.note_version(%1$s, {old})), ''UTF8'') END'
        ELSE
          'CASE WHEN {old} IS NOT NULL THEN pgtoaster.whole_blob(%1$s, {lead}, pgtoaster.note_version(%1$s, {old})) END'
      END, store);
    same := format(CASE type WHEN 'oid' THEN 'pgtoaster.same_content(%s, {lead}, {old}, NULL, {new})'
                             WHEN 'text' THEN 'pgtoaster.same_content(%s, {lead}, {old}, convert_to({new}, ''UTF8''))'
                             ELSE 'pgtoaster.same_content(%s, {lead}, {old}, {new})' END, store);
  END IF;
  -- Insert the leading key, the old column and the new one.
  copy := concat(CASE WHEN copy LIKE '(SELECT e.whole,%' THEN format('(%I, %I)', state->>'source', state->>'target')
                      ELSE quote_ident(state->>'target') END,
                 ' = ', replace(replace(replace(copy, '{lead}', lead_text), '{old}', src), '{new}', dst));
  same := replace(replace(replace(same, '{lead}', lead_text), '{old}', src), '{new}', dst);
END $$;

-- Rejects a document that would be mistaken for a split one. The triggers that check this may be disabled.
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

-- Deletes the large object of an earlier copy after the content was removed.
CREATE OR REPLACE FUNCTION pgtoaster.no_object(old oid) RETURNS oid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$ BEGIN IF old IS NOT NULL THEN PERFORM lo_unlink(old); END IF; RETURN NULL; END $$;

-- Notes the version of a blob that is being copied; returns its handle. This takes no lock, because writers of blobs
-- could otherwise wait for each other's rows. Later writes make the row pending again.
CREATE OR REPLACE FUNCTION pgtoaster.note_version(store integer, blob bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  EXECUTE format('INSERT INTO %s AS c (id, generation, length) '
                 'SELECT h.id, h.generation, h.base + greatest(octet_length(rtrim(h.tail, ''\x00'')) - 1, 0) FROM %s h WHERE h.id = $1 '
                 'ON CONFLICT (id) DO UPDATE SET generation = excluded.generation, length = excluded.length',
                 pgtoaster.store_table(store, 'copied'), pgtoaster.store_table(store, 'head')) USING blob;
  RETURN blob;
END $$;

-- Copies or compares the rows of a table, starting at a place, up to a number of bytes. Returns the place at which it
-- ended, NULL at the end of the table. To avoid deadlocks, it waits for a locked row only while it has locked no row
-- itself; otherwise it returns when it meets a locked row.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_rows(
  store integer, tbl regclass, state jsonb, leaf regclass, at tid, compare boolean, most bigint,
  OUT place tid, OUT rows bigint, OUT bytes bigint, OUT differed bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  t record := pgtoaster.migration_terms(store, tbl, state);
  which CONSTANT text := CASE WHEN compare THEN t.filled ELSE t.pending END;
  read CONSTANT text := concat('/* pgtoaster */ SELECT o.ctid AS place, (', t.pending, ') AS pending FROM ONLY ', leaf,
                               ' o WHERE o.ctid = $1 AND (', which, ') FOR NO KEY UPDATE');
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
  FOR found IN EXECUTE concat('SELECT o.ctid AS place, CAST(', t.size, ' AS bigint) AS size FROM ONLY ', leaf,
                              ' o WHERE o.ctid > $1 AND (', which, ')') USING at LOOP
    EXECUTE read || ' SKIP LOCKED' INTO r USING found.place;
    IF r.place IS NULL THEN
      IF touched THEN
        RETURN;
      END IF;
      EXECUTE read INTO r USING found.place;
    END IF;
    place := found.place;
    -- A row that was changed in the meantime has a new place; it is found there or by the last search.
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

-- Does the next part of a migration, and returns the progress. most: approximate limit in bytes; a single value may be larger.
-- The phases are count, copy, compare, split, again (for documents that changed while others were split), and ready,
-- when a pass over the table has found few rows to copy. Further steps copy later changes; if there are more than one
-- step can copy, they return to the phase again. rows and bytes: done in this phase, of total_rows and total_bytes.
-- recopied: rows that were found to differ and copied again. For documents, this function skips the phase split, which
-- is the client's task. Only one session may call it at a time.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_step(
  tbl regclass, col name, most bigint DEFAULT 8388608,
  OUT phase text, OUT rows bigint, OUT bytes bigint, OUT total_rows bigint, OUT total_bytes bigint, OUT recopied bigint,
  OUT step_bytes bigint)
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
    RAISE EXCEPTION 'another session is migrating column "%" of %: %', col, tbl, pgtoaster.lock_holders(own)
      USING ERRCODE = 'lock_not_available',
            HINT = 'Wait for it. If its client is gone, SELECT pg_terminate_backend(pid) ends it; then resume.';
  END;
  IF s.phase = 'done' THEN
    RAISE EXCEPTION 'the migration of column "%" of % is finished', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = format('SELECT pgtoaster.migrate_drop(%L, %L) drops what it kept.', tbl, col);
  END IF;
  PERFORM pgtoaster.quiet_triggers(m.store, s.back);
  step_bytes := 0;
  IF s.phase = 'count' THEN
    EXECUTE concat('SELECT count(*), coalesce(sum(', (pgtoaster.migration_terms(m.store, tbl, m.state)).size, '), 0) FROM ', tbl,
                   ' o WHERE ', (pgtoaster.migration_terms(m.store, tbl, m.state)).filled)
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
      -- The phase was ready, but since then more has changed than one step can copy. Do not leave the rest to
      -- migrate_finish, which holds a lock.
      s.phase := 'again';
    END IF;
  END IF;
  EXECUTE format('UPDATE %s SET phase = $1, pass = $2, part = $3, filenode = $4, place = $5, pass_rows = $6, pass_bytes = $7, '
                 'rows = $8, bytes = $9, total_rows = $10, total_bytes = $11, recopied = $12', own)
    USING s.phase, s.pass, s.part, s.filenode, s.place, s.pass_rows, s.pass_bytes, s.rows, s.bytes, s.total_rows, s.total_bytes, s.recopied;
  phase := s.phase;
  rows := s.rows;
  bytes := s.bytes;
  total_rows := s.total_rows;
  total_bytes := s.total_bytes;
  recopied := s.recopied;
END $$;

-- Returns, for a migration in the phase split, the keys of the next documents that a client must split, the column that
-- contains them, and the value to pass to migrate_split; no row in any other phase. most: approximate limit in
-- bytes of documents. If a client is interrupted in between, it processes the same documents again, which is harmless.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_documents(tbl regclass, col name, most bigint DEFAULT 8388608)
RETURNS TABLE (target name, keys text[], done jsonb)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
  s record;
  budget CONSTANT integer := (SELECT CAST(t.options->>'row_budget' AS integer) FROM pgtoaster.store t WHERE t.id = m.store);
  key CONSTANT text := (SELECT string_agg(format('CAST(o.%I AS text)', c), ', ' ORDER BY n)
                        FROM pgtoaster.owner_key(tbl, m.store) k, unnest(k.columns) WITH ORDINALITY u(c, n));
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
    FOR found IN EXECUTE format(
      '/* pgtoaster */ SELECT o.ctid AS place, pg_column_size(o.%1$I) AS size, ARRAY[%3$s] AS key, '
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
  done := jsonb_build_object('rows', rows, 'bytes', bytes, 'phase', CASE WHEN s.source = s.target THEN 'ready' ELSE 'again' END,
                             'place', '(0,0)');
  RETURN NEXT;
END $$;

-- Records the progress of a call of migrate_documents; returns the same as migrate_step.
CREATE OR REPLACE FUNCTION pgtoaster.migrate_split(
  tbl regclass, col name, done jsonb,
  OUT phase text, OUT rows bigint, OUT bytes bigint, OUT total_rows bigint, OUT total_bytes bigint, OUT recopied bigint,
  OUT step_bytes bigint)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  m record := pgtoaster.need_migration(tbl, col);
BEGIN
  step_bytes := CAST(done->>'bytes' AS bigint);
  EXECUTE format(
    'UPDATE %s m SET phase = d.phase, part = d.part, filenode = d.filenode, place = d.place, '
    'rows = m.rows + d.rows, bytes = m.bytes + d.bytes '
    'FROM jsonb_to_record($1) d(phase text, part oid, filenode oid, place tid, rows bigint, bytes bigint) WHERE m.phase = ''split'' '
    'RETURNING m.phase, m.rows, m.bytes, m.total_rows, m.total_bytes, m.recopied', pgtoaster.store_table(m.store, 'migration'))
    INTO phase, rows, bytes, total_rows, total_bytes, recopied USING done;
  IF phase IS NULL THEN
    RAISE EXCEPTION 'the documents of column "%" of % are not being split', col, tbl USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Another session has continued it: see the phase that pgtoaster.migrate_step returns.';
  END IF;
END $$;
