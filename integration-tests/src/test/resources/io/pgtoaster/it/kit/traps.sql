-- Creates a trap in the schema "shared" for each call of PostgreSQL's own operators and functions whose arguments do not have
-- exactly the declared types. With that schema on the search path PostgreSQL prefers the trap, which matches better. A trap
-- writes to the server's log and calls the original. Inserts into the system catalogs, as CREATE statements would take a minute.
-- {types}: names of the types to use; {functions}: names of functions; {pairs}: whether to trap all pairs of operand types. If
-- so, aggregates and set-returning functions have no traps: tests call these, and a trap returns a different result.
CREATE SCHEMA shared;
GRANT USAGE ON SCHEMA shared TO PUBLIC;
SET search_path = pg_catalog, pg_temp;
SET allow_system_table_mods = on;
SET jit = off;

CREATE TEMP TABLE type AS
SELECT oid, typcategory, typelem FROM pg_type
WHERE typnamespace = CAST('pg_catalog' AS regnamespace) AND typname = ANY (CAST({types} AS text[]));

-- The types that PostgreSQL accepts for an argument of another type.
CREATE TEMP TABLE taken AS
SELECT w.oid AS wanted, g.oid AS given
FROM pg_type w, type g
WHERE w.oid = g.oid
   OR EXISTS (SELECT FROM pg_cast c WHERE c.castcontext = 'i' AND c.castsource = g.oid AND c.casttarget = w.oid)
   OR EXISTS (SELECT FROM pg_cast c WHERE c.castcontext = 'i' AND c.castsource = g.typelem AND c.casttarget = w.typelem
              AND g.typcategory = 'A' AND w.typcategory = 'A')
   -- If no function matches exactly, PostgreSQL takes a literal as text.
   OR g.oid = CAST('text' AS regtype) AND w.typcategory NOT IN ('P', 'A', 'C')
   OR w.typname IN ('anyelement', 'any', 'anycompatible')
   OR w.typname IN ('anynonarray', 'anycompatiblenonarray') AND g.typcategory <> 'A'
   OR w.typname IN ('anyarray', 'anycompatiblearray') AND g.typcategory = 'A';
CREATE INDEX ON taken (wanted);
ANALYZE taken;

CREATE TEMP TABLE trap AS
SELECT t.kind, t.name, t.args FROM (
  SELECT CAST('o' AS text) AS kind, CAST(o.oprname AS text) AS name, ARRAY[l.given, r.given] AS args
  FROM pg_operator o JOIN taken l ON l.wanted = o.oprleft JOIN taken r ON r.wanted = o.oprright
  UNION
  SELECT 'o', o.oprname, ARRAY[0, r.given] FROM pg_operator o JOIN taken r ON r.wanted = o.oprright WHERE o.oprkind = 'l'
  UNION
  -- A literal gets the type of the other operand if there is such an operator. With pairs: all pairs of types.
  SELECT 'o', o.oprname, ARRAY[l.oid, r.oid] FROM (SELECT DISTINCT oprname FROM pg_operator WHERE oprkind = 'b') o, type l, type r
  WHERE l.oid = r.oid OR {pairs}
  EXCEPT
  SELECT 'o', o.oprname, ARRAY[o.oprleft, o.oprright] FROM pg_operator o) t
UNION ALL
SELECT 'f', t.name, t.args FROM (
  WITH real AS (
    -- For each possible number of arguments: parameters may have defaults, and the last may be variadic.
    SELECT CAST(p.proname AS text) AS name, n, ARRAY(
        SELECT CASE WHEN p.provariadic <> 0 AND i >= p.pronargs THEN p.provariadic ELSE p.proargtypes[i - 1] END
        FROM generate_series(1, n) i ORDER BY i) AS wanted
    FROM pg_proc p, generate_series(1, 3) n
    WHERE p.pronamespace = CAST('pg_catalog' AS regnamespace) AND p.proname = ANY (CAST({functions} AS text[]))
      AND NOT ({pairs} AND (p.prokind <> 'f' OR p.proretset))
      AND (n BETWEEN p.pronargs - p.pronargdefaults AND p.pronargs OR p.provariadic <> 0 AND n >= p.pronargs))
  SELECT r.name, ARRAY[x.given] AS args FROM real r JOIN taken x ON x.wanted = r.wanted[1] WHERE r.n = 1
  UNION
  SELECT r.name, ARRAY[x.given, y.given]
  FROM real r JOIN taken x ON x.wanted = r.wanted[1] JOIN taken y ON y.wanted = r.wanted[2] WHERE r.n = 2
  UNION
  SELECT r.name, ARRAY[x.given, y.given, z.given]
  FROM real r JOIN taken x ON x.wanted = r.wanted[1] JOIN taken y ON y.wanted = r.wanted[2]
       JOIN taken z ON z.wanted = r.wanted[3]
  -- The last two arguments of type "any" have the same type.
  WHERE r.n = 3 AND (y.given = z.given OR r.wanted[2] <> r.wanted[3] OR r.wanted[2] <> CAST('"any"' AS regtype))
  EXCEPT
  SELECT p.proname, ARRAY(SELECT a FROM unnest(p.proargtypes) WITH ORDINALITY u(a, i) ORDER BY i) FROM pg_proc p) t;

