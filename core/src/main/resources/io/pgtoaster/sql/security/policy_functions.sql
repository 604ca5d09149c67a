-- The functions that the policies of a store call.

-- Creates the functions that the policies of a store and the triggers of its owner call. They run with the rights of the
-- owner of the table; catalog/cleanup.sql lists what they may call.
--   sees(.., id): whether a row that the caller sees refers to the blob or document; sees_node(doc) for a node.
--   owns(.., id): whether a row that the caller may change refers to it; locks that row. owns_node(doc) for a node.
--   own(head, .., id, role): whether the current transaction, still open, created the head as that role. created_by and created_as
--     show that to the inserting transaction only. This is also true if a row has released the head as that role.
--   new(head, .., id, role): 2 if the current transaction created the head, as the statement sees it. 1 if the head does not exist and
--     it may be created: nothing with that number exists or waits to be swept, and the number came from the sequence, so that no role
--     takes other roles' numbers. Otherwise 0.
--   free(head, .., id, role): the same at the current time, for heads that other transactions have committed since the
--     statement began.
--   alone(.., id): whether the row with that key, as the statement sees it, is the one to which the content belongs: the only row
--     that refers to the blob, or the row that the head of the document refers to.
--   named(.., id): whether any row of any role refers to it, as the statement sees it.
--   fresh(head, .., id): new and free, and not named, for the current role, which it passes to them. The policies do not pass the
--     role: the expression current_user costs as much as an operator and would be evaluated after cheap conditions. OFFSET keeps the
--     function from being inlined. Without names for all arguments, pg_dump writes "".
-- Policies refer to the table of heads by OID, which survives renaming the schema; no other table is read.
CREATE OR REPLACE FUNCTION pgtoaster.create_policy_functions(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  head regclass := pgtoaster.store_table(store, 'head')::regclass;
  lk_type text := (SELECT format_type(a.atttypid, a.atttypmod) FROM pg_attribute a
                   WHERE a.attrelid = head AND a.attname = 'leading_key');
  lk_equal text := CASE WHEN lk_type IS NULL THEN '%s'
                        ELSE (SELECT format('t.leading_key OPERATOR(%I.%s) %%s AND ', n.nspname, p.oprname)
                              FROM pg_constraint f JOIN pgtoaster.store s ON s.id = store AND s.owner = f.conrelid
                              JOIN pg_operator p ON p.oid = f.conppeqop[1] JOIN pg_namespace n ON n.oid = p.oprnamespace
                              WHERE f.contype = 'f' AND f.confrelid = head) END;
  -- The arguments of own, new and free: the number, all of them, and the condition on the leading key.
  id text := CASE WHEN lk_type IS NULL THEN '$2' ELSE '$3' END;
  given text := CASE WHEN lk_type IS NULL THEN '$2' ELSE '$3, $2' END;
  find_place CONSTANT text := (pgtoaster.store_text(store, ARRAY[pgtoaster.marked_template(E'\n      PERFORM store.find_place();')]))[1];
  lk_given text := format(lk_equal, CASE WHEN lk_type IS NULL THEN '' ELSE '$2' END);
  -- Whether this transaction created the head, and the version that it sees. The last writer of a head is not enough:
  -- it may have run another role's function, or changed a key that heads of other roles contain. Transaction numbers that were
  -- restored or replicated also occur on the new server, where the restoring role wrote the head.
  mine text := $f$
      mine := false;
      IF pg_current_xact_id_if_assigned() IS NOT NULL AND made THEN
        top := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
        bottom := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
        wrote := top + ((wrote - top + 2147483648) & 4294967295) - 2147483648;
        -- Rows written by an open transaction are visible only to that transaction.
        IF wrote >= bottom AND wrote < top + 1000000 THEN
          mine := pg_xact_status(wrote::text::xid8) = 'in progress';
        END IF;
      END IF;$f$;
  -- Entries of the garbage table are deleted before other transactions could see them.
  given_up text := format($f$
      IF NOT mine THEN
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || prefix || 'garbage t WHERE %s t.id = $2 AND t.given_as = $1 AND NOT t.released)'
          INTO mine USING role, %s;
      END IF;$f$, replace(lk_given, '$2', '$3'), given);
  document_id CONSTANT text := (SELECT f.prosrc FROM pg_proc f WHERE f.oid = 'pgtoaster.document_id(jsonb)'::regprocedure);
  drawn text := (SELECT format($f$
        EXECUTE 'SELECT NOT EXISTS (SELECT FROM ' || prefix || 'garbage t WHERE %1$s t.id = $1)%2$s' INTO mine USING %3$s;
        mine := mine AND %4$s <= pg_sequence_last_value(pg_get_serial_sequence(prefix || 'head', 'id')::regclass);$f$, lk_given,
    string_agg(format(' AND NOT EXISTS (SELECT FROM '' || prefix || ''%s t WHERE %s t.%s = $1)', part, lk_given,
                      CASE part WHEN 'node' THEN 'doc' ELSE 'blob_id' END), ''), given, id)
    FROM unnest(pgtoaster.store_parts(store)) part WHERE part IN ('node', 'chunk', 'piece'));
  p record;
  a record;
  sees text;
  arguments text;
  asked integer;
BEGIN
  -- A VOLATILE function sees the rows that the statement itself has inserted. A STABLE function still sees rows that
  -- other transactions have deleted since the statement began.
  FOR p IN SELECT * FROM (VALUES ('own', 'VOLATILE'), ('new', 'STABLE'), ('free', 'VOLATILE')) v(name, volatility) LOOP
    EXECUTE format('CREATE FUNCTION %s(head regclass, %s bigint, role name) RETURNS %s LANGUAGE plpgsql %s SECURITY DEFINER COST 0.1 '
                   'SET search_path = pg_catalog, pg_temp AS %L', pgtoaster.store_table(store, p.name), coalesce(lk_type || ', ', ''),
                   CASE p.name WHEN 'new' THEN 'integer' ELSE 'boolean' END, p.volatility, $f$
    DECLARE
      prefix text;
      wrote bigint;
      made boolean;
      top bigint;
      bottom bigint;
      mine boolean;$f$ || format($f$
    BEGIN
      SELECT quote_ident(n.nspname) || '.store_%1$s_' INTO prefix FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.oid = head AND c.relname = 'store_%1$s_head' AND c.relkind = 'r' AND pg_get_userbyid(c.relowner) = current_user;
      -- Numbers of other stores would be looked up in the wrong tables.
      IF prefix IS NULL OR %6$s >> 40 <> %1$s THEN
        RETURN false%8$s;
      END IF;
      EXECUTE 'SELECT t.xmin::text::bigint, t.created_by = pg_current_xact_id_if_assigned() AND pg_get_userbyid(t.created_as) = $1 FROM '
              || prefix || 'head t WHERE %2$s t.id = $2' INTO wrote, made USING role, %3$s;
      IF wrote IS NULL THEN%4$s
        RETURN coalesce(mine, false)%8$s;
      END IF;%5$s%7$s
      RETURN mine%8$s%9$s;
    END $f$, store, replace(lk_given, '$2', '$3'), given, CASE p.name WHEN 'own' THEN '' ELSE drawn END, mine, id,
      CASE p.name WHEN 'own' THEN given_up END, CASE p.name WHEN 'new' THEN '::integer' END, CASE p.name WHEN 'new' THEN ' * 2' END));
  END LOOP;
  SELECT c.*, pgtoaster.holds_documents(c.store) AS documents INTO a
  FROM pgtoaster.attached_column c WHERE c.store = create_policy_functions.store;
  IF a.documents THEN
    arguments := (SELECT string_agg(format('%I %s', t.attname, format_type(t.atttypid, t.atttypmod)), ', ' ORDER BY t.attnum)
                  FROM pg_attribute t WHERE t.attrelid = head AND t.attname LIKE 'owner\_%') || ', id bigint';
    EXECUTE format('CREATE FUNCTION %s(doc bigint) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE COST 0.1 '
                   'BEGIN ATOMIC SELECT EXISTS (SELECT FROM %s h WHERE h.id = $1 OFFSET 0); END',
                   pgtoaster.store_table(store, 'sees_node'), head);
    EXECUTE format('CREATE FUNCTION %s(doc bigint) RETURNS boolean LANGUAGE sql COST 0.1 '
                   'BEGIN ATOMIC SELECT EXISTS (SELECT FROM %s h JOIN %s o ON %s WHERE h.id = $1 FOR KEY SHARE OF o); END',
                   pgtoaster.store_table(store, 'owns_node'), head, pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'h'));
  ELSE
    arguments := coalesce('leading_key ' || lk_type || ', ', '') || 'blob_id bigint';
  END IF;
  FOR p IN SELECT * FROM (VALUES ('sees', 'STABLE PARALLEL SAFE', 'OFFSET 0'),
                                 ('owns', 'VOLATILE', 'FOR KEY SHARE OF o')) v(name, volatility, ending) LOOP
    sees := format('store_%s_%s', store, p.name);
    EXECUTE format(
      'CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql %s COST 0.1 BEGIN ATOMIC SELECT EXISTS (SELECT FROM %s o WHERE %s%s %s); END',
      pgtoaster.store_table(store, p.name), arguments, p.volatility, pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, sees),
      CASE WHEN a.documents THEN
        format(' AND o.%1$I #> ''{$pgtoaster,0}'' = to_jsonb(%2$s.id) AND jsonb_typeof(o.%1$I -> ''$pgtoaster'') = ''array''',
               a.column_name, sees)
      ELSE '' END,
      p.ending);
  END LOOP;
  sees := format('store_%s_named', store);
  EXECUTE format('CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER COST 0.1 '
                 'SET search_path = pg_catalog, pg_temp BEGIN ATOMIC SELECT EXISTS (%s); END',
                 pgtoaster.store_table(store, 'named'), regexp_replace(arguments, '^owner_.*, id', 'id'),
                 CASE WHEN a.documents THEN
                   format('SELECT FROM %s h JOIN %s o ON %s WHERE h.id = %s.id AND o.%I #> ''{$pgtoaster,0}'' = to_jsonb(h.id)',
                          head, pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, 'h'), sees, a.column_name)
                 ELSE
                   format('SELECT FROM %s o WHERE %s', pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, sees))
                 END);
  EXECUTE format('CREATE FUNCTION %s(head regclass, %s id bigint) RETURNS boolean LANGUAGE sql STABLE COST 0.1 '
                 'BEGIN ATOMIC SELECT CASE %s(head, %s, current_user) WHEN 0 THEN false WHEN 1 THEN %s(head, %4$s, current_user) '
                 'ELSE %5$s(head, %4$s, current_user) AND NOT %6$s(%4$s) END OFFSET 0; END',
                 pgtoaster.store_table(store, 'fresh'), coalesce('leading_key ' || lk_type || ', ', ''),
                 pgtoaster.store_table(store, 'new'), CASE WHEN lk_type IS NULL THEN 'id' ELSE 'leading_key, id' END,
                 pgtoaster.store_table(store, 'free'), pgtoaster.store_table(store, 'named'));
  asked := array_length(string_to_array(arguments, ', '), 1);
  sees := format('store_%s_alone', store);
  -- For documents it has the rights of the caller, who sees the heads of documents in rows that the caller sees, and
  -- learns nothing about other documents.
  EXECUTE format('CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql STABLE %s SET search_path = pg_catalog, pg_temp BEGIN ATOMIC %s; END',
                 pgtoaster.store_table(store, 'alone'), arguments, CASE WHEN a.documents THEN '' ELSE 'SECURITY DEFINER' END,
                 CASE WHEN a.documents THEN
                   format('SELECT EXISTS (SELECT FROM %s o JOIN %s h ON %s WHERE %s AND h.id = %s.id)',
                          pgtoaster.own_rows(a.owner), head, pgtoaster.names_row(store, 'h'), pgtoaster.names_row(store, sees), sees)
                 ELSE
                   format('SELECT count(*) < 2 FROM (SELECT FROM %s o WHERE %s LIMIT 2) n',
                          pgtoaster.own_rows(a.owner), pgtoaster.names_row(store, sees))
                 END);
  -- The role cannot call the function passed as "own" without a grant on the store.
  EXECUTE format(
    'CREATE FUNCTION %s(own regprocedure, head regclass, %s) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
    pgtoaster.store_table(store, 'made'),
    CASE WHEN a.documents THEN 'document jsonb' ELSE coalesce(lk_type || ', ', '') || 'bigint' END, format($f$
    DECLARE
      made boolean;
    BEGIN
      EXECUTE format('SELECT %%s($1, %s, current_user)', own::regproc) INTO made USING head, %s;
      RETURN made;
    EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
      RETURN false;
    END $f$, CASE WHEN lk_type IS NULL THEN '$2' ELSE '$2, $3' END,
      CASE WHEN a.documents THEN '(' || document_id || ')' WHEN lk_type IS NULL THEN '$3' ELSE '$3, $4' END));
  -- Whether the head of a document refers to the row with that key, if the role sees the head.
  IF a.documents THEN
    EXECUTE format('CREATE FUNCTION %s(head regclass, %s) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                   pgtoaster.store_table(store, 'fits'), regexp_replace(arguments, 'id bigint$', 'document jsonb'), format($f$
    DECLARE
      fits boolean;
    BEGIN
      EXECUTE 'SELECT EXISTS (SELECT FROM ' || head || ' t JOIN (SELECT %s) o ON %s WHERE t.id = $%s)' INTO fits USING %s, (%s);
      RETURN fits;
    EXCEPTION WHEN insufficient_privilege OR undefined_table THEN
      RETURN false;
    END $f$, (SELECT string_agg(format('$%s AS %s', n, replace(quote_ident(c), '''', '''''')), ', ')
              FROM pgtoaster.owner_key(a.owner, store) k, unnest(k.columns) WITH ORDINALITY u(c, n)),
      replace(pgtoaster.names_row(store, 't'), '''', ''''''), asked,
      (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(2, asked) n), document_id));
  END IF;
  -- For reading, a role may refer to content again if a row that it sees already refers to it. Called before a row is
  -- written.
  EXECUTE format(
    'CREATE FUNCTION %s(head regclass, %s) RETURNS boolean LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
    pgtoaster.store_table(store, 'knows'),
    CASE WHEN a.documents THEN 'document jsonb' ELSE coalesce(lk_type || ', ', '') || 'bigint' END, format($f$
    DECLARE
      known boolean;
    BEGIN
      EXECUTE 'SELECT EXISTS (SELECT FROM ' || head || ' t WHERE %s t.id = $1)' INTO known USING %s;
      RETURN known;
    EXCEPTION WHEN insufficient_privilege OR undefined_table THEN
      RETURN false;
    END $f$, lk_given, CASE WHEN a.documents
                            THEN '(' || document_id || ')'
                            ELSE given END));
  -- A row may take content that another row releases, if that row owned the content and the role saw it there. Used in
  -- the conditions of triggers: these run as the current role and see the row as the statement does.
  EXECUTE format('CREATE FUNCTION %s(sees regprocedure, alone regprocedure, %s) RETURNS boolean '
                 'LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
                 pgtoaster.store_table(store, 'gives'),
                 CASE WHEN a.documents THEN regexp_replace(arguments, 'id bigint$', 'document jsonb') ELSE arguments END,
                 format($f$
    DECLARE
      seen boolean;
    BEGIN
      EXECUTE format('SELECT %%s(%1$s) AND %%s(%1$s)', sees::regproc, alone::regproc) INTO seen USING %2$s;
      RETURN seen;
    EXCEPTION WHEN insufficient_privilege OR undefined_object THEN
      RETURN false;
    END $f$, (SELECT string_agg('$' || n, ', ' ORDER BY n) FROM generate_series(1, asked) n),
      CASE WHEN a.documents
           THEN (SELECT string_agg('$' || n + 2 || ', ', '' ORDER BY n) FROM generate_series(1, asked - 1) n) || '(' || document_id || ')'
           ELSE (SELECT string_agg('$' || n + 2, ', ' ORDER BY n) FROM generate_series(1, asked) n) END));
  -- This trigger fires just before, for the same row, with the rights of the releasing role, and records that role.
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS %L', pgtoaster.store_table(store, 'giver'), $f$
    BEGIN
      PERFORM pg_catalog.set_config('pgtoaster.giver', current_user::pg_catalog.text, true);
      RETURN NULL;
    END $f$);
  EXECUTE format('CREATE OR REPLACE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER '
                 'SET search_path = pg_catalog, pg_temp SET row_security = off AS %L', pgtoaster.store_table(store, 'give'), concat($f$
    DECLARE
      giver CONSTANT name := nullif(current_setting('pgtoaster.giver', true), '');
      prefix text;
      handle name;
      lk name;$f$, CASE WHEN a.documents THEN format($f$
      document_id CONSTANT text := %L;$f$, document_id) END, $f$
    BEGIN
      PERFORM set_config('pgtoaster.giver', '', true);$f$, find_place)
      || CASE WHEN a.documents THEN $f$
      EXECUTE 'SET CONSTRAINTS ' || prefix || 'sweep DEFERRED';
      SELECT l.attname INTO lk FROM pg_attribute l WHERE l.attrelid = (prefix || 'garbage')::regclass AND l.attname ~ '^owner_[0-9]+$';
      EXECUTE concat('INSERT INTO ', prefix, 'garbage AS t (id, released, given_as', ', ' || lk, ') SELECT x.id, false, $2',
                     ', ($1).' || quote_ident((SELECT s.columns[substr(lk, 7)::integer]
                                               FROM $f$ || pgtoaster.owners_source(store, a.column_name) || $f$ s
                                               WHERE lk IS NOT NULL AND s.relation = TG_RELID)),
                     ' FROM (', document_id, ' AS id FROM (SELECT ($1).', quote_ident(handle), ' AS document) d) x WHERE x.id IS NOT NULL '
                     'ON CONFLICT (id', ', ' || lk, ') DO UPDATE SET given_as = $2 WHERE NOT t.released') USING OLD, giver;$f$
      ELSE $f$
      SELECT a.attname INTO lk FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      WHERE k.conrelid = TG_RELID AND k.contype = 'f' AND cardinality(k.conkey) = 2 AND k.confrelid = (prefix || 'head')::regclass;
      EXECUTE format('INSERT INTO %sgarbage AS t (%s id, released, given_as) SELECT %s ($1).%I, false, $2 '
                     'ON CONFLICT (%2$s id) DO UPDATE SET given_as = $2 WHERE NOT t.released',
                     prefix, CASE WHEN lk IS NOT NULL THEN 'leading_key,' END, '($1).' || quote_ident(lk) || ',', handle)
        USING OLD, giver;$f$ END || $f$
      RETURN NULL;
    END $f$);
  -- A row may refer to content that its transaction created, or took from the row that referred to it, as the current
  -- role. With the argument alone: content to which no other row refers.
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS %L',
                 pgtoaster.store_table(store, 'guard'), format($f$
    DECLARE
      what CONSTANT text := %L;
      query text := %L;
      prefix text;
      handle name;
      lk text := '';
      content bigint;
      was bigint;
      allowed boolean;
    BEGIN$f$, CASE WHEN a.documents THEN 'document' ELSE 'handle' END,
              CASE WHEN a.documents THEN document_id || ' FROM (SELECT ($1).%I AS document) d'
                   ELSE 'SELECT ($1).%I' END) || find_place
      || CASE WHEN lk_type IS NULL THEN '' ELSE $f$
      SELECT format('($4).%I, ', a.attname) INTO lk
      FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      WHERE k.conrelid = TG_RELID AND k.contype = 'f' AND cardinality(k.conkey) = 2
        AND k.confrelid = (prefix || 'head')::regclass;$f$ END || $f$
      query := replace(query, '%I', quote_ident(handle));
      EXECUTE query INTO content USING NEW;
      IF TG_OP = 'UPDATE' THEN
        EXECUTE query INTO was USING OLD;
      END IF;
      -- A row without content, or with unchanged content, needs no check.
      IF content IS NULL OR content = was THEN
        RETURN NEW;
      END IF;
      EXECUTE 'SELECT ' || prefix || CASE TG_ARGV[0] WHEN 'alone' THEN 'alone(' || lk || '$2)' ELSE 'own($1, ' || lk || '$2, $3)' END
        INTO allowed USING (prefix || 'head')::regclass, content, current_user, NEW;
      IF NOT allowed THEN
        RAISE EXCEPTION '% % must not be assigned to this row of %', what, content, TG_RELID::regclass
          USING ERRCODE = 'insufficient_privilege',
                HINT = 'With row security, a row may refer only to content that its transaction has stored, or has taken as the same '
                       'role from the row that referred to it; copy the content instead'
                       || CASE what WHEN 'document' THEN ': pgtoaster.expand(...).' ELSE '.' END;
      END IF;
      RETURN NEW;
    END $f$);
END $$;

-- Returns the functions of a store that only its policies need. Other roles may have created functions with some of these
-- names.
CREATE OR REPLACE FUNCTION pgtoaster.policy_functions(store integer) RETURNS SETOF regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT f.oid::regprocedure FROM pgtoaster.store s
  JOIN pg_class h ON h.oid = s.head
  JOIN pg_proc f ON f.pronamespace = h.relnamespace
    AND f.proname = ANY (ARRAY(SELECT format('store_%s_%s', $1, p)
                               FROM unnest(ARRAY['own', 'new', 'free', 'fresh', 'alone', 'made', 'fits', 'sees', 'sees_node', 'owns',
                                                 'owns_node', 'guard', 'give', 'giver', 'gives', 'knows', 'named']) p))
  WHERE s.id = $1
    AND (f.proowner IN (h.relowner, to_regrole(quote_ident(current_user)))
         OR f.proowner = (SELECT w.proowner FROM pg_proc w WHERE w.oid = pgtoaster.store_routine($1, 'release')))
$$;

-- Returns one of these functions; NULL if it does not exist.
CREATE OR REPLACE FUNCTION pgtoaster.policy_function(store integer, part text) RETURNS regprocedure
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT f FROM pgtoaster.policy_functions($1) f JOIN pg_proc p ON p.oid = f WHERE p.proname = format('store_%s_%s', $1, $2) $$;
