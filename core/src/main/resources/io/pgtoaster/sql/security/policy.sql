-- Row security. If the owner table has row security, the tables of its store have policies that follow the owner's rows: a
-- role sees content if it sees a row that refers to it, and changes content if it may update that row.
-- The policies use subqueries over the owner table. These run with the rights of the role that reads or writes the store,
-- so the owner table's policies apply in them. FOR KEY SHARE makes PostgreSQL apply the policies for UPDATE. OFFSET 0
-- keeps the planner from reading all rows of the owner into a hash. Other tables are not affected. Policies check
-- existing rows with functions whose declared cost is lower than that of any operator. PostgreSQL evaluates cheap
-- leakproof conditions first, such as data >= ..., and EXPLAIN ANALYZE would show whether a subquery after them was
-- run. A role could learn the bytes that way, bit by bit. The functions cost a few microseconds per row. New rows are
-- checked with subqueries.

-- Returns the rows of the owner table for a FROM clause, without those of inheriting tables that are not partitions: such
-- tables do not have its triggers.
CREATE OR REPLACE FUNCTION pgtoaster.own_rows(owner regclass) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE c.relkind WHEN 'r' THEN 'ONLY ' ELSE '' END || $1 FROM pg_class c WHERE c.oid = $1 $$;

-- Returns the condition that a row o of the owner table has the key that a row of a store's table contains. It uses the
-- operators of the foreign key, or of the index of the row key, whichever schema they are in.
CREATE OR REPLACE FUNCTION pgtoaster.names_row(store integer, part text) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  names text;
BEGIN
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = names_row.store;
  IF a.documents THEN
    SELECT string_agg(format('o.%I OPERATOR(%I.%s) %s.owner_%s', t.attname, n.nspname, p.oprname, part, k.position),
                      ' AND ' ORDER BY k.position) INTO names
    FROM pgtoaster.owner_key(a.owner, store) w
    JOIN pg_index i ON i.indexrelid = w.index_id
    CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY k(attnum, class, position)
    JOIN pg_attribute t ON t.attrelid = i.indrelid AND t.attnum = k.attnum
    JOIN pg_opclass c ON c.oid = k.class
    JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype AND e.amoprighttype = c.opcintype
      AND e.amopstrategy = 3
    JOIN pg_operator p ON p.oid = e.amopopr
    JOIN pg_namespace n ON n.oid = p.oprnamespace;
  ELSE
    SELECT string_agg(format('o.%I OPERATOR(%I.%s) %s.%s', t.attname, n.nspname, p.oprname, part,
                             CASE WHEN k.position < cardinality(f.conkey) THEN 'leading_key'
                                  WHEN part LIKE '%\_head' THEN 'id' ELSE 'blob_id' END),
                      ' AND ' ORDER BY k.position) INTO names
    FROM pg_constraint f
    CROSS JOIN LATERAL unnest(f.conkey, f.conpfeqop) WITH ORDINALITY k(attnum, operator, position)
    JOIN pg_attribute t ON t.attrelid = f.conrelid AND t.attnum = k.attnum
    JOIN pg_operator p ON p.oid = k.operator
    JOIN pg_namespace n ON n.oid = p.oprnamespace
    WHERE f.contype = 'f' AND f.conrelid = a.owner AND f.confrelid = to_regclass(pgtoaster.store_table(store, 'head'));
  END IF;
  IF names IS NULL THEN
    RAISE EXCEPTION 'the store % of % cannot find the rows that refer to its content', store, a.owner
      USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'See the warnings of pgtoaster.status().';
  END IF;
  RETURN names;
END $$;

