-- Views of a table that show documents whole, by pgtoaster.expand(column) AS column, and the content of blobs, by
-- pgtoaster.bytes(column) AS column, beside other columns under their own names. An INSTEAD OF trigger of pgtoaster.write_view()
-- makes them writable: of a document it edits what differs, and what is added behind the content of a blob is appended.

-- The columns of the key of a store's rows.
CREATE OR REPLACE FUNCTION pgtoaster.key_columns(store integer) RETURNS name[]
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT array_agg(a.attname ORDER BY k.n)
  FROM pgtoaster.store s JOIN pg_index i ON i.indrelid = s.owner CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k(attnum, n)
  JOIN pg_attribute a ON a.attrelid = s.owner AND a.attnum = k.attnum
  WHERE s.id = key_columns.store AND k.n <= i.indnkeyatts
    AND CASE WHEN s.key_index IS NULL THEN i.indisprimary ELSE (SELECT c.relname FROM pg_class c WHERE c.oid = i.indexrelid) = s.key_index END
$$;

-- The views of a table that write_view makes writable.
CREATE OR REPLACE FUNCTION pgtoaster.views_of(tbl regclass) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT DISTINCT w.ev_class::regclass
  FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
  WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = views_of.tbl AND w.ev_class <> views_of.tbl
    AND EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = w.ev_class AND t.tgfoid = to_regprocedure('pgtoaster.write_view()'))
$$;

-- The table of such a view, and what the view's columns are: documents, content of blobs, all others that an INSERT or UPDATE can
-- name, and generated ones; the key of a row, and the condition that picks it, of the row o by texts $2.
CREATE OR REPLACE FUNCTION pgtoaster.view_columns(view regclass, OUT tbl regclass, OUT documents name[], OUT blobs name[], OUT others name[],
  OUT generated name[], OUT keys name[], OUT same text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  tables regclass[];
  strange name;
BEGIN
  SELECT array_agg(DISTINCT d.refobjid::regclass) INTO tables
  FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid AND d.refclassid = 'pg_class'::regclass
  WHERE w.ev_class = view AND d.refobjid <> view;
  tbl := tables[1];
  IF cardinality(tables) <> 1 OR NOT EXISTS (SELECT FROM pgtoaster.store s WHERE s.owner = tbl) THEN
    RAISE EXCEPTION 'view % is not one of a single table with attached columns', view USING ERRCODE = 'wrong_object_type',
      HINT = 'SELECT pgtoaster.create_view(table) makes one that can be written.';
  END IF;
  SELECT coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE a.toaster = 'keyed'), '{}'),
         coalesce(array_agg(v.attname ORDER BY v.attnum) FILTER (WHERE a.toaster <> 'keyed' AND v.atttypid = 'bytea'::regtype AND t.atttypid <> v.atttypid), '{}'),
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
    RAISE EXCEPTION 'column "%" of view % is none of %', strange, view, tbl USING ERRCODE = 'undefined_column',
      HINT = 'A view that is written has columns of its table alone, under their own names.';
  END IF;
  SELECT pgtoaster.key_columns(s.id) INTO keys FROM pgtoaster.store s WHERE s.owner = tbl ORDER BY s.key_index IS NOT NULL, s.id LIMIT 1;
  IF keys IS NULL OR NOT keys <@ others THEN
    RAISE EXCEPTION 'view % has not all columns of the key of %', view, tbl USING ERRCODE = 'undefined_column';
  END IF;
  -- Types that users made have their operators where they are.
  SELECT string_agg(format('o.%I %s CAST(($2)[%s] AS %s)', t.attname, CASE WHEN t.atttypid < 16384 THEN 'OPERATOR(pg_catalog.=)' ELSE '=' END, k.n,
                           CAST(y.typnamespace::regnamespace AS text) || '.' || quote_ident(y.typname)), ' AND ' ORDER BY k.n) INTO same
  FROM unnest(keys) WITH ORDINALITY k(name, n) JOIN pg_attribute t ON t.attrelid = tbl AND t.attname = k.name JOIN pg_type y ON y.oid = t.atttypid;
END $$;

