-- Views of a table that show whole documents, by pgtoaster.expand(column) AS column, and the content of blobs, by
-- pgtoaster.bytes(column) AS column, along with the other columns under their own names. An INSTEAD OF trigger with
-- pgtoaster.write_view() makes them writable: it edits the parts of a document that differ, and appends the bytes added
-- after the content of a blob.

-- Returns the columns of the key of a store's rows, and their equality operators.
CREATE OR REPLACE FUNCTION pgtoaster.key_columns(store integer) RETURNS TABLE (name name, operator oid)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname, o.amopopr
  FROM pgtoaster.store s
  JOIN pg_index i ON i.indrelid = s.owner
  CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY k(attnum, class, n)
  JOIN pg_attribute a ON a.attrelid = s.owner AND a.attnum = k.attnum
  JOIN pg_opclass c ON c.oid = k.class
  JOIN pg_amop o ON o.amopfamily = c.opcfamily AND o.amoplefttype = c.opcintype AND o.amoprighttype = c.opcintype AND o.amopstrategy = 3
  WHERE s.id = key_columns.store AND k.n <= i.indnkeyatts
    AND CASE WHEN s.key_index IS NULL THEN i.indisprimary
             ELSE (SELECT c.relname FROM pg_class c WHERE c.oid = i.indexrelid) = s.key_index END
  ORDER BY k.n
$$;

-- Returns the key of a row as texts that convert back to it, regardless of the session's settings.
CREATE OR REPLACE FUNCTION pgtoaster.key_of(store integer, shown anyelement) RETURNS text[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1 SET datestyle = 'ISO' SET intervalstyle = 'postgres'
AS $$
DECLARE
  key text[];
BEGIN
  EXECUTE format('SELECT ARRAY[%s]', (SELECT string_agg(format('CAST(($1).%I AS text)', k.name), ', ')
                                      FROM pgtoaster.key_columns(store) k)) INTO key USING shown;
  RETURN key;
END $$;

-- Returns the views of a table that write_view makes writable.
CREATE OR REPLACE FUNCTION pgtoaster.views_of(tbl regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT DISTINCT w.ev_class::regclass
  FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
  WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = views_of.tbl AND w.ev_class <> views_of.tbl
    AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = w.ev_class AND t.tgfoid = to_regprocedure('pgtoaster.write_view()'))
$$;

-- Returns the table of a view, as FROM names it, and the view's columns by kind: documents, content of blobs, others that
-- an INSERT or UPDATE can name, and generated ones. Also returns the condition that selects a row o by its key in $2, a
-- row of the view; and, for a comparison, all columns of the row o as the view shows them and all columns of $1.
CREATE OR REPLACE FUNCTION pgtoaster.view_columns(
  view regclass, OUT tbl regclass, OUT relation text, OUT documents name[], OUT blobs name[], OUT others name[], OUT generated name[],
  OUT same text, OUT in_row text, OUT in_view text, OUT made text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  tables regclass[];
  strange name;
  keys name[];
BEGIN
  SELECT array_agg(DISTINCT d.refobjid::regclass) INTO tables
  FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
  WHERE w.ev_class = view AND d.refobjid <> view;
  tbl := tables[1];
  IF cardinality(tables) <> 1 OR NOT EXISTS (SELECT FROM pgtoaster.store s WHERE s.owner = tbl) THEN
    RAISE EXCEPTION 'view % does not select from a single table with attached columns', view USING ERRCODE = 'wrong_object_type',
      HINT = 'SELECT pgtoaster.create_view(table) creates a writable one.';
  END IF;
  relation := (SELECT CASE c.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END FROM pg_class c WHERE c.oid = tbl) || tbl;
  SELECT coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE a.toaster = 'keyed'), '{}'),
         coalesce(array_agg(v.attname ORDER BY v.attnum)
                    FILTER (WHERE a.toaster <> 'keyed' AND v.atttypid = 'bytea'::regtype AND t.atttypid <> v.atttypid), '{}'),
         coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE t.attgenerated <> ''), '{}'),
         min(v.attname::text) FILTER (WHERE t.attname IS NULL)
    INTO documents, blobs, generated, strange
  FROM pg_attribute v
  LEFT JOIN pg_attribute t ON t.attrelid = tbl AND t.attname = v.attname AND t.attnum > 0 AND NOT t.attisdropped
  LEFT JOIN pgtoaster.attached_column a ON a.owner = tbl AND a.column_name = v.attname
  WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped;
  others := ARRAY(SELECT v.attname FROM pg_attribute v WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped
                  AND v.attname <> ALL (documents || blobs || generated) ORDER BY v.attnum);
  IF strange IS NOT NULL THEN
    RAISE EXCEPTION 'column "%" of view % is not a column of %', strange, view, tbl USING ERRCODE = 'undefined_column',
      HINT = 'A writable view has only columns of its table, under their own names.';
  END IF;
  -- Use the operators of the index: the search path may find others with the same names.
  SELECT array_agg(a.attname),
         string_agg(format('o.%I OPERATOR(%I.%s) ($2).%I', a.attname, n.nspname, p.oprname, a.attname), ' AND ')
    INTO keys, same
  FROM pgtoaster.key_columns((SELECT s.id FROM pgtoaster.store s
                              WHERE s.owner = tbl ORDER BY s.key_index IS NOT NULL, s.id LIMIT 1)) k(name, operator)
  JOIN pg_attribute a ON a.attrelid = tbl AND a.attname = k.name
  JOIN pg_operator p ON p.oid = k.operator
  JOIN pg_namespace n ON n.oid = p.oprnamespace;
  IF keys IS NULL OR NOT keys <@ (others || generated) THEN
    RAISE EXCEPTION 'view % does not have all columns of the key of %', view, tbl USING ERRCODE = 'undefined_column';
  END IF;
  SELECT string_agg(CASE WHEN v.attname = ANY (documents) THEN format('pgtoaster.expand(o.%I)', v.attname)
                         WHEN v.attname = ANY (blobs) THEN format('pgtoaster.bytes(o.%I)', v.attname)
                         ELSE format('o.%I', v.attname) END, ', ' ORDER BY v.attnum),
         string_agg(format('($1).%I', v.attname), ', ' ORDER BY v.attnum),
         -- The row that the table has stored, in the form of a row of the view.
         format('CAST(ROW(%s) AS %I.%I) AS made',
                string_agg(CASE WHEN v.attname = ANY (documents || blobs) THEN format('($1).%I', v.attname)
                                ELSE format('o.%I', v.attname) END, ', ' ORDER BY v.attnum),
                min(n.nspname), min(c.relname))
    INTO in_row, in_view, made
  FROM pg_attribute v JOIN pg_class c ON c.oid = v.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE v.attrelid = view AND v.attnum > 0 AND NOT v.attisdropped;
