-- Finds the documents that gc deletes, and those that a row still owns.

-- Returns the documents that no row owns and that are older than gc_horizon, and locks them.
CREATE OR REPLACE FUNCTION pgtoaster.unowned_documents(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_variable
DECLARE
  n record;
  clauses text := '';
BEGIN
  FOR n IN SELECT * FROM pgtoaster.naming_rows(store) LOOP
    IF n.handle IS NULL THEN
      RETURN;
    END IF;
    clauses := clauses || format(' AND NOT EXISTS (SELECT FROM %s o WHERE %s AND pgtoaster.document_id(o.%I) = h.id)',
                                 n.relation, n.same_key, n.handle);
  END LOOP;
  IF clauses = '' THEN
    RETURN;
  END IF;
  RETURN QUERY EXECUTE format(
    '/* pgtoaster */ '
    'SELECT h.id, (SELECT coalesce(sum(greatest(n.bytes, 0)), 0)::bigint FROM %s n WHERE n.doc = h.id %s), h.created_at FROM %s h '
    'WHERE ($2 IS NULL OR h.id = ANY ($2)) AND h.created_at < $1 %s ORDER BY h.id %s',
    pgtoaster.store_table(store, 'node'),
    (SELECT format('AND n.%s = h.%1$s', l.attname) FROM pgtoaster.lead_attribute(store) l WHERE pgtoaster.is_sharded(store)),
    pgtoaster.store_table(store, 'head'), clauses, pgtoaster.gc_lock(store))
  USING pgtoaster.gc_horizon(grace), only_ids;
  IF FOUND THEN
    PERFORM pgtoaster.require_snapshot(store);
  END IF;
END $$;

-- Returns the jsonb columns of the database that may refer to documents of a store. readable: whether the role may read
-- the whole column without running another role's code: planning a query runs the expressions of the table's indexes. So
-- the owner of the table must be the owner of the store, a role that has the rights of the current role, or a superuser,
-- or the table must be a partition. A partition that was detached and given to another role is recognised by a trigger
-- that only the owner of the store could create. It is not readable, and is assumed to refer to everything.
CREATE OR REPLACE FUNCTION pgtoaster.jsonb_columns(store integer) RETURNS TABLE (relation regclass, column_name name, readable boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.oid::regclass, a.attname, w.safe
  FROM pg_attribute a JOIN pg_class r ON r.oid = a.attrelid JOIN pg_namespace n ON n.oid = r.relnamespace
  JOIN pgtoaster.store s ON s.id = $1
  LEFT JOIN pg_class h ON h.oid = s.head
  CROSS JOIN LATERAL (
    SELECT r.relowner = h.relowner
           OR pg_has_role(r.relowner, (SELECT u.oid FROM pg_roles u WHERE u.rolname = current_user), 'USAGE')
           OR r.oid IN (SELECT p.relid FROM pg_partition_tree(s.owner) p) AS safe) w
  WHERE a.atttypid = 'jsonb'::regtype AND a.attnum > 0 AND NOT a.attisdropped AND r.relkind IN ('r', 'm')
    AND (r.relkind = 'r' OR r.relispopulated) AND r.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pgtoaster.store o JOIN pg_class x ON x.oid = o.head
                    WHERE x.relnamespace = r.relnamespace AND r.relname = 'store_' || o.id || '_node')
    AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND CASE WHEN w.safe THEN has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(r.oid, a.attnum, 'SELECT')
                              AND NOT row_security_active(r.oid)
             ELSE EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = r.oid
                          AND t.tgfoid = to_regprocedure(pgtoaster.store_table($1, 'truncate') || '()')) END
  ORDER BY 1, 2
$$;

