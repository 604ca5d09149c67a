-- Toasters of other providers: registers them, attaches columns to them, drops them.

-- Raises an error unless the server extension is installed.
CREATE OR REPLACE FUNCTION pgtoaster.require_extension() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF to_regproc('toaster.check_handler') IS NULL THEN
    RAISE EXCEPTION 'extension pgtoaster is not installed' USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'CREATE EXTENSION pgtoaster; toasters of extensions are called by its functions.';
  END IF;
END $$;

-- Registers a toaster. handler: a C function of an extension that takes internal and returns toaster.handler. routines:
-- the names of the functions that handle its events, see pgtoaster.toaster_events(), such as {"attach": "mine.attach",
-- "collect": "mine.collect"}. Only the owner of this catalog may call it.
CREATE OR REPLACE FUNCTION pgtoaster.create_toaster(name text, handler regproc DEFAULT NULL, routines jsonb DEFAULT '{}') RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  signature text;
  r record;
BEGIN
  IF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table pgtoaster.toaster' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = create_toaster.name AND t.builtin) THEN
    RAISE EXCEPTION 'toaster "%" is built in', name USING ERRCODE = 'duplicate_object';
  END IF;
  IF handler IS NOT NULL THEN
    PERFORM pgtoaster.require_extension();
    EXECUTE 'SELECT toaster.check_handler($1)' USING handler::oid::regprocedure;
    SELECT format('%I.%I(internal)', n.nspname, p.proname) INTO signature
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid = handler;
  ELSIF NOT routines ? 'attach' THEN
    RAISE EXCEPTION 'toaster "%" has neither a handler nor a function for attach', name USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR r IN SELECT k.key, k.value, e.arguments, e.result, p.oid AS found, pg_get_function_result(p.oid) AS returned
           FROM jsonb_each_text(routines) k LEFT JOIN pgtoaster.toaster_events() e ON e.event = k.key
           LEFT JOIN pg_proc p ON p.oid = to_regprocedure(k.value || '(' || e.arguments || ')') LOOP
    IF r.arguments IS NULL THEN
      RAISE EXCEPTION 'there is no event "%"', r.key USING ERRCODE = 'invalid_parameter_value',
        HINT = 'SELECT * FROM pgtoaster.toaster_events().';
    END IF;
    IF r.returned IS DISTINCT FROM r.result THEN
      RAISE EXCEPTION 'there is no function %(%) that returns %', r.value, r.arguments, r.result USING ERRCODE = 'undefined_function',
        HINT = 'Name it with its schema.';
    END IF;
  END LOOP;
  INSERT INTO pgtoaster.toaster (name, handler, routines) VALUES (name, signature, routines);
  PERFORM pgtoaster.toaster_routine(name, k) FROM jsonb_object_keys(routines) k;
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'toaster "%" already exists', name USING ERRCODE = 'duplicate_object';
END $$;

-- Removes a toaster that create_toaster has registered; raises an error while columns are attached to it.
CREATE OR REPLACE FUNCTION pgtoaster.drop_toaster(name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  known pgtoaster.toaster;
  columns text;
  wait CONSTANT text := current_setting('lock_timeout');
BEGIN
  IF NOT pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = 'pgtoaster.toaster'::regclass), 'USAGE') THEN
    RAISE EXCEPTION 'must be owner of table pgtoaster.toaster' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Wait for open transactions that attach columns; later ones no longer find the toaster. Other sessions that attach
  -- columns queue behind this lock request, so wait at most one second, unless a lock timeout is set.
  PERFORM pgtoaster.require_read_committed();
  BEGIN
    IF wait = '0' THEN
      PERFORM set_config('lock_timeout', '1s', true);
    END IF;
    LOCK TABLE pgtoaster.store IN SHARE ROW EXCLUSIVE MODE;
    PERFORM set_config('lock_timeout', wait, true);
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'toaster "%" cannot be dropped: an open transaction has attached or detached a column', name
      USING ERRCODE = 'lock_not_available',
            HINT = 'Try again once it has ended, or SET lock_timeout to wait for it. Nothing was changed.';
  END;
  SELECT * INTO known FROM pgtoaster.toaster t WHERE t.name = drop_toaster.name;
  IF known.name IS NULL THEN
    RAISE EXCEPTION 'toaster "%" does not exist', name USING ERRCODE = 'undefined_object';
  END IF;
  IF known.builtin THEN
    RAISE EXCEPTION 'toaster "%" is built in', name USING ERRCODE = 'dependent_objects_still_exist';
  END IF;
  SELECT string_agg(CASE WHEN a.table_name IS NULL THEN format('column %I of a dropped table', a.column_name)
                         ELSE format('%I.%I.%I', a.schema_name, a.table_name, a.column_name) END, ', ' ORDER BY a.store)
    INTO columns FROM pgtoaster.attached_column a WHERE a.toaster = name;
  IF columns IS NOT NULL THEN
    RAISE EXCEPTION 'toaster "%" is in use by %', name, columns USING ERRCODE = 'dependent_objects_still_exist',
      HINT = 'SELECT pgtoaster.detach(table, column) for each; gc removes the content of dropped tables. Nothing was changed.';
  END IF;
  DELETE FROM pgtoaster.toaster t WHERE t.name = drop_toaster.name;
END $$;

-- Checks whether a toaster can be used. Returns its kind: blob or json, as its handler reports it, or sql. Raises an
-- error that states what is missing.
CREATE OR REPLACE FUNCTION pgtoaster.validate(name text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  known pgtoaster.toaster;
  kind text := 'sql';
BEGIN
  SELECT * INTO known FROM pgtoaster.toaster t WHERE t.name = validate.name;
  IF known.name IS NULL THEN
    PERFORM pgtoaster.require_extension();
    RAISE EXCEPTION 'toaster "%" does not exist', name USING ERRCODE = 'undefined_object',
      HINT = 'SELECT pgtoaster.create_toaster(name, handler).';
  END IF;
  PERFORM pgtoaster.toaster_routine(name, k) FROM jsonb_object_keys(known.routines) k;
  IF known.handler IS NOT NULL THEN
    PERFORM pgtoaster.require_extension();
    IF to_regprocedure(known.handler) IS NULL THEN
      RAISE EXCEPTION 'handler % of toaster "%" does not exist', known.handler, name USING ERRCODE = 'undefined_function',
        HINT = 'Create the extension that provides it.';
    END IF;
    EXECUTE 'SELECT toaster.check_handler($1)' INTO kind USING to_regprocedure(known.handler);
  END IF;
  RETURN kind;
END $$;

-- Attaches a column to a toaster without options; returns the number of its store.
CREATE OR REPLACE FUNCTION pgtoaster.set_toaster(owner regclass, column_name name, toaster text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pgtoaster.toaster t WHERE t.name = set_toaster.toaster) THEN
    PERFORM pgtoaster.validate(toaster);
  END IF;
  RETURN pgtoaster.attach(owner, column_name, toaster);
END $$;

-- For pgtoaster.detach. If the toaster comes from an extension, calls it to drop the objects that it created for a
-- column.
CREATE OR REPLACE FUNCTION pgtoaster.detach_from_extension(store integer, owner regclass, column_name name, toaster text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  handler text := (SELECT t.handler FROM pgtoaster.toaster t WHERE t.name = toaster AND NOT t.builtin);
BEGIN
  IF handler IS NOT NULL THEN
    PERFORM pgtoaster.validate(toaster);
    EXECUTE 'SELECT toaster.detach_callback($1, $2, $3, $4)' USING to_regprocedure(handler), owner, column_name, store;
  END IF;
END $$;