-- What makes one document of another, in order: set, insert, append or remove at a path, the paths as they are then.
CREATE OR REPLACE FUNCTION pgtoaster.differences(was jsonb, becomes jsonb, place text[] DEFAULT '{}', OUT op text, OUT path text[], OUT value jsonb)
RETURNS SETOF record
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
  -- Elements that both begin and end with stay; of those between them as many as both have are changed.
  old_length := jsonb_array_length(was);
  new_length := jsonb_array_length(becomes);
  SELECT coalesce(min(o.n) FILTER (WHERE record_image_ne(ROW(o.value), ROW(n.value))) - 1, least(old_length, new_length)) INTO before
  FROM jsonb_array_elements(was) WITH ORDINALITY o(value, n) JOIN jsonb_array_elements(becomes) WITH ORDINALITY n(value, n) USING (n);
  SELECT coalesce(min(o.n) FILTER (WHERE record_image_ne(ROW(o.value), ROW(n.value))) - 1, least(old_length, new_length)) INTO behind
  FROM (SELECT e.value, old_length + 1 - e.n AS n FROM jsonb_array_elements(was) WITH ORDINALITY e(value, n)) o
  JOIN (SELECT e.value, new_length + 1 - e.n AS n FROM jsonb_array_elements(becomes) WITH ORDINALITY e(value, n)) n USING (n);
  behind := least(behind, least(old_length, new_length) - before);
  FOR i IN before .. least(old_length, new_length) - behind - 1 LOOP
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

-- What an UPDATE of a split document's row is to write, so that it becomes another: the stub with edits, or a plain document
-- where they are many. NULL if it is not, or no longer, what was read. Keeps other writers of it away.
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

-- How many bytes two values have in common from the beginning.
CREATE OR REPLACE FUNCTION pgtoaster.common_bytes(a bytea, b bytea) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  same integer := 0;
  other integer := least(length(a), length(b)) + 1;
  middle integer;
BEGIN
  -- The rest behind what is known to be the same is compared by halves.
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

