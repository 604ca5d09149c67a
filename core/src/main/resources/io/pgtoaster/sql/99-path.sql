-- Always the last file.

-- The path as it was before the first file.
DO $$ BEGIN PERFORM pg_catalog.set_config('search_path', pg_catalog.current_setting('pgtoaster.search_path'), true); END $$;
