-- The rules for plain SQL on split documents, and the triggers that enforce them. A write that would damage the document
-- or lose content is rejected, and the hint names the right call. Released content is deleted at commit.

-- Returns the branch that a marker value refers to; NULL if the value is not one of our markers.
CREATE OR REPLACE FUNCTION pgtoaster.branch_number(value jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN value - '$pgtoaster' = '{}' AND jsonb_typeof(value -> '$pgtoaster') = 'number' THEN
           CASE WHEN (value -> '$pgtoaster')::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
                 AND (value -> '$pgtoaster')::numeric % 1 = 0 THEN (value -> '$pgtoaster')::bigint END END
$$;

-- Returns the markers of a stub, or the values that replaced them: path, path without array positions (an element before
-- them may be removed), value, and the branch if it is a marker. Trigger functions include its text, so it calls only the
-- server's own functions.
CREATE OR REPLACE FUNCTION pgtoaster.stub_markers(document jsonb)
RETURNS TABLE (path text[], place text[], mark jsonb, branch bigint)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE v AS (
    SELECT ARRAY[m.key] AS path, ARRAY[m.key] AS place, m.value
    FROM jsonb_each(CASE jsonb_typeof($1) WHEN 'object' THEN $1 - '$pgtoaster' ELSE '{}' END) m
    UNION ALL
    SELECT v.path || c.step, v.place || c.key, c.value
    FROM v CROSS JOIN LATERAL (
      SELECT e.key AS step, e.key, e.value
      FROM jsonb_each(CASE WHEN jsonb_typeof(v.value) = 'object' AND NOT v.value ? '$pgtoaster' THEN v.value ELSE '{}' END) e
      UNION ALL
      SELECT (e.n - 1)::text, NULL, e.value
      FROM jsonb_array_elements(CASE jsonb_typeof(v.value) WHEN 'array' THEN v.value ELSE '[]' END) WITH ORDINALITY e(value, n)) c
    WHERE jsonb_typeof(v.value) IN ('object', 'array')
  )
  SELECT v.path, v.place, v.value AS mark,
         CASE WHEN v.value - '$pgtoaster' = '{}' AND jsonb_typeof(v.value -> '$pgtoaster') = 'number' THEN
           CASE WHEN (v.value -> '$pgtoaster')::numeric BETWEEN -9223372036854775808 AND 9223372036854775807
                 AND (v.value -> '$pgtoaster')::numeric % 1 = 0 THEN (v.value -> '$pgtoaster')::bigint END END AS branch
  FROM v WHERE jsonb_typeof(v.value) = 'object' AND v.value ? '$pgtoaster'
$$;

-- Checks whether a document already belongs to the row with a key. It does if the library has stored it with its row, and
-- then nothing is left to do at commit. The function runs with the rights of the table's owner. It does not read tables of
-- other owners, because the schema may have been renamed and a new schema may have its name. Any role may call it, so it
-- reports only on documents that the current transaction has stored.
CREATE OR REPLACE FUNCTION pgtoaster.template_placed(key_names text, document jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  doc bigint := store.number(document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]));
BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass(store.head_text) AND c.relkind = 'r'
                 AND pg_catalog.pg_get_userbyid(c.relowner) = current_user) THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT FROM store.head h WHERE h.id = doc AND h.created_by = pg_catalog.pg_current_xact_id_if_assigned() AND store.owned);
END $$;

