-- Always the last file.

-- Literals in functions mean the same whatever the session says of backslashes. Those that are inlined, and those that
-- tables call, have none, or have E''.
DO $$
DECLARE
  f regprocedure;
BEGIN
  FOR f IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'pgtoaster'::regnamespace AND p.proname !~ '^store_[0-9]+_[a-z_]+$'
           AND p.prosrc LIKE '%' || chr(92) || chr(92) || '%' AND pg_has_role(p.proowner, 'USAGE') LOOP
    EXECUTE format('ALTER FUNCTION %s SET standard_conforming_strings = on', f);
  END LOOP;
END $$;

-- The path and the time-out as they were before the first file.
DO $$ BEGIN
  PERFORM pg_catalog.set_config('lock_timeout', pg_catalog.current_setting('pgtoaster.lock_timeout'), true);
  PERFORM pg_catalog.set_config('search_path', pg_catalog.current_setting('pgtoaster.search_path'), true);
END $$;
