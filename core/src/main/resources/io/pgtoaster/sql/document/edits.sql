-- Edits as values: for a plain document, the result of PostgreSQL's own functions; for a split one, a note of the edit
-- in its header. UPDATE .. SET doc = pgtoaster.set(doc, ..) computes the note for the version of the row that the
-- UPDATE has locked. The trigger of document/apply_template.sql, which PostgreSQL calls once for that version, performs
-- the edits and removes the note:
--   {"$pgtoaster": {"document": [5, 71], "edits": [["set", ["roles", "5"], 1999, true], ..],
--                  "left": [[["roles", "5"], {"$pgtoaster": 73}], ..], "was": hash, "row": hash}}
-- No code mistakes such a header for a document's header, so a note in any other place is rejected.

-- Returns the paths that an edit changes or reads.
CREATE OR REPLACE FUNCTION pgtoaster.edit_paths(edit jsonb) RETURNS SETOF jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT jsonb_build_array(m.m) FROM jsonb_object_keys(CASE $1 ->> 0 WHEN 'merge' THEN $1 -> 2 ELSE '{}' END) m(m)
  UNION ALL
  SELECT p.p FROM jsonb_array_elements(CASE $1 ->> 0 WHEN 'patch' THEN $1 -> 2 ELSE '[]' END) s(s)
  CROSS JOIN LATERAL (VALUES (s.s -> 1), (s.s #> '{4,path}')) p(p)
  UNION ALL
  SELECT $1 -> 1 WHERE $1 ->> 0 NOT IN ('merge', 'patch')
$$;

-- Returns a value in the form of split documents: keys that look like the reserved key get one more $.
CREATE OR REPLACE FUNCTION pgtoaster.stored_keys(value jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN strpos($1::text, 'pgtoaster": ') > 0
              THEN regexp_replace($1::text, '([{ ])"([$]+pgtoaster": )', E'\\1"$\\2', 'g')::jsonb ELSE $1 END
$$;

-- Returns the content on a path that is stored out of line: a marker, or an array or object that contains markers; JSON
-- null if the root may have such a member outside the row; NULL if nothing is out of line.
CREATE OR REPLACE FUNCTION pgtoaster.out_of_line_at(document jsonb, path jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  place jsonb := document;
BEGIN
  FOR i IN 0 .. jsonb_array_length(path) - 1 LOOP
    place := place -> (path ->> i);
    EXIT WHEN (jsonb_typeof(place) = 'object' AND NOT place ? '$pgtoaster') IS NOT TRUE;
  END LOOP;
  RETURN CASE WHEN place @? 'strict $.** ? (exists(@."$pgtoaster"))' THEN place
              WHEN NOT document ? (path ->> 0)
                   AND coalesce(document #> '{$pgtoaster,document}', document -> '$pgtoaster') -> 1 IS NOT NULL THEN 'null' END;
END $$;

-- Returns whether the content at the paths of noted edits is unchanged since they were noted. Content in the row is not
-- compared (false).
CREATE OR REPLACE FUNCTION pgtoaster.edits_are_current(document jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT coalesce(bool_and(coalesce(pgtoaster.out_of_line_at($1, l.l -> 0) = l.l -> 1, false)), true)
  FROM jsonb_array_elements($1 #> '{$pgtoaster,left}') l(l)
$$;

-- Performs an edit of content in the row, so that triggers of the row see it, and notes any other edit. was and row:
-- the content of the row without the note, before the first edit and now. was is dropped if another operator has
-- changed the row after a note.
CREATE OR REPLACE FUNCTION pgtoaster.note_edit(document jsonb, op text, path text[], value jsonb, flag boolean) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  header jsonb := document -> '$pgtoaster';
  row jsonb := document - '$pgtoaster';
  hash bigint := jsonb_hash_extended(row, 0);
  edit jsonb := jsonb_build_array(op, path, value, flag);
  paths jsonb[] := ARRAY[edit -> 1];
  at jsonb;
  away jsonb;
  away_at jsonb[] := CAST('{}' AS jsonb[]);
  at_once jsonb := CAST('{}' AS jsonb);
  stays boolean;
BEGIN
  IF array_ndims(path) > 1 THEN
    -- Raises PostgreSQL's own error.
    RETURN jsonb_set('{}', path, 'null');
  ELSIF array_position(path, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'path element at position % is null', array_position(path, NULL) USING ERRCODE = 'null_value_not_allowed';
  END IF;
  CASE jsonb_typeof(header)
    WHEN 'array' THEN
      header := jsonb_build_object('document', header, 'edits', '[]'::jsonb, 'left', '[]'::jsonb, 'was', hash);
    WHEN 'object' THEN
      IF jsonb_typeof(header -> 'edits') IS DISTINCT FROM 'array' OR jsonb_typeof(header -> 'left') IS DISTINCT FROM 'array'
         OR header -> 'row' IS DISTINCT FROM to_jsonb(hash) AND NOT pgtoaster.edits_are_current(document) THEN
        RAISE EXCEPTION 'another function changed the document after an edit of pgtoaster' USING ERRCODE = 'check_violation',
          HINT = 'Use only functions of pgtoaster, or apply the other functions first: pgtoaster.set(doc || ''{"a": 1}'', ...).';
      ELSIF header -> 'row' <> to_jsonb(hash) THEN
        header := header || '{"was": null}';
      END IF;
    ELSE
      RAISE EXCEPTION 'the root key "$pgtoaster" does not refer to a document' USING ERRCODE = 'data_corrupted',
        HINT = 'That key is reserved for documents that pgtoaster has split.';
  END CASE;
  IF op IN ('merge', 'patch') THEN
    paths := ARRAY(SELECT pgtoaster.edit_paths(edit));
  END IF;
  FOREACH at IN ARRAY paths LOOP
    -- An edit is also noted if an earlier noted edit may affect the same content, or if a key looks like the reserved
    -- key.
    away := coalesce(pgtoaster.out_of_line_at(document, at), CASE WHEN at::text ~ '"[$]+pgtoaster"' THEN 'false'::jsonb END);
    IF away IS NULL AND header -> 'left' <> '[]' AND EXISTS (
      SELECT FROM jsonb_array_elements(header -> 'left') l(l)
      WHERE l.l -> 0 = '[]' OR l.l -> 1 = 'false' AND l.l #> '{0,0}' = at -> 0
         OR starts_with(concat(left(at::text, -1), ','), concat(left((l.l -> 0)::text, -1), ','))) THEN
      away := 'false';
    END IF;
    IF op = 'merge' AND away IS NULL THEN
      at_once := at_once || jsonb_build_object(at ->> 0, value -> (at ->> 0));
      value := value - (at ->> 0);
    ELSE
      stays := coalesce(stays, true) AND away IS NULL;
      away_at := array_append(away_at, jsonb_build_array(at, coalesce(away, 'false')));
    END IF;
  END LOOP;
  IF op = 'merge' THEN
    -- If the row has no members of the root, the root may be an array, which even an empty patch turns into an object.
    edit := CASE WHEN value <> '{}' OR at_once = '{}' AND row = '{}' AND header #> '{document,1}' IS NOT NULL
                 THEN jsonb_set(edit, '{2}', value) END;
    row := pgtoaster.merged(row, pgtoaster.stored_keys(at_once));
  ELSIF stays AND header -> 'edits' = '[]' THEN
    row := pgtoaster.edited(row, jsonb_build_array(pgtoaster.stored_keys(edit)));
    edit := NULL;
  ELSIF stays THEN
    BEGIN
      row := pgtoaster.edited(row, jsonb_build_array(pgtoaster.stored_keys(edit)));
      edit := NULL;
    EXCEPTION WHEN data_exception THEN
      -- The error of an earlier, noted edit must be raised first.
      NULL;
    END;
  END IF;
  IF edit IS NOT NULL THEN
    header := header || jsonb_build_object('edits', (header -> 'edits') || jsonb_build_array(edit),
                                           'left', (header -> 'left') || to_jsonb(away_at));
  END IF;
  RETURN row || jsonb_build_object('$pgtoaster', header || jsonb_build_object('row', jsonb_hash_extended(row, 0)));
END $$;

-- Like jsonb_set.
CREATE OR REPLACE FUNCTION pgtoaster.set(document jsonb, path text[], value jsonb, create_missing boolean DEFAULT true) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN pg_catalog.jsonb_set(document, path, value, create_missing)
              ELSE pgtoaster.note_edit(document, 'set', path, value, create_missing) END
$$;

-- Returns a value inside of new arrays and objects, one for each step. A position of up to 9 characters creates an array.
CREATE OR REPLACE FUNCTION pgtoaster.nested(steps text[], value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  FOR i IN REVERSE cardinality(steps) .. 1 LOOP
    value := CASE WHEN length(steps[i]) <= 9 AND steps[i] ~ '^(0|-?[1-9][0-9]*)$' THEN jsonb_build_array(value)
                  ELSE jsonb_build_object(steps[i], value) END;
  END LOOP;
  RETURN value;
END $$;

-- Like jsonb_insert.
CREATE OR REPLACE FUNCTION pgtoaster.insert(document jsonb, path text[], value jsonb, insert_after boolean DEFAULT false) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN pg_catalog.jsonb_insert(document, path, value, insert_after)
              ELSE pgtoaster.note_edit(document, 'insert', path, value, insert_after) END
$$;

-- Like the operator #-.
CREATE OR REPLACE FUNCTION pgtoaster.remove(document jsonb, path text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL THEN document OPERATOR(pg_catalog.#-) path
              ELSE pgtoaster.note_edit(document, 'remove', path, 'null', false) END
$$;

-- append, for plain values.
CREATE OR REPLACE FUNCTION pgtoaster.appended(document jsonb, path text[], elements jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN $1 #> $2 IS NULL THEN $1
              WHEN cardinality($2) = 0 THEN $1 || $3
              ELSE jsonb_set($1, $2, ($1 #> $2) || $3, false) END
$$;

-- Like || on the value at a path: adds the elements of value, or value itself if it is not an array, after the existing
-- ones. An existing value that is not an array counts as an array of one element. Changes nothing if the path finds
-- nothing.
CREATE OR REPLACE FUNCTION pgtoaster.append(document jsonb, path text[], value jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  elements jsonb := CASE jsonb_typeof(value) WHEN 'array' THEN value ELSE jsonb_build_array(value) END;
BEGIN
  IF document -> '$pgtoaster' IS NOT NULL THEN
    RETURN pgtoaster.note_edit(document, 'append', path, elements, false);
  END IF;
  RETURN pgtoaster.appended(document, path, elements);
END $$;

-- keep_last, for plain values.
CREATE OR REPLACE FUNCTION pgtoaster.kept_last(document jsonb, path text[], elements integer) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN jsonb_typeof($1 #> $2) IS DISTINCT FROM 'array' THEN $1
              WHEN cardinality($2) = 0 THEN k.k
              ELSE jsonb_set($1, $2, k.k, false) END
  FROM jsonb_path_query_array($1 #> $2, 'lax $[last - $n + 1 to last]', jsonb_build_object('n', $3)) k(k)
$$;

-- Removes elements from the start of the array at a path, so that at most the given number of elements is left. Does nothing
-- if the path does not find an array.
CREATE OR REPLACE FUNCTION pgtoaster.keep_last(document jsonb, path text[], elements integer) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
  IF elements < 0 THEN
    RAISE EXCEPTION 'the number of elements to keep is negative: %', elements USING ERRCODE = 'invalid_parameter_value';
  ELSIF document -> '$pgtoaster' IS NOT NULL THEN
    RETURN pgtoaster.note_edit(document, 'keep_last', path, to_jsonb(elements), false);
  END IF;
  RETURN pgtoaster.kept_last(document, path, elements);
END $$;

-- increment, for plain values.
CREATE OR REPLACE FUNCTION pgtoaster.incremented(document jsonb, path text[], delta numeric) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  old jsonb := document #> path;
BEGIN
  IF old IS NULL THEN
    RETURN CASE jsonb_typeof(document #> path[:cardinality(path) - 1])
             WHEN 'object' THEN jsonb_set(document, path, to_jsonb(delta))
             ELSE document END;
  ELSIF jsonb_typeof(old) <> 'number' THEN
    RAISE EXCEPTION 'the value at the path is not a number' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN jsonb_set(document, path, to_jsonb(old::numeric + delta), false);
END $$;

-- Adds to the number at a path. A missing member counts as 0.
CREATE OR REPLACE FUNCTION pgtoaster.increment(document jsonb, path text[], delta numeric DEFAULT 1) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF jsonb_typeof(to_jsonb(delta)) <> 'number' THEN
    RAISE EXCEPTION '% is not a JSON number', delta USING ERRCODE = 'invalid_parameter_value';
  ELSIF document -> '$pgtoaster' IS NOT NULL THEN
    RETURN pgtoaster.note_edit(document, 'increment', path, to_jsonb(delta), true);
  END IF;
  RETURN pgtoaster.incremented(document, path, delta);
END $$;

-- RFC 7396, for plain values.
CREATE OR REPLACE FUNCTION pgtoaster.merged(value jsonb, patch jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  result jsonb := CASE jsonb_typeof(value) WHEN 'object' THEN value ELSE '{}' END;
  m record;
BEGIN
  IF jsonb_typeof(patch) <> 'object' THEN
    RETURN patch;
  END IF;
  FOR m IN SELECT e.key, e.value FROM jsonb_each(patch) e LOOP
    result := CASE WHEN m.value = 'null' THEN result - m.key
                   ELSE result || jsonb_build_object(m.key, pgtoaster.merged(coalesce(result -> m.key, 'null'), m.value)) END;
  END LOOP;
  RETURN result;
END $$;

-- Members of patch replace those of the document, or are merged into them if both are objects; null removes a member.
CREATE OR REPLACE FUNCTION pgtoaster.merge(document jsonb, patch jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL OR pg_catalog.jsonb_typeof(patch) OPERATOR(pg_catalog.<>) 'object'
              THEN pgtoaster.merged(document, patch) ELSE pgtoaster.note_edit(document, 'merge', '{}', patch, false) END
$$;

-- Returns the operations of a patch (RFC 6902) as edits, in their order: [name, place, value, true, {"number": .., "path":
-- ..}].
-- For a move or copy, place is the source and "path" the target. "limit" is the number of bytes that all copies may add.
CREATE OR REPLACE FUNCTION pgtoaster.patch_steps(patch jsonb, copy_limit bigint) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  pointer CONSTANT text := '^(/([^~]|~[01])*)?$';
  wrong record;
BEGIN
  IF jsonb_typeof(patch) <> 'array' THEN
    RAISE EXCEPTION 'a JSON Patch must be an array of operations' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT w.number, w.what INTO wrong
  FROM (SELECT o.number,
               CASE WHEN jsonb_typeof(o.o) <> 'object' THEN 'it is not an object'
                    WHEN jsonb_typeof(o.o -> 'op') IS DISTINCT FROM 'string' THEN 'it has no string "op"'
                    WHEN o.o ->> 'op' NOT IN ('add', 'remove', 'replace', 'move', 'copy', 'test')
                      THEN 'its "op" is not one of add, remove, replace, move, copy, test'
                    WHEN jsonb_typeof(o.o -> 'path') IS DISTINCT FROM 'string' THEN 'it has no string "path"'
                    WHEN o.o ->> 'path' !~ pointer THEN 'its "path" is not a JSON Pointer'
                    WHEN o.o ->> 'op' IN ('move', 'copy') THEN
                      CASE WHEN jsonb_typeof(o.o -> 'from') IS DISTINCT FROM 'string' THEN 'it has no string "from"'
                           WHEN o.o ->> 'from' !~ pointer THEN 'its "from" is not a JSON Pointer' END
                    WHEN o.o ->> 'op' <> 'remove' AND NOT o.o ? 'value' THEN 'it has no "value"' END AS what
        FROM jsonb_array_elements(patch) WITH ORDINALITY o(o, number)) w
  WHERE w.what IS NOT NULL ORDER BY w.number LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'operation % of the patch cannot be read: %', wrong.number, wrong.what USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN coalesce(
    (SELECT jsonb_agg(jsonb_build_array(o.o -> 'op', p.steps[1], o.o -> 'value', true,
                                        jsonb_build_object('number', o.number, 'name', o.o -> 'op', 'path', p.steps[2],
                                                           'limit', copy_limit))
                      ORDER BY o.number)
     FROM jsonb_array_elements(patch) WITH ORDINALITY o(o, number)
     CROSS JOIN LATERAL (
       SELECT array_agg((SELECT coalesce(jsonb_agg(replace(replace(s.s, '~1', '/'), '~0', '~') ORDER BY s.o), '[]')
                         FROM unnest((string_to_array(t.t, '/'))[2:]) WITH ORDINALITY s(s, o)) ORDER BY t.o) AS steps
       FROM unnest(ARRAY[CASE WHEN o.o ->> 'op' IN ('move', 'copy') THEN o.o ->> 'from' ELSE o.o ->> 'path' END, o.o ->> 'path'])
            WITH ORDINALITY t(t, o)) p), '[]');
END $$;

-- Returns the edits that perform one operation of a patch, and the part of it that follows them. types: the types of the
-- values from the root to its place. there: the value at the place, if the operation needs it. size: the size of the array
-- around it. copied: the bytes that copies have added, including this one, because each copy could double the document.
CREATE OR REPLACE FUNCTION pgtoaster.patch_step(step jsonb, types text[], there jsonb, size bigint, copied bigint) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  op text := step ->> 0;
  place text[] := ARRAY(SELECT s.s FROM jsonb_array_elements_text(step -> 1) WITH ORDINALITY s(s, o) ORDER BY s.o);
  n integer := cardinality(place);
  target text[] := ARRAY(SELECT s.s FROM jsonb_array_elements_text(step #> '{4,path}') WITH ORDINALITY s(s, o) ORDER BY s.o);
  element bigint := CASE WHEN place[n] ~ '^(0|[1-9][0-9]{0,9})$' THEN place[n]::bigint END;
  failed text := CASE
    WHEN op = 'move' AND cardinality(target) > n AND target[:n] = place THEN 'a value cannot be moved into itself'
    -- PostgreSQL accepts this as a position, but RFC 6901 does not.
    WHEN EXISTS (SELECT FROM unnest(place) WITH ORDINALITY s(s, o)
                 WHERE types[s.o] = 'array' AND s.s ~ '^[ \t-\r]*[-+]?[0-9]+$' AND s.s !~ '^(0|[1-9][0-9]*)$')
      THEN 'JSON Pointer does not allow this form of an array position'
    WHEN op = 'add' AND n > 0 THEN
      CASE WHEN types[n] IS NULL THEN 'there is no parent'
           WHEN types[n] NOT IN ('object', 'array') THEN 'the parent is neither an object nor an array'
           WHEN types[n] = 'object' OR place[n] = '-' THEN NULL
           WHEN element IS NULL OR element > 2147483647 THEN 'the last step is not a position in the array'
           WHEN element > size THEN 'the position is beyond the array''s end' END
    WHEN op = 'add' THEN NULL
    WHEN types[n + 1] IS NULL AND op IN ('remove', 'replace')
         AND EXISTS (SELECT FROM unnest(place) WITH ORDINALITY s(s, o)
                     WHERE types[s.o] = 'array' AND (s.s !~ '^[0-9]{1,10}$' OR s.s::bigint > 2147483647)
                        OR s.o = 1 AND types[1] NOT IN ('object', 'array'))
      THEN 'the path does not fit the document'
    WHEN types[n + 1] IS NULL THEN 'there is nothing'
    WHEN op = 'copy' AND copied > coalesce((step #>> '{4,limit}')::bigint, 0)
      THEN format('copies of the patch add more than %s bytes, its copy limit', step #>> '{4,limit}')
    WHEN op = 'test' AND there IS DISTINCT FROM step -> 2 THEN 'the value is not the one expected' END;
  shown text;
BEGIN
  IF failed IS NOT NULL THEN
    shown := (SELECT string_agg('/' || replace(replace(s.s, '~', '~0'), '/', '~1'), '' ORDER BY s.o)
              FROM unnest(CASE WHEN failed LIKE '%itself' THEN target ELSE place END) WITH ORDINALITY s(s, o));
    RAISE EXCEPTION 'operation % of the patch (%) failed at %: %', step #>> '{4,number}', step #>> '{4,name}',
      CASE WHEN length(shown) > 200 THEN left(shown, 200) || '...' ELSE coalesce(shown, 'the whole document') END, failed
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN CASE
    WHEN op = 'test' OR op = 'move' AND target = place THEN '[]'
    WHEN op IN ('move', 'copy') THEN
      CASE op WHEN 'move' THEN jsonb_build_array(jsonb_build_array('remove', place, NULL, false)) ELSE '[]' END
      || jsonb_build_array(jsonb_build_array('add', target, there, true, step -> 4))
    WHEN n = 0 THEN jsonb_build_array(jsonb_build_array('whole', place, step -> 2, op = 'remove'))
    WHEN op = 'remove' THEN jsonb_build_array(jsonb_build_array(op, place, NULL, false))
    WHEN op = 'replace' OR types[n] = 'object' THEN jsonb_build_array(jsonb_build_array('set', place, step -> 2, op = 'add'))
    WHEN element < size THEN jsonb_build_array(jsonb_build_array('insert', place, step -> 2, false))
    ELSE jsonb_build_array(jsonb_build_array('append', place[:n - 1], jsonb_build_array(step -> 2), false)) END;
END $$;

-- Returns a plain document after the noted edits. If it has a root key that looks like the reserved key, that key has one
-- more $ in the stored content. todo is a stack with the next edit on top, because removing the first element of a JSON
-- array would copy all others.
CREATE OR REPLACE FUNCTION pgtoaster.edited(document jsonb, edits jsonb) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL RESTRICTED SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  todo jsonb[] := ARRAY(SELECT e.e FROM jsonb_array_elements(edits) WITH ORDINALITY e(e, o) ORDER BY e.o DESC);
  n integer := cardinality(todo);
  edit jsonb;
  path text[];
  value jsonb;
  flag boolean;
  copied bigint := 0;
BEGIN
  -- Decompress it once.
  document := document #> '{}';
  WHILE n > 0 LOOP
    edit := todo[n];
    n := n - 1;
    path := ARRAY(SELECT s.s FROM jsonb_array_elements_text(edit -> 1) WITH ORDINALITY s(s, o) ORDER BY s.o);
    value := edit -> 2;
    flag := edit ->> 3 = 'true';
    IF edit -> 4 IS NOT NULL THEN
      IF edit ->> 0 = 'copy' THEN
        copied := copied + coalesce(pg_column_size(document #> path), 0);
      END IF;
      FOR edit IN
        SELECT e.e FROM jsonb_array_elements(pgtoaster.patch_step(edit,
          ARRAY(SELECT jsonb_typeof(document #> path[:i.i]) FROM generate_series(0, cardinality(path)) i(i) ORDER BY i.i),
          document #> path,
          CASE jsonb_typeof(document #> path[:cardinality(path) - 1])
            WHEN 'array' THEN jsonb_array_length(document #> path[:cardinality(path) - 1]) END,
          copied)) WITH ORDINALITY e(e, o) ORDER BY e.o DESC
      LOOP
        n := n + 1;
        todo[n] := edit;
      END LOOP;
      CONTINUE;
    END IF;
    CASE edit ->> 0
      WHEN 'set' THEN document := jsonb_set(document, path, value, flag);
      WHEN 'insert' THEN document := jsonb_insert(document, path, value, flag);
      WHEN 'remove' THEN document := document #- path;
      WHEN 'append' THEN document := pgtoaster.appended(document, path, value);
      WHEN 'keep_last' THEN document := pgtoaster.kept_last(document, path, value::integer);
      WHEN 'increment' THEN document := pgtoaster.incremented(document, path, value::numeric);
      WHEN 'merge' THEN document := pgtoaster.merged(document, value);
      WHEN 'patch' THEN document := CASE WHEN document IS NOT NULL THEN pgtoaster.edited(document, value) END;
      WHEN 'whole' THEN document := CASE WHEN NOT flag THEN value END;
      ELSE RAISE EXCEPTION 'there is no document edit named "%"', edit ->> 0 USING ERRCODE = 'invalid_parameter_value';
    END CASE;
  END LOOP;
  RETURN document;
END $$;

-- RFC 6902: performs all operations of patch, or raises an error. Copies add at most copy_limit bytes.
CREATE OR REPLACE FUNCTION pgtoaster.patch(document jsonb, patch jsonb, copy_limit bigint) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$
  SELECT CASE WHEN document IS NULL OR patch IS NULL OR copy_limit IS NULL THEN NULL
              WHEN document OPERATOR(pg_catalog.->) '$pgtoaster' IS NULL
              THEN pgtoaster.edited(document, pgtoaster.patch_steps(patch, copy_limit))
              ELSE pgtoaster.note_edit(document, 'patch', '{}', pgtoaster.patch_steps(patch, copy_limit), false) END
$$;

-- Does the same with the default limit. This is not a default argument, because installing that would drop this
-- function, which users' views may call.
CREATE OR REPLACE FUNCTION pgtoaster.patch(document jsonb, patch jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL RESTRICTED
AS $$ SELECT pgtoaster.patch(document, patch, CAST(1048576 AS bigint)) $$;
