-- Finds the objects that use a jsonb column: indexes, checks, generated columns, policies, views. These do not see a
-- member that was moved out of the row, so the members that they name are kept in it.

-- Returns which root members of a column an expression names, as JSON Pointers, in the forms doc -> 'a', doc ->> 'a', doc
-- #> '{a,b}', doc #>> '{a,b}', doc['a'] and doc ? 'a'; and whether it uses the column in any other way. The expression is
-- in the form of pg_get_expr.
CREATE OR REPLACE FUNCTION pgtoaster.named_members(expression text, column_name name, OUT members text[], OUT other_use boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- The column, with its name alone or qualified.
  col text := '(?:(?:[[:alnum:]_$]+|"(?:[^"]|"")+")\.)*' || regexp_replace(quote_ident(column_name), '[][(){}.*+?^$|\\]', '\\\&', 'g');
  literal text := '(''(?:[^'']|'''')*'')::text';
  before text := '(?<![[:alnum:]_$"])';
  rest text := expression;
  use text[];
  pattern text;
  step text;
BEGIN
  members := '{}';
  FOREACH pattern IN ARRAY ARRAY[
    before || '\(?' || col || '\)? (?:->|->>|\?) ' || literal || '(?!\[)',
    before || '\(?' || col || '\)?\[' || literal || '\]',
    before || '\(?' || col || '\)? (?:#>|#>>) ' || literal || '\[\]'] LOOP
    LOOP
      use := regexp_match(rest, '(' || pattern || ')');
      EXIT WHEN use IS NULL;
      EXECUTE 'SELECT ' || use[2] INTO step;
      IF pattern LIKE '%#>>%' THEN
        step := (step::text[])[1];
        -- An empty path means the whole document, and a number may be a position in it.
        EXIT WHEN step IS NULL OR step ~ '^[-+]?[0-9]+$';
      END IF;
      members := members || ('/' || replace(replace(step, '~', '~0'), '/', '~1'));
      rest := replace(rest, use[1], '');
    END LOOP;
  END LOOP;
  members := ARRAY(SELECT DISTINCT m FROM unnest(members) m ORDER BY m);
  rest := regexp_replace(rest, '''(?:[^'']|'''')*''', '', 'g');
  other_use := rest ~ (before || col || '(?![[:alnum:]_$"])') OR rest ~ '\.\*';
END $$;

-- Returns the objects that use a jsonb column, and the effect of attaching the column to the toaster keyed. effect begins
-- with "pinned" (the members that the object names stay in the row, whatever their size), "noted" (the object continues
-- to work, on the content of the row) or "refused" (attach raises an error).
CREATE OR REPLACE FUNCTION pgtoaster.column_uses(owner regclass, column_name name)
RETURNS TABLE (kind text, name text, definition text, effect text, members text[])
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  target regclass := column_uses.owner;
  col name := column_uses.column_name;
  other_use boolean;
  -- The status of all stores waits for this function, so it does not search extremely long expressions.
  room integer := 20000;
  r record;
BEGIN
  FOR r IN
    WITH tables AS (
      SELECT target::oid AS id UNION SELECT p.relid FROM pg_partition_tree(target) p
    ), indexes AS (
      SELECT x.*, c.relname FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
      WHERE x.indrelid IN (SELECT id FROM tables) AND NOT EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = x.indexrelid)
    )
    SELECT 1 AS place, 'index' AS kind, i.relname::text AS name, pg_get_indexdef(i.indexrelid) AS definition,
           concat_ws(' ', pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid),
                     (SELECT quote_ident(a.attname) FROM pg_attribute a
                      WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey) AND a.attname = col)) AS uses,
           CASE WHEN i.indisunique OR i.indisexclusion
                THEN 'refused: it compares whole documents, and split ones are never equal'
                WHEN i.indpred IS NULL AND i.indnkeyatts = 1
                     AND i.indclass[0] IN (SELECT o.oid FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod WHERE m.amname = 'gin')
                THEN 'noted: pgtoaster.search uses it, with an index of the members out of line, which attach creates; '
                     'the operators see only the content of the row'
                ELSE 'noted: it sees only the content of the row: inline members and markers, not members out of line' END AS otherwise
    FROM indexes i
    UNION ALL
    SELECT 2, 'check', c.conname, pg_get_constraintdef(c.oid), pg_get_expr(c.conbin, c.conrelid),
           'refused: it would check the stub of a split document'
    FROM pg_constraint c WHERE c.conrelid IN (SELECT id FROM tables) AND c.contype = 'c' AND c.coninhcount = 0
    UNION ALL
    SELECT 3, 'foreign key', c.conname, pg_get_constraintdef(c.oid), quote_ident(col),
           'refused: it compares whole documents, and split ones are never equal'
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = target AND a.attname = col
    WHERE c.contype = 'f' AND (c.conrelid = target AND a.attnum = ANY (c.conkey) OR c.confrelid = target AND a.attnum = ANY (c.confkey))
    UNION ALL
    SELECT 4, 'generated column', a.attname, pg_get_expr(d.adbin, d.adrelid), pg_get_expr(d.adbin, d.adrelid),
           'refused: it would be computed from the stub of a split document'
    FROM pg_attribute a JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = target AND a.attgenerated <> '' AND NOT a.attisdropped
    UNION ALL
    SELECT 5, 'policy', p.polname, concat_ws(' WITH CHECK ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)),
           concat_ws(' ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)),
           'refused: it would check the stub of a split document'
    FROM pg_policy p WHERE p.polrelid IN (SELECT id FROM tables)
    UNION ALL
    SELECT 6, 'publication', b.pubname, pg_get_expr(p.prqual, p.prrelid), pg_get_expr(p.prqual, p.prrelid),
           'refused: it would check the stub of a split document'
    FROM pg_publication_rel p JOIN pg_publication b ON b.oid = p.prpubid
    WHERE p.prrelid IN (SELECT id FROM tables) AND p.prqual IS NOT NULL
    UNION ALL
    SELECT DISTINCT 7, CASE d.classid WHEN 'pg_rewrite'::regclass THEN 'view' WHEN 'pg_trigger'::regclass THEN 'trigger'
                             WHEN 'pg_proc'::regclass THEN 'function' ELSE 'statistics' END,
           CASE d.classid WHEN 'pg_rewrite'::regclass THEN w.ev_class::regclass::text WHEN 'pg_trigger'::regclass THEN t.tgname
                          WHEN 'pg_proc'::regclass THEN d.objid::regprocedure::text ELSE s.stxname END,
           CASE d.classid WHEN 'pg_rewrite'::regclass THEN pg_get_ruledef(w.oid)
                          WHEN 'pg_trigger'::regclass THEN pg_get_triggerdef(t.oid) END,
           quote_ident(col), 'noted: it sees the stub of a split document; pgtoaster.get and pgtoaster.expand return all of it'
    FROM pg_depend d
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid AND a.attname = col
    LEFT JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
    LEFT JOIN pg_trigger t ON d.classid = 'pg_trigger'::regclass AND t.oid = d.objid
    LEFT JOIN pg_statistic_ext s ON d.classid = 'pg_statistic_ext'::regclass AND s.oid = d.objid
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = target
      -- A view created by create_view shows whole documents.
      AND NOT EXISTS (SELECT FROM pg_trigger v WHERE v.tgrelid = w.ev_class AND v.tgfoid = to_regprocedure('pgtoaster.write_view()'))
      AND (w.oid IS NOT NULL OR s.oid IS NOT NULL OR d.classid = 'pg_proc'::regclass
           OR t.oid IS NOT NULL AND t.tgparentid = 0 AND NOT t.tgisinternal AND t.tgname !~ '^~?pgtoaster_[0-9]+_')
    ORDER BY 1, 2, 3
  LOOP
    room := room - least(length(r.uses), 20001);
    IF room < 0 THEN
      members := '{}';
      other_use := strpos(r.uses, col) > 0;
      room := 0;
    ELSE
      SELECT m.members, m.other_use INTO members, other_use FROM pgtoaster.named_members(r.uses, col) m;
    END IF;
    kind := r.kind;
    name := r.name;
    definition := r.definition;
    IF other_use THEN
      effect := r.otherwise;
      RETURN NEXT;
    ELSIF cardinality(members) > 0 THEN
      effect := 'pinned: ' || array_to_string(members, ', ') || ' will stay in the row';
      RETURN NEXT;
    END IF;
  END LOOP;
END $$;

-- Returns a note if the members that keep_inline names exceed the row budget in some rows. Reads these members in at
-- most 100 rows and 16 MB in total, but always reads the first row, which may have 255 MB.
CREATE OR REPLACE FUNCTION pgtoaster.pinned_members_note(owner regclass, column_name name, options jsonb) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  bytes bigint;
BEGIN
  IF options->'keep_inline' = '[]' THEN
    RETURN NULL;
  END IF;
  -- Members within a pinned member are counted once.
  EXECUTE format('/* pgtoaster */ WITH p AS MATERIALIZED ('
                   'SELECT ARRAY(SELECT pgtoaster.stored_key(replace(replace(s.s, ''~1'', ''/''), ''~0'', ''~'')) '
                                'FROM unnest((string_to_array(k.k, ''/''))[2:]) WITH ORDINALITY s(s, o) ORDER BY s.o) AS path '
                   'FROM jsonb_array_elements_text($1) k(k) '
                   'WHERE NOT EXISTS (SELECT FROM jsonb_array_elements_text($1) above(k) WHERE starts_with(k.k, above.k || ''/''))) '
                 'SELECT max((SELECT sum(pg_column_size(d.d #> p.path)) FROM p)) '
                 'FROM (SELECT r.d #> ''{}'' AS d FROM ('
                   'SELECT o.d, sum(pg_column_size(o.d)) OVER (ROWS UNBOUNDED PRECEDING) - pg_column_size(o.d) AS before '
                   'FROM (SELECT o.%I AS d FROM %s o LIMIT 100) o WHERE o.d IS NOT NULL) r WHERE r.before < 16777216 OFFSET 0) d',
                 column_name, owner)
    INTO bytes USING options->'keep_inline';
  RETURN CASE WHEN bytes > (options->>'row_budget')::integer THEN
    format('members that keep_inline keeps take up to %s bytes of a row. PostgreSQL compresses rows of more than 2 KB and moves '
           'rows that are still above 8 KB to the TOAST table: each operator then reads and decompresses all of it', bytes) END;
END $$;

-- Adds the members that other objects use to the option keep_inline, with a notice; raises an error for uses for which
-- this is not enough.
CREATE OR REPLACE FUNCTION pgtoaster.keep_used_members(owner regclass, column_name name, options jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  keep jsonb := options->'keep_inline';
  note text;
  r record;
BEGIN
  FOR r IN SELECT * FROM pgtoaster.column_uses(owner, column_name) LOOP
    IF r.effect LIKE 'refused%' THEN
      RAISE EXCEPTION '% "%" uses column "%" of %: %', r.kind, r.name, column_name, owner, r.definition
        USING ERRCODE = 'dependent_objects_still_exist', DETAIL = r.effect,
              HINT = 'Change its expression to name members, as in doc ->> ''member'', or drop it; pgtoaster.column_uses lists all uses.';
    END IF;
    IF NOT keep @> to_jsonb(r.members) OR r.effect LIKE 'noted%' THEN
      RAISE NOTICE '% "%" uses column "%" of %: %', r.kind, r.name, column_name, owner, r.effect;
    END IF;
    keep := (SELECT coalesce(jsonb_agg(DISTINCT e), '[]') FROM jsonb_array_elements(keep || to_jsonb(r.members)) e);
  END LOOP;
  options := options || jsonb_build_object('keep_inline', keep);
  note := pgtoaster.pinned_members_note(owner, column_name, options);
  IF note IS NOT NULL THEN
    RAISE NOTICE 'column "%" of %: %', column_name, owner, note;
  END IF;
  RETURN options;
END $$;
