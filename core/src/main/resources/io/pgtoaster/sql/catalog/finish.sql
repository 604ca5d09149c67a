-- This file must be the last one.

-- Drops the functions of catalog 13 that these files no longer create, unless something else depends on them.
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN
    SELECT p.oid::regprocedure FROM pg_proc p
    WHERE p.pronamespace = 'pgtoaster'::regnamespace AND p.proname ~ '^[a-z]+_template$' AND p.pronargs = 0
    UNION ALL
    SELECT o.f FROM unnest(ARRAY[
      'apply_names(integer, text, text)', 'create_trigger_function(integer, text, text)', 'create_watch_functions(integer, name, text)',
      'document_header(jsonb)', 'hide_functions(integer)', 'left_at(jsonb, jsonb)', 'note_version(integer, text, bigint)',
      'noted(jsonb, text, text[], jsonb, boolean)', 'on_shards(text, boolean)', 'own_routines(integer)', 'owned_source(integer, name)',
      'place_source(integer)', 'routine_arguments(integer, text, boolean)', 'routine_source(integer, text)', 'still_left(jsonb)',
      'value_contains(bigint, jsonb, bigint, jsonb)', 'write_trigger_functions(integer)']) n(n)
    CROSS JOIN LATERAL (SELECT to_regprocedure('pgtoaster.' || n.n) AS f) o WHERE o.f IS NOT NULL
  LOOP
    BEGIN
      EXECUTE format('DROP FUNCTION %s', f);
    EXCEPTION WHEN dependent_objects_still_exist THEN
      NULL;
    END;
  END LOOP;
END $$;

-- Makes all functions that already have a SET clause independent of two settings of the session: names are quoted only if
-- necessary, and literals with backslashes always have the same meaning. Functions that are inlined, and those that
-- tables use, contain no such literals, or write them as E''.
DO $$
DECLARE
  f record;
BEGIN
  FOR f IN SELECT p.oid::regprocedure AS name, p.proconfig IS NOT NULL AS sets, p.prosrc LIKE '%' || chr(92) || chr(92) || '%' AS literals
           FROM pg_proc p
           WHERE p.pronamespace = 'pgtoaster'::regnamespace AND p.proname !~ '^store_[0-9]+_[a-z_]+$'
             AND pg_has_role(p.proowner, 'USAGE') LOOP
    IF f.sets OR f.literals THEN
      EXECUTE format('ALTER FUNCTION %s %s %s', f.name, CASE WHEN f.sets THEN 'SET quote_all_identifiers = off' END,
                     CASE WHEN f.literals THEN 'SET standard_conforming_strings = on' END);
    END IF;
  END LOOP;
END $$;

-- Describes the installation in a comment: hashes of the scripts, of the objects that they created, and of the sources
-- of the stores' routines. Catalog.install() compares it with the same query, and does nothing if all are unchanged.
DO $$ BEGIN
  EXECUTE format('COMMENT ON TABLE pgtoaster.version IS %L', concat_ws(' ', '{scripts}', (
-- made
SELECT pg_catalog.md5(pg_catalog.string_agg(o.o, ' ' ORDER BY o.o COLLATE pg_catalog."C"))
FROM (
  SELECT pg_catalog.concat_ws(' ', p.proname, p.proargtypes, p.proargnames, p.proconfig,
                              p.prosecdef, p.provolatile, p.proisstrict, p.proparallel, pg_catalog.md5(p.prosrc)) AS o
  FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
  WHERE n.nspname OPERATOR(pg_catalog.=) CAST('pgtoaster' AS pg_catalog.name) AND p.proname OPERATOR(pg_catalog.!~) '^store_[0-9]+_'
  UNION ALL
  SELECT pg_catalog.concat_ws(' ', c.relname, c.relkind, pg_catalog.md5(CAST(v.ev_action AS pg_catalog.text)), t.tgname, t.tgenabled)
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
  LEFT JOIN pg_catalog.pg_rewrite v ON v.ev_class OPERATOR(pg_catalog.=) c.oid
  LEFT JOIN pg_catalog.pg_trigger t ON t.tgrelid OPERATOR(pg_catalog.=) c.oid
  WHERE n.nspname OPERATOR(pg_catalog.=) CAST('pgtoaster' AS pg_catalog.name) AND c.relname OPERATOR(pg_catalog.!~) '^store_[0-9]+_'
) o
-- end of made
  ), split_part(pgtoaster.routine_mark(''), ' ', 2)));
END $$;

-- Restores the settings from before the first file.
DO $$ BEGIN
  PERFORM pg_catalog.set_config('lock_timeout', pg_catalog.current_setting('pgtoaster.lock_timeout'), true);
  PERFORM pg_catalog.set_config('standard_conforming_strings', pg_catalog.current_setting('pgtoaster.conforming_strings'), true);
  PERFORM pg_catalog.set_config('search_path', pg_catalog.current_setting('pgtoaster.search_path'), true);
END $$;