-- Returns the columns whose rows refer to documents by their header, even if other rows own the documents: documents
-- copied, or keys changed, while triggers were off; copies in tables without triggers; partitions that were detached
-- and given to another role; and headers with noted edits that were not performed. This reads every column that
-- jsonb_columns calls readable, so it is called only for documents that would be deleted. Also returns the rows that
-- heads refer to as owners and whose document has no header: the header was removed, or the document overwritten, while
-- triggers were off; these two cases cannot be distinguished.
CREATE OR REPLACE FUNCTION pgtoaster.named_documents(store integer, ids bigint[])
RETURNS TABLE (id bigint, relation regclass, column_name name)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  c record;
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  FOR c IN SELECT * FROM pgtoaster.jsonb_columns($1) LOOP
    IF NOT c.readable THEN
      RETURN QUERY SELECT u, c.relation, c.column_name FROM unnest(ids) u;
      CONTINUE;
    END IF;
    RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT DISTINCT d.id, $2, $3 FROM (SELECT pgtoaster.document_id(CASE WHEN o.%1$I -> ''$pgtoaster'' ? ''edits'' '
      'THEN jsonb_build_object(''$pgtoaster'', o.%1$I #> ''{$pgtoaster,document}'') ELSE o.%1$I END) AS id '
      'FROM ONLY %2$s o WHERE o.%1$I ? ''$pgtoaster'') d '
      'WHERE d.id = ANY ($1)', c.column_name, c.relation) USING ids, c.relation, c.column_name;
  END LOOP;
  FOR c IN SELECT r.relation, r.handle, r.same_key FROM pgtoaster.naming_rows($1) r WHERE r.handle IS NOT NULL LOOP
    RETURN QUERY EXECUTE format(
      '/* pgtoaster */ SELECT h.id, $2, $3 FROM %s h JOIN %s o ON %s '
      'WHERE h.id = ANY ($1) AND o.%I IS NOT NULL AND o.%4$I -> ''$pgtoaster'' IS NULL',
      pgtoaster.store_table($1, 'head'), c.relation, c.same_key, c.handle) USING ids, c.relation, c.handle;
  END LOOP;
END $$;

-- Returns the tables, except the attached one, that have the mark of a store and whose rows refer to its documents:
-- detached partitions. If such a table no longer counts as an owner of documents, its references count if no row of the
-- attached table has the key of the document. A table that must not be read (see jsonb_columns) is assumed to refer to
-- some.
CREATE OR REPLACE FUNCTION pgtoaster.marked_rows(store integer) RETURNS TABLE (relation regclass, column_name name, readable boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET row_security = off
AS $$
#variable_conflict use_column
DECLARE
  unowned text;
  m record;
  named boolean;
BEGIN
  SELECT format('EXISTS (SELECT FROM %s h WHERE h.id = d.id %s)', pgtoaster.store_table($1, 'head'),
                CASE WHEN k.same_key IS NOT NULL
                     THEN format('AND NOT EXISTS (SELECT FROM %s o WHERE %s)', r.oid::regclass, k.same_key) END) INTO unowned
  FROM pgtoaster.store s LEFT JOIN pg_class r ON r.oid = s.owner LEFT JOIN pgtoaster.owner_key(r.oid, s.id) k ON true WHERE s.id = $1;
  FOR m IN
    SELECT j.relation, j.column_name, j.readable, EXISTS (SELECT FROM pgtoaster.naming_rows($1) r WHERE r.relation = j.relation) AS own
    FROM pgtoaster.jsonb_columns($1) j
    WHERE j.relation <> (SELECT s.owner FROM pgtoaster.store s WHERE s.id = $1)
      AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = j.relation)
      -- For other tables, pg_get_expr is not called: it locks the table.
      AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = j.relation AND i.indpred IS NOT NULL
                  AND CASE WHEN i.indrelid = j.relation
                           THEN position(pgtoaster.row_mark($1) IN replace(pg_get_expr(i.indpred, i.indrelid), '"', '')) > 0
                           ELSE false END) LOOP
    named := true;
    IF m.readable THEN
      EXECUTE format('/* pgtoaster */ SELECT EXISTS (SELECT FROM ('
                     'SELECT pgtoaster.document_id(o.%1$I) AS id FROM ONLY %2$s o WHERE o.%1$I ? ''$pgtoaster'') d '
                     'WHERE d.id >> 40 = $1 AND %3$s)', m.column_name, m.relation, CASE WHEN m.own THEN 'true' ELSE unowned END)
        INTO named USING $1;
    END IF;
    IF named THEN
      relation := m.relation;
      column_name := m.column_name;
      readable := m.readable;
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Returns the documents that no row owns or refers to by its header, as gc_blobs does for blobs. only_ids: checks only
-- these again, with a lock. A document without references cannot get one again.
CREATE OR REPLACE FUNCTION pgtoaster.gc_documents(store integer, grace interval, only_ids bigint[] DEFAULT NULL)
RETURNS TABLE (id bigint, leading_key text, bytes bigint, created_at timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  unowned bigint[] := ARRAY(SELECT u.id FROM pgtoaster.unowned_documents(gc_documents.store, grace, only_ids) u);
  lead name := pgtoaster.lead_column(gc_documents.store);
BEGIN
  FOR id, bytes, created_at IN
    SELECT u.id, u.bytes, u.created_at FROM pgtoaster.unowned_documents(gc_documents.store, grace, unowned) u
    WHERE only_ids IS NOT NULL OR u.id NOT IN (SELECT n.id FROM pgtoaster.named_documents(gc_documents.store, unowned) n) LOOP
    IF lead IS NOT NULL THEN
      EXECUTE format('SELECT CAST(%s AS text) FROM %s WHERE id = $1', lead, pgtoaster.store_table($1, 'head')) INTO leading_key USING id;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Returns the documents that no row owns and that gc keeps, because rows refer to them by their header or have lost the
-- header; also returns where these rows are. See pgtoaster.repair.
CREATE OR REPLACE FUNCTION pgtoaster.gc_kept_documents(store integer, grace interval)
RETURNS TABLE (id bigint, bytes bigint, relation regclass, column_name name)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  unowned bigint[] := ARRAY(SELECT u.id FROM pgtoaster.unowned_documents(gc_kept_documents.store, grace) u);
BEGIN
  RETURN QUERY SELECT u.id, u.bytes, n.relation, n.column_name
  FROM pgtoaster.named_documents(gc_kept_documents.store, unowned) n
  JOIN pgtoaster.unowned_documents(gc_kept_documents.store, grace, unowned) u ON u.id = n.id
  ORDER BY u.id, n.relation, n.column_name;
END $$;
