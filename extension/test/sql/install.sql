-- Other tests have already installed both.
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS pgtoaster;
DROP SCHEMA IF EXISTS pgtoaster CASCADE;
RESET client_min_messages;
-- The library's SQL creates the catalog; the extension only contains functions. Each can be installed and dropped alone.
CREATE EXTENSION pgtoaster;
-- The functions need the catalog.
CREATE TABLE recording (id bigint PRIMARY KEY, audio bigint);
SELECT toaster.blob_length('recording', 'audio', 1);
\i test/install.sql
SELECT toaster.catalog_version() = version AS same_version FROM pgtoaster.version;
-- A column must be attached first.
SELECT toaster.blob_length('recording', 'audio', 1);
SELECT pgtoaster.attach('recording', 'audio');
-- No object of the catalog depends on the extension.
SELECT count(*) FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'pgtoaster'
WHERE d.classid = 'pg_class'::regclass;
