-- The tables of a store belong to the owner of the column's table, who may alter and replace them in any way. The functions must
-- report the table that differs from what attach created, and do nothing worse.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtoaster;
\i test/install.sql
CREATE ROLE regress_pgt_hostile;
CREATE SCHEMA hostile AUTHORIZATION regress_pgt_hostile;
SET search_path = hostile;
\pset format unaligned
DO $$ BEGIN
  CREATE COLLATION hostile.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
EXCEPTION WHEN feature_not_supported THEN
  -- A server without ICU.
  CREATE COLLATION hostile.folded FROM "C";
END $$;
CREATE TABLE item (tenant text, id integer, content bigint, PRIMARY KEY (tenant, id));
CREATE TABLE note (region text, n integer, doc jsonb, PRIMARY KEY (region, n));
ALTER TABLE item OWNER TO regress_pgt_hostile;
ALTER TABLE note OWNER TO regress_pgt_hostile;
SELECT pgtoaster.attach('item', 'content', 'appendable', '{"store_schema": "owner", "leading_key": "tenant", "chunk_size": 4096, "tail": 64, "notify": true}') AS b,
       pgtoaster.attach('note', 'doc', 'keyed', '{"store_schema": "owner", "leading_key": "n", "row_budget": 256, "leaf_size": 512, "fan_out": 4}') AS d \gset
SET ROLE regress_pgt_hostile;
INSERT INTO item VALUES ('a', 1), ('b', 1);
INSERT INTO note SELECT 'north', 1, jsonb_build_object('list', jsonb_agg(repeat('x', i))) FROM generate_series(1, 200) i;
SELECT toaster.blob_append('item', 'content', ROW('a', 1), decode(repeat('ab', 8192), 'hex'), 0, '00000000-0000-4000-8000-000000000001', 1) AS chunks;
SELECT toaster.blob_append('item', 'content', ROW('a', 1), decode(repeat('cd', 300), 'hex')) AS piece;
SELECT toaster.json_shrink('note', 'doc', ROW('north', 1)) > 0 AS stored;

