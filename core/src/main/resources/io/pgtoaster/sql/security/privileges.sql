-- The owner and the grants of a store, which follow its owner table.

-- Returns the grants of a store, which follow the grants on its owner table. A role that may read the column may read the
-- store. A role that may update the column may write the store, but this does not let it read. Removing content needs
-- no grant (see catalog/cleanup.sql).
-- In a head, only the columns that writers change may be updated, but not its number, its row, or when and by whom it
-- was created. Numbers come from the sequence and cannot be chosen: a role could otherwise take numbers that rows still
-- contain.
CREATE OR REPLACE FUNCTION pgtoaster.wanted_privileges(store integer)
RETURNS TABLE (part text, grantee oid, privilege text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  WITH c AS (
    SELECT a.owner, a.column_name, r.relowner, r.relacl
    FROM pgtoaster.attached_column a JOIN pg_class r ON r.oid = a.owner WHERE a.store = $1
  ), granted AS (
    SELECT x.grantee, x.privilege_type FROM c, aclexplode(c.relacl) x WHERE x.grantee <> c.relowner
    UNION
    SELECT x.grantee, x.privilege_type FROM c
    JOIN pg_attribute t ON t.attrelid = c.owner AND t.attname = c.column_name, aclexplode(t.attacl) x
    WHERE x.grantee <> c.relowner
  )
  SELECT DISTINCT p.part, g.grantee, w.privilege
  FROM granted g
  CROSS JOIN unnest(array_remove(array_remove(pgtoaster.store_parts($1), 'garbage'), 'aside')) p(part)
  CROSS JOIN unnest(
    CASE WHEN g.privilege_type = 'UPDATE' AND p.part = 'head' THEN (
                SELECT ARRAY['DELETE', format('INSERT (%s)', string_agg(quote_ident(h.attname), ', ' ORDER BY h.attnum)),
                             format('UPDATE (%s)', string_agg(quote_ident(h.attname), ', ' ORDER BY h.attnum)
                               FILTER (WHERE h.attname = ANY (ARRAY[
                                 'base', 'piece_start', 'generation', 'chunk_size', 'piece_rows', 'sealed', 'tail', 'tokens_since',
                                 'first'])))]
                FROM pg_attribute h
                WHERE h.attrelid = to_regclass(pgtoaster.store_table($1, 'head')) AND h.attnum > 0 AND NOT h.attisdropped
                  AND h.attname NOT IN ('id', 'created_at', 'created_by', 'created_as'))
         WHEN g.privilege_type = 'UPDATE' THEN ARRAY['INSERT', 'UPDATE', 'DELETE']
         -- A role that may read may also register as a follower.
         WHEN p.part = 'follower' THEN ARRAY['SELECT', 'INSERT', 'UPDATE']
         ELSE ARRAY['SELECT'] END) w(privilege)
  WHERE g.privilege_type IN ('SELECT', 'UPDATE')
$$;

CREATE OR REPLACE FUNCTION pgtoaster.actual_privileges(store integer)
RETURNS TABLE (part text, grantee oid, privilege text)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT p.part, x.grantee, x.privilege_type
  FROM unnest(pgtoaster.store_parts(store)) p(part)
  JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, p.part)), aclexplode(r.relacl) x
  WHERE x.grantee <> r.relowner
  UNION ALL
  SELECT p.part, x.grantee, format('%s (%s)', x.privilege_type, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum))
  FROM unnest(pgtoaster.store_parts(store)) p(part)
  JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, p.part))
  JOIN pg_attribute a ON a.attrelid = r.oid AND NOT a.attisdropped, aclexplode(a.attacl) x
  WHERE x.grantee <> r.relowner
  GROUP BY p.part, x.grantee, x.privilege_type
$$;

-- Writes outdated functions of a store, and sets its owner, grants and row security to those of its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  table_name text := (SELECT s.owner FROM pgtoaster.store s WHERE s.id = store);
  place name;
BEGIN
  PERFORM pgtoaster.write_routines(store);
  SELECT n.nspname INTO place FROM pgtoaster.store s JOIN pg_class h ON h.oid = s.head JOIN pg_namespace n ON n.oid = h.relnamespace
  WHERE s.id = store AND NOT has_schema_privilege(n.oid, 'CREATE');
  IF place IS NOT NULL AND NOT pgtoaster.has_routines(store) THEN
    RAISE EXCEPTION 'role % may not replace the outdated routines of the store of % in schema %',
                    quote_ident(current_user), table_name, quote_ident(place)
      USING ERRCODE = 'insufficient_privilege',
            HINT = format('A superuser must run SELECT pgtoaster.mirror_privileges(%L); nothing was changed.', table_name);
  END IF;
  PERFORM pgtoaster.mirror_grants(store);
