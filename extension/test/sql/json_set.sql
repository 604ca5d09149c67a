-- Setting a small value or incrementing a number writes only the row that contains it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
RESET client_min_messages;
CREATE SCHEMA json_set;
SET search_path = json_set;
CREATE TABLE person (id bigint PRIMARY KEY, doc jsonb);
SELECT pgtoaster.attach('person', 'doc', 'keyed', '{"leaf_size": 512}') AS store \gset
SELECT format('pgtoaster.store_%s_head', :store) AS head, format('pgtoaster.store_%s_node', :store) AS node \gset

-- In a plain document, the result is that of jsonb_set.
INSERT INTO person VALUES (1, '{"id": "nm1", "height": 1.80, "roles": [{"title": "A"}, {"title": "B", "votes": 10}]}'), (2, NULL);
SELECT toaster.json_set('person', 'doc', 1, '{roles,-1,title}', '"C"'), toaster.json_set('person', 'doc', 1, '{height}', '1.750'),
       toaster.json_set('person', 'doc', 1, '{born}', '1950'), toaster.json_set('person', 'doc', 1, '{died}', 'null', false) AS not_created,
       toaster.json_increment('person', 'doc', 1, '{roles,1,votes}', 0.50) AS votes,
       toaster.json_increment('person', 'doc', 1, '{roles,0,votes}', -1) AS first_vote,
       toaster.json_set('person', 'doc', 1, '{roles,0,tags}', '["a", {"b": 1}]') AS container;
SELECT doc FROM person WHERE id = 1;
-- The second call in a statement sees the change of the first one.
SELECT toaster.json_increment('person', 'doc', 1, '{born}', 1), toaster.json_increment('person', 'doc', 1, '{born}', 1);
-- Nothing can be set in NULL or in a missing row.
SELECT toaster.json_set('person', 'doc', 2, '{a}', '1'), toaster.json_increment('person', 'doc', 2, '{a}', 1);
SELECT toaster.json_set('person', 'doc', 3, '{a}', '1');
SELECT toaster.json_increment('person', 'doc', 1, '{born}', 'NaN');

-- In a leaf of a split document: version and bytes of the leaf change, the owner's row does not.
INSERT INTO person VALUES (7, NULL);
INSERT INTO :head (owner_1) VALUES (7) RETURNING id AS doc \gset
INSERT INTO :node (doc, id, kind, bytes, value, kids, starts, lows) VALUES
  (:doc, 71, 'a', 0, NULL, '{72,73}', '{0,3,5}', NULL),
  (:doc, 72, 'a', 200, '[0, {"n": 1.00}, [2, {"deep": [true]}]]', NULL, NULL, NULL),
  (:doc, 73, 'a', 200, '[{"text": {"$pgtoaster": 90}, "$$$pgtoaster": "user"}, 4]', '{90}', NULL, NULL),
  (:doc, 80, 'o', 0, NULL, '{81,82}', NULL, ARRAY['', pgtoaster.key_code('ccc')]),
  (:doc, 81, 'o', 200, '{"a": 1, "zz": {"x": "y"}}', NULL, NULL, NULL),
  (:doc, 82, 'o', 200, '{"ccc": 5, "$$pgtoaster": 6}', NULL, NULL, NULL),
  (:doc, 90, 's', 60, '"a long string"', NULL, NULL, NULL);
UPDATE person SET doc = jsonb_build_object('id', 'nm7', 'roles', '{"$pgtoaster": 71}'::jsonb, 'props', '{"$pgtoaster": 80}'::jsonb,
                                           '$pgtoaster', jsonb_build_array(:doc)) WHERE id = 7;
SELECT xmin AS before FROM person WHERE id = 7 \gset
SELECT toaster.json_set('person', 'doc', 7, '{roles,2,1,deep,0}', '"changed"'), toaster.json_increment('person', 'doc', 7, '{roles,-4,n}', 0.5),
       toaster.json_set('person', 'doc', 7, '{roles,3,more}', '[1, 2]'), toaster.json_set('person', 'doc', 7, '{props,bb}', '"between"'),
       toaster.json_set('person', 'doc', 7, '{props,ddd}', 'null', false) AS not_created;
