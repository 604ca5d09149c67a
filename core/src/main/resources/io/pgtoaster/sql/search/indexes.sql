-- The GIN indexes of search, over the contents of rows and leaves.

-- Returns the expression of an index of the given kind on a column. leaves: whether it is the index of the leaves.
CREATE OR REPLACE FUNCTION pgtoaster.index_expression(kind text, config regconfig, paths text[], column_name name, leaves boolean)
RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN CASE kind WHEN 'path' THEN pgtoaster.path_expression(paths, quote_ident(column_name), leaves)
              WHEN 'text' THEN format('jsonb_to_tsvector(%L::regconfig, %I, %L::jsonb)', config, column_name, '["string"]')
              ELSE quote_ident(column_name) END;
END $$;

-- Returns the GIN index of a table over an expression, or NULL.
CREATE OR REPLACE FUNCTION pgtoaster.gin_index(owner regclass, expression text) RETURNS regclass
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN (SELECT i.indexrelid::regclass
          FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
          WHERE i.indrelid = owner AND m.amname = 'gin' AND i.indisvalid AND i.indpred IS NULL
            AND pg_get_indexdef(i.indexrelid, 1, false) = expression
          ORDER BY i.indexrelid LIMIT 1);
END $$;

-- Returns the search indexes of a store, of these kinds: the index of the leaves, and that of the column.
CREATE OR REPLACE FUNCTION pgtoaster.search_index(store integer, kinds text[] DEFAULT '{containment,path,text}')
RETURNS TABLE (kind text, config regconfig, paths text[], leaves regclass, rows regclass)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
  node CONSTANT text := pgtoaster.store_table(store, 'node');
  a record;
