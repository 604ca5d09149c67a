-- Clean-up: content is released when the transaction that removes the last reference to it commits, and not before. Up
-- to 64 MB are deleted at that commit; larger content is left to gc.

-- Deletes one blob or document unless a row still refers to it; returns true if it was deleted. Enters it in the
-- garbage table, whose trigger checks it at once.
CREATE OR REPLACE FUNCTION pgtoaster.release(store integer, blob bigint, leading_key text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
DECLARE
  head regclass := pgtoaster.store_table(store, 'head')::regclass;
  lk pg_attribute := (SELECT a FROM pgtoaster.lead_attribute(store) a);
  lk_value text := CASE WHEN lk IS NULL THEN '' ELSE format('CAST(%L AS %s), ', leading_key, format_type(lk.atttypid, lk.atttypmod)) END;
  lk_name text := CASE WHEN lk IS NULL THEN '' ELSE lk.attname || ', ' END;
  lk_equal text := CASE WHEN lk IS NULL THEN ''
                        ELSE format('%s = CAST(%L AS %s) AND ', lk.attname, leading_key, format_type(lk.atttypid, lk.atttypmod)) END;
  sweep text;
  found_id bigint;
BEGIN
  EXECUTE format('SELECT id FROM %s WHERE %s id = $1 FOR UPDATE', head, lk_equal) INTO found_id USING blob;
  IF found_id IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('INSERT INTO %s (%s id, released) VALUES (%s $1, false) ON CONFLICT DO NOTHING',
                 pgtoaster.store_table(store, 'garbage'), lk_name, lk_value) USING blob;
  sweep := pgtoaster.store_table(store, 'sweep');
  EXECUTE format('SET CONSTRAINTS %s IMMEDIATE', sweep);
  EXECUTE format('SET CONSTRAINTS %s DEFERRED', sweep);
  EXECUTE format('SELECT id FROM %s WHERE %s id = $1', head, lk_equal) INTO found_id USING blob;
  IF found_id IS NULL THEN
    PERFORM pgtoaster.require_snapshot(store);
  END IF;
  RETURN found_id IS NULL;
END $$;

-- Returns the column of a table that contains the leading key, the first column of the foreign key; NULL in a store
-- without one.
CREATE OR REPLACE FUNCTION pgtoaster.leading_key_column(relation oid, store integer) RETURNS name
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
  WHERE k.conrelid = $1 AND k.contype = 'f' AND cardinality(k.conkey) = 2
    AND k.confrelid = to_regclass(pgtoaster.store_table($2, 'head'))
$$;

-- Trigger functions of a store belong to the owner of the attached table and run with that role's rights, so a role that
-- may delete a row releases its content without any grant on the store. They therefore call only the server's own
-- functions, and none of pgtoaster's.

-- Joins the lines of a text, so that inserting it somewhere does not change the line numbers there.
CREATE OR REPLACE FUNCTION pgtoaster.one_line(text text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT regexp_replace($1, '\s*\n\s*', ' ', 'g') $$;

-- Returns the texts that the templates of trigger functions share, each preceded by its name.
CREATE OR REPLACE FUNCTION pgtoaster.trigger_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY[
    -- Finds the current schema of the store, and the column's name in the table that fired the trigger (a partition has
    -- its own column numbers). Tables and functions of a store are in one schema; the update trigger follows renames of
    -- the column.
    'find_place', $p$SELECT quote_ident(s.nspname) || store.prefix, a.attname INTO prefix, handle
      FROM pg_trigger t
      JOIN pg_proc p ON p.oid = t.tgfoid
      JOIN pg_namespace s ON s.oid = p.pronamespace
      LEFT JOIN pg_trigger u ON u.tgrelid = t.tgrelid AND u.tgname = store.update_trigger
      LEFT JOIN pg_attribute a ON a.attrelid = u.tgrelid AND a.attnum = u.tgattr[0]
      WHERE t.tgrelid = TG_RELID AND t.tgname = TG_NAME;$p$,
    -- Runs before a head is deleted. Raises a serialization failure if a table was rewritten after the snapshot was taken:
    -- REPACK (CONCURRENTLY) makes older snapshots see a table as empty. Without this check, content that rows still refer
    -- to would be deleted, and rows of the store would be left without a head.
    'check_snapshot', $p$IF current_setting('transaction_isolation') <> 'read committed' AND EXISTS (
           SELECT FROM pg_class c
           WHERE (c.oid IN (SELECT to_regclass(prefix || p.p) FROM unnest('{head,node,chunk,piece,token}'::text[]) p(p))
                  OR c.oid IN (SELECT t.tgrelid FROM pg_trigger t WHERE t.tgname IN (store.delete_trigger, store.truncate_trigger)))
             AND c.relkind = 'r' AND c.relfilenode <> pg_relation_filenode(c.oid)) THEN
        RAISE EXCEPTION 'a table of store %, or of its rows, was rewritten after this transaction took its snapshot', store.id
          USING ERRCODE = 'serialization_failure', HINT = 'Run the transaction again.';
      END IF;$p$,
    -- The column that contains the leading key, the first column of the foreign key.
    'leading_key_column', $p$(
        SELECT a.attname FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
        WHERE k.conrelid = TG_RELID AND k.contype = 'f' AND cardinality(k.conkey) = 2
          AND k.confrelid = (prefix || 'head')::regclass)$p$,
    -- Sets owned: whether the row to which the head of the document refers as its owner still contains the document. If
    -- the owners of a store cannot be read, every document counts as owned. Tables of other owners are not read with the
    -- rights of this owner; gc checks what they may own.
    'find_owner', $p$owned := NULL;
      FOR n IN SELECT * FROM store.owners s WHERE s.whole LOOP
        owned := true;
        EXIT WHEN n.handle IS NULL OR NOT n.mine;
        EXECUTE '/* pgtoaster */ SELECT EXISTS (SELECT FROM ' || prefix || 'head h JOIN ' || n.relation || ' o ON ' || n.same_key
                || ' WHERE ' || head_lead || 'h.id = $1 AND (' || document_id || ' FROM (SELECT o.' || quote_ident(n.handle)
               || ' AS document) d) = $1)'
          INTO owned USING document;
        EXIT WHEN owned;
      END LOOP;
      owned := coalesce(owned, true);$p$,
    'refuse_document', $p$IF what IS NOT NULL THEN
        RAISE EXCEPTION 'the document for column "%" of % is refused: %', handle, TG_RELID::regclass, what
          USING ERRCODE = 'check_violation', COLUMN = handle, HINT = help;
      END IF;$p$
  ]
$$;

-- Creates the trigger on the garbage table that checks the entries of TRUNCATE at commit, and those of release() at once.
CREATE OR REPLACE FUNCTION pgtoaster.create_sweep(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED '
                 'FOR EACH ROW WHEN (NOT NEW.released) EXECUTE FUNCTION %s()',
                 'store_' || store || '_sweep', pgtoaster.store_table(store, 'garbage'), pgtoaster.store_table(store, 'release'));
END $$;

-- Returns the tables, among the owner table and its partitions, that lack the TRUNCATE trigger of a store: partitions,
-- including those created later, do not inherit statement triggers.
CREATE OR REPLACE FUNCTION pgtoaster.unwatched_truncate(store integer) RETURNS SETOF regclass
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.oid::regclass FROM pgtoaster.store s
  CROSS JOIN LATERAL (SELECT s.owner AS relid UNION SELECT p.relid FROM pg_partition_tree(s.owner) p) t
  JOIN pg_class c ON c.oid = t.relid AND c.relkind IN ('r', 'p')
  WHERE s.id = $1 AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = c.oid AND g.tgname = 'pgtoaster_' || $1 || '_truncate')
  ORDER BY c.oid
$$;

-- Makes TRUNCATE of the owner table, and of each existing partition, release content; returns the number of tables that
-- did not release it before. Run it as the owner after creating partitions.
CREATE OR REPLACE FUNCTION pgtoaster.watch_truncate(store integer) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  t regclass;
  made integer := 0;
BEGIN
  FOR t IN SELECT u FROM pgtoaster.unwatched_truncate(store) u JOIN pg_class c ON c.oid = u
           WHERE pg_has_role(c.relowner, 'USAGE') LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s()',
                   'pgtoaster_' || store || '_truncate', t, pgtoaster.store_table(store, 'truncate'));
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;
