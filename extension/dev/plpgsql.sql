-- Checks all PL/pgSQL functions of the library's catalog, and the routines and triggers of stores of each shape, with
-- plpgsql_check. For dev/plpgsql; the variable catalog is the path of the catalog.
\set ON_ERROR_STOP 1
\pset tuples_only
\pset format unaligned
\pset fieldsep ': '
\o /dev/null
SET client_min_messages = warning;

-- The objects of Citus that the catalog refers to.
SET allow_system_table_mods = on;
CREATE TABLE pg_catalog.pg_dist_local_group (groupid integer);
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass);
CREATE TABLE pg_catalog.pg_dist_schema (schemaid oid);
CREATE TABLE pg_catalog.pg_dist_shard (logicalrelid regclass, shardid bigint);
CREATE TABLE pg_catalog.citus_shards (
  table_name regclass, shardid bigint, citus_table_type text, nodename text, nodeport integer, shard_size bigint);
CREATE FUNCTION pg_catalog.citus_schema_distribute(regnamespace) RETURNS void LANGUAGE sql RETURN NULL;
CREATE FUNCTION pg_catalog.citus_schema_undistribute(regnamespace) RETURNS void LANGUAGE sql RETURN NULL;
CREATE FUNCTION pg_catalog.citus_total_relation_size(regclass) RETURNS bigint LANGUAGE sql RETURN 1;
CREATE FUNCTION pg_catalog.create_distributed_table(regclass, text, colocate_with text = '') RETURNS void LANGUAGE sql RETURN NULL;
CREATE FUNCTION pg_catalog.get_shard_id_for_distribution_column(regclass, text) RETURNS bigint LANGUAGE sql RETURN 1;
CREATE FUNCTION pg_catalog.truncate_local_data_after_distributing_table(regclass) RETURNS void LANGUAGE sql RETURN NULL;
CREATE FUNCTION pg_catalog.undistribute_table(regclass) RETURNS void LANGUAGE sql RETURN NULL;
RESET allow_system_table_mods;

BEGIN;
\i :catalog
COMMIT;
CREATE EXTENSION pgtoaster;
CREATE EXTENSION plpgsql_check;
CREATE SCHEMA "Odd.'s";

-- Attach columns of each shape.
CREATE TABLE plain (id bigint PRIMARY KEY, b bigint, d jsonb, t text);
SELECT pgtoaster.attach('plain', 'b');
SELECT pgtoaster.attach('plain', 'd', 'keyed');
SELECT pgtoaster.attach('plain', 't', 'default');
CREATE INDEX ON plain USING gin (d);
CREATE TABLE sized (id bigint PRIMARY KEY, b bigint, d jsonb);
SELECT pgtoaster.attach('sized', 'b', options => '{"crc32c": true, "notify": true, "compression": "pglz"}');
SELECT pgtoaster.attach('sized', 'd', 'keyed', '{"keep_inline": ["/a/b"], "touch": "row", "compression": "none"}');
CREATE TABLE tenants (tenant uuid, id text COLLATE "C", b bigint, d jsonb, PRIMARY KEY (tenant, id));
SELECT pgtoaster.attach('tenants', 'b', options => '{"leading_key": "tenant"}');
SELECT pgtoaster.attach('tenants', 'd', 'keyed', '{"leading_key": "tenant"}');
CREATE TABLE sharded (tenant uuid, id integer, b bigint, d jsonb, PRIMARY KEY (tenant, id));
SELECT pgtoaster.attach('sharded', 'b', options => '{"leading_key": "tenant", "distributed": true}');
SELECT pgtoaster.attach('sharded', 'd', 'keyed', '{"leading_key": "tenant", "distributed": true}');
CREATE TABLE "Odd.'s"."T t" (a numeric, "B b" text, b bigint, "D d" jsonb, PRIMARY KEY (a, "B b"));
ALTER TABLE "Odd.'s"."T t" ENABLE ROW LEVEL SECURITY;
SELECT pgtoaster.attach('"Odd.''s"."T t"', 'b', options => '{"store_schema": "owner"}');
SELECT pgtoaster.attach('"Odd.''s"."T t"', 'D d', 'keyed', '{"store_schema": "owner"}');
SELECT pgtoaster.create_view('plain');