END $$;

-- Sets the owner, the grants and the row security (see security/policy.sql) of a store to those of its owner table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_grants(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  new_owner oid := (SELECT r.relowner FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.owner WHERE s.id = store);
  old_owner oid := (SELECT r.relowner FROM pgtoaster.store s JOIN pg_class r ON r.oid = s.head WHERE s.id = store);
  part text;
  p record;
BEGIN
  -- The tables of a running migration (operations/migrate.sql). Relations of other roles may have the same names.
  IF old_owner <> new_owner THEN
    FOR part IN SELECT format('TABLE %s', r.oid::regclass) FROM unnest('{migration,copied}'::text[]) m(part)
                JOIN pg_class r ON r.oid = to_regclass(pgtoaster.store_table(store, m.part))
                WHERE r.relkind = 'r' AND r.relowner = old_owner
                UNION ALL
                SELECT format('FUNCTION %s', f.oid::regprocedure) FROM pg_proc f
                WHERE f.oid = to_regprocedure(pgtoaster.store_table(store, 'sync') || '()') AND f.proowner = old_owner LOOP
      EXECUTE format('ALTER %s OWNER TO %I', part, pg_get_userbyid(new_owner));
    END LOOP;
  END IF;
  FOR part IN SELECT t.t FROM unnest(pgtoaster.store_parts(store)) m(part) CROSS JOIN LATERAL pgtoaster.store_table(store, m.part) t(t)
              JOIN pg_class r ON r.oid = t.t::regclass WHERE r.relowner <> new_owner LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO %I', part, pg_get_userbyid(new_owner));
  END LOOP;
  FOR part IN SELECT r.r FROM pgtoaster.store_routines(store) r(r) JOIN pg_proc f ON f.oid = r.r::regprocedure
              WHERE f.proowner <> new_owner LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', part, pg_get_userbyid(new_owner));
  END LOOP;
  FOR p IN SELECT * FROM pgtoaster.actual_privileges(store) a EXCEPT SELECT * FROM pgtoaster.wanted_privileges(store) LOOP
    EXECUTE format('REVOKE %s ON %s FROM %s', p.privilege, pgtoaster.store_table(store, p.part),
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  FOR p IN SELECT * FROM pgtoaster.wanted_privileges(store) EXCEPT SELECT * FROM pgtoaster.actual_privileges(store) LOOP
    EXECUTE format('GRANT %s ON %s TO %s', p.privilege, pgtoaster.store_table(store, p.part),
                   CASE p.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(p.grantee)) END);
  END LOOP;
  PERFORM pgtoaster.mirror_policies(store);
END $$;

-- Raises the error for a role that may not read a store; the hint says how to grant it the rights that it has on the
-- table.
CREATE OR REPLACE FUNCTION pgtoaster.deny(store integer) RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  owner regclass := (SELECT s.owner FROM pgtoaster.store s WHERE s.id = store);
BEGIN
  RAISE EXCEPTION 'permission denied for the content of %', owner USING ERRCODE = 'insufficient_privilege',
    HINT = format('If the role may read the column, the owner of the table must run SELECT pgtoaster.mirror_privileges(%L).', owner);
END $$;

-- Sets the owner, the grants and the row security of all stores of a table to those of the table.
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(owner regclass) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  store integer;
BEGIN
  FOR store IN SELECT s.id FROM pgtoaster.store s WHERE s.owner = mirror_privileges.owner ORDER BY s.id LOOP
    PERFORM pgtoaster.mirror_privileges(store);
  END LOOP;
  IF store IS NULL THEN
    RAISE EXCEPTION 'no column of % is attached', owner USING ERRCODE = 'undefined_object',
      HINT = 'See pgtoaster.attached_column.';
  END IF;
END $$;

-- Does the same for the name of a table, as in SELECT pgtoaster.mirror_privileges('public.item').
CREATE OR REPLACE FUNCTION pgtoaster.mirror_privileges(owner text) RETURNS void
LANGUAGE sql
AS $$ SELECT pgtoaster.mirror_privileges(owner::pg_catalog.regclass) $$;