-- Returns the policies of a store: expressions for existing and for new rows, NULL if the command has none.
CREATE OR REPLACE FUNCTION pgtoaster.wanted_policies(store integer)
RETURNS TABLE (part text, policy name, command text, existing text, new text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  head text := 'store_' || store || '_head';
  node text := 'store_' || store || '_node';
  lk text;
  created text;
  seen text;
  owns text;
  p text;
  owned text;
  made CONSTANT text := format(
    ' AND %1$s.created_by = pg_current_xact_id() AND %1$s.created_as = to_regrole(quote_ident(current_user))', head);
  -- Sums and quotients over all heads, and reads of pieces, must not fail because a role has written invalid values to
  -- one head.
  sound CONSTANT text := format(
    ' AND %1$s.chunk_size BETWEEN 1 AND 1048576 AND %1$s.piece_rows BETWEEN 0 AND 65536 AND %1$s.generation BETWEEN 0 AND 1::bigint << 62'
    ' AND %1$s.base BETWEEN 0 AND 1::bigint << 60 AND %1$s.base - %1$s.piece_start BETWEEN 0 AND 2097152 AND %1$s.piece_start >= 0', head);
BEGIN
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = wanted_policies.store;
  -- Heads of documents have the leading key among the columns of their owner.
  lk := CASE WHEN a.options ? 'leading_key' AND NOT a.documents THEN '%1$s.leading_key, ' ELSE '' END;
  -- A head belongs to the transaction that created it until a row refers to it.
  created := format('%s(%L::regclass, %s%s.id)', pgtoaster.store_table(store, 'fresh'), pgtoaster.store_table(store, 'head'),
                    format(lk, head), head);
  IF a.documents THEN
    seen := (SELECT string_agg(format('%s.%I', head, t.attname), ', ' ORDER BY t.attnum) FROM pg_attribute t
             WHERE t.attrelid = pgtoaster.store_table(store, 'head')::regclass AND t.attname LIKE 'owner\_%') || format(', %s.id', head);
    owns := format('%s(%s)', pgtoaster.store_table(store, 'owns'), seen);
    seen := format('%s(%s) OR %s', pgtoaster.store_table(store, 'sees'), seen, created);
    owned := format('EXISTS (SELECT FROM %s o WHERE %s FOR KEY SHARE OF o)', pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, head));
    RETURN QUERY VALUES
      ('head', 'pgtoaster_select'::name, 'SELECT', seen, NULL),
      ('head', 'pgtoaster_insert', 'INSERT', NULL, owned || ' AND ' || created || made),
      ('head', 'pgtoaster_update', 'UPDATE', owns, seen),
      ('head', 'pgtoaster_delete', 'DELETE', owns, NULL);
    owned := format('EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = %s.doc FOR KEY SHARE OF o)',
                    pgtoaster.store_table(store, 'head'), pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'h'), node);
    owns := format('%s(%s.doc)', pgtoaster.store_table(store, 'owns_node'), node);
    RETURN QUERY VALUES
      ('node', 'pgtoaster_select'::name, 'SELECT', format('%s(%s.doc)', pgtoaster.store_table(store, 'sees_node'), node), NULL),
      -- One statement inserts the head and the nodes of a new document.
      ('node', 'pgtoaster_insert', 'INSERT', NULL,
       format('%s OR %s(%L::regclass, %s.doc, current_user) AND NOT %s(%4$s.doc)',
              owned, pgtoaster.store_table(store, 'own'), pgtoaster.store_table(store, 'head'), node,
              pgtoaster.store_table(store, 'named'))),
      ('node', 'pgtoaster_update', 'UPDATE', owns, owned),
      ('node', 'pgtoaster_delete', 'DELETE', owns, NULL);
    RETURN;
  END IF;
  FOREACH p IN ARRAY ARRAY['head', 'chunk', 'piece', 'token', 'follower'] LOOP
    seen := format('%s%s.%s', format(lk, 'store_' || store || '_' || p), 'store_' || store || '_' || p,
                   CASE p WHEN 'head' THEN 'id' ELSE 'blob_id' END);
    owns := format('%s(%s)', pgtoaster.store_table(store, 'owns'), seen);
    seen := format('%s(%s)', pgtoaster.store_table(store, 'sees'), seen);
    owned := format('EXISTS (SELECT FROM %s o WHERE %s FOR KEY SHARE OF o)',
                    pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'store_' || store || '_' || p));
    IF p = 'head' THEN
      seen := seen || ' OR ' || created;
      owns := owns || ' OR ' || created;
    END IF;
    IF p = 'follower' THEN
      -- A role that may read may also register as a follower.
      RETURN QUERY VALUES
        (p, 'pgtoaster_select'::name, 'SELECT', seen, NULL),
        (p, 'pgtoaster_insert', 'INSERT', NULL, seen),
        (p, 'pgtoaster_update', 'UPDATE', seen, seen),
        (p, 'pgtoaster_delete', 'DELETE', owns, NULL);
    ELSE
      RETURN QUERY VALUES
        (p, 'pgtoaster_select'::name, 'SELECT', seen, NULL),
        (p, 'pgtoaster_insert', 'INSERT', NULL, CASE p WHEN 'head' THEN created || made || sound ELSE owned END),
        (p, 'pgtoaster_update', 'UPDATE', owns, CASE p WHEN 'head' THEN '(' || seen || ')' || sound ELSE owned END),
        (p, 'pgtoaster_delete', 'DELETE', owns, NULL);
    END IF;
  END LOOP;
END $$;

