-- The template of the routine that reads the value at a path of a split document, given the document as its row contains it.
-- The keys of the path are written as split documents write them. what is
--   text: its JSON text, or NULL. For a string with its own branch: a tab and the string itself, because writing
--         escapes takes three times as long as reading the string. For other values in several rows of the store: a line
--         feed and then these rows, one per line, in the order of the document (PackedRows.java reads them). An empty text if
--         there are too many rows: read them as a stream.
--   type: its type, or NULL
--   size: its type, a space and the number of elements or keys
--   place: for a statement that reads there, an array as text: the numbers of the document, of the node that contains the value
--         ('' for the row), and of the branch with the members that are not in the row, if it is the root; then the rest
--         of the path. NULL if the path finds nothing. No element is NULL, because array_nulls = off would make it a
--         string.
-- The first statement of a transaction prepares each expression that it evaluates, which takes longer than evaluating
-- it. Therefore there are only a few large expressions. Functions are qualified, and operands have exactly the
-- operators' types, so that nothing else on the caller's path matches better. enable_seqscan is off, because the
-- session must not keep a plan that was made while the table had one page.
CREATE OR REPLACE FUNCTION pgtoaster.template_read(key_names text, document jsonb, path text[], what text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  doc bigint;
  value pg_catalog.jsonb := document;
  found pg_catalog.jsonb;
  inside boolean;
  branch bigint;
  kind pg_catalog."char";
  kids bigint[];
  starts bigint[];
  lows pg_catalog.bytea[];
  place bigint;
  rest pg_catalog.text;
  roots bigint[];
  answer pg_catalog.text;
  complete boolean;
BEGIN
  -- No path goes deeper than this through the nodes of a tree.
  FOR hop IN 1 .. 64 * (pg_catalog.cardinality(path) + 2) LOOP
    IF value IS NOT NULL THEN
      DECLARE
        marked pg_catalog.jsonb;
      BEGIN
        -- A value in the row or in a leaf: find the next marker on the path.
        FOR i IN 1 .. pg_catalog.cardinality(path) LOOP
          marked := value #> pg_catalog.array_append(path[:i], CAST('$pgtoaster' AS pg_catalog.text));
          IF marked IS NOT NULL THEN
            IF document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL
               OR pg_catalog.octet_length(CAST(marked AS pg_catalog.text)) >= 13
                  AND pg_catalog.ltrim(CAST(marked AS pg_catalog.text), '0123456789') = ''
                  AND value #> path[:i] = pg_catalog.jsonb_build_object('$pgtoaster', marked) THEN
              path := path[i + 1:];
              EXIT;
            END IF;
            -- In a plain document, such keys belong to the user. A document that has lost its header is rejected.
            marked := NULL;
          END IF;
        END LOOP;
        IF marked IS NULL THEN
          answer := CASE WHEN what = 'text' THEN CAST(value #> path AS pg_catalog.text) END;
          IF pg_catalog.strpos(answer, 'pgtoaster": ') = 0 THEN
            RETURN answer;
          END IF;
          IF hop = 1 AND document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) IS NOT NULL THEN
            -- The overflow branch contains the members that are not in the row, or the whole root.
            marked := CASE WHEN value #> path IS NULL AND NOT pg_catalog.jsonb_exists(document, path[1])
                                OR pg_catalog.cardinality(path) = 0
                                   AND document - CAST('$pgtoaster' AS pg_catalog.text) = CAST('{}' AS pg_catalog.jsonb)
                           THEN document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) END;
            rest := CASE WHEN marked IS NULL AND pg_catalog.cardinality(path) = 0
                         THEN CAST(document #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]) AS pg_catalog.text) END;
          END IF;
          found := CASE WHEN marked IS NOT NULL THEN NULL
                        WHEN hop = 1 AND pg_catalog.cardinality(path) = 0 THEN document - CAST('$pgtoaster' AS pg_catalog.text)
                        ELSE value #> path END;
          IF marked IS NULL AND found IS NULL THEN
            RETURN NULL;
          END IF;
        END IF;
        IF doc IS NULL THEN
          -- The document must belong to the row whose key is in its head.
          SELECT h.id INTO doc FROM store.head h
          WHERE h.id = store.number(document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])) AND store.owned;
        END IF;
        EXIT WHEN marked IS NULL;
        branch := store.number(CAST(marked AS pg_catalog.text));
      END;
    END IF;
    -- Decompress the value once, because the following expressions read it several times.
    SELECT m.kind, m.value #> CAST('{}' AS pg_catalog.text[]), m.kids, m.starts, m.lows INTO kind, value, kids, starts, lows
    FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = branch;
    IF kind = 's' AND pg_catalog.jsonb_typeof(value) = 'string' AND what = 'text' AND pg_catalog.cardinality(path) = 0 THEN
      RETURN CAST(E'\t' AS pg_catalog.text) || (value #>> path);
    END IF;
    CONTINUE WHEN value IS NOT NULL;
    IF kind IS NULL OR pg_catalog.cardinality(path) = 0 THEN
      inside := kids IS NOT NULL;
      EXIT;
    END IF;
    -- An inner node: find the child that contains the next step.
    IF kind = 'a' THEN
      -- Parse the position as PostgreSQL does, then count from the first element of the child.
      place := CASE WHEN pg_catalog.octet_length(path[1]) BETWEEN 1 AND 18 AND pg_catalog.ltrim(path[1], '0123456789') = ''
                    THEN CAST(path[1] AS bigint)
                    WHEN path[1] ~ store.position
                    THEN CAST(path[1] AS bigint)
                         + CASE WHEN CAST(path[1] AS bigint) < 0 THEN starts[pg_catalog.cardinality(starts)] ELSE 0 END END;
      branch := kids[pg_catalog.width_bucket(place, starts)];
      path := pg_catalog.array_prepend(CAST(place - starts[pg_catalog.width_bucket(place, starts)] AS pg_catalog.text), path[2:]);
    ELSE
      branch := kids[pg_catalog.width_bucket(store.code(path[1]), lows)];
    END IF;
    IF branch IS NULL THEN
      RETURN NULL;
    END IF;
  END LOOP;
  -- A plain document may have keys that look like the reserved key; its text is not requested.
  IF found IS NULL AND inside IS NOT TRUE
     OR doc IS NULL AND (what = 'text' OR document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL) THEN
    PERFORM store.refuse();
  END IF;
  IF what <> 'text' THEN
    answer := CASE WHEN what = 'place'
                   THEN CAST(pg_catalog.array_cat(
                          ARRAY[coalesce(CAST(doc AS pg_catalog.text), ''), coalesce(CAST(branch AS pg_catalog.text), ''),
                                coalesce(rest, '')], path) AS pg_catalog.text)
                   WHEN inside THEN CASE kind WHEN 'o' THEN 'object' WHEN 'a' THEN 'array' ELSE 'string' END
                   ELSE pg_catalog.jsonb_typeof(found) END;
    IF what <> 'size' OR answer NOT IN ('object', 'array') THEN
      RETURN answer;
    ELSIF answer = 'array' THEN
      RETURN answer || ' ' || CAST(CASE WHEN inside THEN starts[pg_catalog.cardinality(starts)]
                                        ELSE pg_catalog.jsonb_array_length(found) END AS pg_catalog.text);
    END IF;
  END IF;
  IF inside AND kind = 's' AND what = 'text' THEN
    -- Return a string from its pieces if all of them are on one level.
    SELECT CAST(E'\t' AS pg_catalog.text) || pg_catalog.string_agg(n.value #>> CAST('{}' AS pg_catalog.text[]), '' ORDER BY k.o),
           pg_catalog.count(n.value) = pg_catalog.count(*)
      INTO answer, complete
    FROM pg_catalog.unnest(kids) WITH ORDINALITY k(id, o)
    LEFT JOIN LATERAL (
      SELECT m.value FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = k.id AND m.kind = 's' LIMIT 1) n ON true;
    IF complete AND answer IS NOT NULL THEN
      RETURN answer;
    END IF;
  END IF;
  IF inside THEN
    roots := kids;
  ELSIF what = 'text' THEN
    roots := ARRAY(
      SELECT store.number(m.m ->> CAST('$pgtoaster' AS pg_catalog.text))
      FROM pg_catalog.jsonb_path_query(found, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY m(m, o) ORDER BY m.o);
  END IF;
  IF rest IS NOT NULL THEN
    roots := pg_catalog.array_append(roots, store.number(rest));
  END IF;
  IF what = 'size' THEN
    -- Count the keys in the leaves of an object, but not those in branches of its members. A tree has one path to each
    -- of its nodes. The condition that is always true keeps the planner's estimates low, so that JIT does not compile the
    -- statement.
    WITH RECURSIVE below AS (
      SELECT r.id FROM pg_catalog.unnest((SELECT roots)) r(id) WHERE r.id BETWEEN -9223372036854775807 AND 9223372036854775807
      UNION
      SELECT k.id FROM below b
      CROSS JOIN LATERAL (SELECT m.* FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = b.id LIMIT 1) n
      CROSS JOIN LATERAL pg_catalog.unnest(n.kids) k(id)
      WHERE n.value IS NULL AND k.id BETWEEN -9223372036854775807 AND 9223372036854775807
    )
    SELECT answer || ' ' || CAST(CAST(coalesce(pg_catalog.sum(n.keys), 0) AS bigint)
                                 + (SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(found)) AS pg_catalog.text),
           pg_catalog.sum(n.children) + pg_catalog.cardinality(roots) = pg_catalog.count(n.keys)
             AND pg_catalog.count(n.keys) = pg_catalog.count(*)
      INTO answer, complete
    FROM below b LEFT JOIN LATERAL (
      SELECT CASE WHEN m.value IS NULL THEN 0
                  WHEN pg_catalog.jsonb_typeof(m.value) = 'object'
                  THEN (SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(m.value)) END AS keys,
             CASE WHEN m.value IS NULL THEN pg_catalog.cardinality(m.kids) ELSE 0 END AS children
      FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = b.id LIMIT 1) n ON true;
  ELSE
    -- Return all nodes below one by one, unless there are too many to collect in memory.
    WITH RECURSIVE below AS (
      SELECT ARRAY[r.o] AS pos, r.id, n.kind, n.bytes, n.value, n.kids
      FROM pg_catalog.unnest((SELECT roots)) WITH ORDINALITY r(id, o)
      LEFT JOIN LATERAL (SELECT m.* FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = r.id LIMIT 1) n ON true
      UNION ALL
      SELECT pg_catalog.array_append(b.pos, k.o), k.id, n.kind, n.bytes, n.value, n.kids
      FROM below b CROSS JOIN LATERAL pg_catalog.unnest(b.kids) WITH ORDINALITY k(id, o)
      LEFT JOIN LATERAL (SELECT m.* FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = k.id LIMIT 1) n ON true
    )
    SELECT pg_catalog.string_agg(E'\n' || CAST(s.kind AS pg_catalog.text) || CAST(s.id AS pg_catalog.text)
             || CASE WHEN s.value IS NULL THEN '/' || CAST(pg_catalog.cardinality(s.kids) AS pg_catalog.text)
                     ELSE ':' || CAST(s.value AS pg_catalog.text) END, '' ORDER BY s.pos),
           pg_catalog.bool_and(s.kind IS NOT NULL)
      INTO answer, complete
    FROM (SELECT b.*, pg_catalog.sum(b.bytes) OVER () AS total, pg_catalog.count(*) OVER () AS number
          FROM (SELECT * FROM below LIMIT 257) b) s
    WHERE s.total <= 524288 AND s.number <= 256;
    IF complete IS NULL AND pg_catalog.cardinality(roots) > 0 THEN
      RETURN '';
    END IF;
    answer := E'\n' || CASE WHEN inside THEN CAST(kind AS pg_catalog.text) || '0/' || CAST(pg_catalog.cardinality(kids) AS pg_catalog.text)
                            ELSE CASE WHEN rest IS NOT NULL THEN '+0:' ELSE '-0:' END || CAST(found AS pg_catalog.text) END
      || coalesce(answer, '');
  END IF;
  IF NOT complete THEN
    PERFORM store.refuse();
  END IF;
  RETURN answer;
END $$;

