-- The template of the routine that edits a split document, or the stub or plain document in the row.

-- The routine for one edit of the value at path. op is
--   set: value; a missing last step is added if flag
--   create: like set; a missing last step, missing parents and a missing document are created, too
--   insert: value before an element or, if flag, after it; or as a new member
--   remove: deletes the value
--   increment: adds value to the number
--   append: appends the elements of value to the array. expected: NULL, or the number of elements to keep, which is at
--     least the number of new ones; the others are removed from the start of the array
--   keep_last: removes elements from the start of the array, so that at most the number in value is left
-- path, value and expected are in the stored form, escaped if the document is split. conditional: only if the value equals
-- expected.
-- generation: of the head in the snapshot that returned the document; NULL if the row is locked.
-- room: the bytes that the document may have in the row; NULL if the row is not locked. special: whether there are keys that
-- a plain document cannot have.
-- outcome is
--   applied: number is the new value of an increment; result is the new value for the row, if it changes, and grows the bytes it grows by
--   missed, conflict: as in the API
--   position: the step with this number meets an array, and is not an integer
--   scalar, exists, number: other errors that PostgreSQL raises
--   lock: the row must be locked first; again: another writer was faster; head: the role may not lock it, or it was deleted
-- Only applied means that something was changed. If the document grows beyond room, members move out of line. Locks the
-- head, shared, or exclusively if branches are dropped; the root of the branch, if its structure changes; then the
-- leaf.
CREATE OR REPLACE FUNCTION pgtoaster.template_edit(
  key_names text, document jsonb, generation bigint, path text[], op text, value jsonb, flag boolean,
  conditional boolean, expected jsonb, room integer, special boolean,
  OUT outcome text, OUT number text, OUT result jsonb, OUT grows integer)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  split boolean := document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL;
  doc bigint := store.number(document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[]));
  held integer := 0;
  found_generation bigint;
  dropped bigint[];
  -- The value of create, without parents.
  given pg_catalog.jsonb;
  -- The elements to append after an edit that removes elements.
  later pg_catalog.jsonb;
