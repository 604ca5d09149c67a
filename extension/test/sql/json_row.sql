-- A value in the owner's row is changed as by an UPDATE: indexes, triggers, constraints and privileges apply.
\i test/install.sql
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
RESET client_min_messages;
CREATE SCHEMA json_row;
SET search_path = json_row;
CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb, changed int NOT NULL DEFAULT 0);
CREATE INDEX person_name ON person ((doc->>'name'));
CREATE INDEX person_doc ON person USING gin (doc);
SELECT pgtoaster.attach('person', 'doc', 'keyed', '{"row_budget": 1000}') > 0 AS attached;
INSERT INTO person SELECT i, jsonb_build_object('name', 'n' || i, 'big', repeat(md5(i::text), 80)) FROM generate_series(1, 100) i;
SELECT count(*) FILTER (WHERE toaster.json_shrink('person', 'doc', id) > 0) AS split FROM person;

-- Indexes find the new values, whether or not the new row version is on the same page.
SELECT count(*) FILTER (WHERE toaster.json_set('person', 'doc', id, '{name}', to_jsonb('m' || id))) AS set FROM person;
SET enable_seqscan = off;
SELECT count(*) FROM person WHERE doc->>'name' = 'm42';
SELECT count(*) FROM person WHERE doc->>'name' = 'n42';
SELECT count(*) FROM person WHERE doc @> '{"name": "m42"}';
SELECT length(toaster.json_get('person', 'doc', 42, '{big}') #>> '{}');
RESET enable_seqscan;

-- A rollback undoes the change.
BEGIN;
SAVEPOINT a;
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"gone"'), toaster.json_increment('person', 'doc', 1, '{visits}', 2);
ROLLBACK TO a;
SELECT toaster.json_get('person', 'doc', 1, '{name}'), toaster.json_get('person', 'doc', 1, '{visits}') IS NULL AS none;
COMMIT;

-- A unique index on the document rejects duplicates.
CREATE UNIQUE INDEX person_mail ON person ((doc->>'mail'));
SELECT toaster.json_set('person', 'doc', 1, '{mail}', '"a@b"');
SELECT toaster.json_set('person', 'doc', 2, '{mail}', '"a@b"');
DROP INDEX person_mail;

-- Triggers fire, including those that change the row; triggers on other columns do not.
CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.changed := OLD.changed + 1; RETURN NEW; END $$;
CREATE TRIGGER count_change BEFORE UPDATE ON person FOR EACH ROW EXECUTE FUNCTION count_change();
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"b"');
SELECT changed FROM person WHERE id = 1;
DROP TRIGGER count_change ON person;
CREATE TRIGGER count_change BEFORE UPDATE OF changed ON person FOR EACH ROW EXECUTE FUNCTION count_change();
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"c"');
SELECT changed FROM person WHERE id = 1;
DROP TRIGGER count_change ON person;
CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '% %', TG_WHEN, TG_LEVEL; RETURN NULL; END $$;
CREATE TRIGGER tell_statement AFTER UPDATE ON person FOR EACH STATEMENT EXECUTE FUNCTION tell();
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"d"');
DROP TRIGGER tell_statement ON person;

-- Check constraints, rules and foreign keys to the row also apply.
\set VERBOSITY terse
ALTER TABLE person ADD CONSTRAINT short CHECK (length(doc->>'name') < 10);
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"much too long a name"');
SELECT toaster.try_json_set('person', 'doc', 1, '{name}', '"e"');
ALTER TABLE person DROP CONSTRAINT short;
CREATE TABLE card (person bigint REFERENCES person);
INSERT INTO card VALUES (1);
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"f"');
CREATE RULE nothing AS ON UPDATE TO person DO INSTEAD NOTHING;
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"g"');
SELECT toaster.try_json_set('person', 'doc', 1, '{name}', '"g"') AS kept_out;
DROP RULE nothing ON person;
SELECT doc->'name' AS name FROM person WHERE id = 1;

-- Column privileges and policies.
CREATE ROLE pgtoaster_regress_clerk;
GRANT USAGE ON SCHEMA json_row TO pgtoaster_regress_clerk;
GRANT SELECT, UPDATE (doc) ON person TO pgtoaster_regress_clerk;
SELECT pgtoaster.mirror_privileges(store) FROM pgtoaster.attached_column WHERE owner = 'person'::regclass;
SET ROLE pgtoaster_regress_clerk;
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"h"');
RESET ROLE;
REVOKE UPDATE (doc) ON person FROM pgtoaster_regress_clerk;
SET ROLE pgtoaster_regress_clerk;
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"i"');
RESET ROLE;
GRANT UPDATE ON person TO pgtoaster_regress_clerk;
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON person FOR SELECT USING (true);
CREATE POLICY odd ON person FOR UPDATE USING (id % 2 = 1);
SET ROLE pgtoaster_regress_clerk;
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"j"');
SELECT toaster.try_json_set('person', 'doc', 2, '{name}', '"k"') AS not_allowed;
RESET ROLE;
SELECT id, doc->'name' AS name FROM person WHERE id < 3 ORDER BY id;

-- Child tables have their own rows.
ALTER TABLE person DISABLE ROW LEVEL SECURITY;
CREATE TABLE pupil () INHERITS (person);
SELECT toaster.json_set('person', 'doc', 1, '{name}', '"l"');
SELECT doc->'name' AS name FROM ONLY person WHERE id = 1;
SET client_min_messages = warning;
DROP SCHEMA json_row CASCADE;
DROP OWNED BY pgtoaster_regress_clerk;
DROP ROLE pgtoaster_regress_clerk;
