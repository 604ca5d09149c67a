-- Adds overloads to each routine of a store, each with another type for one argument. If the column has store_schema = owner,
-- every role that may create objects in the table's schema can do so.
CREATE FUNCTION shared.set_beside() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  routine record;
BEGIN
  PERFORM set_config('allow_system_table_mods', 'on', true);
  FOR routine IN
    SELECT p.*, p.oid AS real FROM pg_event_trigger_ddl_commands() c JOIN pg_proc p ON p.oid = c.objid
    WHERE c.classid = CAST(CAST('pg_proc' AS regclass) AS oid) AND p.proname ~ '^store_[0-9]+_'
      AND NOT EXISTS (SELECT FROM pg_proc o WHERE o.proname = p.proname AND o.pronamespace = p.pronamespace AND o.oid <> p.oid)
  LOOP
    INSERT INTO pg_proc (oid, proname, pronamespace, proowner, prolang, procost, prorows, provariadic, prosupport, prokind, prosecdef,
      proleakproof, proisstrict, proretset, provolatile, proparallel, pronargs, pronargdefaults, prorettype, proargtypes, proallargtypes,
      proargmodes, proargnames, prosrc)
    SELECT (SELECT max(oid) FROM pg_proc WHERE oid >= CAST(1000000000 AS oid))::bigint + row_number() OVER (), routine.proname, routine.pronamespace, routine.proowner, routine.prolang, 1, 0, 0, 0, 'f', false,
      false, false, routine.proretset, routine.provolatile, routine.proparallel, routine.pronargs, 0, routine.prorettype,
      CAST(array_to_string(b.args, ' ') AS oidvector),
      CASE WHEN routine.proallargtypes IS NOT NULL THEN b.args || routine.proallargtypes[routine.pronargs + 1:] END,
      routine.proargmodes, routine.proargnames,
      format('DECLARE stack text; BEGIN GET DIAGNOSTICS stack = PG_CONTEXT;'
             ' RAISE LOG ''trap %% in [%%] at [%%]'', %L, pg_catalog.current_query(), stack; RAISE EXCEPTION ''trap''; END',
             routine.proname || '(' || b.args::regtype[]::text || ')')
    FROM (SELECT ARRAY(SELECT CASE i WHEN a.i THEN t.t::oid ELSE x END FROM unnest(routine.proargtypes) WITH ORDINALITY u(x, i) ORDER BY i) AS args
          FROM unnest(routine.proargtypes) WITH ORDINALITY a(a, i),
               unnest('{text,varchar,name,int2,int4,int8,numeric,regclass,uuid,json,jsonb,bytea,bool,text[]}'::regtype[]) t(t)
          WHERE a.a <> t.t::oid) b;
  END LOOP;
END $$;
CREATE EVENT TRIGGER set_beside ON ddl_command_end WHEN TAG IN ('CREATE FUNCTION') EXECUTE FUNCTION shared.set_beside();