SELECT id, version, bytes, value FROM :node WHERE version > 0 ORDER BY id;
SELECT toaster.json_expand('person', 'doc', 7) - 'id' AS doc;
-- Many versions of a leaf in one transaction fill its page and continue on others.
BEGIN;
DO $$ BEGIN FOR i IN 1..300 LOOP PERFORM toaster.json_set('person', 'doc', 7, '{roles,0}', to_jsonb(repeat('x', i))); END LOOP; END $$;
SELECT length(toaster.json_get('person', 'doc', 7, '{roles,0}') #>> '{}');
ROLLBACK;
-- A member in the row of a split document.
SELECT toaster.json_set('person', 'doc', 7, '{id}', '"nm007"');
SELECT doc->>'id' AS id, xmin <> :'before'::xid AS row_changed FROM person WHERE id = 7;
-- The edits are part of the transaction.
BEGIN;
SELECT toaster.json_set('person', 'doc', 7, '{props,a}', '2');
SAVEPOINT s;
SELECT toaster.json_set('person', 'doc', 7, '{props,a}', '3'), toaster.json_set('person', 'doc', 7, '{id}', '"x"');
ROLLBACK TO s;
SELECT toaster.json_get('person', 'doc', 7, '{props,a}'), toaster.json_get('person', 'doc', 7, '{id}');
ROLLBACK;
SELECT toaster.json_get('person', 'doc', 7, '{props,a}');
BEGIN READ ONLY;
SELECT toaster.json_set('person', 'doc', 7, '{props,a}', '2');
ROLLBACK;

-- Triggers fire for edits of the row only; privileges and row security also apply to edits of leaves.
CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'row % changes', NEW.id; RETURN NEW; END $$;
CREATE TRIGGER shout BEFORE UPDATE ON person FOR EACH ROW EXECUTE FUNCTION shout();
SELECT toaster.json_set('person', 'doc', 7, '{props,a}', '4') AS in_leaf;
SELECT toaster.json_set('person', 'doc', 7, '{id}', '"nm7"') AS in_row;
DROP TRIGGER shout ON person;
CREATE ROLE json_set_reader;
GRANT USAGE ON SCHEMA json_set, pgtoaster TO json_set_reader;
GRANT SELECT ON person TO json_set_reader;
SELECT pgtoaster.mirror_privileges(:store);
SET ROLE json_set_reader;
SELECT toaster.json_get('person', 'doc', 7, '{props,a}');
\set VERBOSITY sqlstate
SELECT toaster.json_set('person', 'doc', 7, '{id}', '"no"');
SELECT toaster.json_set('person', 'doc', 7, '{props,a}', '5');
\set VERBOSITY default
RESET ROLE;
ALTER TABLE person ENABLE ROW LEVEL SECURITY;
CREATE POLICY low_ids ON person USING (id < 5);
SET ROLE json_set_reader;
SELECT toaster.json_get('person', 'doc', 7, '{props,a}');
RESET ROLE;

-- An edit of a copied stub changes neither this row nor the content of the other row.
SET session_replication_role = replica;
INSERT INTO person SELECT 8, doc FROM person WHERE id = 7;
RESET session_replication_role;
SELECT toaster.json_set('person', 'doc', 8, '{id}', '"nm8"');
SELECT toaster.json_set('person', 'doc', 8, '{props,a}', '6');
SELECT toaster.try_json_set('person', 'doc', 8, '{props,a}', '6') IS NULL AS refused, toaster.json_get('person', 'doc', 7, '{props,a}');
SET client_min_messages = warning;
DROP SCHEMA json_set CASCADE;
REVOKE ALL ON SCHEMA pgtoaster FROM json_set_reader;
DROP OWNED BY json_set_reader;
DROP ROLE json_set_reader;
