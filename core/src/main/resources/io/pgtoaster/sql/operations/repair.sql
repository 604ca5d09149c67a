-- Repairs damaged documents: restores the content that stored rows still contain, and sets the rest aside as plain jsonb
-- in the table store_<n>_aside. Nothing is dropped.

-- Returns what is wrong with a branch below its root, as it is stored; NULL if it is intact. Each node is visited once
-- per depth, so cycles and shared nodes do no harm. A marker in place of a leaf is followed.
CREATE OR REPLACE FUNCTION pgtoaster.branch_damage(document bigint, branch bigint) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found text;
BEGIN
  EXECUTE format(
    'WITH RECURSIVE below AS (SELECT $2 AS id, 0 AS depth UNION '
    '  SELECT k.id, b.depth + 1 FROM below b '
    '  CROSS JOIN LATERAL (SELECT m.kids FROM %1$s m WHERE m.doc = $1 AND m.id = b.id LIMIT 1) n, unnest(n.kids) k(id) '
    '  WHERE b.depth < 256), '
    'nodes AS (SELECT b.id, min(b.depth) AS depth, max(b.depth) AS deepest FROM below b GROUP BY b.id), '
    'named AS (SELECT k.id, count(*) AS times FROM (SELECT $2 AS id UNION ALL '
    '  SELECT k.id FROM nodes b JOIN %1$s m ON m.doc = $1 AND m.id = b.id, unnest(m.kids) k(id)) k GROUP BY k.id) '
    'SELECT CASE WHEN t.times > 1 AND b.deepest = 256 THEN format(''node %%s is below itself'', b.id) '
    '            WHEN t.times > 1 THEN format(''node %%s has more than one reference'', b.id) '
    '            WHEN b.deepest = 256 THEN format(''node %%s is too deep'', b.id) '
    '            WHEN n.id IS NULL THEN format(''node %%s is missing'', b.id) '
    '            WHEN n.odd THEN format(''node %%s does not have the kind that its row states'', b.id) '
    '            ELSE format(''leaf %%s does not refer to the branches in its list'', b.id) END '
    'FROM nodes b JOIN named t ON t.id = b.id LEFT JOIN LATERAL ('
    '  SELECT m.id, m.value, m.kids, CASE WHEN m.kind NOT IN (''o'', ''a'', ''s'', ''v'') THEN true '
    '    WHEN pgtoaster.leaf_kind(m.value) <> m.kind::text AND m.value IS NOT NULL THEN true '
    '    WHEN m.value IS NOT NULL THEN m.kind = ''o'' AND EXISTS ('
    'SELECT FROM %1$s k WHERE k.doc = $1 AND k.id = pgtoaster.branch_number(m.value) AND k.kind <> ''o'') '
    '    ELSE coalesce(cardinality(m.kids), 0) = 0 '
    'OR EXISTS (SELECT FROM %1$s k WHERE k.doc = $1 AND k.id = ANY (m.kids) AND k.kind <> m.kind) END AS odd '
    '  FROM %1$s m WHERE m.doc = $1 AND m.id = b.id) n ON true '
    'WHERE n.id IS NULL OR t.times > 1 OR b.deepest = 256 OR n.odd '
    '   OR n.value IS NOT NULL AND coalesce(n.kids, ''{}'') <> pgtoaster.value_branches(n.value) '
    'ORDER BY b.depth, b.id LIMIT 1', pgtoaster.store_table((document >> 40)::integer, 'node'))
    INTO found USING document, branch;
  RETURN found;
END $$;

