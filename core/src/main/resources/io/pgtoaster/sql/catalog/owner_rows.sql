-- Finds the rows that own the content of a store.

-- Returns the id of the head that a document refers to; NULL for a plain document and for an invalid header.
-- All names are qualified and no search_path is set, so that the function is inlined.
CREATE OR REPLACE FUNCTION pgtoaster.document_id(document jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE WHEN pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster') OPERATOR(pg_catalog.=) 'array' THEN
           CASE WHEN pg_catalog.jsonb_typeof(document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)
                     OPERATOR(pg_catalog.=) 'number' THEN
             CASE WHEN (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.numeric
                       OPERATOR(pg_catalog.>=) 1
                   AND (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.numeric
                       OPERATOR(pg_catalog.<=) 9223372036854775807
                   AND (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.numeric
                       OPERATOR(pg_catalog.%) 1 OPERATOR(pg_catalog.=) 0
               THEN (document OPERATOR(pg_catalog.->) '$pgtoaster' OPERATOR(pg_catalog.->) 0)::pg_catalog.int8 END END END
$$;

-- An index marks the tables whose rows own documents of a keyed store. It is always empty, over the columns of the row
-- key. Partitions get such an index too, and keep it when they are detached; its columns show the names of the key
-- columns there.
CREATE OR REPLACE FUNCTION pgtoaster.row_mark(store integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT format('%L::text IS NOT NULL', 'pgtoaster_' || store) $$;

-- Returns a query of the tables whose rows may own documents of a store, with the index that marks them, the columns of
-- the row key, and the condition that a row o has the key that a head h refers to. The condition uses the operators of
-- the index, whichever schema they are in. The mark alone proves nothing, because any role can create such an index.
-- Only these tables count: the attached table, its partitions (which have its trigger), and tables of the role that
-- owns the heads whose keys can be compared with those of the heads. For other tables, pg_get_expr is not called on the
-- mark, because it locks the table and would wait if the owner keeps the table locked. Nor is it called for an index
-- whose stored predicate lacks the bytes of the mark: calling it took half a second for 2,000 partial indexes of one
-- owner. With quote_all_identifiers, the type is quoted. Arguments are expressions. The text is used in trigger
-- functions, so it calls only the server's own functions.
CREATE OR REPLACE FUNCTION pgtoaster.row_keys_source(store text, head text, attached text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT format($f$(
          WITH marked AS MATERIALIZED (
            SELECT i.indexrelid, i.indrelid, i.indkey, i.indclass, w.oid AS head, %4$s AS placed
            FROM pg_index i
            JOIN pg_class r ON r.oid = i.indrelid
            LEFT JOIN pg_class w ON w.oid = %2$s
            WHERE i.indpred IS NOT NULL
              AND CASE WHEN position((SELECT string_agg(ascii(u)::text, ' ')
                                      FROM string_to_table('pgtoaster_' || %1$s, NULL) u) IN i.indpred::text) = 0 THEN false
                       WHEN r.relowner = w.relowner AND r.relpersistence <> 't' OR %4$s
                       THEN position(format('%%L::text IS NOT NULL', 'pgtoaster_' || %1$s)
                                     IN replace(pg_get_expr(i.indpred, i.indrelid), '"', '')) > 0
                       ELSE false END)
          SELECT DISTINCT ON (i.indrelid) i.indrelid AS relation, i.indexrelid AS index_id,
                 array_agg(a.attname ORDER BY x.position) AS columns,
                 string_agg(format('o.%%I OPERATOR(%%I.%%s) h.owner_%%s', a.attname, q.nspname, p.oprname, x.position), ' AND '
                            ORDER BY x.position) AS same_key
          FROM marked i
          CROSS JOIN LATERAL unnest(i.indkey, i.indclass) WITH ORDINALITY x(attnum, class, position)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = x.attnum
          JOIN pg_opclass c ON c.oid = x.class
          JOIN pg_amop e ON e.amopfamily = c.opcfamily AND e.amoplefttype = c.opcintype AND e.amoprighttype = c.opcintype
            AND e.amopstrategy = 3
          JOIN pg_operator p ON p.oid = e.amopopr
          JOIN pg_namespace q ON q.oid = p.oprnamespace
          LEFT JOIN pg_attribute k ON k.attrelid = i.head AND k.attname = 'owner_' || x.position AND NOT k.attisdropped
          GROUP BY i.indexrelid, i.indrelid, i.placed
          HAVING i.placed
            OR bool_and(a.atttypid = k.atttypid
                        OR EXISTS (SELECT FROM pg_amop m WHERE m.amopfamily = c.opcfamily AND m.amopstrategy = 3
                                   AND m.amoplefttype = a.atttypid AND m.amoprighttype = k.atttypid))
          ORDER BY i.indrelid, i.indexrelid)$f$, store, head, attached,
    format($c$(i.indrelid = %2$s OR EXISTS (SELECT FROM pg_trigger t JOIN pg_proc f ON f.oid = t.tgfoid
                       WHERE t.tgrelid = i.indrelid AND t.tgname = 'pgtoaster_' || %1$s || '_update'
                         AND f.proname = 'store_' || %1$s || '_watch' AND f.pronamespace = w.relnamespace))$c$, store, attached))
$$;

-- Returns the rows of that query; the session keeps its plan.
DO $do$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.row_keys(store integer, head regclass, attached regclass) '
                 'RETURNS TABLE (relation oid, index_id oid, columns name[], same_key text) '
                 'LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS %L',
                 '#variable_conflict use_column' || E'\n' || 'BEGIN RETURN QUERY SELECT s.* FROM '
                 || pgtoaster.row_keys_source('$1', '$2', '$3') || ' s; END');
END $do$;

-- Returns the row key of one of these tables.
DO $do$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION pgtoaster.owner_key(relation oid, store integer) '
                 'RETURNS TABLE (index_id oid, columns name[], same_key text) '
                 'LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS %L',
                 '#variable_conflict use_column' || E'\n' || 'BEGIN RETURN QUERY SELECT s.index_id, s.columns, s.same_key FROM '
                 || replace(pgtoaster.row_keys_source('$2', '(SELECT s.head FROM pgtoaster.store s WHERE s.id = $2)',
                                                      '(SELECT s.owner FROM pgtoaster.store s WHERE s.id = $2)'),
                            'WHERE i.indpred', 'WHERE i.indrelid = $1 AND i.indpred') || ' s; END');
END $do$;

-- Returns every table whose rows may own documents of a keyed store, with the column of documents: the attached table, and
-- partitions that were detached from it or are being detached. If a table no longer has a column of that name, each of its
-- jsonb columns is returned. handle is NULL if the attached table has no such column.
CREATE OR REPLACE FUNCTION pgtoaster.naming_rows(store integer)
RETURNS TABLE (relation regclass, handle name, columns name[], same_key text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT k.relation::regclass, t.attname, k.columns, k.same_key
  FROM pgtoaster.attached_column a
  CROSS JOIN LATERAL pgtoaster.row_keys(a.store, to_regclass(pgtoaster.store_table(a.store, 'head')), a.owner) k
  LEFT JOIN pg_attribute t ON t.attrelid = k.relation AND t.atttypid = 'jsonb'::regtype AND t.attnum > 0 AND NOT t.attisdropped
    AND (t.attname = a.column_name OR k.relation <> a.owner AND NOT EXISTS (
           SELECT FROM pg_attribute u WHERE u.attrelid = k.relation AND u.atttypid = 'jsonb'::regtype AND u.attname = a.column_name
           AND NOT u.attisdropped))
  WHERE a.store = $1 AND pgtoaster.holds_documents(a.store)
    AND CASE WHEN k.relation = a.owner THEN a.column_exists ELSE t.attname IS NOT NULL END
    AND (NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.index_id)
         OR EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = k.relation AND h.inhdetachpending))
  ORDER BY k.relation <> a.owner, k.relation, t.attnum;
END $$;

-- Returns every foreign key that refers to blobs of an appendable store: of the attached table, of partitions that were
-- detached from it (they keep their keys), and of partitions that are being detached, whose rows the table no longer
-- shows. Content that any of them refers to is live. For a keyed store, returns the columns that contain its documents.
-- Searches for dependencies on the table of heads, because pg_constraint has no index on the referenced table, and a
-- scan of all constraints would read a page for every attached column.
CREATE OR REPLACE FUNCTION pgtoaster.naming_columns(store integer)
RETURNS TABLE (relation regclass, handle name)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT k.conrelid::regclass, a.attname
  FROM pg_depend d
  JOIN pg_constraint k ON k.oid = d.objid AND d.refobjsubid = k.confkey[cardinality(k.confkey)]
  JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[cardinality(k.conkey)]
  WHERE d.classid = 'pg_constraint'::regclass AND d.deptype = 'n' AND d.refclassid = 'pg_class'::regclass
    AND d.refobjid = to_regclass(pgtoaster.store_table($1, 'head')) AND k.contype = 'f' AND k.confrelid = d.refobjid
    AND (k.conparentid = 0 OR EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = k.conrelid AND i.inhdetachpending))
  UNION ALL
  SELECT r.relation, r.handle FROM pgtoaster.naming_rows($1) r
$$;
