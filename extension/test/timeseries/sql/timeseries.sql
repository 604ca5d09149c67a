-- Registers a toaster of another extension, attaches a column to it, and calls it through the functions of pgtoaster.
\set SHOW_CONTEXT never
\i ../install.sql
CREATE EXTENSION pgtoaster_timeseries CASCADE;
SELECT pgtoaster.create_toaster('timeseries', 'timeseries.handler');
SELECT pgtoaster.validate('timeseries');

CREATE TABLE sensor (id bigint PRIMARY KEY, place text, temperature float8[]);
INSERT INTO sensor VALUES (1, 'roof'), (2, 'cellar');
SELECT pgtoaster.set_toaster('sensor', 'temperature', 'timeseries') > 0 AS attached;

SELECT toaster.json_append('sensor', 'temperature', 1, '{}', '[20.5, 21, 21.25]');
SELECT toaster.json_append('sensor', 'temperature', 1, '{}', '[22]');
SELECT toaster.json_get('sensor', 'temperature', 1, '{}');
SELECT toaster.json_slice('sensor', 'temperature', 1, '{}', 1, 3);
SELECT toaster.json_get('sensor', 'temperature', 2, '{}') IS NULL AS nothing_yet;
-- An operation that the toaster does not support is an error.
SELECT toaster.json_set('sensor', 'temperature', 1, '{0}', '0');
SELECT toaster.blob_length('sensor', 'temperature', 1);
-- A column with the wrong type.
SELECT pgtoaster.set_toaster('sensor', 'place', 'timeseries');

-- Functions that are not handlers, handlers of another version and names in use are rejected.
SELECT pgtoaster.create_toaster('wrong', 'timeseries.no_handler');
SELECT pgtoaster.create_toaster('wrong', 'pg_catalog.int4inc');
SELECT pgtoaster.create_toaster('timeseries', 'timeseries.handler');
SELECT pgtoaster.create_toaster('keyed', 'timeseries.handler');
SELECT pgtoaster.validate('wrong');
CREATE ROLE pgtoaster_regress_user;
SET ROLE pgtoaster_regress_user;
SELECT pgtoaster.create_toaster('mine', 'timeseries.handler');
RESET ROLE;
DROP ROLE pgtoaster_regress_user;

-- A toaster in use cannot be dropped. A toaster of SQL functions alone has no handler to call.
\set VERBOSITY terse
SELECT pgtoaster.drop_toaster('timeseries');
CREATE FUNCTION sql_attach(owner regclass, column_name name, key_index regclass, options jsonb) RETURNS integer
LANGUAGE sql AS $$ SELECT pgtoaster.add_store(owner, column_name, 'plain', NULL, options) $$;
SELECT pgtoaster.create_toaster('plain', routines => '{"attach": "public.sql_attach"}');
SELECT pgtoaster.validate('plain');
SELECT pgtoaster.set_toaster('sensor', 'place', 'plain') > 0 AS attached;
SELECT toaster.json_append('sensor', 'place', 1, '{}', '1');
SELECT pgtoaster.detach('sensor', 'place');
SELECT pgtoaster.drop_toaster('plain');

-- The extension cannot be dropped until the column is detached.
DROP EXTENSION pgtoaster_timeseries;
SELECT pgtoaster.detach('sensor', 'temperature');
DROP EXTENSION pgtoaster_timeseries;
SELECT pgtoaster.validate('timeseries');
SELECT pgtoaster.drop_toaster('timeseries');