END $$;

-- Returns the edits that turn one document into another, in order: set, insert, append or remove at a path. Each path is
-- valid at the time of its edit.
CREATE OR REPLACE FUNCTION pgtoaster.differences(
  was jsonb, becomes jsonb, place text[] DEFAULT '{}', OUT op text, OUT path text[], OUT value jsonb) RETURNS SETOF record
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  kind text := jsonb_typeof(becomes);
  before integer;
  behind integer;
  old_length integer;
  new_length integer;
  m record;
BEGIN
  IF record_image_eq(ROW(was), ROW(becomes)) THEN
    RETURN;
  ELSIF kind <> jsonb_typeof(was) OR kind NOT IN ('object', 'array') THEN
    op := 'set';
    path := place;
    value := becomes;
    RETURN NEXT;
    RETURN;
  ELSIF kind = 'object' THEN
    FOR m IN SELECT key, o.value AS old, n.value AS new FROM jsonb_each(was) o FULL JOIN jsonb_each(becomes) n USING (key)
             WHERE record_image_ne(ROW(o.value), ROW(n.value)) LOOP
      IF m.new IS NULL OR m.old IS NULL THEN
        op := CASE WHEN m.new IS NULL THEN 'remove' ELSE 'set' END;
        path := place || m.key;
        value := m.new;
        RETURN NEXT;
      ELSE
        RETURN QUERY SELECT * FROM pgtoaster.differences(m.old, m.new, place || m.key);
      END IF;
    END LOOP;
    RETURN;
  END IF;
  -- Skip the elements that both arrays have at the beginning and at the end. Between these, change the elements at
  -- positions that exist in both arrays.
  old_length := jsonb_array_length(was);
  new_length := jsonb_array_length(becomes);
  SELECT coalesce(min(o.n) FILTER (WHERE record_image_ne(ROW(o.value), ROW(n.value))) - 1, least(old_length, new_length)) INTO before
  FROM jsonb_array_elements(was) WITH ORDINALITY o(value, n) JOIN jsonb_array_elements(becomes) WITH ORDINALITY n(value, n) USING (n);
  SELECT coalesce(min(o.n) FILTER (WHERE record_image_ne(ROW(o.value), ROW(n.value))) - 1, least(old_length, new_length)) INTO behind
  FROM (SELECT e.value, old_length + 1 - e.n AS n FROM jsonb_array_elements(was) WITH ORDINALITY e(value, n)) o
  JOIN (SELECT e.value, new_length + 1 - e.n AS n FROM jsonb_array_elements(becomes) WITH ORDINALITY e(value, n)) n USING (n);
  behind := least(behind, least(old_length, new_length) - before);
  FOR i IN before .. least(old_length, new_length) - behind - 1 LOOP
    CONTINUE WHEN record_image_eq(ROW(was -> i), ROW(becomes -> i));
    RETURN QUERY SELECT * FROM pgtoaster.differences(was -> i, becomes -> i, place || i::text);
  END LOOP;
  value := NULL;
  op := 'remove';
  FOR i IN REVERSE old_length - behind - 1 .. new_length - behind LOOP
    path := place || i::text;
    RETURN NEXT;
  END LOOP;
  IF new_length > old_length AND behind = 0 THEN
    op := 'append';
    path := place;
    value := jsonb_path_query_array(becomes, '$[$from to last]', jsonb_build_object('from', old_length));
    RETURN NEXT;
  ELSE
    op := 'insert';
    FOR i IN old_length - behind .. new_length - behind - 1 LOOP
      path := place || i::text;
      value := becomes -> i;
      RETURN NEXT;
    END LOOP;
  END IF;