-- Returns whether an UPDATE of the column needs a full check: the row contains a split document before or after it,
-- the library is not the writer, and the row differs from the result of an edit (document/edits.sql). Statements of
-- the library identify themselves by their start time, which no later statement has. This guards against mistakes,
-- not against a role that may write the row anyway. A document from another store and an invalid header are always
-- checked. Written in PL/pgSQL, so that the condition of the trigger is a single call. All names are qualified,
-- because the updating role chooses the search path.
CREATE OR REPLACE FUNCTION pgtoaster.template_document_watched(was jsonb, becomes jsonb) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF (was OPERATOR(pg_catalog.?) '$pgtoaster' OR becomes OPERATOR(pg_catalog.?) '$pgtoaster') IS NOT TRUE THEN
    RETURN false;
  ELSIF becomes OPERATOR(pg_catalog.?) '$pgtoaster'
    AND (pg_catalog.jsonb_typeof(becomes OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array'
         AND becomes OPERATOR(pg_catalog.#>) '{$pgtoaster,0}' OPERATOR(pg_catalog.>=) store.first_document
         AND becomes OPERATOR(pg_catalog.#>) '{$pgtoaster,0}' OPERATOR(pg_catalog.<) store.next_document) IS NOT TRUE THEN
    RETURN true;
  ELSIF coalesce(pg_catalog.current_setting(store.edited_setting, true), '') OPERATOR(pg_catalog.<>) ''
     AND pg_catalog.current_setting(store.edited_setting, true) OPERATOR(pg_catalog.=)
         pg_catalog.concat(pg_catalog.jsonb_hash_extended(was, 0), ' ', pg_catalog.jsonb_hash_extended(becomes, 0)) THEN
    PERFORM pg_catalog.set_config(store.edited_setting, '', true);
    RETURN false;
  END IF;
  RETURN coalesce(pg_catalog.current_setting('pgtoaster.write', true), '')
         OPERATOR(pg_catalog.<>) pg_catalog.statement_timestamp()::pg_catalog.text;
END $$;

-- The events: delete, update, key, insert, or commit of an insert. row: under row security, a role has given a row
-- another document or key, even if the statement claims to be the library's.
CREATE OR REPLACE FUNCTION pgtoaster.template_document_watch() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  document_id CONSTANT text := store.document_id;
  prefix text;
  handle name;
  lead_place CONSTANT integer := CAST(store.lead_place AS integer);
  lead_name CONSTANT text := store.lead_name;
  document bigint;
  n record;
  owned boolean;
  lead_type CONSTANT text := store.lead_type;
  new_lead text;
  lead text := '';
  head_lead text := '';
  stub_markers CONSTANT text := store.stub_markers;
  store CONSTANT bigint := store.id;
  event CONSTANT text := TG_ARGV[0];
  was jsonb;
  becomes jsonb;
  header jsonb;
  old_document bigint;
  same boolean;
  rest bigint;
  what text;
  help text;
  edit text;
  key text;
  at bigint;
  wrong text[];
  how text;
  row_key record;
  own boolean;
  dropped bigint[];
  old_lead text;
BEGIN
  PERFORM store.find_place();
  IF TG_OP <> 'INSERT' THEN
    EXECUTE 'SELECT ($1).' || quote_ident(handle) INTO was USING OLD;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    EXECUTE 'SELECT ($1).' || quote_ident(handle) INTO becomes USING NEW;
  END IF;
  IF lead_place IS NOT NULL THEN
    SELECT * INTO row_key FROM store.owners s WHERE s.relation = TG_RELID;
    IF TG_OP <> 'INSERT' THEN
      EXECUTE format('SELECT CAST(($1).%I AS text)', row_key.columns[lead_place]) INTO old_lead USING OLD;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      EXECUTE format('SELECT CAST(($1).%I AS text)', row_key.columns[lead_place]) INTO new_lead USING NEW;
    END IF;
    lead := format('owner_%s = CAST(%L AS %s) AND ', lead_place, new_lead, lead_type);
    head_lead := 'h.' || lead;
  END IF;
  EXECUTE document_id || ' FROM (SELECT $1 AS document) d' INTO old_document USING was;
  EXECUTE document_id || ' FROM (SELECT $1 AS document) d' INTO document USING becomes;
  header := CASE WHEN jsonb_typeof(becomes) = 'object' THEN becomes -> '$pgtoaster' END;
  rest := CASE WHEN jsonb_typeof(header -> 1) = 'number' THEN
            CASE WHEN (header -> 1)::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 AND (header -> 1)::numeric % 1 = 0
              THEN (header -> 1)::bigint END END;
  same := event = 'update' AND coalesce(header = was -> '$pgtoaster', false);
  help := 'Copy the whole document: pgtoaster.expand(...) in place of the column.';
  IF event = 'update' OR event = 'insert' THEN
    edit := format('Change it with functions of pgtoaster: UPDATE %s SET %I = pgtoaster.set(%I, path, value), also insert, append, '
                   'remove, increment, merge and patch; in Java with DocumentColumn.at(key, path).set(value) and similar methods; on '
                   'the command line with pgtoaster json set -t %s -c %s KEY PATH VALUE. '
                   'A whole document may be written at any time: jsonb_set(pgtoaster.expand(%I), ...).',
                   TG_RELID::regclass, handle, handle, TG_TABLE_NAME, handle, handle)
      || coalesce(' Or with any operator through the view ' || (
        SELECT min(w.ev_class::regclass::text)
        FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
        JOIN pg_trigger t ON t.tgrelid = w.ev_class AND t.tgfoid = to_regprocedure('pgtoaster.write_view()')
        WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = coalesce(pg_partition_root(TG_RELID), TG_RELID)) || '.', '');
    IF same AND was::text = becomes::text THEN
      -- If operators see the whole document, the unchanged value is intended. If the setting is not a boolean, the
      -- module is not loaded and the setting has no effect.
      IF current_setting('pgtoaster.transparent', true) = 'on'
         AND EXISTS (SELECT FROM pg_settings s WHERE s.name = 'pgtoaster.transparent' AND s.vartype = 'bool') THEN
        NULL;
      ELSIF TG_ARGV[1] = 'error' THEN
        what := 'it is split, and the UPDATE does not change it';
        help := edit;
      ELSIF TG_ARGV[1] = 'warning' THEN
        RAISE WARNING 'an UPDATE of column "%" of % has not changed a split document', handle, TG_RELID::regclass
          USING DETAIL = 'Operators of jsonb do not see content that is stored out of line, and cannot change it.', HINT = edit;
      END IF;
    ELSIF same THEN
      -- Values in the row may change, and a member stored out of line may be removed as a whole. A marker must stay
      -- unchanged, in its place.
      help := edit;
      -- A branch that nothing else refers to was written by an edit of this row; then a trigger changed the row.
      EXECUTE 'SELECT n.path, CASE WHEN n.branch IS NULL THEN ''changed'' WHEN o.branch IS NULL THEN ''made up'' '
              'ELSE ''moved or copied'' END FROM ('
              || replace(stub_markers, '$1', '$2') || ') n LEFT JOIN (' || stub_markers || ') o ON o.branch = n.branch '
              'WHERE n.branch IS NULL OR n.place IS DISTINCT FROM o.place AND (o.branch IS NOT NULL OR n.branch = $4 '
              'OR NOT EXISTS (SELECT FROM ' || prefix || 'node m WHERE ' || lead || 'm.doc = $3 AND m.id = n.branch) '
              'OR EXISTS (SELECT FROM ' || prefix || 'node m WHERE ' || lead || 'm.doc = $3 AND n.branch = ANY (m.kids))) '
              'OR (SELECT count(*) FROM (' || replace(stub_markers, '$1', '$2') || ') c WHERE c.branch = n.branch) > 1 '
              'ORDER BY n.place IS NOT DISTINCT FROM o.place, n.path LIMIT 1'
        INTO wrong, how USING was, becomes, document, rest;
      IF wrong IS NOT NULL THEN
        what := format('the marker at %s of a member that is stored out of line was %s',
                       CASE WHEN length(wrong::text) <= 200 THEN wrong::text ELSE left(wrong::text, 197) || '...' END, how);
      ELSIF rest IS NOT NULL THEN
        -- Root members that are not in the row are in a branch. It may already contain the member that is added.
        FOR key IN SELECT x FROM jsonb_object_keys(becomes) x WHERE NOT was ? x LOOP
          at := rest;
          FOR depth IN 1..64 LOOP
            EXECUTE 'SELECT kind, value, kids, lows FROM ' || prefix || 'node WHERE ' || lead || 'doc = $1 AND id = $2'
              INTO n USING document, at;
            EXIT WHEN n.kind <> 'o' OR n.kind IS NULL OR n.value IS NOT NULL;
            at := n.kids[width_bucket(int4send(octet_length(convert_to(key, 'UTF8')))
                                      || substring(convert_to(key, 'UTF8') FROM 1 FOR 512), n.lows)];
          END LOOP;
          IF n.kind <> 'o' OR n.value ? key THEN
            what := format('the member %s is stored out of line, and cannot be added to the row', left(quote_literal(key), 200));
          END IF;
        END LOOP;
      END IF;
      EXECUTE 'SELECT array_agg(o.branch) FROM (' || stub_markers || ') o WHERE o.branch NOT IN (SELECT n.branch FROM ('
              || replace(stub_markers, '$1', '$2') || ') n WHERE n.branch IS NOT NULL)' INTO dropped USING was, becomes;
    ELSIF header IS NULL THEN
      IF old_document IS NOT NULL THEN
        EXECUTE 'SELECT EXISTS (SELECT FROM jsonb_path_query($2, ''strict $.** ? (exists(@."$pgtoaster"))'') n '
                'WHERE $1 -> ''$pgtoaster'' IN (n -> ''$pgtoaster'', n #> ''{$pgtoaster,document}'') '
                'OR n -> ''$pgtoaster'' IN (SELECT o.mark -> ''$pgtoaster'' FROM (' || stub_markers || ') o))'
          INTO own USING was, becomes;
        IF own THEN
          what := 'it has markers of members that are stored out of line, but not the header of their document';
          help := format('Write the whole document: UPDATE %s SET %I = pgtoaster.expand(%I).', TG_RELID::regclass, handle, handle);
        END IF;
      END IF;
    ELSIF document IS NULL AND header ? 'edits' THEN
      what := 'it contains edits that only an UPDATE of their own row performs';
      help := 'To write to a new row, or another table or column, use the whole document: '
              'pgtoaster.set(pgtoaster.expand(...), path, value).';
    ELSIF document IS NULL THEN
      what := 'its root key "$pgtoaster" is reserved for documents that pgtoaster has split';
      help := 'Write documents with such a key through the library, DocumentColumn.put or pgtoaster json put, which stores it '
              'under another name.';
    ELSIF document >> 40 <> store THEN
      what := format('document %s belongs to another column', document);
    ELSIF document = old_document THEN
      what := 'the value of its root key "$pgtoaster" was changed';
      help := edit;
    ELSE
      -- All markers of a stub that is written to a row must refer to different branches of its document. With row
      -- security, triggers whose names sort before this one (_admit, _guard_row) have rejected a stub that belongs
      -- to another row, so nothing about its nodes is revealed.
      EXECUTE 'WITH m AS (SELECT s.path, s.branch FROM (' || stub_markers || ') s '
              'UNION ALL SELECT ARRAY[''$pgtoaster''], $3 WHERE $1 -> ''$pgtoaster'' -> 1 IS NOT NULL) '
              'SELECT m.path FROM m WHERE (SELECT count(*) FROM m o WHERE o.branch = m.branch) <> 1 '
              'OR NOT EXISTS (SELECT FROM ' || prefix || 'node n WHERE ' || lead || 'n.doc = $2 AND n.id = m.branch) LIMIT 1'
        INTO wrong USING becomes, document, rest;
      IF wrong IS NOT NULL THEN
        what := format('the marker at %s does not refer to content of document %s', left(wrong::text, 200), document);
        help := 'It is outdated, or was never read from there: read it again, or write a whole document. The content of a '
                'deleted row is removed at commit, or by SET CONSTRAINTS ALL IMMEDIATE after the DELETE. '
                'To copy to another table, schema or database, use pgtoaster.expand(...).';
      END IF;
    END IF;
  END IF;
  PERFORM store.refuse_document();
  -- A document that a row releases is checked at commit, because another row may contain it by then. SET CONSTRAINTS
  -- names the constraint to override SET CONSTRAINTS ALL IMMEDIATE, which the caller may have used.
  IF (event = 'delete' OR event = 'update' AND NOT same) AND old_document >> 40 = store THEN
    EXECUTE 'SET CONSTRAINTS ' || prefix || 'sweep DEFERRED';
    EXECUTE concat('INSERT INTO ', prefix, 'garbage (id, released', lead_name, ') VALUES ($1, false',
                   ', CAST($2 AS ' || lead_type || ')', ') ON CONFLICT DO NOTHING') USING old_document, old_lead;
  END IF;
  IF document IS NULL OR document >> 40 <> store OR same AND dropped IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT * INTO row_key FROM store.owners s WHERE s.relation = TG_RELID;
  EXECUTE 'SELECT ' || row_key.same_key || ' FROM ' || prefix || 'head h, (SELECT ($2).*) o WHERE ' || head_lead || 'h.id = $1'
    INTO own USING document, NEW;
  IF own AND same THEN
    -- Delete branches that the stub no longer refers to. Lock the head exclusively, as every writer that drops
    -- branches does.
    EXECUTE 'SELECT FROM ' || prefix || 'head WHERE ' || lead || 'id = $1 FOR UPDATE' USING document;
    EXECUTE 'UPDATE ' || prefix || 'head SET generation = (generation & 4611686018427387903) + 1 WHERE ' || lead || 'id = $1'
      USING document;
    EXECUTE 'WITH RECURSIVE below AS (SELECT b.id FROM unnest($2) b(id) UNION SELECT x.id FROM below b CROSS JOIN LATERAL ('
            'SELECT m.kids FROM ' || prefix || 'node m WHERE ' || lead || 'm.doc = $1 AND m.id = b.id LIMIT 1) n, '
            'unnest(n.kids) x(id)) '
            'DELETE FROM ' || prefix || 'node d USING below b WHERE ' || lead || 'd.doc = $1 AND d.id = b.id' USING document, dropped;
  END IF;
  IF own OR same THEN
    RETURN NULL;
  END IF;
  IF event = 'row' AND document = old_document THEN
    EXECUTE 'SELECT ' || row_key.same_key || ' FROM ' || prefix || 'head h, (SELECT ($2).*) o WHERE ' || head_lead || 'h.id = $1'
      INTO own USING document, OLD;
    IF NOT coalesce(own, false) THEN
      what := format('it contained the header of document %s, which belongs to another row', document);
    END IF;
  END IF;
  PERFORM store.refuse_document();
  IF event IN ('commit', 'row') THEN
    -- The row may since have been deleted or changed to another document. If both happen in one statement, the
    -- first document is left without a row.
    EXECUTE '/* pgtoaster */ SELECT EXISTS (SELECT FROM (SELECT '
            || (SELECT string_agg(format('($2).%I AS owner_%s', c.name, c.position), ', ')
                FROM unnest(row_key.columns) WITH ORDINALITY c(name, position))
            || ') h JOIN ' || TG_RELID::regclass || ' o ON ' || row_key.same_key || ' WHERE (' || document_id || ' FROM (SELECT o.'
            || quote_ident(handle) || ' AS document) d) = $1)' INTO own USING document, NEW;
    IF NOT own AND event = 'row' THEN
      what := format('the row that received document %s has changed again within the statement', document);
    ELSIF NOT own THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM store.refuse_document();
  -- If the row that owns the document no longer contains it, this row becomes the owner: its key has changed, or it was
  -- moved to another partition, or deleted and inserted again. If the table has no row security, a row may be inserted
  -- under a new key next to the original, which must be gone at the end of the transaction. All other cases are
  -- rejected.
  EXECUTE 'SELECT true FROM ' || prefix || 'head WHERE ' || lead || 'id = $1 FOR UPDATE' INTO own USING document;
  IF own IS NULL AND event = 'key' AND new_lead <> old_lead THEN
    what := format('its row would get another %s, the leading key of the column', row_key.columns[lead_place]);
    help := 'Change it together with the whole document: pgtoaster.expand(...) in place of the column.';
  ELSIF own IS NULL THEN
    IF event = 'key' THEN
      RETURN NULL;
    END IF;
    what := format('document %s does not exist', document);
    help := 'To copy to another table, schema or database, use pgtoaster.expand(...).';
  ELSE
  PERFORM store.find_owner();
    IF owned AND event <> 'insert' THEN
      what := format('another row contains document %s', document);
      help := help || ' To move it to an existing row, exchange both in one statement, or delete and insert rows in one transaction.';
    ELSIF NOT owned THEN
      EXECUTE 'UPDATE ' || prefix || 'head SET '
              || (SELECT string_agg(format('owner_%s = ($2).%I', c.position, c.name), ', ')
                  FROM unnest(row_key.columns) WITH ORDINALITY c(name, position)
                  WHERE c.position IS DISTINCT FROM lead_place)
              || ' WHERE ' || lead || 'id = $1' USING document, NEW;
    END IF;
  END IF;
  PERFORM store.refuse_document();
  RETURN NULL;
END $$;