-- Drops the policies of a store, with the functions that they need.
CREATE OR REPLACE FUNCTION pgtoaster.drop_policies(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  p record;
BEGIN
  FOR p IN SELECT t.tgname, t.tgrelid::regclass AS relation FROM pg_trigger t
           JOIN pg_class c ON c.oid = t.tgrelid AND pg_has_role(c.relowner, 'USAGE')
           JOIN pg_proc f ON f.oid = t.tgfoid AND f.proname LIKE 'store\_' || store || '\_%'
           WHERE ltrim(t.tgname, '~') = ANY (ARRAY(SELECT 'pgtoaster_' || store || e.ending
                                      FROM unnest(ARRAY['_guard', '_guard_insert', '_guard_before', '_guard_before_insert', '_gave_update',
                                                        '_gave_delete', '_give_update', '_give_delete', '_admit', '_guard_row', '_alone',
                                                        '_alone_insert']) e(ending)))
             AND t.tgparentid = 0 LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', p.tgname, p.relation);
  END LOOP;
  FOR p IN SELECT l.polname, r.oid::regclass AS relation FROM unnest(pgtoaster.store_parts(store)) s(part)
           JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, s.part))
           JOIN pg_policy l ON l.polrelid = r.oid AND l.polname LIKE 'pgtoaster\_%' LOOP
    EXECUTE format('DROP POLICY %I ON %s', p.polname, p.relation);
  END LOOP;
  FOR p IN SELECT r.oid::regclass AS relation FROM unnest(pgtoaster.store_parts(store)) s(part)
           JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, s.part)) AND r.relrowsecurity LOOP
    EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', p.relation);
  END LOOP;
  FOR p IN SELECT f.id FROM pgtoaster.policy_functions(store) f(id) ORDER BY f.id::text !~ '_fresh[(]' LOOP -- it calls others
    PERFORM pgtoaster.drop_part(format('DROP FUNCTION %s', p.id));
  END LOOP;
END $$;

-- Returns how the row security of a store differs from that of its owner table; NULL if it does not.
CREATE OR REPLACE FUNCTION pgtoaster.policy_drift(store integer) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  wanted boolean;
  parts text[] := pgtoaster.store_parts(store);
  followed bigint;
BEGIN
  SELECT c.relrowsecurity INTO wanted FROM pgtoaster.store s JOIN pg_class c ON c.oid = s.owner WHERE s.id = store;
  IF cardinality(parts) = 0 OR wanted IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT count(*) INTO followed FROM unnest(parts) p(part)
  JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, p.part)) AND r.relrowsecurity
  WHERE p.part IN ('garbage', 'aside') OR EXISTS (SELECT FROM pg_policy l WHERE l.polrelid = r.oid AND l.polname LIKE 'pgtoaster\_%');
  IF wanted AND followed < cardinality(parts) THEN
    RETURN 'the table has row security, but its store does not';
  ELSIF wanted AND (SELECT count(*) FROM pgtoaster.policy_functions(store)) < (CASE WHEN 'node' = ANY (parts) THEN 17 ELSE 14 END) THEN
    RETURN 'the policies of the store are outdated, and query plans reveal content that they hide';
  ELSIF NOT wanted AND followed > 0 THEN
    RETURN 'the table no longer has row security, but its store still has the policies';
  ELSIF EXISTS (SELECT FROM unnest(parts) p(part)
                JOIN pg_policy l ON l.polrelid = to_regclass(pgtoaster.store_table(store, p.part))
                WHERE l.polname NOT LIKE 'pgtoaster\_%') THEN
    RETURN 'the store has policies that do not belong to pgtoaster, which the extension cannot apply';
  END IF;
  RETURN NULL;
END $$;

