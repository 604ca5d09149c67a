-- Always the last file.

-- The path and the time-out as they were before the first file.
DO $$ BEGIN
  PERFORM pg_catalog.set_config('lock_timeout', pg_catalog.current_setting('pgtoaster.lock_timeout'), true);
  PERFORM pg_catalog.set_config('search_path', pg_catalog.current_setting('pgtoaster.search_path'), true);
END $$;