BEGIN
  IF op IN ('append', 'keep_last') THEN
    path := pg_catalog.array_append(
      path, CASE op WHEN 'append' THEN '-1' ELSE pg_catalog.concat('-', greatest(CAST(value AS integer), 1)) END);
  ELSIF op = 'create' THEN
    op := 'set';
    flag := true;
    given := value;
  END IF;
  IF document IS NULL THEN
    IF given IS NULL THEN
      outcome := CASE WHEN conditional AND expected IS NOT NULL THEN 'conflict' ELSE 'missed' END;
      RETURN;
    END IF;
    document := CASE pg_catalog.jsonb_typeof(pgtoaster.nested(path[:1], value))
                  WHEN 'array' THEN CAST('[]' AS pg_catalog.jsonb) ELSE CAST('{}' AS pg_catalog.jsonb) END;
  END IF;
  <<attempts>>
  FOR attempt IN 1 .. 20 LOOP
  outcome := 'missed';
  -- Each transaction prepares each expression again, so there are only a few large expressions, and variables start as
  -- NULL.
  DECLARE
    here pg_catalog.text[] := path;
    at pg_catalog.jsonb := document;
    marked pg_catalog.jsonb;
    branch bigint;
    leaf bigint;
    version bigint;
    kind pg_catalog."char";
    kids bigint[];
    starts bigint[];
    lows pg_catalog.bytea[];
    leaf_kids bigint[];
    found_version bigint;
    ended boolean;
    -- Number, version and child position of each inner node from the root of the branch.
    way bigint[];
    -- Number and version of each inner node on the whole path.
    seen bigint[];
    place bigint;
    c integer;
    type pg_catalog.text;
    old pg_catalog.jsonb;
    counted pg_catalog.jsonb;
    new pg_catalog.jsonb;
    old_kids bigint[];
    adds integer;
    removes integer;
    bytes integer;
    structural boolean;
    moves boolean;
    ids bigint[];
    first bigint;
    first_version bigint;
    first_value pg_catalog.jsonb;
  BEGIN
    value := coalesce(given, value);
    <<walk>>
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
          -- A member that is kept in line is added to the row. If the overflow branch already has it, from the time
          -- before it was kept in line, it stays there until the next put.
          IF here[1] = ANY (store.pinned) THEN
            marked := CASE
              WHEN store.read(key_names, at, here[:1], CAST('type' AS pg_catalog.text)) IS NOT NULL
                   OR store.read(key_names, at, CAST('{}' AS pg_catalog.text[]), CAST('type' AS pg_catalog.text)) <> 'object'
              THEN marked END;
          END IF;
        END IF;
        EXIT WHEN marked IS NULL;
        branch := store.number(CAST(marked AS pg_catalog.text));
        way := NULL;
      END IF;
      -- Decompress the value once, because the following expressions read it several times.
      SELECT m.kind, m.value #> CAST('{}' AS pg_catalog.text[]), m.kids, m.starts, m.lows, m.version
        INTO kind, at, kids, starts, lows, version
      FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = branch;
      EXIT WHEN NOT FOUND;
      IF at IS NOT NULL THEN
        leaf := branch;
        leaf_kids := kids;
        CONTINUE;
      END IF;
      IF kind = 'a' THEN
        place := CASE WHEN here[1] ~ store.position THEN CAST(here[1] AS bigint) END;
        IF place IS NULL OR place NOT BETWEEN -2147483648 AND 2147483647 THEN
          ended := true;
          EXIT walk WHEN op IN ('append', 'keep_last', 'increment');
          outcome := 'position';
          number := CAST(pg_catalog.cardinality(path) - pg_catalog.cardinality(here) + 1 AS pg_catalog.text);
          EXIT walk;
        END IF;
        place := place + CASE WHEN place < 0 THEN starts[pg_catalog.cardinality(starts)] ELSE 0 END;
        c := pg_catalog.width_bucket(place, starts);
        IF c NOT BETWEEN 1 AND pg_catalog.cardinality(kids) THEN
          -- Beyond the first or last position, an edit either adds an element at that end or finds nothing.
          ended := pg_catalog.cardinality(here) > 1 AND given IS NULL OR NOT (op = 'insert' OR op = 'set' AND flag);
          IF op = 'keep_last' AND pg_catalog.cardinality(here) = 1 THEN
            outcome := 'applied';
          END IF;
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
        c := pg_catalog.width_bucket(store.code(here[1]), lows);
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
    END LOOP;
    IF seen IS NOT NULL THEN
      -- Each query sees what was committed before it began. A leaf may be newer than the node that referred to it, and
      -- the value may have moved to another leaf. If the inner nodes are unchanged, they still lead to the leaf that
      -- was read.
      FOR i IN 1 .. pg_catalog.cardinality(seen) BY 2 LOOP
        SELECT m.version INTO found_version FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = seen[i];
        CONTINUE attempts WHEN found_version IS DISTINCT FROM seen[i + 1];
      END LOOP;
    END IF;
    IF at IS NULL THEN
      IF ended THEN
        -- The path ends in an inner node.
        outcome := CASE WHEN conditional AND expected IS NOT NULL THEN 'conflict' ELSE outcome END;
        PERFORM store.append_later();
        RETURN;
      END IF;
      -- A node is missing because it was deleted since the row was read, or because of damage; or nodes form a cycle.
      IF held = 0 AND doc IS NOT NULL THEN
        PERFORM store.lock_shared();
        held := 1;
        CONTINUE;
      END IF;
      PERFORM store.refuse();
    END IF;
    type := pg_catalog.jsonb_typeof(at #> here[:pg_catalog.cardinality(here) - 1]);
    old := CASE WHEN op NOT IN ('append', 'keep_last') THEN at #> here END;
    IF split AND op IN ('set', 'remove', 'increment') AND pg_catalog.jsonb_typeof(old) IN ('object', 'array')
       AND pg_catalog.strpos(CAST(old AS pg_catalog.text), 'pgtoaster": ') > 0 THEN
      old_kids := store.kids(old);
    END IF;
    -- These never apply to an edit that replaces or removes an existing value.
    IF conditional OR old IS NULL OR op NOT IN ('set', 'remove') THEN
      IF conditional THEN
        IF old_kids IS NOT NULL AND expected IS NOT NULL THEN
          PERFORM store.lock_document();
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
          outcome := CASE WHEN pg_catalog.cardinality(here) = pg_catalog.cardinality(path) THEN 'scalar' ELSE outcome END;
          RETURN;
        END IF;
        FOR i IN 1 .. pg_catalog.cardinality(here) LOOP
          IF pg_catalog.jsonb_typeof(at #> here[:i - 1]) = 'array' AND (here[i] !~ store.position
               OR CAST(here[i] AS bigint) NOT BETWEEN -2147483648 AND 2147483647) THEN
            outcome := 'position';
            number := CAST(pg_catalog.cardinality(path) - pg_catalog.cardinality(here) + i AS pg_catalog.text);
            RETURN;
          END IF;
        END LOOP;
        IF given IS NOT NULL THEN
          c := (SELECT pg_catalog.max(i.i) FROM pg_catalog.generate_series(1, pg_catalog.cardinality(here)) i(i)
                WHERE at #> here[:i.i - 1] IS NOT NULL);
          value := pgtoaster.nested(here[c + 1:], given);
          here := here[:c];
          type := pg_catalog.jsonb_typeof(at #> here[:c - 1]);
        END IF;
      END IF;
      IF type IS NULL OR type NOT IN ('object', 'array')
         OR op IN ('append', 'keep_last') AND type <> 'array'
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
          PERFORM store.lock_document();
          counted := (SELECT m.value FROM store.node m
                      WHERE store.lead(m) AND m.doc = doc AND m.id = old_kids[1]
                        AND old = pg_catalog.jsonb_build_object('$pgtoaster', m.id));
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
    END IF;
    IF op = 'keep_last' THEN
      -- The walk has found the first element that stays. Unlink the leaves before it, and repeat the walk, so that
      -- only elements of the first leaf are left to remove. Then determine these elements and the new content.
      IF way IS NOT NULL AND pg_catalog.cardinality(here) = 1 THEN
        place := 0;
        FOR i IN REVERSE pg_catalog.cardinality(way) / 3 .. 1 LOOP
          c := way[3 * i];
          CONTINUE WHEN c = 1 AND place = 0;
          PERFORM store.lock_document();
          SELECT m.kids, m.starts INTO kids, starts FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = way[3 * i - 2];
          dropped := pg_catalog.array_cat(dropped, kids[:c - 1]);
          UPDATE store.node AS m SET version = (m.version & 4611686018427387903) + 1, kids = kids[c:],
                 starts = ARRAY(SELECT CASE s.o WHEN 1 THEN 0 ELSE s.s - starts[c] - place END
                                FROM pg_catalog.unnest(starts[c:]) WITH ORDINALITY s(s, o) ORDER BY s.o)
          WHERE store.lead(m) AND m.doc = doc AND m.id = way[3 * i - 2];
          place := place + starts[c];
        END LOOP;
        CONTINUE attempts WHEN place > 0;
      END IF;
      counted := at #> here[:pg_catalog.cardinality(here) - 1];
      removes := pg_catalog.jsonb_array_length(counted);
      IF value <> CAST('0' AS pg_catalog.jsonb) THEN
        place := CAST(here[pg_catalog.cardinality(here)] AS bigint);
        removes := greatest(place + CASE WHEN place < 0 THEN removes ELSE 0 END, 0);
      END IF;
      IF removes = 0 AND dropped IS NULL THEN
        outcome := 'applied';
        PERFORM store.append_later();
        RETURN;
      END IF;
      old := pg_catalog.jsonb_path_query_array(counted, 'lax $[0 to $b]', pg_catalog.jsonb_build_object('b', removes - 1));
      old_kids := pg_catalog.array_cat(CASE WHEN split THEN store.kids(old) END, dropped);
      new := pg_catalog.jsonb_path_query_array(counted, 'lax $[$a to last]', pg_catalog.jsonb_build_object('a', removes));
      IF pg_catalog.cardinality(here) > 1 THEN
        new := pg_catalog.jsonb_set(at, here[:pg_catalog.cardinality(here) - 1], new);
      END IF;
    END IF;
    IF op = 'append' AND expected IS NOT NULL AND (way IS NULL OR pg_catalog.cardinality(here) > 1) THEN
      -- The whole array is in this leaf, or in the row.
      counted := at #> here[:pg_catalog.cardinality(here) - 1];
      removes := pg_catalog.jsonb_array_length(counted) + pg_catalog.jsonb_array_length(value) - CAST(expected AS integer);
      IF removes > 0 THEN
        IF split THEN
          old := pg_catalog.jsonb_path_query_array(counted, 'lax $[0 to $b]', pg_catalog.jsonb_build_object('b', removes - 1));
          old_kids := store.kids(old);
        END IF;
        counted := pg_catalog.jsonb_path_query_array(counted, 'lax $[$a to last]', pg_catalog.jsonb_build_object('a', removes));
        at := CASE pg_catalog.cardinality(here) WHEN 1 THEN counted
              ELSE pg_catalog.jsonb_set(at, here[:pg_catalog.cardinality(here) - 1], counted) END;
      END IF;
    END IF;
    -- Nest the conditions, because a condition that contains a query is planned in each call.
    IF op = 'set' AND old_kids IS NOT NULL THEN
      IF old = pg_catalog.jsonb_build_object('$pgtoaster', old_kids[1])
       AND pg_catalog.pg_column_size(value) BETWEEN store.leaf_size / 16
           AND (CASE pg_catalog.jsonb_typeof(value) WHEN 'string' THEN store.string_size + 12
                ELSE store.leaf_size + store.leaf_size / 2 END)
       AND EXISTS (SELECT FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = old_kids[1] AND m.value IS NOT NULL
                   AND coalesce(pg_catalog.cardinality(m.kids), 0) = 0) THEN
        -- The value stays out of line. Overwrite the old value in place and keep the marker.
        IF held = 0 THEN
          PERFORM store.lock_shared();
          held := 1;
        END IF;
        UPDATE store.node AS m SET value = value,
               kind = CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END,
               bytes = pg_catalog.pg_column_size(value), kids = NULL, version = (m.version & 4611686018427387903) + 1
        WHERE store.lead(m) AND m.doc = doc AND m.id = old_kids[1] AND m.value IS NOT NULL
          AND coalesce(pg_catalog.cardinality(m.kids), 0) = 0;
        IF FOUND THEN
          outcome := 'applied';
          RETURN;
        END IF;
      END IF;
    END IF;
    IF leaf IS NULL AND room IS NULL AND (old_kids IS NOT NULL OR special AND NOT split) THEN
      outcome := 'lock';
      RETURN;
    END IF;
    -- The number of elements by which a counted array grows.
    adds := CASE WHEN way IS NULL OR type <> 'array' OR pg_catalog.cardinality(here) > 1 THEN 0
                 WHEN op = 'append' THEN pg_catalog.jsonb_array_length(value)
                 WHEN op = 'keep_last' THEN -removes
                 WHEN op = 'insert' OR old IS NULL THEN 1
                 WHEN op = 'remove' THEN -1
                 ELSE 0 END;
    -- A value larger than half a leaf is moved out of line once the leaf is locked; until then its bytes are not
    -- counted.
    new := CASE WHEN op = 'keep_last' THEN new
                WHEN leaf IS NOT NULL AND pg_catalog.pg_column_size(value) > store.leaf_size / 2 THEN NULL ELSE store.new END;
    bytes := pg_catalog.pg_column_size(new);
    structural := leaf IS NOT NULL AND (new IS NULL OR bytes > store.leaf_size + store.leaf_size / 2
      OR way IS NOT NULL AND (adds <> 0 OR bytes < store.leaf_size / 4));
    moves := leaf IS NULL AND bytes > greatest(room, pg_catalog.pg_column_size(document)) AND room IS NOT NULL;
    IF op = 'append' AND expected IS NOT NULL AND way IS NOT NULL AND pg_catalog.cardinality(here) = 1 THEN
      SELECT m.starts[pg_catalog.cardinality(m.starts)] + adds - CAST(expected AS integer),
             -- The first child may be an inner node, which has no value.
             CASE WHEN pg_catalog.cardinality(way) = 3 AND f.value IS NOT NULL THEN f.id END, f.version,
             f.value #> CAST('{}' AS pg_catalog.text[]),
             f.kids, m.starts
        INTO removes, first, first_version, first_value, kids, starts
      FROM store.node m JOIN store.node f ON store.lead(f) AND f.doc = doc AND f.id = m.kids[1]
      WHERE store.lead(m) AND m.doc = doc AND m.id = way[1] AND m.version = way[2];
      CONTINUE attempts WHEN NOT FOUND;
      IF removes <= 0 THEN
        first := NULL;
      ELSE
        -- Usually elements of the first leaf are removed, and the last leaf has room.
        IF removes >= starts[2] OR first = leaf OR new IS NULL
           OR bytes NOT BETWEEN store.leaf_size / 4 AND store.leaf_size + store.leaf_size / 2 THEN
          first := NULL;
        ELSIF first IS NOT NULL THEN
          IF kids IS NOT NULL THEN
            old := pg_catalog.jsonb_path_query_array(first_value, 'lax $[0 to $b]', pg_catalog.jsonb_build_object('b', removes - 1));
            IF pg_catalog.strpos(CAST(old AS pg_catalog.text), 'pgtoaster": ') > 0 THEN
              first := NULL;
            END IF;
          END IF;
        END IF;
        IF first IS NULL THEN
          -- Remove the elements first: that may lock the head exclusively, and no lock may be followed by a stronger one.
          later := value;
          value := pg_catalog.to_jsonb(CAST(expected AS integer) - adds);
          op := 'keep_last';
          path[pg_catalog.cardinality(path)] := pg_catalog.concat('-', greatest(CAST(expected AS integer) - adds, 1));
          CONTINUE attempts;
        END IF;
        first_value := pg_catalog.jsonb_path_query_array(first_value, 'lax $[$a to last]', pg_catalog.jsonb_build_object('a', removes));
      END IF;
    END IF;
    IF split AND held < (CASE WHEN old_kids IS NOT NULL THEN 2 WHEN leaf IS NOT NULL OR moves THEN 1 ELSE 0 END) THEN
      IF old_kids IS NULL THEN
        PERFORM store.lock_shared();
        held := 1;
      ELSE
        PERFORM store.lock_alone();
        held := 2;
      END IF;
    END IF;
    IF leaf IS NULL THEN
      IF split AND held = 0 THEN
        -- The stub must belong to this row. If it did when the row was read, another writer has replaced the document
        -- since then.
        IF NOT EXISTS (SELECT FROM store.head h WHERE h.id = doc AND store.owned) THEN
          IF generation IS NOT NULL THEN
            outcome := 'lock';
            RETURN;
          END IF;
          PERFORM store.refuse();
        END IF;
      END IF;
      IF moves OR special AND NOT split THEN
        IF NOT split AND (CASE WHEN special THEN CAST(new AS pg_catalog.text) ~ '"[$]+pgtoaster": ' ELSE false END
                          OR moves AND bytes > greatest(room, 128) / 2 * 3 AND CAST(store.kept AS pg_catalog.text) = '{}'
                          OR moves
                             AND pgtoaster.size_beside_pinned(new, CAST(store.kept AS pg_catalog.text[])) - 48
                               > greatest(room - 24, 128)) THEN
          INSERT INTO store.head AS h (owner_names) VALUES (key_names) RETURNING h.id INTO doc;
          new := pgtoaster.stored_keys(new);
          new := CASE pg_catalog.jsonb_typeof(new)
                   WHEN 'object'
                   THEN pg_catalog.jsonb_set(new, CAST('{$pgtoaster}' AS pg_catalog.text[]), pg_catalog.jsonb_build_array(doc))
                   ELSE pg_catalog.jsonb_build_object('$pgtoaster', pg_catalog.jsonb_build_array(
                          doc, store.move(lead_value, doc, new) #> CAST('{$pgtoaster}' AS pg_catalog.text[]))) END;
        END IF;
        IF doc IS NOT NULL THEN
          new := store.fit(lead_value, new, greatest(room - 24, 128), true);
        END IF;
      END IF;
      result := new;
      grows := CASE WHEN room IS NULL THEN bytes - pg_catalog.pg_column_size(document) ELSE 0 END;
    ELSIF NOT structural THEN
      IF old_kids IS NOT NULL THEN
        leaf_kids := (SELECT pg_catalog.array_agg(k.k ORDER BY k.o)
                      FROM pg_catalog.unnest(leaf_kids) WITH ORDINALITY k(k, o) WHERE k.k <> ALL (old_kids));
      END IF;
      UPDATE store.node AS m SET value = new, version = (m.version & 4611686018427387903) + 1, bytes = bytes, kids = leaf_kids
      WHERE store.lead(m) AND m.doc = doc AND m.id = leaf AND m.version = version;
      IF NOT FOUND THEN
        -- Another writer was faster. Lock the leaf, so that it cannot change before the next attempt.
        PERFORM FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = leaf FOR NO KEY UPDATE;
        CONTINUE;
      END IF;
    ELSIF first IS NOT NULL THEN
      -- Lock the root first, like all writers that change the structure.
      ids := ARRAY[way[1], first, leaf];
      SELECT pg_catalog.count(*) INTO c
      FROM (SELECT FROM store.node m
            WHERE store.lead(m) AND m.doc = doc AND m.id = ANY (ids)
              AND m.version = CASE m.id WHEN way[1] THEN way[2] WHEN leaf THEN version ELSE first_version END
            ORDER BY pg_catalog.array_position(ids, m.id) FOR NO KEY UPDATE) m;
      CONTINUE WHEN c < 3;
      UPDATE store.node AS m SET version = (m.version & 4611686018427387903) + 1,
             value = CASE m.id WHEN leaf THEN new WHEN first THEN first_value END,
             bytes = CASE m.id WHEN leaf THEN bytes WHEN first THEN pg_catalog.pg_column_size(first_value) ELSE m.bytes END,
             starts = CASE m.id WHEN way[1] THEN
               ARRAY(SELECT CASE s.o WHEN 1 THEN 0 WHEN pg_catalog.cardinality(starts) THEN s.s - removes + adds ELSE s.s - removes END
                     FROM pg_catalog.unnest(starts) WITH ORDINALITY s(s, o) ORDER BY s.o) END
      WHERE store.lead(m) AND m.doc = doc AND m.id = ANY (ids);
    ELSE
      CONTINUE WHEN NOT store.reshape(lead_value, doc, leaf, version, way, at, here, op, value, flag, number, new, leaf_kids, old_kids,
                                       adds);
    END IF;
    IF old_kids IS NOT NULL THEN
      -- The condition that is always true keeps the planner's estimates low, so that JIT does not compile the
      -- statement.
      ids := ARRAY(
        WITH RECURSIVE below AS (
          SELECT k.id FROM pg_catalog.unnest(old_kids) k(id) WHERE k.id BETWEEN -9223372036854775807 AND 9223372036854775807
          UNION
          SELECT k.id FROM below b
          CROSS JOIN LATERAL (SELECT m.kids FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = b.id LIMIT 1) n
          CROSS JOIN LATERAL pg_catalog.unnest(n.kids) k(id) WHERE k.id BETWEEN -9223372036854775807 AND 9223372036854775807)
        SELECT b.id FROM below b);
      DELETE FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = ANY (ids);
      UPDATE store.head AS h SET generation = (h.generation & 4611686018427387903) + 1 WHERE store.lead(h) AND h.id = doc;
    END IF;
    outcome := 'applied';
    PERFORM store.append_later();
    RETURN;
  END;
  END LOOP;
  outcome := 'again';
END $$;
