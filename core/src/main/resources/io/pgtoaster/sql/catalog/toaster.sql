-- The toasters, and the events that the catalog sends to them.

-- The toasters that the catalog knows: the built-in ones, and those registered with create_toaster. The catalog does
-- not refer to any of them by name; this table contains all differences.
CREATE TABLE IF NOT EXISTS pgtoaster.toaster (
  name      text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_-]{0,62}$'),
  handler   text,
  builtin   boolean NOT NULL DEFAULT false,
  parts     text[] NOT NULL DEFAULT '{}',
  content   text[] NOT NULL DEFAULT '{}',
  triggers  text[] NOT NULL DEFAULT '{}',
  functions text[] NOT NULL DEFAULT '{}',
  own       text[] NOT NULL DEFAULT '{}',
  routines  jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(routines) = 'object')
);
COMMENT ON COLUMN pgtoaster.toaster.handler IS
  'schema.function(internal), a function of an extension; as text, so that it survives dump and restore';
COMMENT ON COLUMN pgtoaster.toaster.parts IS 'the tables store_<id>_* of a store, the head first; none: the toaster keeps no tables here';
COMMENT ON COLUMN pgtoaster.toaster.content IS 'the tables among the parts that contain content';
COMMENT ON COLUMN pgtoaster.toaster.triggers IS 'the triggers pgtoaster_<id>_* on the owner table';
COMMENT ON COLUMN pgtoaster.toaster.functions IS 'the trigger functions store_<id>_*';
COMMENT ON COLUMN pgtoaster.toaster.own IS
  'the routines created for each store, each after the ones that it calls: see pgtoaster.store_templates()';
COMMENT ON COLUMN pgtoaster.toaster.routines IS 'by event, the name of the function that handles it: see pgtoaster.toaster_events()';
GRANT SELECT ON pgtoaster.toaster TO PUBLIC;

INSERT INTO pgtoaster.toaster (name, handler, builtin, parts, content, triggers, functions, own, routines) VALUES
  ('appendable', 'toaster.appendable(internal)', true, '{head,chunk,piece,token,follower,garbage}', '{chunk,piece}',
   '{delete,update,truncate}', '{release,truncate}', '{append,batch,write,range}',
   '{"attach": "pgtoaster.attach_blob", "detach": "pgtoaster.detach_blob", "options": "pgtoaster.blob_options", '
   '"set_options": "pgtoaster.set_blob_options", "warnings": "pgtoaster.blob_warnings", "measure": "pgtoaster.measure_blobs", '
   '"blob_append": "pgtoaster.append_blob", "blob_read": "pgtoaster.read_blob", "blob_length": "pgtoaster.length_of_blob", '
   '"blob_write": "pgtoaster.write_blob", "blob_truncate": "pgtoaster.truncate_blob", "blob_seal": "pgtoaster.seal_blob", '
   '"blob_discard": "pgtoaster.discard_blob"}'),
  ('keyed', 'toaster.keyed(internal)', true, '{head,node,garbage,aside}', '{node}', '{delete,edit,update,adopt,insert,inserted,truncate}',
   '{release,watch,truncate,watched}', '{read,contains,pack,move,fit,reshape,edit,apply,placed,change,hold}',
   '{"attach": "pgtoaster.attach_document", "detach": "pgtoaster.detach_document", "options": "pgtoaster.document_options", '
   '"set_options": "pgtoaster.set_document_options", "compare": "pgtoaster.compare_documents", '
   '"warnings": "pgtoaster.document_warnings", "measure": "pgtoaster.measure_documents"}'),
  ('default', NULL, true, '{}', '{}', '{}', '{}', '{}', '{"attach": "pgtoaster.attach_plain", '
   '"blob_append": "pgtoaster.append_plain", "blob_read": "pgtoaster.read_plain", "blob_length": "pgtoaster.length_of_plain", '
   '"blob_write": "pgtoaster.write_plain", "blob_truncate": "pgtoaster.truncate_plain"}')
ON CONFLICT (name) DO UPDATE SET handler = excluded.handler, builtin = excluded.builtin, parts = excluded.parts, content = excluded.content,
  triggers = excluded.triggers, functions = excluded.functions, own = excluded.own, routines = excluded.routines;