-- Sets the row security of a store to that of its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_policies(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  a record;
  table_owner name;
  drift boolean;
  followed boolean;
  part text;
  p record;
  active text;
  row_key text;
  given text;
  unmade text;
  known text;
BEGIN
  SELECT r.relrowsecurity, pg_get_userbyid(r.relowner) INTO followed, table_owner
  FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner WHERE s.id = store;
  drift := pgtoaster.policy_drift(store) IS NOT NULL;
  IF NOT (drift OR followed) THEN
    RETURN;
  END IF;
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a FROM pgtoaster.attached_column c WHERE c.store = mirror_policies.store;
  IF NOT coalesce('head' = ANY (pgtoaster.store_parts(store)) AND a.column_exists, false) THEN
    RETURN;
  END IF;
  IF drift THEN
    PERFORM pgtoaster.drop_policies(store);
  END IF;
  IF NOT followed THEN
    RETURN;
  END IF;
  IF drift THEN
    PERFORM pgtoaster.create_policy_functions(store);
  END IF;
  FOR p IN SELECT i.id FROM pgtoaster.policy_functions(store) i(id) JOIN pg_proc f ON f.oid = i.id
           WHERE drift OR pg_get_userbyid(f.proowner) <> table_owner LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', p.id, table_owner);
  END LOOP;
  -- Policies call these functions with the rights of the current role, so grant them to every role that has any right
  -- on the store.
  FOR p IN SELECT i.id, e.grantee FROM pgtoaster.policy_functions(store) i(id) JOIN pg_proc f ON f.oid = i.id
           CROSS JOIN LATERAL aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) e
           WHERE e.grantee <> f.proowner AND f.proname !~ '_(gives|knows|made|fits)$' LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM %s', p.id,
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  FOR p IN SELECT DISTINCT i.id, w.grantee
           FROM pgtoaster.policy_functions(store) i(id)
           JOIN pg_proc f ON f.oid = i.id AND f.proname !~ '_(guard|giver?|gives|knows|made|fits)$'
           CROSS JOIN pgtoaster.wanted_privileges(store) w LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', p.id,
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  IF NOT drift THEN
    RETURN;
  END IF;
  FOREACH part IN ARRAY pgtoaster.store_parts(store) LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', pgtoaster.store_table(store, part));
  END LOOP;
  FOR p IN SELECT * FROM pgtoaster.wanted_policies(store) LOOP
    EXECUTE format('CREATE POLICY %I ON %s FOR %s', p.policy, pgtoaster.store_table(store, p.part), p.command)
      || coalesce(' USING (' || p.existing || ')', '') || coalesce(' WITH CHECK (' || p.new || ')', '');
  END LOOP;
  active := format('row_security_active(%L::regclass)', a.owner);
  row_key := CASE WHEN a.documents THEN (SELECT string_agg(format('OLD.%I, ', c), '' ORDER BY n)
                                                 FROM pgtoaster.owner_key(a.owner, store) k, unnest(k.columns) WITH ORDINALITY u(c, n))
                  ELSE coalesce('OLD.' || quote_ident(pgtoaster.leading_key_column(a.owner, store)) || ',', '') END;
  given := format('%s AND %s(%L::regprocedure, %L::regprocedure, %s OLD.%I)', active, pgtoaster.store_table(store, 'gives'),
                  pgtoaster.policy_function(store, 'sees'), pgtoaster.policy_function(store, 'alone'), row_key, a.column_name);
  unmade := format('%s AND NOT %s(%L::regprocedure, %L::regclass, %s NEW.%I)', active, pgtoaster.store_table(store, 'made'),
                   pgtoaster.policy_function(store, 'own'), pgtoaster.store_table(store, 'head'),
                   CASE WHEN a.documents THEN '' ELSE replace(row_key, 'OLD.', 'NEW.') END, a.column_name);
  -- These two triggers fire directly after one another, with no other trigger in between.
  FOR p IN SELECT * FROM (VALUES ('gave', 'giver', active), ('give', 'give', given)) v(name, function, asked) LOOP
    EXECUTE format(
      CASE WHEN a.documents THEN
        'CREATE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (OLD.%2$I ? ''$pgtoaster'' '
        'AND OLD.%2$I #> ''{$pgtoaster,0}'' IS DISTINCT FROM NEW.%2$I #> ''{$pgtoaster,0}'' AND %4$s) EXECUTE FUNCTION %5$s()'
      ELSE
        'CREATE TRIGGER %I AFTER UPDATE OF %I ON %s FOR EACH ROW WHEN (OLD.%2$I IS NOT NULL '
        'AND OLD.%2$I IS DISTINCT FROM NEW.%2$I AND %4$s) EXECUTE FUNCTION %5$s()'
      END,
      'pgtoaster_' || store || '_' || p.name || '_update', a.column_name, a.owner, p.asked, pgtoaster.store_table(store, p.function));
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %s FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_' || p.name || '_delete', a.owner,
                   format(CASE WHEN a.documents THEN 'OLD.%I ? ''$pgtoaster''' ELSE 'OLD.%I IS NOT NULL' END, a.column_name), p.asked,
                   pgtoaster.store_table(store, p.function));
  END LOOP;
  IF a.documents THEN
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I ? ''$pgtoaster'' AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard_insert', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    -- These triggers fire for each UPDATE, because columns that a BEFORE trigger sets are not among the columns that
    -- the statement names.
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW WHEN (NEW.%3$I ? ''$pgtoaster'' '
                   'AND OLD.%3$I -> ''$pgtoaster'' IS DISTINCT FROM NEW.%3$I -> ''$pgtoaster'' AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    -- After this check, the head of the document refers to the row, or the function that watches the column
    -- (document/guard.sql) makes it do so before the key changes there. No role can leave a row with the header of
    -- another row's document. The check also applies to the owner. A role that claims to be the library may have called
    -- code that runs as the owner. A BEFORE trigger of the owner may also have changed the key of a row that keeps its
    -- own document; the trigger that follows key changes does not fire then.
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW WHEN (NEW.%3$I ? ''$pgtoaster'' '
                   'AND (OLD.%3$I -> ''$pgtoaster'' IS DISTINCT FROM NEW.%3$I -> ''$pgtoaster'' '
                   'OR %4$s AND (%9$s OR %5$s(%6$L::regclass, %10$s OLD.%3$I))) AND NOT %5$s(%6$L::regclass, %7$s NEW.%3$I)) '
                   'EXECUTE FUNCTION %8$s(''row'')',
                   'pgtoaster_' || store || '_admit', a.owner, a.column_name,
                   (SELECT pgtoaster.key_changes(k.columns) FROM pgtoaster.owner_key(a.owner, store) k),
                   pgtoaster.store_table(store, 'fits'), pgtoaster.store_table(store, 'head'), replace(row_key, 'OLD.', 'NEW.'),
                   pgtoaster.store_table(store, 'watch'), active, row_key);
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I ? ''$pgtoaster'' AND NOT %s(%L::regclass, %s NEW.%3$I)) '
                   'EXECUTE FUNCTION %7$s(''row'')',
                   'pgtoaster_' || store || '_guard_row', a.owner, a.column_name, pgtoaster.store_table(store, 'fits'),
                   pgtoaster.store_table(store, 'head'), replace(row_key, 'OLD.', 'NEW.'), pgtoaster.store_table(store, 'watch'));
  ELSE
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard_insert', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW '
                   'WHEN (NEW.%3$I IS NOT NULL AND OLD.%3$I IS DISTINCT FROM NEW.%3$I AND %s) EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_guard', a.owner, a.column_name, unmade, pgtoaster.store_table(store, 'guard'));
    -- For tables that have no unique index to ensure this. It applies to all roles, as an index would.
    IF (SELECT c.relkind FROM pg_class c WHERE c.oid = a.owner) = 'p' THEN
      EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %s FOR EACH ROW WHEN (NEW.%I IS NOT NULL) EXECUTE FUNCTION %s(''alone'')',
                     'pgtoaster_' || store || '_alone_insert', a.owner, a.column_name, pgtoaster.store_table(store, 'guard'));
      EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %s FOR EACH ROW '
                     'WHEN (NEW.%3$I IS NOT NULL AND OLD.%3$I IS DISTINCT FROM NEW.%3$I) EXECUTE FUNCTION %s(''alone'')',
                     'pgtoaster_' || store || '_alone', a.owner, a.column_name, pgtoaster.store_table(store, 'guard'));
    END IF;
  END IF;
  -- Makes the same check before the row is written, because other code runs after that: RETURNING, other triggers,
  -- functions of the statement. Content that the role already sees is left to the triggers above, because a row that
  -- moves exists twice for a moment. Triggers fire in the order of their names. These fire after all triggers whose
  -- names begin with a letter, to check what those triggers write.
  known := format('%s AND NOT %s(%L::regclass, %s NEW.%I)',
                  unmade, pgtoaster.store_table(store, 'knows'), pgtoaster.store_table(store, 'head'),
                  coalesce('NEW.' || quote_ident(pgtoaster.leading_key_column(a.owner, store)) || ',', ''), a.column_name);
  EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %s FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %s()',
                 '~pgtoaster_' || store || '_guard_before_insert', a.owner,
                 format(CASE WHEN a.documents THEN 'NEW.%I ? ''$pgtoaster''' ELSE 'NEW.%I IS NOT NULL' END, a.column_name),
                 known, pgtoaster.store_table(store, 'guard'));
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW WHEN (%s AND %s) EXECUTE FUNCTION %s()',
                 '~pgtoaster_' || store || '_guard_before', a.owner,
                 format(CASE WHEN a.documents
                             THEN 'NEW.%1$I ? ''$pgtoaster'' AND OLD.%1$I -> ''$pgtoaster'' IS DISTINCT FROM NEW.%1$I -> ''$pgtoaster'''
                             ELSE 'NEW.%1$I IS NOT NULL AND OLD.%1$I IS DISTINCT FROM NEW.%1$I' END, a.column_name),
                 known, pgtoaster.store_table(store, 'guard'));
END $$;