BEGIN
  FOR kind, leaves IN
    SELECT k.kind, i.indexrelid FROM unnest(kinds) k(kind)
    JOIN pg_index i ON i.indexrelid = to_regclass(concat(node, '_', k.kind)) AND i.indrelid = to_regclass(node) AND i.indisvalid LOOP
    IF a IS NULL THEN
      SELECT c.owner, c.column_name INTO a FROM pgtoaster.attached_column c WHERE c.store = store;
    END IF;
    config := CASE kind WHEN 'text' THEN
      replace(substring(pg_get_indexdef(leaves, 1, false) FROM $re$^jsonb_to_tsvector\('((?:[^']|'')*)'::regconfig$re$),
              '''''', '''')::regconfig
    END;
    paths := CASE kind WHEN 'path' THEN pgtoaster.expression_paths(pg_get_indexdef(leaves, 1, false)) END;
    rows := pgtoaster.gin_index(a.owner, pgtoaster.index_expression(kind, config, paths, a.column_name, false));
    RETURN NEXT;
  END LOOP;
END $$;

-- Returns all search indexes, with their sizes in bytes. complete: whether both parts exist; until then, a search of that
-- kind is rejected or slow.
CREATE OR REPLACE FUNCTION pgtoaster.indexes()
RETURNS TABLE (owner regclass, column_name name, kind text, config regconfig, paths text[], complete boolean, bytes bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT a.owner, a.column_name, i.kind, i.config, i.paths, i.rows IS NOT NULL,
         pg_relation_size(i.leaves) + coalesce(pg_relation_size(i.rows), 0)
  FROM pgtoaster.attached_column a CROSS JOIN LATERAL pgtoaster.search_index(a.store) i
  WHERE pgtoaster.holds_documents(a.store) ORDER BY a.owner::text, a.column_name, i.kind
$$;

-- Returns the store of a column that can be searched.
CREATE OR REPLACE FUNCTION pgtoaster.searched_store(owner regclass, column_name name) RETURNS integer
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  found integer := (SELECT a.store FROM pgtoaster.attached_column a
                    WHERE a.owner = $1 AND a.column_name = $2 AND pgtoaster.holds_documents(a.store));
BEGIN
  IF found IS NULL THEN
    RAISE EXCEPTION 'column "%" of % is not attached to a toaster of documents', column_name, owner USING ERRCODE = 'undefined_object',
      HINT = 'See pgtoaster.attached_column. A plain column of jsonb needs only a GIN index.';
  END IF;
  RETURN found;
END $$;

-- Returns the statements that create a search index. online: they do not block writers, and each runs outside a
-- transaction. options: for text {"config": "english"}, for path {"paths": ["variants[*].price"]}; fastupdate: whether changes wait in
-- a list; if it is missing, they wait in a list of up to 1 MB.
CREATE OR REPLACE FUNCTION pgtoaster.index_statements(owner regclass, column_name name, kind text,
  options jsonb DEFAULT '{}', online boolean DEFAULT false)
RETURNS SETOF text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  store integer := pgtoaster.searched_store(owner, column_name);
  config regconfig := (options ->> 'config')::regconfig;
  paths text[] := CASE WHEN jsonb_typeof(options -> 'paths') = 'array' THEN
    pgtoaster.path_names(ARRAY(SELECT jsonb_array_elements_text(options -> 'paths'))) END;
  found record;
  unknown text := (SELECT min(o) FROM jsonb_object_keys(options) o
                   WHERE o <> 'fastupdate' AND (o <> 'config' OR kind <> 'text') AND (o <> 'paths' OR kind <> 'path'));
  -- A search reads the list of pending changes once for each form of its probe, so the list is shorter than PostgreSQL's 4 MB. A
  -- change takes 1 to 8 % more CPU with it; with 512 kB, 3 to 16 %.
  settings text := coalesce('fastupdate = ' || (options ->> 'fastupdate')::boolean,
    'gin_pending_list_limit = ' || least((SELECT p.setting::integer FROM pg_settings p WHERE p.name = 'gin_pending_list_limit'), 1024));
  part record;
BEGIN
  IF kind IS NULL OR kind NOT IN ('containment', 'path', 'text') THEN
    RAISE EXCEPTION 'index kind "%" is not one of containment, path, text', kind USING ERRCODE = 'invalid_parameter_value';
  ELSIF unknown IS NOT NULL THEN
    RAISE EXCEPTION 'unknown option "%" of an index of kind %', unknown, kind USING ERRCODE = 'invalid_parameter_value',
      HINT = 'Options are fastupdate, config (only for text) and paths (only for path).';
  ELSIF kind = 'text' AND config IS NULL THEN
    RAISE EXCEPTION 'a text index needs the option config' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For example {"config": "english"}. In psql, \dF lists the configurations.';
  END IF;
  IF kind = 'path' AND coalesce(cardinality(paths), 0) NOT BETWEEN 1 AND 20 THEN
    RAISE EXCEPTION 'a path index needs the option paths, with 1 to 20 paths' USING ERRCODE = 'invalid_parameter_value',
      HINT = 'For example {"paths": ["variants[*].price"]}.';
  END IF;
  SELECT * INTO found FROM pgtoaster.search_index(store) i WHERE i.kind = index_statements.kind;
  IF found.config <> config THEN
    RAISE EXCEPTION 'column "%" of % has a text index with the configuration %', column_name, owner, found.config
      USING ERRCODE = 'duplicate_object',
            HINT = 'SELECT pgtoaster.drop_index(table, column, ''text''), then create the other.';
  END IF;
  IF found.paths <> paths THEN
    RAISE EXCEPTION 'column "%" of % has a path index for %', column_name, owner, array_to_string(found.paths, ', ')
      USING ERRCODE = 'duplicate_object',
            HINT = 'A column has one path index: SELECT pgtoaster.drop_index(table, column, ''path''), then create one with all paths.';
  END IF;
  FOR part IN
    SELECT p.* FROM (VALUES
      (format('pgtoaster_%s_%s', store, kind),
       (SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = owner),
       owner::text, pgtoaster.index_expression(kind, config, paths, column_name, false),
       coalesce(found.rows, pgtoaster.gin_index(owner, pgtoaster.index_expression(kind, config, paths, column_name, false)))),
      (format('store_%s_node_%s', store, kind),
       (SELECT n.nspname FROM pgtoaster.store s JOIN pg_class c ON c.oid = s.head JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE s.id = store),
       pgtoaster.store_table(store, 'node'), pgtoaster.index_expression(kind, config, paths, 'value', true), found.leaves)
      ) p(index_name, schema, relation, expression, existing)
    WHERE p.existing IS NULL LOOP
    -- A failed build leaves an invalid index.
    RETURN QUERY SELECT format('DROP INDEX %s%I.%I', CASE WHEN online THEN 'CONCURRENTLY ' END, part.schema, part.index_name)
      WHERE to_regclass(format('%I.%I', part.schema, part.index_name)) IS NOT NULL;
    RETURN QUERY SELECT format('CREATE INDEX %s%I ON %s USING gin (%s%s) WITH (%s)',
                       CASE WHEN online THEN 'CONCURRENTLY ' END, part.index_name, part.relation, part.expression,
                       CASE kind WHEN 'containment' THEN ' jsonb_path_ops' END, settings);
  END LOOP;
END $$;

-- Creates a search index; does nothing if it exists. Writers wait; index_statements returns statements that do not
-- block them.
CREATE OR REPLACE FUNCTION pgtoaster.create_index(owner regclass, column_name name, kind text, options jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  statement text;
BEGIN
  -- Another transaction may be creating the same index.
  IF EXISTS (SELECT FROM pgtoaster.index_statements(owner, column_name, kind, options)) THEN
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', owner);
  END IF;
  FOR statement IN SELECT s FROM pgtoaster.index_statements(owner, column_name, kind, options) s LOOP
    EXECUTE statement;
  END LOOP;
END $$;

-- Drops a search index. Keeps an index of the column that create_index did not create, unless only path searches can use it.
CREATE OR REPLACE FUNCTION pgtoaster.drop_index(owner regclass, column_name name, kind text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  store integer := pgtoaster.searched_store(owner, column_name);
  leaves regclass;
  rows oid;
BEGIN
  -- Lock the table before the leaves, as searches and changes do.
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', owner);
  leaves := to_regclass(pgtoaster.store_table(store, 'node_' || kind));
  rows := (SELECT i.rows FROM pgtoaster.search_index(store, '{path}') i WHERE i.kind = drop_index.kind);
  IF leaves IS NULL THEN
    RAISE EXCEPTION 'column "%" of % has no search index of kind "%"', column_name, owner, kind USING ERRCODE = 'undefined_object',
      HINT = 'SELECT * FROM pgtoaster.indexes() lists them.';
  END IF;
  EXECUTE format('DROP INDEX %s', leaves);
  PERFORM pgtoaster.drop_index(owner, c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = owner AND (c.relname = format('pgtoaster_%s_%s', store, kind) OR c.oid = rows);
END $$;

-- Creates the index of the leaves for each GIN index that a newly attached column already has.
CREATE OR REPLACE FUNCTION pgtoaster.adopt_indexes(store integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  k record;
BEGIN
  FOR k IN
    SELECT DISTINCT s.owner, s.column_name, x.kind, x.options
    FROM pgtoaster.store s JOIN pg_index i ON i.indrelid = s.owner AND i.indisvalid AND i.indpred IS NULL
    JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam AND m.amname = 'gin'
    CROSS JOIN LATERAL (
      SELECT 'containment' AS kind, CAST('{}' AS jsonb) AS options
      WHERE pg_get_indexdef(i.indexrelid, 1, false) = quote_ident(s.column_name)
      UNION ALL
      SELECT 'path', jsonb_build_object('paths', p.paths)
      FROM (SELECT pgtoaster.expression_paths(pg_get_indexdef(i.indexrelid, 1, false)) AS paths) p
      WHERE pg_get_indexdef(i.indexrelid, 1, false) = pgtoaster.index_expression('path', NULL, p.paths, s.column_name, false)
      UNION ALL
      SELECT 'text', jsonb_build_object('config', g.cfgname) FROM (SELECT t.oid::regconfig::text AS cfgname FROM pg_ts_config t) g
      WHERE pg_get_indexdef(i.indexrelid, 1, false)
              = pgtoaster.index_expression('text', g.cfgname::regconfig, NULL, s.column_name, false)) x
    WHERE s.id = $1 LOOP
    PERFORM pgtoaster.create_index(k.owner, k.column_name, k.kind, k.options);
  END LOOP;
END $$;
