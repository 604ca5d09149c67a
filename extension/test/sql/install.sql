-- Other stories have installed both already.
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS pgtoaster;
DROP SCHEMA IF EXISTS pgtoaster CASCADE;
RESET client_min_messages;
-- The catalog is made by the library's SQL, the extension has functions only: each comes and goes alone.
CREATE EXTENSION pgtoaster;
-- Without the catalog there is nothing to work on.
CREATE TABLE recording (id bigint PRIMARY KEY, audio bigint);
SELECT toaster.blob_length('recording', 'audio', 1);
\i test/install.sql
SELECT toaster.catalog_version() = version AS same_version FROM pgtoaster.version;
-- A column has to be attached first.
SELECT toaster.blob_length('recording', 'audio', 1);
SELECT pgtoaster.attach('recording', 'audio');
-- Nothing of the catalog belongs to the extension.
SELECT count(*) FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'pgtoaster'
WHERE d.classid = 'pg_class'::regclass;
