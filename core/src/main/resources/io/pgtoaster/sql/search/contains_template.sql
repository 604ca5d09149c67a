-- The template of the routine that checks whether a document contains a probe, as document @> probe does for a plain one.
-- It reads the nodes on the paths of the probe. doc is NULL for the document as its row contains it. The routine calls
-- itself with the number of the document, a part of it, and the part of the probe for that part, with keys as split
-- documents write them.
CREATE OR REPLACE FUNCTION pgtoaster.template_contains(key_names text, doc bigint, value jsonb, probe jsonb) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  marked pg_catalog.jsonb;
  rest pg_catalog.jsonb;
  unmarked boolean := false;
  kind pg_catalog."char";
  kids bigint[];
  lows pg_catalog.bytea[];
  branch bigint;
  names pg_catalog.text[];
  element pg_catalog.jsonb;
  leaf record;
  found boolean;
BEGIN
  IF doc IS NULL THEN
    marked := value #> CAST('{$pgtoaster}' AS pg_catalog.text[]);
    IF marked IS NULL THEN
      RETURN value @> probe;
    END IF;
    SELECT h.id INTO doc FROM store.head h WHERE h.id = store.number(marked #>> CAST('{0}' AS pg_catalog.text[])) AND store.owned;
    IF doc IS NULL THEN
      PERFORM store.refuse();
    END IF;
    IF pg_catalog.strpos(CAST(probe AS pg_catalog.text), 'pgtoaster": ') > 0 THEN
      probe := pgtoaster.stored_keys(probe);
    END IF;
    rest := pg_catalog.jsonb_build_object('$pgtoaster', marked #> CAST('{1}' AS pg_catalog.text[]));
    value := value - CAST('$pgtoaster' AS pg_catalog.text);
    IF marked #> CAST('{1}' AS pg_catalog.text[]) IS NULL THEN
      rest := NULL;
    ELSIF value = CAST('{}' AS pg_catalog.jsonb) THEN
      value := rest;
      rest := NULL;
      -- At the root only, an array also contains the scalars that are its elements.
      IF pg_catalog.jsonb_typeof(probe) NOT IN ('object', 'array') THEN
        SELECT m.kind INTO kind FROM store.node m
        WHERE store.lead(m) AND m.doc = doc AND m.id = store.number(value #>> CAST('{$pgtoaster}' AS pg_catalog.text[]));
        IF kind = 'a' THEN
          probe := pg_catalog.jsonb_build_array(probe);
        END IF;
      END IF;
    END IF;
  END IF;
  -- No path goes deeper than this through the nodes of a tree.
  FOR hop IN 1 .. 65536 LOOP
    marked := CASE WHEN NOT unmarked THEN value #> CAST('{$pgtoaster}' AS pg_catalog.text[]) END;
    IF marked IS NOT NULL THEN
      branch := store.number(CAST(marked AS pg_catalog.text));
      -- Decompress the value once, because the following expressions read it several times.
      SELECT m.kind, m.value #> CAST('{}' AS pg_catalog.text[]), m.kids, m.lows INTO kind, value, kids, lows
      FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = branch;
      IF kind IS NULL THEN
        PERFORM store.refuse();
      END IF;
      unmarked := value IS NOT NULL AND kids IS NULL;
      CONTINUE WHEN value IS NOT NULL;
      IF pg_catalog."left"(pg_catalog.jsonb_typeof(probe), 1) <> CAST(kind AS pg_catalog.text) THEN
        RETURN false;
      ELSIF kind = 's' THEN
        WITH RECURSIVE below AS (
          SELECT ARRAY[CAST(0 AS bigint)] AS place, CAST(NULL AS pg_catalog.jsonb) AS value, kids AS kids
          UNION ALL
          SELECT pg_catalog.array_append(b.place, k.o), n.value, n.kids
          FROM below b CROSS JOIN LATERAL pg_catalog.unnest(b.kids) WITH ORDINALITY k(id, o)
          LEFT JOIN LATERAL (
            SELECT m.value, m.kids FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = k.id LIMIT 1) n ON true)
        SELECT pg_catalog.string_agg(b.value #>> CAST('{}' AS pg_catalog.text[]), '' ORDER BY b.place)
                 = probe #>> CAST('{}' AS pg_catalog.text[]),
               pg_catalog.bool_or(b.value IS NULL AND b.kids IS NULL)
          INTO found, unmarked
        FROM below b;
        IF unmarked THEN
          PERFORM store.refuse();
        END IF;
        RETURN found;
      ELSIF kind = 'a' THEN
        FOR element IN SELECT e.e FROM pg_catalog.jsonb_array_elements(probe) e(e) LOOP
          element := pg_catalog.jsonb_build_array(element);
          found := false;
          FOR leaf IN
            WITH RECURSIVE below AS (
              SELECT CAST(NULL AS pg_catalog.jsonb) AS value, kids AS kids WHERE kids IS NOT NULL
              UNION ALL
              SELECT n.value, n.kids FROM below b CROSS JOIN LATERAL pg_catalog.unnest(b.kids) k(id)
              LEFT JOIN LATERAL (
                SELECT m.value, m.kids FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = k.id LIMIT 1) n ON true
              WHERE b.value IS NULL)
            SELECT CASE WHEN b.kids IS NULL THEN b.value @> element END AS found,
                   CASE WHEN b.kids IS NOT NULL THEN b.value END AS value,
                   b.kids IS NULL AND b.value IS NULL AS missing
            FROM below b WHERE b.value IS NOT NULL OR b.kids IS NULL LOOP
            IF leaf.missing THEN
              PERFORM store.refuse();
            END IF;
            found := coalesce(leaf.found, store.contains(key_names, doc, leaf.value, element));
            EXIT WHEN found;
          END LOOP;
          IF NOT found THEN
            RETURN false;
          END IF;
        END LOOP;
        RETURN true;
      END IF;
      names := ARRAY(SELECT pg_catalog.jsonb_object_keys(probe));
      FOR i IN 2 .. pg_catalog.cardinality(names) LOOP
        IF NOT store.contains(key_names, doc,
                          pg_catalog.jsonb_build_object('$pgtoaster', kids[pg_catalog.width_bucket(store.code(names[i]), lows)]),
                          pg_catalog.jsonb_build_object(names[i], probe #> names[i:i])) THEN
          RETURN false;
        END IF;
      END LOOP;
      IF names[1] IS NULL THEN
        RETURN true;
      END IF;
      probe := pg_catalog.jsonb_build_object(names[1], probe #> names[1:1]);
      value := pg_catalog.jsonb_build_object('$pgtoaster', kids[pg_catalog.width_bucket(store.code(names[1]), lows)]);
      CONTINUE;
    END IF;
    IF pg_catalog.jsonb_typeof(value) <> pg_catalog.jsonb_typeof(probe) THEN
      RETURN false;
    ELSIF unmarked OR rest IS NULL AND pg_catalog.strpos(CAST(value AS pg_catalog.text), 'pgtoaster": ') = 0 THEN
      RETURN value @> probe;
    ELSIF pg_catalog.jsonb_typeof(value) = 'array' THEN
      FOR element IN SELECT e.e FROM pg_catalog.jsonb_array_elements(probe) e(e) LOOP
        -- A marker contains an empty object, but it may refer to an array.
        CONTINUE WHEN value @> pg_catalog.jsonb_build_array(element) AND pg_catalog.strpos(CAST(element AS pg_catalog.text), '{}') = 0;
        IF NOT EXISTS (SELECT FROM pg_catalog.jsonb_array_elements(value) x(x) WHERE store.contains(key_names, doc, x.x, element)) THEN
          RETURN false;
        END IF;
      END LOOP;
      RETURN true;
    END IF;
    names := ARRAY(SELECT pg_catalog.jsonb_object_keys(probe));
    FOR i IN 2 .. pg_catalog.cardinality(names) LOOP
      element := value #> names[i:i];
      IF element IS NULL AND rest IS NOT NULL THEN
        found := store.contains(key_names, doc, rest, pg_catalog.jsonb_build_object(names[i], probe #> names[i:i]));
      ELSE
        found := element IS NOT NULL AND store.contains(key_names, doc, element, probe #> names[i:i]);
      END IF;
      IF NOT found THEN
        RETURN false;
      END IF;
    END LOOP;
    IF names[1] IS NULL THEN
      RETURN true;
    END IF;
    element := value #> names[1:1];
    IF element IS NOT NULL THEN
      probe := probe #> names[1:1];
      value := element;
    ELSIF rest IS NOT NULL THEN
      probe := pg_catalog.jsonb_build_object(names[1], probe #> names[1:1]);
      value := rest;
    ELSE
      RETURN false;
    END IF;
    rest := NULL;
  END LOOP;
  PERFORM store.refuse();
END $$;
