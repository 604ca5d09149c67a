-- The trigger that performs the edits that are noted in a row.

-- The template of a store's trigger function, which performs the edits noted in a row's document: with the rights of its
-- caller, by the store's routine (document/edit_template.sql). The row is locked; the edits start from the content of NEW
-- without the note. At the end, members that do not fit into the row are moved out of line (document/fit.sql). Lines with
-- names of the owner's columns are marked (store_sources).
CREATE OR REPLACE FUNCTION pgtoaster.template_apply() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  key_names text;
  names pg_catalog.name[];
  handle pg_catalog.name;
  known boolean;
  was pg_catalog.jsonb;
  becomes pg_catalog.jsonb;
  others integer;
  room integer;
  header pg_catalog.jsonb;
  document pg_catalog.jsonb;
  unchanged boolean;
  doc bigint;
  edits pg_catalog.jsonb;
  edit pg_catalog.jsonb;
  todo pg_catalog.jsonb[];
  n integer;
  copied bigint := 0;
  op pg_catalog.text;
  given pg_catalog.text[];
  path pg_catalog.text[];
  value pg_catalog.jsonb;
  type pg_catalog.text;
  types pg_catalog.text[];
  escapes boolean;
  found_generation bigint;
  done record;
BEGIN
  -- Finds renamed columns: the update trigger has the number of the column, the adopt trigger those of the key.
  names := ARRAY(SELECT a.attname FROM pg_catalog.pg_trigger t
                 CROSS JOIN LATERAL pg_catalog.unnest(CAST(t.tgattr AS smallint[])) WITH ORDINALITY c(number, o)
                 JOIN pg_catalog.pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = c.number
                 WHERE t.tgrelid = TG_RELID AND t.tgname IN (store.adopt_trigger, store.update_trigger) ORDER BY t.tgname, c.o);
  handle := names[pg_catalog.cardinality(names)];
  known := names OPERATOR(pg_catalog.=) CAST(store.columns AS pg_catalog.name[]); -- as named
  IF known THEN
    PERFORM store.read_keys(); -- as named
    was := OLD.store_column #> CAST('{}' AS pg_catalog.text[]); -- as named
    becomes := NEW.store_column; -- as named
  ELSE
    EXECUTE (SELECT pg_catalog.format('SELECT %s, ($2).%I',
                                      pg_catalog.string_agg(pg_catalog.format('($1).%I', n.n), ', ' ORDER BY n.o), handle)
             FROM pg_catalog.unnest(names) WITH ORDINALITY n(n, o)) INTO key_names, was, becomes USING OLD, NEW;
  END IF;
  header := becomes #> CAST('{$pgtoaster}' AS pg_catalog.text[]);
  document := becomes - CAST('$pgtoaster' AS pg_catalog.text);
  others := pg_catalog.pg_column_size(NEW) - pg_catalog.pg_column_size(becomes);
  edits := header #> CAST('{edits}' AS pg_catalog.text[]);
  IF pg_catalog.jsonb_typeof(header #> CAST('{document}' AS pg_catalog.text[])) IS DISTINCT FROM 'array'
     OR was #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS DISTINCT FROM header #> CAST('{document}' AS pg_catalog.text[]) THEN
    RAISE EXCEPTION 'the document for column "%" of % is refused: its edits belong to another document',
      handle, CAST(TG_RELID AS pg_catalog.regclass)
      USING ERRCODE = 'check_violation', COLUMN = handle,
            HINT = 'Use edits only in an UPDATE of their own row. To another row, write the whole document: '
                   'pgtoaster.set(pgtoaster.expand(...), path, value).';
  END IF;
  unchanged := header #> CAST('{row}' AS pg_catalog.text[]) = pg_catalog.to_jsonb(pg_catalog.jsonb_hash_extended(document, 0));
  IF NOT unchanged AND NOT pgtoaster.edits_are_current(becomes) THEN
    -- The content at the place of a noted edit was changed after the edit was noted, but the edit would be performed
    -- after that change.
    RAISE EXCEPTION 'the document for column "%" of % is refused: another function has changed it after an edit of pgtoaster',
      handle, CAST(TG_RELID AS pg_catalog.regclass)
      USING ERRCODE = 'check_violation', COLUMN = handle,
            HINT = 'Use only functions of pgtoaster, or apply the other functions first: pgtoaster.set(doc || ''{"a": 1}'', path, value).';
  END IF;
  document := pg_catalog.jsonb_set(document, CAST('{$pgtoaster}' AS pg_catalog.text[]), header #> CAST('{document}' AS pg_catalog.text[]));
  unchanged := document = was
    OR unchanged AND header #> CAST('{was}' AS pg_catalog.text[])
                     = pg_catalog.to_jsonb(pg_catalog.jsonb_hash_extended(was - CAST('$pgtoaster' AS pg_catalog.text), 0));
  doc := store.number(document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]));
  IF edits = CAST('[]' AS pg_catalog.jsonb) AND NOT EXISTS (SELECT FROM store.head h WHERE h.id = doc AND store.owned) THEN
    PERFORM store.refuse();
  END IF;
  -- A stack with the next edit on top, because removing the first element of a JSON array would copy all others.
  todo := ARRAY(SELECT e.e FROM pg_catalog.jsonb_array_elements(edits) WITH ORDINALITY e(e, o) ORDER BY e.o DESC);
  n := pg_catalog.cardinality(todo);
  WHILE n > 0 LOOP
    edit := todo[n];
    n := n - 1;
    op := edit #>> CAST('{0}' AS pg_catalog.text[]);
    given := ARRAY(SELECT e.e
                   FROM pg_catalog.jsonb_array_elements_text(edit #> CAST('{1}' AS pg_catalog.text[])) WITH ORDINALITY e(e, o)
                   ORDER BY e.o);
    value := edit #> CAST('{2}' AS pg_catalog.text[]);
    -- Keys that look like the reserved key have one more $ in split documents.
    escapes := pg_catalog.strpos(CAST(edit AS pg_catalog.text), 'pgtoaster"') > 0;
    path := CASE WHEN escapes THEN ARRAY(SELECT pg_catalog.regexp_replace(s.s, '^([$]+pgtoaster)$', E'$\\1')
                                         FROM pg_catalog.unnest(given) WITH ORDINALITY s(s, o) ORDER BY s.o) ELSE given END;
    IF op = 'merge' OR pg_catalog.cardinality(path) = 0 THEN
      type := store.read(key_names, document, path, CAST('type' AS pg_catalog.text));
    END IF;
    edits := NULL;
    IF op = 'merge' THEN
      -- Each member becomes a separate edit.
      edits := CASE WHEN type = 'object' THEN coalesce(
            (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(
                      CASE pg_catalog.jsonb_typeof(m.v) WHEN 'null' THEN 'remove' WHEN 'object' THEN 'merge' ELSE 'set' END,
                      pg_catalog.array_append(given, m.k), m.v, true))
             FROM pg_catalog.jsonb_each(value) m(k, v)), CAST('[]' AS pg_catalog.jsonb))
          ELSE pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_array(
                 CASE pg_catalog.cardinality(given) WHEN 0 THEN 'whole' ELSE 'set' END,
                 given, pgtoaster.merged(CAST('{}' AS pg_catalog.jsonb), value), pg_catalog.cardinality(given) > 0))
        END;
    ELSIF op = 'patch' THEN
      -- Values that the patch reads must not change until all its operations are done.
      PERFORM store.lock_own('UPDATE');
      copied := 0;
      edits := value;
    ELSIF edit #> CAST('{4}' AS pg_catalog.text[]) IS NOT NULL THEN
      types := ARRAY(SELECT store.read(key_names, document, path[:i.i], CAST('type' AS pg_catalog.text))
                     FROM pg_catalog.generate_series(0, pg_catalog.cardinality(path)) i(i) ORDER BY i.i);
      value := CASE WHEN op IN ('move', 'copy') OR op = 'test' AND types[pg_catalog.cardinality(types)] = pg_catalog.jsonb_typeof(value)
                    THEN pgtoaster.get(document, given) END;
      copied := copied + CASE WHEN op = 'copy' THEN coalesce(pg_catalog.pg_column_size(value), 0) ELSE 0 END;
      edits := pgtoaster.patch_step(edit, types, value,
        CASE WHEN op = 'add' AND types[pg_catalog.cardinality(path)] = 'array'
             THEN CAST(pg_catalog.substr(
                    store.read(key_names, document, path[:pg_catalog.cardinality(path) - 1], CAST('size' AS pg_catalog.text)), 7)
                    AS bigint) END,
        copied);
    ELSIF op = 'whole' THEN
      -- From now on the row contains a plain document, or NULL.
      document := pgtoaster.edited(document, pg_catalog.to_jsonb(
        ARRAY(SELECT todo[i.i] FROM pg_catalog.generate_series(n + 1, 1, -1) i(i) ORDER BY i.i DESC)));
      unchanged := false;
      EXIT;
    ELSIF pg_catalog.cardinality(path) = 0 AND (op NOT IN ('append', 'keep_last') OR type <> 'array') THEN
      -- These edits do not apply to the root.
      IF op = 'keep_last' THEN
        CONTINUE;
      ELSIF op = 'increment' THEN
        RAISE EXCEPTION 'the value at the path is not a number' USING ERRCODE = 'invalid_parameter_value';
      ELSIF op = 'append' THEN
        RAISE EXCEPTION 'the root of a split document is not an array, and cannot become one' USING ERRCODE = 'feature_not_supported',
          HINT = 'Write the whole document: pgtoaster.append(pgtoaster.expand(...), path, value).';
      ELSIF type NOT IN ('object', 'array') THEN
        RAISE EXCEPTION 'cannot % path in scalar', CASE op WHEN 'remove' THEN 'delete' ELSE 'set' END
          USING ERRCODE = 'invalid_parameter_value';
      END IF;
      CONTINUE;
    END IF;
    IF edits IS NOT NULL THEN
      FOR edit IN SELECT e.e FROM pg_catalog.jsonb_array_elements(edits) WITH ORDINALITY e(e, o) ORDER BY e.o DESC LOOP
        n := n + 1;
        todo[n] := edit;
      END LOOP;
      CONTINUE;
    END IF;
    FOR attempt IN 1 .. 100 LOOP
      SELECT * INTO done FROM store.edit(key_names, document, CAST(NULL AS bigint), path, op,
        CASE WHEN escapes THEN pgtoaster.stored_keys(value) ELSE value END,
        edit #>> CAST('{3}' AS pg_catalog.text[]) = 'true', false, CAST(NULL AS pg_catalog.jsonb), 2147483647, false);
      IF op = 'append' AND done.outcome = 'missed'
         AND store.read(key_names, document, path, CAST('type' AS pg_catalog.text)) <> 'array' THEN
        -- The value must become an array: lock out all other writers, compute the whole value and set it.
        PERFORM store.lock_own('UPDATE');
        value := pg_catalog.jsonb_build_array(pgtoaster.get(document, given)) || value;
        escapes := true;
        op := 'set';
        CONTINUE;
      END IF;
      EXIT WHEN done.outcome <> 'again';
    END LOOP;
    CASE
      WHEN done.outcome = 'applied' THEN
        document := coalesce(done.result, document);
      WHEN done.outcome = 'missed' THEN
        NULL;
      WHEN done.outcome = 'position' THEN
        RAISE EXCEPTION 'path element at position % is not an integer: "%"', done.number, given[CAST(done.number AS integer)]
          USING ERRCODE = 'invalid_text_representation';
      WHEN done.outcome = 'scalar' THEN
        RAISE EXCEPTION 'cannot % path in scalar', CASE op WHEN 'remove' THEN 'delete' ELSE 'set' END
          USING ERRCODE = 'invalid_parameter_value';
      WHEN done.outcome = 'exists' THEN
        RAISE EXCEPTION 'cannot replace existing key' USING ERRCODE = 'invalid_parameter_value',
          HINT = 'Try using the function pgtoaster.set to replace key value.';
      WHEN done.outcome = 'number' THEN
        RAISE EXCEPTION 'the value at the path is not a number' USING ERRCODE = 'invalid_parameter_value';
      WHEN done.outcome = 'head' THEN
        PERFORM store.refuse();
      ELSE
        RAISE EXCEPTION 'could not serialize access: other writers kept changing the place of an edit'
          USING ERRCODE = 'serialization_failure';
    END CASE;
  END LOOP;
  room := greatest(store.row_budget - 24 - others, 128);
  IF op IS DISTINCT FROM 'whole' AND pg_catalog.pg_column_size(document) > pg_catalog.pg_column_size(was)
     AND pg_catalog.pg_column_size(document) + 48 > room THEN
    PERFORM store.lock_own('KEY SHARE');
    document := store.fit(lead_value, document, room, unchanged);
  END IF;
  IF known THEN
    NEW.store_column := document; -- as named
  ELSE
    NEW := pg_catalog.jsonb_populate_record(NEW, pg_catalog.jsonb_build_object(handle, document));
  END IF;
  IF unchanged THEN
    -- Tell the trigger that guards this row that only the edits have changed it.
    PERFORM pg_catalog.set_config(
      store.edited_setting,
      pg_catalog.concat(pg_catalog.jsonb_hash_extended(was, 0), ' ', pg_catalog.jsonb_hash_extended(document, 0)),
      true);
  END IF;
  RETURN NEW;
END $$;

-- Creates the trigger that performs noted edits, including those that another trigger notes in an UPDATE of other
-- columns. Its condition is a single operator of the server, because it runs with the rights of the updating role, and
-- each statement parses it again.
CREATE OR REPLACE FUNCTION pgtoaster.create_edit_trigger(store integer, owner regclass, handle name) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE ON %s FOR EACH ROW WHEN (NEW.%I @? ''strict $."$pgtoaster".edits'') '
                 'EXECUTE FUNCTION %s()',
                 pgtoaster.trigger_name(store, 'edit'), owner, handle, pgtoaster.store_table(store, 'apply'));
END $$;
