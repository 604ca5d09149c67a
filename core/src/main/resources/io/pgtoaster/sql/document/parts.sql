-- Texts that the routines of a store of documents share.

-- Returns the texts that the templates of documents share, each after its name. A new number grows with time and has 20
-- random bits (Ids.java).
CREATE OR REPLACE FUNCTION pgtoaster.document_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY[
    'next_id', $p$((CAST(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) CAST(1000 AS double precision)
            AS bigint) - 1767225600000) << 20)
          + CAST(pg_catalog.floor(pg_catalog.random() OPERATOR(pg_catalog.*) CAST(1048576 AS double precision)) AS bigint)$p$,
    -- The branches that a value refers to, in the order of the document, or NULL.
    'kids_of_part', $p$CASE WHEN pg_catalog.strpos(CAST(p.p AS pg_catalog.text), 'pgtoaster": ') > 0 THEN {kids:p.p} END$p$,
    -- Whether a value takes more than half a leaf of a whole document. Its exact bytes are counted only if necessary.
    'large', $p$(pg_catalog.pg_column_size(\1) > {whole_leaf}
          OR pg_catalog.pg_column_size(\1) > {whole_leaf} / 2 AND pgtoaster.json_bytes(\1) > {whole_leaf} / 2)$p$,
    -- Moves the entries of more than half a leaf out of line.
    'pack_entries', $p$IF pg_catalog.jsonb_typeof(\1) = 'array' THEN
      \1 := (SELECT pg_catalog.jsonb_agg(
                      CASE WHEN pg_catalog.pg_column_size(e.e) > {leaf_size} / 2 THEN {pack}({lead_value}doc, e.e) ELSE e.e END
                     ORDER BY e.o)
             FROM pg_catalog.jsonb_array_elements(\1) WITH ORDINALITY e(e, o));
    ELSE
      \1 := (SELECT pg_catalog.jsonb_object_agg(
                      m.k, CASE WHEN pg_catalog.pg_column_size(m.v) > {leaf_size} / 2 THEN {pack}({lead_value}doc, m.v) ELSE m.v END)
             FROM pg_catalog.jsonb_each(\1) m(k, v));
    END IF;$p$,
    -- Cuts the object or array value into parts of about a leaf each: values, numbers of elements, codes of the first
    -- keys.
    -- Keys with the same code stay together.
    'cut', $p$IF kind = 'a' THEN
      SELECT pg_catalog.array_agg(g.part ORDER BY g.place), pg_catalog.array_agg(g.number ORDER BY g.place)
        INTO parts, counts
      FROM (SELECT pg_catalog.jsonb_agg(e.e ORDER BY e.o) AS part, pg_catalog.count(*) AS number, e.place
            FROM (SELECT x.e, x.o,
                         (pg_catalog.sum(pg_catalog.pg_column_size(x.e)) OVER (ORDER BY x.o) - pg_catalog.pg_column_size(x.e))
                           / {leaf_size} AS place
                  FROM pg_catalog.jsonb_array_elements(value) WITH ORDINALITY x(e, o)) e
            GROUP BY e.place) g;
    ELSE
      SELECT pg_catalog.array_agg(g.part ORDER BY g.place), pg_catalog.array_agg(CAST(0 AS bigint)),
             pg_catalog.array_agg(g.low ORDER BY g.place)
        INTO parts, counts, lows
      FROM (SELECT pg_catalog.jsonb_object_agg(m.k, m.v) AS part, m.place, (pg_catalog.array_agg(m.code ORDER BY m.code))[1] AS low
            FROM (SELECT c.k, c.v, c.code, pg_catalog.min(c.place) OVER (PARTITION BY c.code) AS place
                  FROM (SELECT x.k, x.v,
                               (pg_catalog.sum(pg_catalog.pg_column_size(x.v) + pg_catalog.octet_length(x.k)) OVER (ORDER BY x.o))
                                 / {leaf_size} AS place,
                               pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(x.k, 'UTF8')))
                               || pg_catalog.substr(pg_catalog.convert_to(x.k, 'UTF8'), 1, 512) AS code
                        FROM pg_catalog.jsonb_each(value) WITH ORDINALITY x(k, v, o)) c) m
            GROUP BY m.place) g;
    END IF;$p$,
    -- Adds one level of inner nodes above ids.
    'level', $p$INSERT INTO {node} AS n ({lead_column}doc, id, kind, bytes, kids, starts, lows)
    SELECT {lead_value}doc, next + 1 + g.g / {fan_out}, kind, 0, ids[g.g + 1:g.g + {fan_out}],
           CASE WHEN kind = 'a' THEN {starts:counts[g.g + 1:g.g + {fan_out}]} END,
           CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[g.g + 2:g.g + {fan_out}]) END
    FROM pg_catalog.generate_series(0, pg_catalog.cardinality(ids) - 1, {fan_out}) g(g);
    SELECT pg_catalog.array_agg(next + 1 + g.g / {fan_out} ORDER BY g.g),
           pg_catalog.array_agg({sum:counts[g.g + 1:g.g + {fan_out}]} ORDER BY g.g),
           pg_catalog.array_agg(lows[g.g + 1] ORDER BY g.g)
      INTO ids, counts, lows
    FROM pg_catalog.generate_series(0, pg_catalog.cardinality(ids) - 1, {fan_out}) g(g);
    next := next + pg_catalog.cardinality(ids);$p$,
    'write_inner', $p$UPDATE {node} AS m SET value = NULL, bytes = 0, kids = ids, starts = CASE WHEN kind = 'a' THEN {starts:counts} END,
               lows = CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[2:]) END,
               version = (m.version & 4611686018427387903) + 1
        WHERE {lead:m}m.doc = doc AND m.id = leaf;$p$,
    -- The new value of at, which is the document or a leaf.
    'new', $p$CASE op WHEN 'remove' THEN at #- here
                    WHEN 'insert' THEN pg_catalog.jsonb_insert(at, here, value, flag)
                    WHEN 'append' THEN
                      CASE WHEN pg_catalog.cardinality(here) = 1 THEN at || value
                           ELSE pg_catalog.jsonb_set(at, here[:pg_catalog.cardinality(here) - 1],
                                                     (at #> here[:pg_catalog.cardinality(here) - 1]) || value) END
                    WHEN 'increment' THEN pg_catalog.jsonb_set(at, here, CAST(number AS pg_catalog.jsonb), true)
                    ELSE pg_catalog.jsonb_set(at, here, value, true) END$p$,
    -- Walks to the container of the last step, through the row, leaves, and the inner nodes, which it adds to way and
    -- seen. It ends at a value in at, with the rest of the path in here; or in an inner node, if ended is true.
    'walk', $p$<<walk>>
    FOR hop IN 1 .. 64 * (pg_catalog.cardinality(path) + 2) LOOP
      IF at IS NOT NULL THEN
        EXIT WHEN NOT split;
        -- Find the next marker before the last step.
        marked := NULL;
        FOR i IN 1 .. pg_catalog.cardinality(here) - 1 LOOP
          marked := at #> pg_catalog.array_append(here[:i], CAST('$pgtoaster' AS pg_catalog.text));
          IF marked IS NOT NULL THEN
            here := here[i + 1:];
            EXIT;
          END IF;
        END LOOP;
        IF marked IS NULL AND hop = 1
           AND (NOT pg_catalog.jsonb_exists(at, here[1])
                OR at - CAST('$pgtoaster' AS pg_catalog.text) = CAST('{}' AS pg_catalog.jsonb)) THEN
          marked := at #> CAST('{$pgtoaster,1}' AS pg_catalog.text[]);
          -- A member that is kept in line is added to the row, unless the overflow branch already has it from before it
          -- was kept in line. The next put moves it to the row.
          IF here[1] = ANY ({pinned}) THEN
            marked := CASE
              WHEN {read}({key_names}, at, here[:1], CAST('type' AS pg_catalog.text)) IS NOT NULL
                   OR {read}({key_names}, at, CAST('{}' AS pg_catalog.text[]), CAST('type' AS pg_catalog.text)) <> 'object' THEN marked END;
          END IF;
        END IF;
        EXIT WHEN marked IS NULL;
        branch := {number:CAST(marked AS pg_catalog.text)};
        way := NULL;
      END IF;
      -- Decompress the value once: the following expressions read it several times.
      SELECT m.kind, m.value #> CAST('{}' AS pg_catalog.text[]), m.kids, m.starts, m.lows, m.version
        INTO kind, at, kids, starts, lows, version
      FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = branch;
      EXIT WHEN NOT FOUND;
      IF at IS NOT NULL THEN
        leaf := branch;
        leaf_kids := kids;
        CONTINUE;
      END IF;
      IF kind = 'a' THEN
        place := CASE WHEN here[1] ~ {position} THEN CAST(here[1] AS bigint) END;
        IF place IS NULL OR place NOT BETWEEN -2147483648 AND 2147483647 THEN
          ended := true;
          EXIT walk WHEN op IN ('append', 'increment');
          outcome := 'position';
          number := CAST(pg_catalog.cardinality(path) - pg_catalog.cardinality(here) + 1 AS pg_catalog.text);
          EXIT walk;
        END IF;
        place := place + CASE WHEN place < 0 THEN starts[pg_catalog.cardinality(starts)] ELSE 0 END;
        c := pg_catalog.width_bucket(place, starts);
        IF c NOT BETWEEN 1 AND pg_catalog.cardinality(kids) THEN
          -- Beyond the first or last position, an edit either adds an element at that end or finds nothing.
          ended := pg_catalog.cardinality(here) > 1 OR NOT (op = 'insert' OR op = 'set' AND flag);
          EXIT walk WHEN ended;
          IF c > pg_catalog.cardinality(kids) THEN
            c := pg_catalog.cardinality(kids);
            place := 2147483647 + starts[c];
          ELSE
            c := 1;
            place := -1000000000;
          END IF;
        END IF;
        here[1] := CAST(place - starts[c] AS pg_catalog.text);
      ELSIF kind = 'o' THEN
        c := pg_catalog.width_bucket({code:here[1]}, lows);
      ELSE
        ended := true;
        IF op IN ('set', 'insert', 'remove') AND pg_catalog.cardinality(here) = pg_catalog.cardinality(path) THEN
          outcome := 'scalar';
        END IF;
        EXIT walk;
      END IF;
      way := pg_catalog.array_cat(way, ARRAY[branch, version, CAST(c AS bigint)]);
      seen := pg_catalog.array_cat(seen, ARRAY[branch, version]);
      branch := kids[c];
    END LOOP;$p$,
    -- Checks whether the edit applies to old, and determines the errors that it raises.
    'checks', $p$-- These never apply to an edit that replaces or removes an existing value.
    IF conditional OR old IS NULL OR op NOT IN ('set', 'remove') THEN
      IF conditional THEN
        IF old_kids IS NOT NULL AND expected IS NOT NULL THEN
          {lock_document}
        END IF;
        IF (CASE WHEN old_kids IS NULL OR expected IS NULL THEN old
                ELSE pgtoaster.stored_keys(CAST(pgtoaster.expanded_text(doc, old) AS pg_catalog.jsonb)) END) IS DISTINCT FROM expected THEN
          outcome := 'conflict';
          RETURN;
        END IF;
      END IF;
      IF old IS NULL AND op IN ('set', 'insert', 'remove')
         AND (at NOT IN (CAST('[]' AS pg_catalog.jsonb), CAST('{}' AS pg_catalog.jsonb)) OR op = 'insert' OR op = 'set' AND flag) THEN
        -- PostgreSQL raises these errors: it checks each step into an array.
        IF pg_catalog.jsonb_typeof(at) NOT IN ('object', 'array') THEN
          IF pg_catalog.cardinality(here) = pg_catalog.cardinality(path) THEN
            outcome := 'scalar';
          END IF;
          RETURN;
        END IF;
        FOR i IN 1 .. pg_catalog.cardinality(here) LOOP
          IF pg_catalog.jsonb_typeof(at #> here[:i - 1]) = 'array' AND (here[i] !~ {position}
               OR CAST(here[i] AS bigint) NOT BETWEEN -2147483648 AND 2147483647) THEN
            outcome := 'position';
            number := CAST(pg_catalog.cardinality(path) - pg_catalog.cardinality(here) + i AS pg_catalog.text);
            RETURN;
          END IF;
        END LOOP;
      END IF;
      IF type IS NULL OR type NOT IN ('object', 'array')
         OR op = 'append' AND type <> 'array'
         OR old IS NULL AND (op = 'remove' OR op = 'set' AND NOT flag OR op = 'increment' AND type <> 'object') THEN
        RETURN;
      END IF;
      IF op = 'insert' AND type = 'object' AND old IS NOT NULL THEN
        outcome := 'exists';
        RETURN;
      END IF;
      IF op = 'increment' THEN
        -- A number with many digits is stored out of line.
        counted := old;
        IF old_kids IS NOT NULL THEN
          {lock_document}
          counted := (SELECT m.value FROM {node} m
                      WHERE {lead:m}m.doc = doc AND m.id = old_kids[1] AND old = pg_catalog.jsonb_build_object('$pgtoaster', m.id));
        END IF;
        IF old IS NOT NULL AND pg_catalog.jsonb_typeof(counted) IS DISTINCT FROM 'number' THEN
          outcome := 'number';
          RETURN;
        END IF;
        number := CAST(coalesce(CAST(counted #>> CAST('{}' AS pg_catalog.text[]) AS numeric), 0)
                       + CAST(value #>> CAST('{}' AS pg_catalog.text[]) AS numeric) AS pg_catalog.text);
        IF old_kids IS NOT NULL THEN
          op := 'set';
          value := CAST(number AS pg_catalog.jsonb);
        END IF;
      END IF;
    END IF;$p$,
    -- Whether the old value is out of line as a whole and in one leaf, and the new value has the size of values out of
    -- line. A string is never edited in parts, so it is not cut into quarters.
    'stays', $p$old = pg_catalog.jsonb_build_object('$pgtoaster', old_kids[1])
       AND pg_catalog.pg_column_size(value) BETWEEN {leaf_size} / 16
           AND (CASE pg_catalog.jsonb_typeof(value) WHEN 'string' THEN {string_size} + 12 ELSE {leaf_size} + {leaf_size} / 2 END)
       AND EXISTS (SELECT FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = old_kids[1] AND m.value IS NOT NULL
                   AND coalesce(pg_catalog.cardinality(m.kids), 0) = 0)$p$,
    -- Blocks all other writers of the document, and then walks again.
    'lock_document', $p$IF leaf IS NULL AND room IS NULL THEN
            outcome := 'lock';
            RETURN;
          ELSIF held < 2 THEN
            {lock_alone}
            held := 2;
            CONTINUE attempts;
          END IF;$p$,
    -- Moves members of the new document out of the row. A plain document gets a head if it must be split.
    -- Adding up the exact bytes of a large one would take longer than moving it.
    'fit_row', $p$IF NOT split AND (CASE WHEN special THEN CAST(new AS pg_catalog.text) ~ '"[$]+pgtoaster": ' ELSE false END
                          OR moves AND bytes > greatest(room, 128) / 2 * 3 AND CAST({kept} AS pg_catalog.text) = '{}'
                          OR moves
                             AND pgtoaster.size_beside_pinned(new, CAST({kept} AS pg_catalog.text[])) - 48 > greatest(room - 24, 128)) THEN
          INSERT INTO {head} AS h ({owner_names}) VALUES ({key_names}) RETURNING h.id INTO doc;
          new := pgtoaster.stored_keys(new);
          new := CASE pg_catalog.jsonb_typeof(new)
                   WHEN 'object'
                   THEN pg_catalog.jsonb_set(new, CAST('{$pgtoaster}' AS pg_catalog.text[]), pg_catalog.jsonb_build_array(doc))
                   ELSE pg_catalog.jsonb_build_object('$pgtoaster', pg_catalog.jsonb_build_array(
                          doc, {move}({lead_value}doc, new) #> CAST('{$pgtoaster}' AS pg_catalog.text[]))) END;
        END IF;
        IF doc IS NOT NULL THEN
          new := {fit}({lead_value}new, greatest(room - 24, 128), true);
        END IF;$p$,
    'lock_shared', $p$SELECT h.generation INTO found_generation FROM {head} h WHERE h.id = doc AND {owned} FOR KEY SHARE;
        {check_generation}$p$,
    'lock_alone', $p$SELECT h.generation INTO found_generation FROM {head} h WHERE h.id = doc AND {owned} FOR UPDATE;
        {check_generation}$p$,
    'check_generation', $p$IF found_generation IS NULL OR found_generation <> generation THEN
          outcome := CASE WHEN found_generation IS NULL THEN 'head' ELSE 'again' END;
          RETURN;
        END IF;$p$,
    'starts', $p$(SELECT pg_catalog.array_agg(q.s ORDER BY q.o)
            FROM (SELECT CAST(0 AS bigint) AS s, CAST(0 AS bigint) AS o UNION ALL
                  SELECT CAST(pg_catalog.sum(x.x) OVER (ORDER BY x.o) AS bigint), x.o
                  FROM pg_catalog.unnest(\1) WITH ORDINALITY x(x, o)) q)$p$,
    'sum', $p$CAST((SELECT pg_catalog.sum(x.x) FROM pg_catalog.unnest(\1) x(x)) AS bigint)$p$,
    -- The number in a text of a marker or header; NULL if it is not a number.
    'number', $p$CASE WHEN pg_catalog.octet_length(\1) BETWEEN 1 AND 18 AND pg_catalog.ltrim(\1, '0123456789') = ''
            THEN CAST(\1 AS bigint) END$p$,
    'kids', $p$(SELECT pg_catalog.array_agg(CAST(k.k ->> CAST('$pgtoaster' AS pg_catalog.text) AS bigint) ORDER BY k.o)
       FROM pg_catalog.jsonb_path_query(\1, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY k(k, o))$p$,
    -- The sort key of object keys.
    'code', $p$pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(\1, 'UTF8')))
          || pg_catalog.substr(pg_catalog.convert_to(\1, 'UTF8'), 1, 512)$p$,
    -- The text form of a position in PostgreSQL, without its range.
    'position', $p$'^[ \t-\r]*[-+]?0*[0-9]{1,10}$'$p$,
    'lock_own', $p$SELECT h.generation INTO found_generation FROM {head} h WHERE h.id = doc AND {owned} FOR \1;
        IF found_generation IS NULL THEN
          {refuse};
        END IF;$p$
  ]
$$;