CREATE OR REPLACE FUNCTION pgtoaster.refuse_stale(tbl regclass, what text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION '% of % has changed since it was read; nothing was changed', what, tbl
    USING ERRCODE = 'serialization_failure', HINT = 'Run the transaction again.';
END $$;

-- The trigger. With the rights of whoever writes; what the statements name is qualified, for the path is his. Of a row, a
-- document or content that has changed since it was read nothing is written (40001).
CREATE OR REPLACE FUNCTION pgtoaster.write_view() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  v CONSTANT pg_catalog.record := pgtoaster.view_columns(TG_RELID);
  in_row CONSTANT text := (SELECT pg_catalog.string_agg(pg_catalog.concat('o.', pg_catalog.quote_ident(c)), ', ') FROM pg_catalog.unnest(v.others) c);
  in_old CONSTANT text := (SELECT pg_catalog.string_agg(pg_catalog.concat('($1).', pg_catalog.quote_ident(c)), ', ') FROM pg_catalog.unnest(v.others) c);
  key_of CONSTANT text := pg_catalog.concat('SELECT ARRAY[', (SELECT pg_catalog.string_agg(pg_catalog.format('CAST(($1).%I AS pg_catalog.text)', c), ', ' ORDER BY n)
                                                              FROM pg_catalog.unnest(v.keys) WITH ORDINALITY k(c, n)), ']');
  -- What the table has made of the row, in the view's columns.
  returning_row CONSTANT text := pg_catalog.concat(' RETURNING CAST(ROW(', (
    SELECT pg_catalog.string_agg(pg_catalog.concat(CASE WHEN a.attname OPERATOR(pg_catalog.=) ANY (v.documents OPERATOR(pg_catalog.||) v.blobs) THEN '($1).' ELSE 'o.' END,
                                                   pg_catalog.quote_ident(a.attname)), ', ' ORDER BY a.attnum)
    FROM pg_catalog.pg_attribute a WHERE a.attrelid OPERATOR(pg_catalog.=) TG_RELID AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped),
    ') AS ', CAST(TG_RELID AS pg_catalog.regclass), ') AS made');
  result pg_catalog.record;
  row_key pg_catalog.text[];
  sets pg_catalog.text[] := '{}';
  stubs pg_catalog.jsonb[];
  old_document pg_catalog.jsonb;
  new_document pg_catalog.jsonb;
  was pg_catalog.bytea;
  becomes pg_catalog.bytea;
  col pg_catalog.name;
  differs boolean;
  kept integer;
  written bigint;
BEGIN
  IF TG_OP OPERATOR(pg_catalog.<>) 'INSERT' THEN
    EXECUTE key_of INTO row_key USING OLD;
  END IF;
  IF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
    EXECUTE pg_catalog.format('/* pgtoaster */ DELETE FROM %s AS o WHERE %s AND pg_catalog.record_image_eq(ROW(%s), ROW(%s))', v.tbl, v.same, in_row, in_old)
      USING OLD, row_key;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written OPERATOR(pg_catalog.>) 0 THEN
      RETURN OLD;
    END IF;
    -- It is gone, a trigger keeps it, or it has changed.
    EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(%s), ROW(%s)) FROM %s AS o WHERE %s', in_row, in_old, v.tbl, v.same) INTO differs USING OLD, row_key;
    IF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl, 'a row');
    END IF;
    RETURN NULL;
  ELSIF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
    FOREACH col IN ARRAY v.others OPERATOR(pg_catalog.||) v.documents LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%I IS NULL', col) INTO differs USING NEW;
      -- An identity column numbers the row where it is not given.
      CONTINUE WHEN differs AND EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid OPERATOR(pg_catalog.=) v.tbl AND a.attname OPERATOR(pg_catalog.=) col
                                        AND a.attidentity OPERATOR(pg_catalog.<>) '');
      sets := sets OPERATOR(pg_catalog.||) pg_catalog.quote_ident(col);
    END LOOP;
    EXECUTE pg_catalog.concat('INSERT INTO ', v.tbl, ' AS o ', CASE WHEN sets OPERATOR(pg_catalog.=) '{}' THEN 'DEFAULT VALUES' ELSE pg_catalog.format('(%s) SELECT %s',
                              pg_catalog.array_to_string(sets, ', '), (SELECT pg_catalog.string_agg(pg_catalog.concat('($1).', s), ', ') FROM pg_catalog.unnest(sets) s)) END,
                              returning_row) INTO result USING NEW;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written OPERATOR(pg_catalog.=) 0 THEN
      RETURN NULL;
    END IF;
    NEW := result.made;
  ELSE
    EXECUTE pg_catalog.format('/* pgtoaster */ SELECT pg_catalog.record_image_ne(ROW(%s), ROW(%s)), CAST(ARRAY[%s] AS pg_catalog.jsonb[]) FROM %s AS o WHERE %s FOR NO KEY UPDATE',
                              in_row, in_old, (SELECT pg_catalog.string_agg(pg_catalog.concat('o.', pg_catalog.quote_ident(c)), ', ') FROM pg_catalog.unnest(v.documents) c),
                              v.tbl, v.same) INTO differs, stubs USING OLD, row_key;
    IF differs IS NULL THEN
      RETURN NULL;
    ELSIF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl, 'a row');
    END IF;
    FOREACH col IN ARRAY v.others LOOP
      EXECUTE pg_catalog.format('SELECT pg_catalog.record_image_ne(ROW(($1).%1$I), ROW(($2).%1$I))', col) INTO differs USING OLD, NEW;
      IF differs THEN
        sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%1$I = ($1).%1$I', col);
      END IF;
    END LOOP;
    FOR i IN 1 .. pg_catalog.cardinality(v.documents) LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%1$I, ($2).%1$I', v.documents[i]) INTO old_document, new_document USING OLD, NEW;
      CONTINUE WHEN pg_catalog.record_image_eq(ROW(old_document), ROW(new_document));
      IF new_document IS NOT NULL AND pgtoaster.document_id(stubs[i]) IS NOT NULL THEN
        stubs[i] := pgtoaster.edited_stub(stubs[i], old_document, new_document);
        differs := stubs[i] IS NULL;
      ELSE
        differs := pg_catalog.record_image_ne(ROW(old_document), ROW(pgtoaster.expand(stubs[i])));
        stubs[i] := new_document;
      END IF;
      IF differs THEN
        PERFORM pgtoaster.refuse_stale(v.tbl, pg_catalog.format('the document in column %I', v.documents[i]));
      END IF;
      sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%I = ($3)[%s]', v.documents[i], i);
    END LOOP;
    FOREACH col IN ARRAY v.blobs LOOP
      EXECUTE pg_catalog.format('SELECT ($1).%1$I IS NOT NULL AND ($2).%1$I IS NULL', col) INTO differs USING OLD, NEW;
      IF differs THEN
        sets := sets OPERATOR(pg_catalog.||) pg_catalog.format('%I = NULL', col);
      END IF;
    END LOOP;
    IF sets OPERATOR(pg_catalog.<>) '{}' THEN
      EXECUTE pg_catalog.format('/* pgtoaster */ UPDATE %s AS o SET %s WHERE %s%s', v.tbl, pg_catalog.array_to_string(sets, ', '), v.same, returning_row)
        INTO result USING NEW, row_key, stubs;
      GET DIAGNOSTICS written = ROW_COUNT;
      IF written OPERATOR(pg_catalog.=) 0 THEN
        RETURN NULL;
      END IF;
      NEW := result.made;
    END IF;
  END IF;
  FOREACH col IN ARRAY v.blobs LOOP
    EXECUTE pg_catalog.format('SELECT ($1).%I', col) INTO becomes USING NEW;
    was := NULL;
    IF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
      EXECUTE pg_catalog.format('SELECT ($1).%I', col) INTO was USING OLD;
    END IF;
    CONTINUE WHEN becomes IS NULL OR was OPERATOR(pg_catalog.=) becomes;
    EXECUTE pg_catalog.concat('SELECT ARRAY[', (
      SELECT pg_catalog.string_agg(pg_catalog.format('CAST(($1).%I AS pg_catalog.text)', k.name), ', ' ORDER BY k.n)
      FROM pgtoaster.attached_column a CROSS JOIN LATERAL pg_catalog.unnest(pgtoaster.key_columns(a.store)) WITH ORDINALITY k(name, n)
      WHERE a.owner OPERATOR(pg_catalog.=) v.tbl AND a.column_name OPERATOR(pg_catalog.=) col), ']') INTO row_key USING NEW;
    kept := coalesce(pgtoaster.common_bytes(was, becomes), 0);
    -- An append of nothing tells whether the content still has the length that was read, and keeps it so.
    SELECT a.outcome OPERATOR(pg_catalog.=) 'conflict' INTO differs
    FROM pgtoaster.blob_append(v.tbl, col, row_key, CASE WHEN kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN ''
                                                         ELSE pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1) END,
                               CAST(coalesce(pg_catalog.length(was), 0) AS bigint)) a;
    IF NOT differs AND kept OPERATOR(pg_catalog.<) pg_catalog.length(was) THEN
      differs := pgtoaster.blob_read(v.tbl, col, row_key, kept, pg_catalog.length(was) OPERATOR(pg_catalog.-) kept)
                 OPERATOR(pg_catalog.<>) pg_catalog.substring(was, kept OPERATOR(pg_catalog.+) 1);
      IF NOT differs THEN
        PERFORM pgtoaster.blob_truncate(v.tbl, col, row_key, kept);
        PERFORM pgtoaster.blob_append(v.tbl, col, row_key, pg_catalog.substring(becomes, kept OPERATOR(pg_catalog.+) 1));
      END IF;
    END IF;
    IF differs THEN
      PERFORM pgtoaster.refuse_stale(v.tbl, pg_catalog.format('the content in column %I', col));
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