-- Returns the result type of the original, or NULL if it rejects the arguments, so that no trap is needed.
CREATE FUNCTION pg_temp.result(call text, args oid[]) RETURNS oid LANGUAGE plpgsql AS $$
DECLARE
  result oid;
BEGIN
  FOR i IN 1 .. cardinality(args) LOOP
    call := replace(call, '$' || i, 'CAST(NULL AS ' || format_type(args[i], NULL) || ')');
  END LOOP;
  EXECUTE 'SELECT CAST(pg_catalog.pg_typeof(' || call || ') AS oid)' INTO result;
  RETURN coalesce(result, CAST('text' AS regtype));
EXCEPTION WHEN OTHERS THEN
  RETURN NULL;
END $$;

CREATE TEMP TABLE made AS
SELECT row_number() OVER () AS n, t.*,
       t.name || '(' || array_to_string(CAST(CAST(t.args AS regtype[]) AS text[]), ', ') || ')' AS label
FROM (SELECT t.kind, t.name, t.left_operand, t.args, t.call,
             coalesce(pg_temp.result(t.call, t.args),
                      CASE WHEN t.kind = 'o' AND (t.args[1] = t.args[2] OR {pairs}) THEN CAST('text' AS regtype) END) AS result
      FROM (SELECT t.kind, t.name, t.args[1] AS left_operand, array_remove(t.args, 0) AS args,
                   CASE WHEN t.kind = 'f' THEN format('pg_catalog.%I(%s)', t.name,
                                                      left('$1, $2, $3', cardinality(t.args) * 4 - 2))
                        WHEN t.args[1] = 0 THEN format('OPERATOR(pg_catalog.%s) $1', t.name)
                        ELSE format('$1 OPERATOR(pg_catalog.%s) $2', t.name) END AS call
            FROM trap t) t) t
WHERE t.result IS NOT NULL;

INSERT INTO pg_proc (oid, proname, pronamespace, proowner, prolang, procost, prorows, provariadic, prosupport, prokind, prosecdef,
  proleakproof, proisstrict, proretset, provolatile, proparallel, pronargs, pronargdefaults, prorettype, proargtypes, prosrc)
SELECT 1000000000 + 2 * n, CASE kind WHEN 'f' THEN name ELSE 'trap_' || n END, CAST('shared' AS regnamespace), CAST(current_user AS regrole),
  (SELECT oid FROM pg_language WHERE lanname = 'plpgsql'), 1, 0, 0, 0, 'f', false,
  false, false, false, 'i', 's', cardinality(args), 0, result, CAST(array_to_string(args, ' ') AS oidvector),
  format('DECLARE stack text; BEGIN GET DIAGNOSTICS stack = PG_CONTEXT;'
         ' RAISE LOG ''trap %% in [%%] at [%%]'', %L, pg_catalog.current_query(), stack; RETURN %s; END', label, call)
FROM made;

INSERT INTO pg_operator (oid, oprname, oprnamespace, oprowner, oprkind, oprcanmerge, oprcanhash, oprleft, oprright, oprresult,
  oprcom, oprnegate, oprcode, oprrest, oprjoin)
SELECT 1000000001 + 2 * n, name, CAST('shared' AS regnamespace), CAST(current_user AS regrole), CASE left_operand WHEN 0 THEN 'l' ELSE 'b' END,
  false, false, left_operand, args[cardinality(args)], result, 0, 0, 1000000000 + 2 * n, 0, 0
FROM made WHERE kind = 'o';