-- Returns the branches that the markers in a stored value refer to, in text order, with NULL for invalid markers.
CREATE OR REPLACE FUNCTION pgtoaster.value_branches(value jsonb) RETURNS bigint[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT ARRAY(SELECT pgtoaster.branch_number(m.m)
               FROM jsonb_path_query(value, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY m(m, n) ORDER BY m.n)
$$;

-- Returns the remaining content of a branch, with the keys as stored and without markers. NULL if nothing is left, or
-- if the document has nodes with more than one reference, which would be copied once per path. Missing nodes are left
-- out.
CREATE OR REPLACE FUNCTION pgtoaster.salvaged_branch(document bigint, branch bigint, above bigint[] DEFAULT '{}') RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  n record;
  kid bigint;
  part jsonb;
  whole jsonb;
BEGIN
  IF branch = ANY (above) OR cardinality(above) > 256 OR cardinality(above) = 0 AND pgtoaster.shared_node(document) IS NOT NULL THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT kind, value, kids FROM %s WHERE doc = $1 AND id = $2', pgtoaster.store_table((document >> 40)::integer, 'node'))
    INTO n USING document, branch;
  IF n.value IS NOT NULL THEN
    RETURN pgtoaster.salvaged_value(document, n.value, above || branch);
  END IF;
  FOREACH kid IN ARRAY coalesce(n.kids, '{}') LOOP
    part := pgtoaster.salvaged_branch(document, kid, above || branch);
    IF left(jsonb_typeof(part), 1) = n.kind::text THEN
      whole := CASE WHEN whole IS NULL THEN part
                    WHEN n.kind = 's' THEN to_jsonb((whole #>> '{}') || (part #>> '{}'))
                    ELSE whole || part END;
    END IF;
  END LOOP;
  RETURN whole;
END $$;

-- Returns a stored value with its markers replaced by the remaining content of their branches.
CREATE OR REPLACE FUNCTION pgtoaster.salvaged_value(document bigint, value jsonb, above bigint[]) RETURNS jsonb
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  IF strpos(value::text, '$pgtoaster') = 0 THEN
    RETURN value;
  END IF;
  CASE jsonb_typeof(value)
    WHEN 'object' THEN
      IF value ? '$pgtoaster' THEN
        RETURN CASE WHEN pgtoaster.branch_number(value) IS NOT NULL
                    THEN pgtoaster.salvaged_branch(document, pgtoaster.branch_number(value), above) END;
      END IF;
      RETURN (SELECT coalesce(jsonb_object_agg(m.key, m.part) FILTER (WHERE m.part IS NOT NULL), '{}')
              FROM (SELECT e.key, pgtoaster.salvaged_value(document, e.value, above) AS part FROM jsonb_each(value) e) m);
    WHEN 'array' THEN
      RETURN (SELECT coalesce(jsonb_agg(m.part ORDER BY m.n) FILTER (WHERE m.part IS NOT NULL), '[]')
              FROM (SELECT e.n, pgtoaster.salvaged_value(document, e.value, above) AS part
                    FROM jsonb_array_elements(value) WITH ORDINALITY e(value, n)) m);
    ELSE
      RETURN value;
  END CASE;
END $$;

-- Returns whether the row that a head refers to as its owner still contains the document.
CREATE OR REPLACE FUNCTION pgtoaster.is_owned(store integer, document bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  n record;
  named boolean := true;
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_rows(store) LOOP
    EXIT WHEN n.handle IS NULL;
    EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = $1 AND pgtoaster.document_id(o.%I) = $1)',
                   pgtoaster.store_table(store, 'head'), n.relation, n.same_key, n.handle) INTO named USING document;
    EXIT WHEN named;
  END LOOP;
  RETURN named;
END $$;

-- Deletes branches that a stub no longer refers to. Locks the head exclusively, as every writer that drops branches does.
CREATE OR REPLACE FUNCTION pgtoaster.drop_branches(store integer, document bigint, branches bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('SELECT FROM %s WHERE id = $1 FOR UPDATE', pgtoaster.store_table(store, 'head')) USING document;
  EXECUTE format('UPDATE %s SET generation = (generation & 4611686018427387903) + 1 WHERE id = $1',
                 pgtoaster.store_table(store, 'head')) USING document;
  EXECUTE format(
    'WITH RECURSIVE below AS (SELECT b.id FROM unnest($2) b(id) UNION SELECT k.id FROM below b '
    'CROSS JOIN LATERAL (SELECT m.kids FROM %1$s m WHERE m.doc = $1 AND m.id = b.id LIMIT 1) n, unnest(n.kids) k(id)) '
    'DELETE FROM %1$s d USING below b WHERE d.doc = $1 AND d.id = b.id', pgtoaster.store_table(store, 'node')) USING document, branches;
END $$;

-- Returns the statement that sets a value aside: $1 is the key of the row; given: the path, the reason and the value.
CREATE OR REPLACE FUNCTION pgtoaster.aside_insert(store integer, given text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT concat('INSERT INTO ', pgtoaster.store_table(store, 'aside'), ' (row_key, place, what, value', ', ' || l.attname,
                ') VALUES ($1, ', given, CASE WHEN l.attname IS NOT NULL THEN
                  format(', CAST($1[%s] AS %s)', substr(l.attname, 7), format_type(l.atttypid, l.atttypmod)) END, ')')
  FROM (VALUES (1)) v(v) LEFT JOIN pgtoaster.lead_attribute(store) l ON true
$$;

-- Returns the nodes of a document that no other node refers to.
CREATE OR REPLACE FUNCTION pgtoaster.branch_roots(document bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT n.id FROM %1$s n WHERE n.doc = $1 EXCEPT SELECT k.id FROM %1$s n, unnest(n.kids) k(id) WHERE n.doc = $1',
    pgtoaster.store_table((document >> 40)::integer, 'node')) USING document;
END $$;

-- Sets aside everything stored for a document: each branch as plain jsonb, and the leaves of a damaged branch. Then
-- deletes the document.
CREATE OR REPLACE FUNCTION pgtoaster.set_document_aside(store integer, key text[], place text, document bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  aside text := pgtoaster.aside_insert(store, '$2, $3, $4');
  node text := pgtoaster.store_table(store, 'node');
  branch bigint;
  n record;
  whole boolean;
BEGIN
  EXECUTE format('SELECT FROM %s WHERE id = $1 FOR UPDATE', pgtoaster.store_table(store, 'head')) USING document;
  FOR branch IN SELECT r FROM pgtoaster.branch_roots(document) r LOOP
    whole := coalesce(whole, true) AND pgtoaster.branch_damage(document, branch) IS NULL;
    EXECUTE aside USING key, place, format('branch %s of document %s, which refers to this row', branch, document),
      pgtoaster.expanded_text(document, coalesce(pgtoaster.salvaged_branch(document, branch), 'null'))::jsonb;
  END LOOP;
  IF NOT coalesce(whole, false) THEN
    FOR n IN EXECUTE format('SELECT n.id, n.value FROM %s n WHERE n.doc = $1 AND n.value IS NOT NULL', node) USING document LOOP
      EXECUTE aside USING key, place, format('leaf %s of document %s, which refers to this row', n.id, document), n.value;
    END LOOP;
  END IF;
  EXECUTE format('DELETE FROM %s WHERE doc = $1', node) USING document;
  EXECUTE format('DELETE FROM %s WHERE id = $1', pgtoaster.store_table(store, 'head')) USING document;
END $$;

-- Repairs one row; see pgtoaster.repair. A change takes the same locks as a writer.
CREATE OR REPLACE FUNCTION pgtoaster.repair_row(store integer, owner regclass, handle name, key text[], dry_run boolean)
RETURNS TABLE (place text, problem text, action text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  head text := pgtoaster.store_table(store, 'head');
  node text := pgtoaster.store_table(store, 'node');
  aside text := pgtoaster.aside_insert(store, '$2, $3, $4');
  k record;
  row_as_head text;
  row_as_owner text;
  own bigint[];
  stub jsonb;
  mended jsonb;
  header_lost boolean := false;
  headed boolean;
  document bigint;
  rest bigint;
  named bigint[] := CAST('{}' AS bigint[]);
  replaced bigint[] := CAST('{}' AS bigint[]);
  lost bigint[];
  roots bigint[];
  branch bigint;
  there boolean;
  secured boolean;
  value jsonb;
  m record;
  n record;
BEGIN
  SELECT * INTO k FROM pgtoaster.owner_key(owner, store);
  SELECT string_agg(format('CAST($1[%s] AS %s) AS owner_%1$s', c.position, format_type(a.atttypid, a.atttypmod)), ', '),
         string_agg(format('CAST($1[%s] AS %s) AS %I', c.position, format_type(a.atttypid, a.atttypmod), c.name), ', ')
    INTO row_as_head, row_as_owner
  FROM unnest(k.columns) WITH ORDINALITY c(name, position)
  JOIN pg_attribute a ON a.attrelid = head::regclass AND a.attname = 'owner_' || c.position;
  EXECUTE format('/* pgtoaster */ SELECT o.%I FROM %s o JOIN (SELECT %s) h ON %s %s', handle, owner, row_as_head, k.same_key,
                 CASE WHEN dry_run THEN '' ELSE 'FOR NO KEY UPDATE OF o' END) INTO stub USING key;
  IF stub IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format('SELECT coalesce(array_agg(h.id), ''{}'') FROM (SELECT %s) o JOIN %s h ON %s', row_as_owner, head, k.same_key)
    INTO own USING key;
  headed := stub -> '$pgtoaster' IS NOT NULL;
  IF NOT headed THEN
    -- While triggers are disabled, a header can be removed, or another document written in its place.
    EXECUTE format(
      'SELECT EXISTS (SELECT FROM %s n WHERE n.doc = ANY ($1) AND n.id IN (SELECT s.branch FROM pgtoaster.stub_markers($2) s))', node)
      INTO there USING own, stub;
    IF NOT there THEN
      FOREACH document IN ARRAY own LOOP
        problem := format('document %s refers to this row, which contains a plain document', document);
        action := 'its stored rows are set aside';
        PERFORM pgtoaster.set_document_aside(store, key, NULL, document) WHERE NOT dry_run;
        RETURN NEXT;
      END LOOP;
      RETURN;
    END IF;
    there := false;
  END IF;
  document := pgtoaster.document_id(stub);
  rest := pgtoaster.branch_number(jsonb_build_object('$pgtoaster', stub -> '$pgtoaster' -> 1));
  mended := stub;
  -- Find the document that this row owns.
  IF document IS NULL OR document <> ALL (own) THEN
    IF EXISTS (SELECT FROM pgtoaster.store s WHERE s.id = document >> 40 AND s.toaster = 'keyed') THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM %s h WHERE h.id = $1)', pgtoaster.store_table((document >> 40)::integer, 'head'))
        INTO there USING document;
    END IF;
    -- If either table has row security, the role that wrote the header here has no right to the content.
    secured := EXISTS (SELECT FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner
                       WHERE s.id IN (store, document >> 40) AND r.relrowsecurity);
    place := '$pgtoaster';
    IF there AND NOT secured AND document >> 40 = store AND NOT pgtoaster.is_owned(store, document) THEN
      problem := format('document %s has another key as its owner, but no row with that key contains it', document);
      action := 'this row becomes its owner';
      IF NOT dry_run THEN
        EXECUTE format('UPDATE %s h SET %s FROM (SELECT %s) r WHERE h.id = $2', head,
                       (SELECT string_agg(format('owner_%s = r.owner_%1$s', p), ', ') FROM generate_series(1, cardinality(k.columns)) p),
                       row_as_head) USING key, document;
      END IF;
      RETURN NEXT;
    ELSIF there AND NOT secured THEN
      problem := format('document %s belongs to another %s', document, CASE WHEN document >> 40 = store THEN 'row' ELSE 'column' END);
      action := 'a plain copy of its content replaces it';
      value := pgtoaster.salvaged_value(document, stub - '$pgtoaster', '{}');
      IF rest IS NOT NULL THEN
        mended := pgtoaster.salvaged_branch(document, rest);
        value := CASE WHEN jsonb_typeof(mended) = 'object' THEN mended || value ELSE coalesce(mended, value) END;
      END IF;
      PERFORM pgtoaster.write_repaired(store, owner, handle, key, value, true, dry_run);
      RETURN NEXT;
      RETURN;
    ELSIF cardinality(own) = 1 AND NOT secured THEN
      problem := CASE WHEN there THEN format('document %s belongs to another %s', document,
                                             CASE WHEN document >> 40 = store THEN 'row' ELSE 'column' END)
                      WHEN NOT headed THEN 'it has lost its header'
                      ELSE 'its header does not refer to a document' END || ', and a document that no row contains refers to this row';
      document := own[1];
      rest := NULL;
      header_lost := true;
      action := format('the header of document %s is restored', document);
      mended := jsonb_set(mended, '{$pgtoaster}', jsonb_build_array(document));
      RETURN NEXT;
    ELSE
      problem := CASE WHEN there THEN format('document %s belongs to another %s', document,
                                             CASE WHEN document >> 40 = store THEN 'row' ELSE 'column' END)
                      WHEN NOT headed THEN 'it has lost its header'
                      ELSE 'its header does not refer to a document' END;
      action := 'it is set aside; the content of the row becomes a plain document';
      IF NOT dry_run THEN
        EXECUTE aside USING key, place, problem, stub;
      END IF;
      -- A row with that key may have belonged to another role and been removed with its partition: the owner of the table
      -- decides.
      FOREACH document IN ARRAY own LOOP
        FOR branch IN SELECT r FROM pgtoaster.branch_roots(document) r LOOP
          problem := problem || format('; branch %s of document %s, which refers to this row', branch, document);
          action := action || format('; so is branch %s', branch);
        END LOOP;
        PERFORM pgtoaster.set_document_aside(store, key, place, document) WHERE NOT dry_run;
      END LOOP;
      PERFORM pgtoaster.write_repaired(store, owner, handle, key,
                                       pgtoaster.salvaged_value(store::bigint << 40, stub - '$pgtoaster', '{}'), true, dry_run);
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;
  IF NOT dry_run THEN
    EXECUTE format('SELECT FROM %s WHERE id = $1 FOR UPDATE', head) USING document;
  END IF;
  -- All markers, and last the overflow branch, which is a marker in the header.
  FOR m IN
    SELECT s.path, s.place[cardinality(s.place)] IS NULL AS element, s.mark, s.branch FROM pgtoaster.stub_markers(stub) s
    UNION ALL SELECT '{$pgtoaster,1}', false, stub -> '$pgtoaster' -> 1, rest
    WHERE NOT header_lost AND stub -> '$pgtoaster' -> 1 IS NOT NULL
    ORDER BY 1 LOOP
    place := m.path::text;
    branch := coalesce(m.branch, pgtoaster.branch_number(jsonb_build_object('$pgtoaster', m.mark -> '$pgtoaster')));
    EXECUTE format('SELECT EXISTS (SELECT FROM %s n WHERE n.doc = $1 AND n.id = $2)', node) INTO there USING document, branch;
    value := NULL;
    problem := NULL;
    IF branch IS NULL OR NOT there THEN
      problem := CASE WHEN branch IS NULL THEN 'the marker there does not refer to a branch' ELSE format('node %s is missing', branch) END;
      action := CASE WHEN m.element THEN 'it is set aside, and becomes null' ELSE 'it is set aside' END;
      value := m.mark;
    ELSIF branch = ANY (named) THEN
      problem := format('branch %s has two references', branch);
      action := 'a plain copy replaces it';
      mended := jsonb_set(mended, m.path, coalesce(pgtoaster.salvaged_branch(document, branch), 'null'));
    ELSE
      named := named || branch;
      IF m.branch IS NULL THEN
        problem := format('the reference to branch %s was changed', branch);
        action := 'the branch is restored, and the added content is set aside';
        mended := jsonb_set(mended, m.path, jsonb_build_object('$pgtoaster', branch));
        IF NOT dry_run THEN
          EXECUTE aside USING key, place, problem, m.mark - '$pgtoaster';
        END IF;
        RETURN NEXT;
        problem := NULL;
      END IF;
      problem := pgtoaster.branch_damage(document, branch);
      IF problem IS NOT NULL THEN
        action := 'its remaining content replaces it; its stored rows are set aside';
        replaced := replaced || branch;
        value := pgtoaster.salvaged_branch(document, branch);
        IF m.path <> '{$pgtoaster,1}' THEN
          mended := CASE WHEN value IS NOT NULL THEN jsonb_set(mended, m.path, value) WHEN m.element THEN jsonb_set(mended, m.path, 'null')
                         ELSE mended #- m.path END;
        ELSE
          mended := jsonb_set(mended, '{$pgtoaster}', jsonb_build_array(document));
          mended := CASE jsonb_typeof(value) WHEN 'object' THEN value || mended ELSE coalesce(value, mended) END;
        END IF;
        value := NULL;
        IF NOT dry_run THEN
          FOR n IN EXECUTE format(
            'WITH RECURSIVE below AS ('
            'SELECT $2 AS id UNION SELECT k.id FROM below b JOIN %1$s n ON n.doc = $1 AND n.id = b.id, unnest(n.kids) k(id)) '
            'SELECT n.id, n.value FROM below b JOIN %1$s n ON n.doc = $1 AND n.id = b.id WHERE n.value IS NOT NULL', node)
            USING document, branch LOOP
            EXECUTE aside USING key, place, format('leaf %s of document %s: %s', n.id, document, problem), n.value;
          END LOOP;
        END IF;
      END IF;
    END IF;
    IF value IS NOT NULL THEN
      IF NOT dry_run THEN
        EXECUTE aside USING key, place, problem, value;
      END IF;
      mended := CASE WHEN m.element THEN jsonb_set(mended, m.path, 'null') ELSE mended #- m.path END;
    END IF;
    IF problem IS NOT NULL THEN
      RETURN NEXT;
    END IF;
  END LOOP;
  -- Nodes without any reference.
  EXECUTE format(
    'WITH RECURSIVE seen AS (SELECT unnest($2) AS id UNION '
    'SELECT k.id FROM seen s JOIN %1$s n ON n.doc = $1 AND n.id = s.id, unnest(n.kids) k(id)), '
    'lost AS (SELECT n.* FROM %1$s n WHERE n.doc = $1 AND n.id NOT IN (SELECT s.id FROM seen s)) '
    'SELECT array_agg(l.id ORDER BY l.id), '
    'coalesce(array_agg(l.id ORDER BY l.id) FILTER (WHERE NOT EXISTS (SELECT FROM lost o WHERE l.id = ANY (o.kids))), '
    '         array_agg(l.id ORDER BY l.id) FILTER (WHERE l.value IS NOT NULL)) FROM lost l', node)
    INTO lost, roots USING document, named;
  IF header_lost AND coalesce(cardinality(roots), 0) = 1 AND pgtoaster.branch_damage(document, roots[1]) IS NULL
     AND (pgtoaster.branch_kind(document, roots[1]) = 'o' OR mended - '$pgtoaster' = '{}') THEN
    place := '{$pgtoaster,1}';
    problem := format('branch %s has no reference', roots[1]);
    action := 'its members are members of the document again';
    mended := jsonb_set(mended, '{$pgtoaster}', jsonb_build_array(document, roots[1]));
    named := named || roots;
    lost := NULL;
    RETURN NEXT;
  ELSE
    FOREACH branch IN ARRAY coalesce(roots, '{}') LOOP
      place := NULL;
      problem := format('branch %s has no reference', branch);
      action := 'it is set aside';
      IF NOT dry_run THEN
        EXECUTE aside USING key, place, format('branch %s of document %s', branch, document),
          pgtoaster.expanded_text(document, coalesce(pgtoaster.salvaged_branch(document, branch), 'null'))::jsonb;
      END IF;
      RETURN NEXT;
    END LOOP;
  END IF;
  IF NOT dry_run AND (cardinality(lost) > 0 OR cardinality(replaced) > 0) THEN
    PERFORM pgtoaster.drop_branches(store, document, coalesce(lost, '{}') || replaced);
  END IF;
  IF mended <> stub OR mended::text <> stub::text THEN
    PERFORM pgtoaster.write_repaired(store, owner, handle, key, mended, jsonb_typeof(mended) <> 'object', dry_run);
  END IF;
END $$;

-- Writes a repaired row: a split document with the keys as stored, or a plain one with the keys of the user. A plain
-- document cannot have a root key "$pgtoaster", so that key is set aside.
CREATE OR REPLACE FUNCTION pgtoaster.write_repaired(
  store integer, owner regclass, handle name, key text[], value jsonb, plain boolean, dry_run boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  k record;
  row_as_head text;
BEGIN
  IF dry_run THEN
    RETURN;
  END IF;
  IF plain THEN
    value := pgtoaster.expanded_text(NULL, value)::jsonb;
    IF jsonb_typeof(value) = 'object' AND value ? '$pgtoaster' THEN
      EXECUTE pgtoaster.aside_insert(store, '''$pgtoaster'', ''a plain document cannot have this member'', $2')
        USING key, value -> '$pgtoaster';
      value := value - '$pgtoaster';
    END IF;
  END IF;
  SELECT * INTO k FROM pgtoaster.owner_key(owner, store);
  SELECT string_agg(format('CAST($2[%s] AS %s) AS owner_%1$s', p, format_type(a.atttypid, a.atttypmod)), ', ')
    INTO row_as_head
  FROM generate_series(1, cardinality(k.columns)) p
  JOIN pg_attribute a ON a.attrelid = pgtoaster.store_table(store, 'head')::regclass AND a.attname = 'owner_' || p;
  PERFORM set_config('pgtoaster.write', statement_timestamp()::text, true);
  EXECUTE format('/* pgtoaster */ UPDATE %s o SET %I = $1 FROM (SELECT %s) h WHERE %s', owner, handle, row_as_head, k.same_key)
    USING value, key;
  PERFORM set_config('pgtoaster.write', '', true);
END $$;

-- Finds damage in a column of documents, or in one of its rows, and returns what would repair it; with dry_run = false,
-- repairs it. Only the owner of the table may call it. Compact repaired documents afterwards: values that replaced branches
-- are stored in the row.
CREATE OR REPLACE FUNCTION pgtoaster.repair(owner regclass, column_name name, row_key text[] DEFAULT NULL, dry_run boolean DEFAULT true)
RETURNS TABLE (key text[], place text, problem text, action text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  target regclass := repair.owner;
  a pgtoaster.attached_column;
  columns name[];
  done jsonb[];
  damaged boolean := false;
BEGIN
  SELECT * INTO a FROM pgtoaster.attached_column c WHERE c.owner = target AND c.column_name = repair.column_name AND c.toaster = 'keyed';
  IF a.store IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to the toaster keyed', repair.column_name, target USING ERRCODE = 'undefined_object';
  END IF;
  IF NOT pg_has_role((SELECT r.relowner FROM pg_class r WHERE r.oid = target), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table %', target USING ERRCODE = 'insufficient_privilege';
  END IF;
  columns := (SELECT k.columns FROM pgtoaster.owner_key(target, a.store) k);
  IF repair.row_key IS NOT NULL AND cardinality(repair.row_key) <> cardinality(columns) THEN
    RAISE EXCEPTION 'the row key of % has % columns', target, cardinality(columns) USING ERRCODE = 'invalid_parameter_value',
      HINT = format('Pass the values of %s as text.', array_to_string(columns, ', '));
  END IF;
  FOR key IN EXECUTE CASE WHEN repair.row_key IS NOT NULL THEN 'SELECT $1' ELSE
      format('/* pgtoaster */ SELECT ARRAY[%s] FROM %s o WHERE o.%I ? ''$pgtoaster'' OR EXISTS (SELECT FROM %s h WHERE %s)',
             (SELECT string_agg(format('o.%I::text', c), ', ' ORDER BY n) FROM unnest(columns) WITH ORDINALITY u(c, n)),
             target, a.column_name, pgtoaster.store_table(a.store, 'head'),
             (SELECT k.same_key FROM pgtoaster.owner_key(target, a.store) k)) END
      USING repair.row_key LOOP
    -- An error in one row must not prevent the repair of others.
    BEGIN
      done := ARRAY(SELECT jsonb_build_array(r.place, r.problem, r.action)
                    FROM pgtoaster.repair_row(a.store, target, a.column_name, key, dry_run) r);
    EXCEPTION WHEN statement_too_complex OR program_limit_exceeded OR data_corrupted THEN
      done := ARRAY[jsonb_build_array(NULL, 'its document cannot be repaired: ' || SQLERRM,
                                      'it is not changed; set the column to NULL there')];
    END;
    RETURN QUERY SELECT repair.key, d ->> 0, d ->> 1, d ->> 2 FROM unnest(done) d;
    damaged := damaged OR cardinality(done) > 0;
  END LOOP;
  IF damaged THEN
    PERFORM pgtoaster.require_snapshot(a.store);
  END IF;
END $$;