-- The events that the catalog sends to a toaster, with the arguments and the result of the function that handles each. All
-- functions except attach are optional; attach is optional too if an extension provides a handler.
CREATE OR REPLACE FUNCTION pgtoaster.toaster_events() RETURNS TABLE (event text, arguments text, result text)
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp
AS $$
  VALUES
    -- The table (locked), the column, the unique index of the row key and the options. Checks the type and the options,
    -- creates the toaster's objects, and calls pgtoaster.add_store, whose store number it returns.
    ('attach', 'regclass, name, regclass, jsonb', 'integer'),
    -- Store, table, column, and whether content to which rows still refer may be dropped. Drops the objects that attach
    -- created.
    ('detach', 'integer, regclass, name, boolean', 'void'),
    -- Options: checks them, and returns all options with their defaults.
    ('options', 'jsonb', 'jsonb'),
    -- Store, changes: checks the changes and applies them to the store.
    ('set_options', 'integer, jsonb', 'void'),
    -- Store, options: for attach_if_absent, rejects options that require more than the attached column provides.
    ('compare', 'integer, jsonb', 'void'),
    -- A store whose table or column was dropped: drops its remaining objects.
    ('drop', 'integer', 'void'),
    -- Store: returns warnings for the administrator.
    ('warnings', 'integer', 'text[]'),
    -- Store: returns the number of contents, their bytes, and the number of rows that store them.
    ('measure', 'integer', 'bigint[]'),
    -- Store, grace period, whether to list only: finds or removes content to which no row refers.
    ('collect', 'integer, interval, boolean', 'TABLE(kind text, id bigint, bytes bigint, description text)'),
    -- Blobs, for pgtoaster.blob_append and similar functions, which run with the rights of the caller. Each takes the
    -- store, the table, the column, the condition that a row o of the table has the key in the texts $2, and these texts.
    -- They raise errors with pgtoaster.refuse_blob. This one also takes bytes, expected offset, writer and sequence; it
    -- returns offset, length and outcome.
    ('blob_append', 'integer, regclass, name, text, text[], bytea, bigint, uuid, bigint', 'record'),
    -- Offset from 0, number of bytes: returns the bytes, fewer at the end; NULL if the column is NULL.
    ('blob_read', 'integer, regclass, name, text, text[], bigint, integer', 'bytea'),
    -- NULL if the column is NULL.
    ('blob_length', 'integer, regclass, name, text, text[]', 'bigint'),
    -- Offset, bytes.
    ('blob_write', 'integer, regclass, name, text, text[], bigint, bytea', 'void'),
    -- Length.
    ('blob_truncate', 'integer, regclass, name, text, text[], bigint', 'void'),
    -- Offset: returns the first offset that is left.
    ('blob_discard', 'integer, regclass, name, text, text[], bigint', 'bigint'),
    ('blob_seal', 'integer, regclass, name, text, text[]', 'void')
$$;

-- Returns the function of a toaster that handles an event; NULL if the toaster does not handle it. The caller runs the
-- function, so it must belong to the owner of the catalog or to a superuser.
CREATE OR REPLACE FUNCTION pgtoaster.toaster_routine(toaster text, event text) RETURNS regproc
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  signature text;
  found regprocedure;
BEGIN
  SELECT (t.routines->>e.event) || '(' || e.arguments || ')' INTO signature
  FROM pgtoaster.toaster t CROSS JOIN pgtoaster.toaster_events() e WHERE t.name = $1 AND e.event = $2;
  IF signature IS NULL THEN
    RETURN NULL;
  END IF;
  found := to_regprocedure(signature);
  IF found IS NULL THEN
    RAISE EXCEPTION 'function % of toaster "%" does not exist', signature, toaster USING ERRCODE = 'undefined_function',
      HINT = 'Create it again, or SELECT pgtoaster.drop_toaster(name) once no column is attached to the toaster.';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner WHERE p.oid = found
                 AND (r.rolsuper OR p.proowner = (SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass))) THEN
    RAISE EXCEPTION 'function % of toaster "%" belongs to a role that could change it to run code with the rights of other roles',
                    found, toaster
      USING ERRCODE = 'insufficient_privilege', HINT = 'Give it to the owner of the catalog: ALTER FUNCTION .. OWNER TO ..';
  END IF;
  RETURN found::oid::regproc;
END $$;