END $$;

-- Returns the value that an UPDATE of a split document's row must write to get a new document: the stub with edits, or a
-- plain document if there are many edits. Returns NULL if the row does not, or no longer, contain the document that was
-- read. Locks out other writers of the document.
CREATE OR REPLACE FUNCTION pgtoaster.edited_stub(stub jsonb, was jsonb, becomes jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  head CONSTANT text := pgtoaster.store_table((pgtoaster.document_id(stub) >> 40)::integer, 'head');
  edits CONSTANT integer := 200;
  e record;
  n integer := 0;
BEGIN
  EXECUTE format('SELECT FROM %s h WHERE h.id = $1 FOR UPDATE', head) USING pgtoaster.document_id(stub);
  IF record_image_ne(ROW(pgtoaster.expand(stub)), ROW(was)) THEN
    RETURN NULL;
  END IF;
  FOR e IN SELECT * FROM pgtoaster.differences(was, becomes) LOOP
    n := n + 1;
    IF n > edits OR e.path = '{}' THEN
      RETURN becomes;
    END IF;
    stub := CASE e.op WHEN 'set' THEN pgtoaster.set(stub, e.path, e.value)
                      WHEN 'insert' THEN pgtoaster.insert(stub, e.path, e.value)
                      WHEN 'append' THEN pgtoaster.append(stub, e.path, e.value)
                      ELSE pgtoaster.remove(stub, e.path) END;
  END LOOP;
  RETURN stub;
END $$;

-- Returns the length in bytes of the common prefix of two values.
CREATE OR REPLACE FUNCTION pgtoaster.common_bytes(a bytea, b bytea) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  same integer := 0;
  other integer := least(length(a), length(b)) + 1;
  middle integer;
BEGIN
  -- Binary search in the part that has not been compared yet.
  WHILE other - same > 1 LOOP
    middle := (same + other) / 2;
    IF substring(a FROM same + 1 FOR middle - same) = substring(b FROM same + 1 FOR middle - same) THEN
      same := middle;
    ELSE
      other := middle;
    END IF;
  END LOOP;
  RETURN same;
END $$;

-- Raises the error for a row that differs from what the view showed. again: the transaction itself has changed the row
-- since the statement began.
CREATE OR REPLACE FUNCTION pgtoaster.refuse_stale(tbl regclass, again boolean DEFAULT false) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF again THEN
    RAISE EXCEPTION 'a row of % was already changed by this statement; nothing was changed', tbl USING ERRCODE = 'cardinality_violation',
      HINT = 'Ensure that the statement changes each row only once.';
  END IF;
  RAISE EXCEPTION 'a row of % has changed since it was read; nothing was changed', tbl
    USING ERRCODE = 'serialization_failure', HINT = 'Run the transaction again.';
END $$;

-- The trigger function. It runs with the rights of the writing role. All names are qualified, because that role sets
-- the search path. If any column of the row has changed since it was read, the row is not written (40001).
CREATE OR REPLACE FUNCTION pgtoaster.write_view() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  v CONSTANT pg_catalog.record := pgtoaster.view_columns(TG_RELID);
  differs boolean;
  again boolean;
  place pg_catalog.tid;
  result pg_catalog.record;
  sets pg_catalog.text[] := CAST('{}' AS pg_catalog.text[]);
  stubs pg_catalog.jsonb[];
  old_document pg_catalog.jsonb;
  new_document pg_catalog.jsonb;
  was pg_catalog.bytea;
  becomes pg_catalog.bytea;
  col pg_catalog.name;
  row_key pg_catalog.text[];
  kept integer;
  written bigint;
BEGIN
  -- A role that has only the right to DELETE may not lock rows.
  IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE'
     OR TG_OP OPERATOR(pg_catalog.=) 'DELETE' AND pg_catalog.has_any_column_privilege(v.tbl, 'UPDATE') THEN
    EXECUTE pg_catalog.format('/* pgtoaster */ SELECT true FROM %s AS o WHERE %s FOR NO KEY UPDATE', v.relation, v.same)
      INTO differs USING NULL, OLD;
    IF differs IS NULL AND TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
      RETURN NULL;
    END IF;
  END IF;
  IF TG_OP OPERATOR(pg_catalog.<>) 'INSERT' THEN
    -- A separate statement, because it must see what was committed during the wait for the row.
    EXECUTE pg_catalog.format(
      '/* pgtoaster */ SELECT pg_catalog.record_image_ne(ROW(%s), ROW(%s)), CAST(ARRAY[%s] AS pg_catalog.jsonb[]), o.ctid, '
      'CAST(o.xmin AS pg_catalog.text) OPERATOR(pg_catalog.=) '
      'CAST(CAST(pg_catalog.pg_current_xact_id_if_assigned() AS pg_catalog.xid) AS pg_catalog.text) FROM %s AS o WHERE %s',
      v.in_row, v.in_view,
      (SELECT pg_catalog.string_agg(pg_catalog.concat('o.', pg_catalog.quote_ident(c)), ', ') FROM pg_catalog.unnest(v.documents) c),
      v.relation, v.same) INTO differs, stubs, place, again USING OLD, OLD;
    IF differs THEN
      FOR i IN 1 .. pg_catalog.cardinality(v.documents) LOOP
        EXECUTE pg_catalog.format('SELECT ($1).%I', v.documents[i]) INTO old_document USING OLD;
        IF pgtoaster.document_id(stubs[i]) IS NOT NULL AND pg_catalog.record_image_eq(ROW(stubs[i]), ROW(old_document)) THEN
          RAISE EXCEPTION 'view % does not show whole documents of column "%"', CAST(TG_RELID AS pg_catalog.regclass), v.documents[i]
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = pg_catalog.format('SELECT pgtoaster.create_view(%L, %L) creates it again.',
                                           v.tbl, CAST(TG_RELID AS pg_catalog.regclass));
        END IF;
      END LOOP;
      PERFORM pgtoaster.refuse_stale(v.tbl, again);
    END IF;
  END IF;
  IF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
    EXECUTE pg_catalog.format('/* pgtoaster */ DELETE FROM %s AS o WHERE %s AND o.ctid OPERATOR(pg_catalog.=) $1', v.relation, v.same)
      USING place, OLD;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written OPERATOR(pg_catalog.>) 0 THEN
      RETURN OLD;
    END IF;
    -- The row was deleted or changed, or a trigger prevents the change.
    EXECUTE pg_catalog.format('SELECT o.ctid OPERATOR(pg_catalog.<>) $1 FROM %s AS o WHERE %s', v.relation, v.same)
      INTO differs USING place, OLD;
    IF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl);
    END IF;
    RETURN NULL;
  END IF;
  FOREACH col IN ARRAY v.generated LOOP
    IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
      EXECUTE pg_catalog.format('SELECT ($1).%I IS NOT NULL', col) INTO differs USING NEW;
    ELSE
      EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(($1).%1$I), ROW(($2).%1$I))', col) INTO differs USING OLD, NEW;
    END IF;
    IF differs THEN
      RAISE EXCEPTION 'column "%" of % is generated, and cannot be set', col, v.tbl USING ERRCODE = 'generated_always';
    END IF;
  END LOOP;
  IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
    FOREACH col IN ARRAY v.others OPERATOR(pg_catalog.||) v.documents LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%I IS NULL', col) INTO differs USING NEW;
      -- An identity column generates the number if none is given.
      CONTINUE WHEN differs AND EXISTS (
        SELECT FROM pg_catalog.pg_attribute a
        WHERE a.attrelid OPERATOR(pg_catalog.=) v.tbl AND a.attname OPERATOR(pg_catalog.=) col
          AND a.attidentity OPERATOR(pg_catalog.<>) '');
      sets := sets OPERATOR(pg_catalog.||) pg_catalog.quote_ident(col);
    END LOOP;
    EXECUTE pg_catalog.concat(
      'INSERT INTO ', v.tbl, ' AS o ',
      CASE WHEN sets OPERATOR(pg_catalog.=) '{}' THEN 'DEFAULT VALUES'
           ELSE pg_catalog.format(
                  '(%s) SELECT %s', pg_catalog.array_to_string(sets, ', '),
                  (SELECT pg_catalog.string_agg(pg_catalog.concat('($1).', s), ', ') FROM pg_catalog.unnest(sets) s)) END,
      ' RETURNING ', v.made) INTO result USING NEW;
  ELSE
    FOREACH col IN ARRAY v.others LOOP
      EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(($1).%1$I), ROW(($2).%1$I))', col) INTO differs USING OLD, NEW;
      IF differs THEN
        sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%1$I = ($1).%1$I', col);
      END IF;
    END LOOP;
    FOR i IN 1 .. pg_catalog.cardinality(v.documents) LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%1$I, ($2).%1$I', v.documents[i]) INTO old_document, new_document USING OLD, NEW;
      CONTINUE WHEN pg_catalog.record_image_eq(ROW(old_document), ROW(new_document));
      IF new_document OPERATOR(pg_catalog.?) '$pgtoaster' AND pg_catalog.jsonb_typeof(new_document) OPERATOR(pg_catalog.=) 'object'
         AND (old_document OPERATOR(pg_catalog.->) '$pgtoaster'
              OPERATOR(pg_catalog.=) (new_document OPERATOR(pg_catalog.->) '$pgtoaster')) IS NOT TRUE THEN
        RAISE EXCEPTION
          'the document for column "%" of % is refused: its root key "$pgtoaster" is reserved for documents that pgtoaster has split',
            v.documents[i], v.tbl
          USING ERRCODE = 'check_violation', HINT = 'Copy whole documents: pgtoaster.expand(...), or the column of a view.';
      END IF;
      IF new_document IS NOT NULL AND pgtoaster.document_id(stubs[i]) IS NOT NULL THEN
        stubs[i] := pgtoaster.edited_stub(stubs[i], old_document, new_document);
        IF stubs[i] IS NULL THEN
          PERFORM pgtoaster.refuse_stale(v.tbl);
        END IF;
      ELSE
        stubs[i] := new_document;
      END IF;
      sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%I = ($3)[%s]', v.documents[i], i);
    END LOOP;
    FOREACH col IN ARRAY v.blobs LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%1$I IS NOT NULL AND ($2).%1$I IS NULL', col) INTO differs USING OLD, NEW;
      IF differs THEN
        sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%I = NULL', col);
      END IF;
    END LOOP;
    IF sets OPERATOR(pg_catalog.=) '{}' THEN
      -- The triggers of the table must fire for each UPDATE, so set a column that the role may update and, if possible,
      -- that has none of our triggers.
      SELECT ARRAY[pg_catalog.format('%1$I = o.%1$I', a.attname)] INTO sets FROM pg_catalog.pg_attribute a
      WHERE a.attrelid OPERATOR(pg_catalog.=) v.tbl AND a.attname OPERATOR(pg_catalog.=) ANY (v.others OPERATOR(pg_catalog.||) v.blobs)
        AND a.attidentity OPERATOR(pg_catalog.<>) 'a'
      ORDER BY a.attname OPERATOR(pg_catalog.=) ANY (v.blobs), a.attnum LIMIT 1;
      IF sets IS NULL THEN
        RETURN NEW;
      END IF;
    END IF;
    EXECUTE pg_catalog.format('/* pgtoaster */ UPDATE %s AS o SET %s WHERE %s RETURNING %s',
                              v.relation, pg_catalog.array_to_string(sets, ', '), v.same, v.made)
      INTO result USING NEW, OLD, stubs;
  END IF;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF written OPERATOR(pg_catalog.=) 0 THEN
    RETURN NULL;
  END IF;
  NEW := result.made;
  FOREACH col IN ARRAY v.blobs LOOP
    EXECUTE pg_catalog.format('SELECT ($1).%I', col) INTO becomes USING NEW;
    was := NULL;
    IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
      EXECUTE pg_catalog.format('SELECT ($1).%I', col) INTO was USING OLD;
    END IF;
    CONTINUE WHEN becomes IS NULL OR was OPERATOR(pg_catalog.=) becomes;
    row_key := pgtoaster.key_of((SELECT a.store FROM pgtoaster.attached_column a
                                 WHERE a.owner OPERATOR(pg_catalog.=) v.tbl AND a.column_name OPERATOR(pg_catalog.=) col), NEW);
    kept := coalesce(pgtoaster.common_bytes(was, becomes), 0);
    -- Appending no bytes checks that the content still has the length that was read, and locks it.
    SELECT a.outcome OPERATOR(pg_catalog.=) 'conflict' INTO differs
    FROM pgtoaster.blob_append(v.tbl, col, row_key, CASE WHEN kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN ''
                                                         ELSE pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1) END,
                               CAST(coalesce(pg_catalog.length(was), 0) AS bigint)) a;
    IF NOT differs AND kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN
      differs := pgtoaster.blob_read(v.tbl, col, row_key, 0, pg_catalog.length(was)) OPERATOR(pg_catalog.<>) was;
      IF NOT differs THEN
        PERFORM pgtoaster.blob_truncate(v.tbl, col, row_key, kept);
        PERFORM pgtoaster.blob_append(v.tbl, col, row_key, pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1));
      END IF;
    END IF;
    IF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl);
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

