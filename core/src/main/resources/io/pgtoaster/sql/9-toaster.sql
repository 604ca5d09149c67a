-- Toasters that server extensions bring: their names and the functions that return their routines.

CREATE TABLE IF NOT EXISTS pgtoaster.toaster (
  name    text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_-]{0,62}$'),
  handler text NOT NULL
);
COMMENT ON COLUMN pgtoaster.toaster.handler IS 'schema.function(internal), a function of an extension; as text, so that it survives dump and restore';
GRANT SELECT ON pgtoaster.toaster TO PUBLIC;

-- Raises an error unless the server extension is there.
CREATE OR REPLACE FUNCTION pgtoaster.require_extension() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_regproc('toaster.check_handler') IS NULL THEN
    RAISE EXCEPTION 'extension pgtoaster is not there' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'CREATE EXTENSION pgtoaster; toasters of extensions are called by its functions.';
  END IF;
END $$;

-- Makes a toaster known whose handler an extension brings: a C function that takes internal and returns
-- toaster.handler. Only who owns this catalog may.
CREATE OR REPLACE FUNCTION pgtoaster.create_toaster(name text, handler regproc) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  signature text;
BEGIN
  IF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table pgtoaster.toaster' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM pgtoaster.require_extension();
  IF name IN ('appendable', 'keyed', 'default') THEN
    RAISE EXCEPTION 'toaster "%" is built in', name USING ERRCODE = 'duplicate_object';
  END IF;
  EXECUTE 'SELECT toaster.check_handler($1)' USING handler::oid::regprocedure;
  SELECT format('%I.%I(internal)', n.nspname, p.proname) INTO signature
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = handler;
  INSERT INTO pgtoaster.toaster (name, handler) VALUES (name, signature);
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'toaster "%" exists already', name USING ERRCODE = 'duplicate_object';
END $$;

-- Whether a toaster can be used: its kind, blob or json. An error says what is missing.
CREATE OR REPLACE FUNCTION pgtoaster.validate(name text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  found text := CASE WHEN name IN ('appendable', 'keyed', 'default') THEN format('toaster.%I(internal)', name)
                     ELSE (SELECT t.handler FROM pgtoaster.toaster t WHERE t.name = validate.name) END;
  kind text;
BEGIN
  PERFORM pgtoaster.require_extension();
  IF found IS NULL THEN
    RAISE EXCEPTION 'toaster "%" does not exist', name USING ERRCODE = 'undefined_object',
      HINT = 'SELECT pgtoaster.create_toaster(name, handler).';
  END IF;
  IF to_regprocedure(found) IS NULL THEN
    RAISE EXCEPTION 'handler % of toaster "%" does not exist', found, name USING ERRCODE = 'undefined_function',
      HINT = 'CREATE EXTENSION of the one that brings it.';
  END IF;
  EXECUTE 'SELECT toaster.check_handler($1)' INTO kind USING to_regprocedure(found);
  RETURN kind;
END $$;

-- Gives a toaster to a column; returns the number of its store. For the toasters of this library it is
-- pgtoaster.attach without options.
CREATE OR REPLACE FUNCTION pgtoaster.set_toaster(owner regclass, column_name name, toaster text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  new_store integer;
BEGIN
  IF toaster IN ('appendable', 'keyed', 'default') THEN
    RETURN pgtoaster.attach(owner, column_name, toaster);
  END IF;
  PERFORM pgtoaster.validate(toaster);
  PERFORM pgtoaster.lock_to_attach(owner, column_name, NULL);
  new_store := pgtoaster.add_store(owner, column_name, toaster, NULL, '{}');
  EXECUTE 'SELECT toaster.attach_callback($1, $2, $3, $4)'
    USING (SELECT to_regprocedure(t.handler) FROM pgtoaster.toaster t WHERE t.name = toaster), owner, column_name, new_store;
  RETURN new_store;
END $$;

-- Lets a toaster of an extension, if it is one, drop what it made for a column; for pgtoaster.detach.
CREATE OR REPLACE FUNCTION pgtoaster.detach_from_extension(store integer, owner regclass, column_name name, toaster text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  handler text := (SELECT t.handler FROM pgtoaster.toaster t WHERE t.name = toaster);
BEGIN
  IF handler IS NOT NULL THEN
    PERFORM pgtoaster.validate(toaster);
    EXECUTE 'SELECT toaster.detach_callback($1, $2, $3, $4)' USING to_regprocedure(handler), owner, column_name, store;
  END IF;
END $$;