-- Makes, or makes anew, the view of a table that shows all its documents and blobs whole, in the schema of the table under the name
-- table_view, or by another name, qualified or not. It has the owner, the columns, their defaults and the grants of the table, and
-- whoever uses it needs the rights to the table, whose row security holds.
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
  SELECT c.relname, c.relacl, n.nspname, pg_get_userbyid(c.relowner) AS owner INTO t FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = tbl;
  IF tbl IS NULL THEN
    RAISE EXCEPTION 'the table cannot be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT EXISTS (SELECT FROM pgtoaster.store s WHERE s.owner = tbl) THEN
    RAISE EXCEPTION 'no column of % is attached', tbl USING ERRCODE = 'undefined_object', HINT = format('SELECT pgtoaster.attach(%L, column) attaches one.', tbl);
  ELSIF NOT pg_has_role(t.owner, 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', tbl USING ERRCODE = 'insufficient_privilege';
  ELSIF cardinality(names) > 2 THEN
    RAISE EXCEPTION '% names no view: it has more than a schema and a name', quote_literal(name) USING ERRCODE = 'invalid_name';
  END IF;
  view := CASE cardinality(names) WHEN 1 THEN format('%I.%I', t.nspname, names[1]) WHEN 2 THEN format('%I.%I', names[1], names[2])
                                  ELSE format('%I.%I', t.nspname, left(t.relname, 58) || '_view') END;
  IF to_regclass(view) IS NOT NULL AND to_regclass(view) NOT IN (SELECT pgtoaster.views_of(tbl)) THEN
    RAISE EXCEPTION 'relation % is there already, and no view of % that this function made', view, tbl USING ERRCODE = 'duplicate_table',
      HINT = 'Give another name: SELECT pgtoaster.create_view(table, name).';
  END IF;
  SELECT format('VIEW %s WITH (security_invoker = true) AS SELECT %s FROM %s o', view,
                string_agg(CASE s.toaster WHEN 'keyed' THEN format('pgtoaster.expand(o.%1$I) AS %1$I', c.attname)
                                          WHEN 'appendable' THEN format('pgtoaster.bytes(o.%1$I) AS %1$I', c.attname)
                                          ELSE format('o.%I', c.attname) END, ', ' ORDER BY c.attnum), tbl) INTO definition
  FROM pg_attribute c LEFT JOIN pgtoaster.attached_column s ON s.owner = tbl AND s.column_name = c.attname
  WHERE c.attrelid = tbl AND c.attnum > 0 AND NOT c.attisdropped;
  BEGIN
    EXECUTE 'CREATE OR REPLACE ' || definition;
  EXCEPTION WHEN invalid_table_definition THEN
    -- A column was dropped, renamed or attached since.
    EXECUTE 'DROP VIEW ' || view;
    EXECUTE 'CREATE ' || definition;
  END;
  EXECUTE format('CREATE OR REPLACE TRIGGER pgtoaster_write INSTEAD OF INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION pgtoaster.write_view()', view);
  FOR a IN SELECT c.attname, pg_get_expr(d.adbin, d.adrelid) AS expression FROM pg_attribute c LEFT JOIN pg_attrdef d ON d.adrelid = tbl AND d.adnum = c.attnum
           WHERE c.attrelid = tbl AND c.attnum > 0 AND NOT c.attisdropped AND c.attgenerated = '' LOOP
    EXECUTE format('ALTER VIEW %s ALTER COLUMN %I %s', view, a.attname, coalesce('SET DEFAULT ' || a.expression, 'DROP DEFAULT'));
  END LOOP;
  IF t.owner <> (SELECT pg_get_userbyid(c.relowner) FROM pg_class c WHERE c.oid = to_regclass(view)) THEN
    EXECUTE format('ALTER VIEW %s OWNER TO %I', view, t.owner);
  END IF;
  FOR a IN SELECT DISTINCT x.privilege_type, NULL::name AS attname, x.grantee FROM aclexplode(t.relacl) x
           UNION SELECT x.privilege_type, c.attname, x.grantee FROM pg_attribute c, aclexplode(c.attacl) x WHERE c.attrelid = tbl AND NOT c.attisdropped LOOP
    IF a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE') AND pg_get_userbyid(a.grantee) <> t.owner THEN
      EXECUTE format('GRANT %s%s ON %s TO %s', a.privilege_type, ' (' || quote_ident(a.attname) || ')', view,
                     CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END);
    END IF;
  END LOOP;
  RETURN view::regclass;
END $$;