-- What is accepted: a pattern of functions, a pattern of messages, and the reason. store_N_read stands for the routine of any store.
CREATE TEMPORARY TABLE accepted (functions text, messages text, reason text);
INSERT INTO accepted VALUES
  ('.', '^cannot determinate a result of dynamic SQL', 'the columns of a record come from a statement that contains names'),
  ('.', '^OUT variable .* cannot to determine result of dynamic SQL', 'RETURN QUERY EXECUTE'),
  ('^(branch_(member|text)|(change|range_of|whole)_blob|fill_object|(length_of|read)_plain|migrate_(documents|finish|rows|step)'
   '|repair_row|salvaged_branch|same_content|set_document_aside|store_N_watch|write_view)$',
   '^record ".*" is not assigned', 'such a record: what uses it is not checked'),
  ('^(branch_(member|text)|(change|range_of|whole)_blob|fill_object|(length_of|read)_plain|migrate_(documents|finish|rows|step)'
   '|repair_row|salvaged_branch|same_content|set_document_aside|write_view)$',
   '^(never read variable|unused parameter|control reached end of function|cached plan is not valid)', 'because of that'),
  ('.', '^name of parameter "offset" is reserved keyword', 'part of the API'),
  ('_plain$', '^unused parameter "(store|number|key_index)"', 'all toasters get these'),
  ('^crc32c$', '^function crc32c\(bytea\) does not exist', 'since PostgreSQL 18; the function checks that'),
  ('^store_N_release$', '^never read variable "handle"', 'set together with prefix'),
  ('^store_N_hold$', '^unused parameter "key_', 'by these, Citus chooses the node'),
  ('^store_N_apply$', '^never read variable "logical_trigger"', 'all trigger functions of distributed tables have it'),
  ('^store_N_truncate$', '^unreachable code', 'TRUNCATE of a distributed table is always rejected');

CREATE TEMPORARY TABLE problem AS
SELECT f.name, concat_ws(' ', c.message, c.detail, c.context) AS message, concat_ws(' line ', f.oid::regprocedure, c.lineno) AS place
FROM (
  SELECT f.oid, f.prorettype, t.relation, regexp_replace(f.proname, '^store_[0-9]+_', 'store_N_') AS name
  FROM pg_proc f JOIN pg_language l ON l.oid = f.prolang AND l.lanname = 'plpgsql'
  LEFT JOIN (SELECT DISTINCT tgfoid, tgrelid::regclass AS relation FROM pg_trigger) t ON t.tgfoid = f.oid
  -- Templates refer to no real tables; the routines that are made from them are checked.
  WHERE f.proname !~ '^template_' AND f.pronamespace IN ('pgtoaster'::regnamespace, '"Odd.''s"'::regnamespace)) f
CROSS JOIN LATERAL plpgsql_check_function_tb(f.oid, coalesce(f.relation, 0), fatal_errors => false) c
-- A trigger function is checked for each of its tables; it uses NEW.id only for the garbage table.
WHERE (f.prorettype <> 'trigger'::regtype OR f.relation IS NOT NULL)
  AND (f.name <> 'store_N_release' OR f.relation::text ~ '_garbage"?$');

\o
SELECT DISTINCT p.place, p.message FROM problem p
WHERE NOT EXISTS (SELECT FROM accepted a WHERE p.name ~ a.functions AND p.message ~ a.messages)
UNION ALL
SELECT f.oid::regprocedure::text, 'its lines are not those of its template'
FROM pgtoaster.store s CROSS JOIN LATERAL pgtoaster.store_templates(s.id) r
JOIN pg_proc f ON f.oid = r.id JOIN pg_proc t ON t.oid = r.template
WHERE NOT pgtoaster.is_sharded(s.id)
  AND cardinality(string_to_array(f.prosrc, E'\n')) <> cardinality(string_to_array(t.prosrc, E'\n'))
UNION ALL
SELECT 'accepted in vain', concat_ws(' ', a.functions, a.messages) FROM accepted a
WHERE NOT EXISTS (SELECT FROM problem p WHERE p.name ~ a.functions AND p.message ~ a.messages)
ORDER BY 1, 2;