-- Returns the result of a call after a change, which is rolled back. The session knows the correct tables before and after it.
CREATE FUNCTION hostile.after(change text, call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  said text;
  detail text;
  answer text;
BEGIN
  BEGIN
    EXECUTE 'SELECT ' || call INTO answer;
    EXECUTE change;
    EXECUTE 'SELECT ' || call INTO answer;
    RAISE EXCEPTION 'answered: %', answer USING ERRCODE = '22000';
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS said = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
    RETURN regexp_replace(concat_ws(' ', nullif(SQLSTATE, '22000'), said || ';', nullif(detail, '')), 'store_\d+_', 'store_N_', 'g');
  END;
END $$;
CREATE TABLE part (name text, store integer, key text, second text, call text);
INSERT INTO part VALUES
  ('head', :b, 'leading_key, id', 'base', $$toaster.blob_length('item', 'content', ROW('a', 1))$$),
  ('chunk', :b, 'leading_key, blob_id, start', 'start', $$octet_length(toaster.blob_read('item', 'content', ROW('a', 1), 0, 8000))$$),
  ('piece', :b, 'leading_key, blob_id, slot', 'start', $$octet_length(toaster.blob_read('item', 'content', ROW('a', 1), 8192, 300))$$),
  ('token', :b, 'leading_key, blob_id, writer', 'sequence',
   $$toaster.blob_append('item', 'content', ROW('a', 1), 'x', NULL, '00000000-0000-4000-8000-000000000001', 2)$$),
  ('follower', :b, 'leading_key, blob_id', 'expires', $$toaster.blob_append('item', 'content', ROW('a', 1), 'x')$$),
  ('head', :d, 'id, owner_2', 'generation', $$toaster.json_size('note', 'doc', ROW('north', 1), '{list}')$$),
  ('node', :d, 'doc, id, owner_2', 'version', $$length(toaster.json_get('note', 'doc', ROW('north', 1), '{list,150}')::text)$$);

-- Changes to each table.
CREATE TABLE change (number integer, statement text);
INSERT INTO change VALUES
  (1, 'ALTER TABLE %1$s DROP CONSTRAINT %2$s_pkey CASCADE'),
  (2, 'ALTER TABLE %1$s DROP CONSTRAINT %2$s_pkey CASCADE, ADD PRIMARY KEY (%3$s) DEFERRABLE'),
  (3, 'ALTER TABLE %1$s DROP CONSTRAINT %2$s_pkey CASCADE, ADD PRIMARY KEY (%3$s) INCLUDE (%4$s)'),
  (4, 'ALTER TABLE %1$s DROP CONSTRAINT %2$s_pkey CASCADE, ADD PRIMARY KEY (%4$s, %3$s)'),
  (5, 'ALTER TABLE %1$s DROP CONSTRAINT %2$s_pkey CASCADE; CREATE UNIQUE INDEX %2$s_pkey ON %1$s (%3$s)'),
  (6, 'ALTER TABLE %1$s ALTER %4$s TYPE text'),
  (7, 'ALTER TABLE %1$s ADD extra integer'),
  (8, 'ALTER TABLE %1$s ADD extra integer; ALTER TABLE %1$s DROP extra'),
  (9, 'ALTER TABLE %1$s DROP %4$s CASCADE'),
  (10, 'CREATE TABLE child () INHERITS (%1$s)'),
  (11, 'CREATE RULE none AS ON INSERT TO %1$s DO INSTEAD NOTHING'),
  (12, 'ALTER TABLE %1$s RENAME TO away; CREATE VIEW %1$s AS SELECT * FROM away'),
  (13, 'ALTER TABLE %1$s RENAME TO away; CREATE TABLE %1$s (LIKE away INCLUDING INDEXES) PARTITION BY HASH (%3$s)'),
  (14, 'ALTER TABLE %1$s RENAME TO away; CREATE MATERIALIZED VIEW %1$s AS SELECT * FROM away'),
  (15, 'ALTER TABLE %1$s RENAME TO away; CREATE SEQUENCE %1$s'),
  (16, 'DO $do$ BEGIN ALTER TABLE %1$s ALTER id DROP IDENTITY IF EXISTS; EXCEPTION WHEN undefined_column THEN NULL; END $do$; '
       'CREATE TABLE above (LIKE %1$s INCLUDING INDEXES) PARTITION BY LIST (%5$s); ALTER TABLE above ATTACH PARTITION %1$s DEFAULT'),
  (17, 'DROP TABLE %1$s CASCADE'),
  -- Additional indexes and constraints are allowed.
  (18, 'CREATE INDEX ON %1$s USING hash (%4$s); CREATE UNIQUE INDEX ON %1$s (%4$s DESC) WHERE false; CREATE INDEX ON %1$s ((%4$s IS NULL)); '
       'ALTER TABLE %1$s ADD CHECK (%4$s IS NOT NULL)');
SELECT c.number, p.name || CASE p.store WHEN :b THEN '' ELSE ' of documents' END AS part,
       after(format(c.statement, format('store_%s_%s', p.store, p.name), format('store_%s_%s', p.store, p.name), p.key, p.second, split_part(p.key, ',', 1)), p.call)
FROM change c CROSS JOIN part p ORDER BY c.number, p.store, p.name;

-- Changes to some tables: types, collations and kinds of columns.
CREATE DOMAIN big AS bigint;
CREATE FUNCTION hostile.try(part text, store integer, statement text) RETURNS text LANGUAGE sql AS $$
  SELECT after(format(statement, format('store_%s_%s', p.store, p.name)), p.call) FROM part p WHERE (p.name, p.store) = ($1, $2)
$$;
SELECT try('chunk', :b, 'ALTER TABLE %s ALTER leading_key TYPE integer USING 1');
SELECT try('chunk', :b, 'ALTER TABLE %s ALTER leading_key TYPE text COLLATE "C"');
SELECT try('chunk', :b, 'ALTER TABLE %s ALTER leading_key TYPE text COLLATE folded');
SELECT try('chunk', :b, 'ALTER TABLE %s ALTER leading_key TYPE varchar');
SELECT try('chunk', :b, 'ALTER TABLE %s ALTER start TYPE big');
SELECT try('head', :d, 'ALTER TABLE %s ALTER owner_1 TYPE bigint USING 1');
SELECT try('head', :d, 'ALTER TABLE %s ALTER owner_1 TYPE text COLLATE folded');
SELECT try('head', :d, 'ALTER TABLE %1$s DROP CONSTRAINT %1$s_pkey, ADD PRIMARY KEY (id, owner_1)');
SELECT try('node', :d, 'UPDATE %1$s SET lows = ''{}'' WHERE lows IS NULL; ALTER TABLE %1$s DROP CONSTRAINT %1$s_pkey, ADD PRIMARY KEY (lows, id)');
SELECT try('node', :d, 'ALTER TABLE %s RENAME owner_2 TO owner_1');
SELECT try('node', :d, 'ALTER TABLE %s RENAME owner_2 TO owner_77');
SELECT try('node', :d, 'ALTER TABLE %s RENAME id TO di');
SELECT try('chunk', :b, 'ALTER TABLE %1$s RENAME TO away; CREATE TABLE %1$s (leading_key text, blob_id bigint, start bigint, crc integer, '
  'data bytea GENERATED ALWAYS AS (''x'') STORED, PRIMARY KEY (leading_key, blob_id, start))');
-- Values of a column's default that are not stored in the row, where an append would write in place.
SELECT try('head', :b, 'CREATE TABLE new AS SELECT leading_key, id, base, '
  'piece_start, generation, created_at, created_by, created_as, chunk_size, piece_rows, sealed FROM %1$s; '
  'ALTER TABLE new ADD tail bytea DEFAULT ''\x010000000000000000000000'', ADD tokens_since timestamptz, ADD first bigint, ADD PRIMARY KEY (leading_key, id); ALTER TABLE %1$s RENAME TO away; ALTER TABLE new RENAME TO %1$s');
SELECT try('follower', :b, 'CREATE TABLE new (leading_key text, blob_id bigint, expires timestamptz, PRIMARY KEY (leading_key, blob_id)); INSERT INTO new VALUES (1, 1, now()); '
  'ALTER TABLE new ADD notified_at timestamptz DEFAULT ''-infinity''; ALTER TABLE %1$s RENAME TO away; ALTER TABLE new RENAME TO %1$s');
-- New content needs an id.
SELECT after(format('ALTER TABLE store_%s_head ALTER id DROP IDENTITY; UPDATE item SET content = NULL WHERE tenant = ''b''', :b), $$toaster.blob_append('item', 'content', ROW('b', 1), 'x')$$);

-- The table's leading key differs from that of its store, or is missing.
SELECT after('ALTER TABLE item DROP CONSTRAINT pgtoaster_' || :b || '_head', $$toaster.blob_length('item', 'content', ROW('a', 1))$$);
SELECT after(format('ALTER TABLE item DROP CONSTRAINT pgtoaster_%1$s_head, ADD other text, ADD FOREIGN KEY (other, content) REFERENCES store_%1$s_head (leading_key, id)', :b),
  $$octet_length(toaster.blob_read('item', 'content', ROW('a', 1), 0, 8000))$$);
SELECT after(format('ALTER TABLE item DROP CONSTRAINT pgtoaster_%1$s_head, ADD other integer; ALTER TABLE store_%1$s_head ADD UNIQUE (chunk_size, id); '
  'ALTER TABLE item ADD FOREIGN KEY (other, content) REFERENCES store_%1$s_head (chunk_size, id)', :b), $$octet_length(toaster.blob_read('item', 'content', ROW('a', 1), 0, 8000))$$);
-- A foreign key from documents to their head does not define a leading key.
SELECT after(format('ALTER TABLE note ADD other bigint, ADD x text; ALTER TABLE store_%1$s_head ADD UNIQUE (id, owner_1); '
  'ALTER TABLE note ADD FOREIGN KEY (other, x) REFERENCES store_%1$s_head (id, owner_1)', :d), $$length(toaster.json_get('note', 'doc', ROW('north', 1), '{list,150}')::text)$$);

-- The check of a domain, which runs while the function converts the key, alters the table.
RESET ROLE;
CREATE FUNCTION alters(bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('hostile.alter', true) = 'on' THEN
    PERFORM set_config('hostile.alter', 'off', true);
    EXECUTE (SELECT string_agg(format('DROP TRIGGER %I ON named', tgname), ';') FROM pg_trigger WHERE tgrelid = 'named'::regclass AND NOT tgisinternal);
    EXECUTE (SELECT string_agg(format('DROP INDEX %s', indexrelid::regclass), ';') FROM pg_index WHERE indrelid = 'named'::regclass AND NOT indisprimary);
    ALTER TABLE named ALTER doc TYPE bigint USING 7;
  END IF;
  RETURN true;
END $$;
CREATE DOMAIN key AS bigint CHECK (alters(VALUE));
CREATE TABLE named (id key PRIMARY KEY, doc jsonb);
INSERT INTO named VALUES (1, '{"a": 1}');
SELECT pgtoaster.attach('named', 'doc', 'keyed') > 0 AS attached;
SELECT toaster.json_get('named', 'doc', '1', '{a}');
SET max_parallel_workers_per_gather = 0;
SELECT after($$SET LOCAL hostile.alter = 'on'$$, $$toaster.json_get('named', 'doc', '1', '{a}')$$);
SELECT after($$SET LOCAL hostile.alter = 'on'$$, $$toaster.json_set('named', 'doc', '1', '{a}', '2')$$);
RESET max_parallel_workers_per_gather;
SELECT toaster.json_get('named', 'doc', '1', '{a}');

-- A statement planned before the catalog's key changed.
LOAD 'pgtoaster';
SET pgtoaster.transparent = on;
CREATE TABLE keys (id bigint PRIMARY KEY, name text NOT NULL UNIQUE, doc jsonb);
INSERT INTO keys SELECT 1, 'one', jsonb_build_object('list', jsonb_agg(repeat('x', i))) FROM generate_series(1, 200) i;
SELECT pgtoaster.attach('keys', 'doc', 'keyed', '{"store_schema": "owner", "row_budget": 256, "leaf_size": 512}') AS k \gset
SELECT toaster.json_shrink('keys', 'doc', 1) > 0 AS split;
SET plan_cache_mode = force_generic_plan;
PREPARE reading AS SELECT length(doc->'list'->>150) FROM keys;
EXECUTE reading;
INSERT INTO pgtoaster.catalog_change (what, store, key_index) VALUES ('set', :k, 'keys_name_key');
DO $$ BEGIN EXECUTE format('ALTER TABLE %s ALTER owner_1 TYPE text USING ''one''', (SELECT head FROM pgtoaster.store WHERE owner = 'keys'::regclass)); END $$;
EXECUTE reading;
DISCARD PLANS;
EXECUTE reading;
RESET pgtoaster.transparent;

-- The owner of the catalog may be a role that is not a superuser.
CREATE FUNCTION renamed(name text) RETURNS text LANGUAGE sql AS $$
  SELECT format('ALTER TABLE pgtoaster.%1$I RENAME TO away; CREATE VIEW pgtoaster.%1$I AS SELECT * FROM pgtoaster.away', name)
$$;
SELECT name, after(renamed(name) || $$; ALTER TABLE keys ADD other integer$$, $$toaster.json_exists('keys', 'doc', 'one', '{list}')$$)
FROM unnest(ARRAY['store', 'version', 'toaster']) name;
SELECT after($$ALTER TABLE pgtoaster.version ALTER version TYPE text; ALTER TABLE keys ADD other integer$$, $$toaster.json_exists('keys', 'doc', 'one', '{list}')$$);
SELECT after(format($$ALTER TABLE pgtoaster.store ALTER %I DROP NOT NULL; UPDATE pgtoaster.store SET %1$I = NULL WHERE owner = 'keys'::regclass$$, name),
  $$toaster.json_exists('keys', 'doc', 'one', '{list}')$$)
FROM unnest(ARRAY['options', 'toaster']) name;
SELECT after($$ALTER TABLE pgtoaster.store DROP CONSTRAINT store_options_check; UPDATE pgtoaster.store SET options = '[1,2,3]' WHERE owner = 'keys'::regclass$$,
  $$toaster.json_exists('keys', 'doc', 'one', '{list}')$$);
SELECT after($$ALTER TABLE pgtoaster.toaster DROP CONSTRAINT toaster_pkey, ALTER name DROP NOT NULL; UPDATE pgtoaster.toaster SET name = NULL;
  UPDATE pgtoaster.store SET toaster = 'other' WHERE owner = 'keys'::regclass$$, $$toaster.json_exists('keys', 'doc', 'one', '{list}')$$);

-- After all these changes the calls return the same as before.
SELECT name, after('', call) FROM part WHERE name <> 'token' ORDER BY store, name;
SET client_min_messages = warning;
SELECT count(pgtoaster.detach(owner, column_name, true)) FROM pgtoaster.attached_column WHERE schema_name = 'hostile' AND table_name <> 'keys';
DELETE FROM pgtoaster.store WHERE owner = 'keys'::regclass;
DROP SCHEMA hostile CASCADE;
DROP ROLE regress_pgt_hostile;
