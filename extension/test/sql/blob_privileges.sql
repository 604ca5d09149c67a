\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
-- Messages contain table names with the number of the store, so show the SQLSTATE only.
\set VERBOSITY sqlstate
-- Access to the content requires the privileges of the owner's table, which are mirrored to the store.
CREATE ROLE regress_pgt_owner;
CREATE ROLE regress_pgt_writer;
CREATE ROLE regress_pgt_reader;
CREATE ROLE regress_pgt_stranger;
CREATE TABLE letter (id int PRIMARY KEY, of_role name NOT NULL DEFAULT 'regress_pgt_writer', body bigint);
ALTER TABLE letter OWNER TO regress_pgt_owner;
GRANT SELECT ON letter TO regress_pgt_reader;
GRANT SELECT, UPDATE ON letter TO regress_pgt_writer;
SELECT pgtoaster.attach('letter', 'body', options => '{"tail": 100}') > 0 AS attached;
INSERT INTO letter (id) VALUES (1), (2);
INSERT INTO letter VALUES (3, 'regress_pgt_owner');
SET ROLE regress_pgt_stranger;
SELECT toaster.blob_append('letter', 'body', 1, 'x');
SELECT toaster.blob_read('letter', 'body', 1, 0, 10);
SET ROLE regress_pgt_reader;
SELECT toaster.blob_append('letter', 'body', 1, 'x');
SELECT toaster.blob_length('letter', 'body', 1) AS nothing_yet;
SET ROLE regress_pgt_writer;
SELECT "offset" FROM toaster.blob_append('letter', 'body', 1, 'Dear all, ');
SELECT "offset" FROM toaster.blob_append('letter', 'body', 1, convert_to(repeat('and so on, ', 1000), 'UTF8'));
SELECT toaster.blob_write('letter', 'body', 1, 0, 'dear');
SET ROLE regress_pgt_reader;
SELECT toaster.blob_length('letter', 'body', 1), convert_from(toaster.blob_read('letter', 'body', 1, 0, 8), 'UTF8');
SELECT toaster.blob_append('letter', 'body', 1, 'x');
SELECT toaster.blob_write('letter', 'body', 1, 0, 'x');
SELECT toaster.blob_truncate('letter', 'body', 1, 0);
SELECT toaster.blob_compact('letter', 'body', 1);
SELECT toaster.blob_copy('letter', 'body', 1, 2);
SELECT toaster.blob_delete('letter', 'body', 1);
RESET ROLE;
-- Column privileges are enough.
REVOKE SELECT ON letter FROM regress_pgt_reader;
GRANT SELECT (id, body) ON letter TO regress_pgt_reader;
SELECT pgtoaster.mirror_privileges(store) FROM pgtoaster.attached_column WHERE owner = 'letter'::regclass \g /dev/null
SET ROLE regress_pgt_reader;
SELECT toaster.blob_length('letter', 'body', 1);
RESET ROLE;
-- Row security of the owner's table: a row hidden by a policy is treated as missing.
ALTER TABLE letter ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON letter USING (of_role = current_user);
SET ROLE regress_pgt_writer;
SELECT toaster.blob_length('letter', 'body', 1);
SELECT toaster.blob_append('letter', 'body', 3, 'x');
SELECT toaster.try_blob_append('letter', 'body', 3, 'x'), toaster.try_blob_read('letter', 'body', 3, 0, 1), toaster.try_blob_delete('letter', 'body', 3);
SELECT "offset" FROM toaster.blob_append('letter', 'body', 2, 'mine');
RESET ROLE;
-- A policy for updates protects content, too: row 4 may be read but not changed, row 1 may be changed.
INSERT INTO letter VALUES (4, 'regress_pgt_owner');
DROP POLICY own ON letter;
CREATE POLICY see ON letter FOR SELECT USING (true);
CREATE POLICY change ON letter FOR UPDATE USING (id < 3);
SELECT "offset" FROM toaster.blob_append('letter', 'body', 4, 'of the owner');
SELECT pgtoaster.mirror_privileges('letter') \g /dev/null
SET ROLE regress_pgt_writer;
SELECT toaster.blob_append('letter', 'body', 4, 'x');
SELECT toaster.blob_write('letter', 'body', 4, 0, 'x');
SELECT toaster.blob_truncate('letter', 'body', 4, 0);
SELECT toaster.blob_compact('letter', 'body', 4);
SELECT toaster.blob_delete('letter', 'body', 4);
SELECT toaster.try_blob_append('letter', 'body', 4, 'x'), toaster.try_blob_delete('letter', 'body', 4);
SELECT convert_from(toaster.blob_read('letter', 'body', 4, 0, 100), 'UTF8');
SELECT "offset" > 0 FROM toaster.blob_append('letter', 'body', 1, 'x');
SELECT toaster.blob_delete('letter', 'body', 1);
RESET ROLE;
ALTER TABLE letter DISABLE ROW LEVEL SECURITY;
SELECT pgtoaster.mirror_privileges('letter') \g /dev/null
-- The functions do not bypass row security that others enabled on the store.
SELECT pgtoaster.store_table(store, 'head') AS head
  FROM pgtoaster.attached_column WHERE owner = 'letter'::regclass \gset
SELECT "offset" FROM toaster.blob_append('letter', 'body', 1, 'Dear all, ');
ALTER TABLE :head ENABLE ROW LEVEL SECURITY;
SET ROLE regress_pgt_writer;
SELECT toaster.blob_append('letter', 'body', 1, 'x');
SELECT toaster.blob_length('letter', 'body', 1);
SET ROLE regress_pgt_owner;
SELECT toaster.blob_length('letter', 'body', 1);
RESET ROLE;
ALTER TABLE :head DISABLE ROW LEVEL SECURITY;
-- A trigger prevents the handle from being set.
CREATE FUNCTION no_handle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER no_handle BEFORE UPDATE ON letter FOR EACH ROW WHEN (OLD.id = 3) EXECUTE FUNCTION no_handle();
SELECT toaster.blob_append('letter', 'body', 3, 'x');
SELECT toaster.blob_length('letter', 'body', 3);
-- Read-only transactions can read.
BEGIN READ ONLY;
SELECT toaster.blob_length('letter', 'body', 1);
SAVEPOINT s;
SELECT toaster.blob_append('letter', 'body', 1, 'x');
ROLLBACK TO s;
SELECT toaster.try_blob_append('letter', 'body', 1, 'x');
ROLLBACK;
SELECT pgtoaster.detach('letter', 'body', true) \g /dev/null
DROP TABLE letter;
DROP FUNCTION no_handle;
DROP ROLE regress_pgt_owner, regress_pgt_writer, regress_pgt_reader, regress_pgt_stranger;