-- Creates or replaces the view of a table that shows all its documents and blobs whole: in the schema of the table under
-- the name table_view, or under another name, qualified or not. The view has the owner, the columns, the defaults and the
-- grants of the table. Its users need the same rights on the table, and the row security of the table applies to them.
CREATE OR REPLACE FUNCTION pgtoaster.create_view(tbl regclass, name text DEFAULT NULL) RETURNS regclass
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  t record;
  names text[] := parse_ident(name);
  view text;
  definition text;
  a record;
BEGIN
  SELECT c.relname, c.relkind, c.relacl, n.nspname, pg_get_userbyid(c.relowner) AS owner INTO t
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = tbl;
  IF tbl IS NULL THEN
    RAISE EXCEPTION 'the table cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT EXISTS (SELECT FROM pgtoaster.store s WHERE s.owner = tbl) THEN
    RAISE EXCEPTION 'no column of % is attached', tbl
      USING ERRCODE = 'undefined_object', HINT = format('SELECT pgtoaster.attach(%L, column) attaches one.', tbl);
  ELSIF NOT pg_has_role(t.owner, 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', tbl USING ERRCODE = 'insufficient_privilege';
  ELSIF cardinality(names) > 2 THEN
    RAISE EXCEPTION '% cannot name a view: it has more than a schema and a name', quote_literal(name) USING ERRCODE = 'invalid_name';
  END IF;
  view := CASE cardinality(names) WHEN 1 THEN format('%I.%I', t.nspname, names[1]) WHEN 2 THEN format('%I.%I', names[1], names[2])
                                  ELSE format('%I.%I', t.nspname, left(t.relname, 58) || '_view') END;
  -- Do not replace another owner's view: it has the grants that its owner chose.
  IF to_regclass(view) IS NOT NULL AND NOT (to_regclass(view) IN (SELECT pgtoaster.views_of(tbl))
       AND (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = to_regclass(view)) = t.owner) THEN
    RAISE EXCEPTION 'relation % already exists, and is not a view of % that this function created', view, tbl
      USING ERRCODE = 'duplicate_table', HINT = 'Use another name: SELECT pgtoaster.create_view(table, name).';
  END IF;
  SELECT format('VIEW %s WITH (security_invoker = true) AS SELECT %s FROM %s%s o', view,
                string_agg(CASE s.toaster WHEN 'keyed' THEN format('pgtoaster.expand(o.%1$I) AS %1$I', c.attname)
                                          WHEN 'appendable' THEN format('pgtoaster.bytes(o.%1$I) AS %1$I', c.attname)
                                         ELSE format('o.%I', c.attname) END, ', ' ORDER BY c.attnum),
                CASE t.relkind WHEN 'p' THEN '' ELSE 'ONLY ' END, tbl) INTO definition
  FROM pg_attribute c LEFT JOIN pgtoaster.attached_column s ON s.owner = tbl AND s.column_name = c.attname
  WHERE c.attrelid = tbl AND c.attnum > 0 AND NOT c.attisdropped;
  BEGIN
    EXECUTE 'CREATE OR REPLACE ' || definition;
  EXCEPTION WHEN invalid_table_definition THEN
    -- A column was dropped, renamed or attached since.
    EXECUTE 'DROP VIEW ' || view;
    EXECUTE 'CREATE ' || definition;
  END;
  EXECUTE format('CREATE OR REPLACE TRIGGER pgtoaster_write INSTEAD OF INSERT OR UPDATE OR DELETE ON %s '
                 'FOR EACH ROW EXECUTE FUNCTION pgtoaster.write_view()', view);
  FOR a IN SELECT c.attname, CASE c.attgenerated WHEN '' THEN pg_get_expr(d.adbin, d.adrelid) END AS expression
           FROM pg_attribute c LEFT JOIN pg_attrdef d ON d.adrelid = tbl AND d.adnum = c.attnum
           WHERE c.attrelid = tbl AND c.attnum > 0 AND NOT c.attisdropped LOOP
    EXECUTE format('ALTER VIEW %s ALTER COLUMN %I %s', view, a.attname, coalesce('SET DEFAULT ' || a.expression, 'DROP DEFAULT'));
  END LOOP;
  IF t.owner <> (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = to_regclass(view)) THEN
    EXECUTE format('ALTER VIEW %s OWNER TO %I', view, t.owner);
  END IF;
  FOR a IN SELECT DISTINCT x.privilege_type, NULL::name AS attname, x.grantee FROM aclexplode(t.relacl) x
           UNION
           SELECT x.privilege_type, c.attname, x.grantee FROM pg_attribute c, aclexplode(c.attacl) x
           WHERE c.attrelid = tbl AND NOT c.attisdropped LOOP
    IF a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') AND pg_get_userbyid(a.grantee) <> t.owner THEN
      EXECUTE format('GRANT %s%s ON %s TO %s', a.privilege_type, ' (' || quote_ident(a.attname) || ')', view,
                     CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END);
    END IF;
  END LOOP;
  RETURN view::regclass;
END $$;
