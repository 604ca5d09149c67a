-- The source of the routine that edits a split document, or the stub or plain document in the row.

-- The routine for one edit of the value at path. op is
--   set: value; a missing last step is added if flag
--   insert: value before an element or, if flag, after it; or as a new member
--   remove: deletes the value
--   increment: adds value to the number
--   append: appends the elements of value to the array
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
-- Only applied changes anything. If the document grows beyond room, members move out of line. Locks the head, shared, or
-- exclusively if branches are dropped; the root of the branch, if its structure changes; then the leaf.
CREATE OR REPLACE FUNCTION pgtoaster.edit_template() RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT $edit$
#variable_conflict use_variable
DECLARE
  split boolean := document #> CAST('{$pgtoaster}' AS pg_catalog.text[]) IS NOT NULL;
  doc bigint := {number:document #>> CAST('{$pgtoaster,0}' AS pg_catalog.text[])};
  held integer := 0;
  found_generation bigint;
BEGIN
  outcome := 'missed';
  IF document IS NULL THEN
    IF conditional AND expected IS NOT NULL THEN
      outcome := 'conflict';
    END IF;
    RETURN;
  END IF;
  IF op = 'append' THEN
    path := pg_catalog.array_append(path, CAST('-1' AS pg_catalog.text));
  END IF;
  <<attempts>>
  FOR attempt IN 1 .. 20 LOOP
  outcome := 'missed';
  -- Each transaction prepares each expression again. The expressions are therefore few and large, and variables start as
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
    bytes integer;
    structural boolean;
    moves boolean;
    ids bigint[];
  BEGIN
    {walk}
    IF seen IS NOT NULL THEN
      -- Each query sees what was committed before it began. A leaf may be newer than the node that referred to it, and
      -- the value may have moved to another leaf. If the inner nodes are unchanged, they lead to the leaf as it was read.
      FOR i IN 1 .. pg_catalog.cardinality(seen) BY 2 LOOP
        SELECT m.version INTO found_version FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = seen[i];
        CONTINUE attempts WHEN found_version IS DISTINCT FROM seen[i + 1];
      END LOOP;
    END IF;
    IF at IS NULL THEN
      IF ended THEN
        -- The path ends in an inner node.
        IF conditional AND expected IS NOT NULL THEN
          outcome := 'conflict';
        END IF;
        RETURN;
      END IF;
      -- A node is missing because it was deleted since the row was read, or because of damage; or nodes form a cycle.
      IF held = 0 AND doc IS NOT NULL THEN
        {lock_shared}
        held := 1;
        CONTINUE;
      END IF;
      {refuse};
    END IF;
    type := pg_catalog.jsonb_typeof(at #> here[:pg_catalog.cardinality(here) - 1]);
    old := CASE WHEN op <> 'append' THEN at #> here END;
    IF split AND op IN ('set', 'remove', 'increment') AND pg_catalog.jsonb_typeof(old) IN ('object', 'array')
       AND pg_catalog.strpos(CAST(old AS pg_catalog.text), 'pgtoaster": ') > 0 THEN
      old_kids := {kids:old};
    END IF;
    {checks}
    -- Two nested conditions: a condition that contains a query is planned in each call.
    IF op = 'set' AND old_kids IS NOT NULL THEN
      IF {stays} THEN
        -- The value stays out of line: overwrite the old one in place and keep the marker.
        IF held = 0 THEN
          {lock_shared}
          held := 1;
        END IF;
        UPDATE {node} AS m SET value = value,
               kind = CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END,
               bytes = pg_catalog.pg_column_size(value), kids = NULL, version = (m.version & 4611686018427387903) + 1
        WHERE {lead:m}m.doc = doc AND m.id = old_kids[1] AND m.value IS NOT NULL AND coalesce(pg_catalog.cardinality(m.kids), 0) = 0;
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
                 WHEN op = 'insert' OR old IS NULL THEN 1
                 WHEN op = 'remove' THEN -1
                 ELSE 0 END;
    -- A value of more than half a leaf is moved out of line once the leaf is locked; until then its bytes are not
    -- counted.
    new := CASE WHEN leaf IS NOT NULL AND pg_catalog.pg_column_size(value) > {leaf_size} / 2 THEN NULL ELSE {new} END;
    bytes := pg_catalog.pg_column_size(new);
    structural := leaf IS NOT NULL AND (new IS NULL OR bytes > {leaf_size} + {leaf_size} / 2
      OR way IS NOT NULL AND (adds <> 0 OR bytes < {leaf_size} / 4));
    moves := leaf IS NULL AND bytes > greatest(room, pg_catalog.pg_column_size(document)) AND room IS NOT NULL;
    IF split AND held < (CASE WHEN old_kids IS NOT NULL THEN 2 WHEN leaf IS NOT NULL OR moves THEN 1 ELSE 0 END) THEN
      IF old_kids IS NULL THEN
        {lock_shared}
        held := 1;
      ELSE
        {lock_alone}
        held := 2;
      END IF;
    END IF;
    IF leaf IS NULL THEN
      IF split AND held = 0 THEN
        -- The stub must belong to this row. If it did when the row was read, another writer has replaced the document
        -- since.
        IF NOT EXISTS (SELECT FROM {head} h WHERE h.id = doc AND {owned}) THEN
          IF generation IS NOT NULL THEN
            outcome := 'lock';
            RETURN;
          END IF;
          {refuse};
        END IF;
      END IF;
      IF moves OR special AND NOT split THEN
        {fit_row}
      END IF;
      result := new;
      grows := CASE WHEN room IS NULL THEN bytes - pg_catalog.pg_column_size(document) ELSE 0 END;
    ELSIF NOT structural THEN
      IF old_kids IS NOT NULL THEN
        leaf_kids := (SELECT pg_catalog.array_agg(k.k ORDER BY k.o)
                      FROM pg_catalog.unnest(leaf_kids) WITH ORDINALITY k(k, o) WHERE k.k <> ALL (old_kids));
      END IF;
      UPDATE {node} AS m SET value = new, version = (m.version & 4611686018427387903) + 1, bytes = bytes, kids = leaf_kids
      WHERE {lead:m}m.doc = doc AND m.id = leaf AND m.version = version;
      IF NOT FOUND THEN
        -- Another writer was faster. Lock the leaf, so that it stays the same for the next attempt.
        PERFORM FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = leaf FOR NO KEY UPDATE;
        CONTINUE;
      END IF;
    ELSE
      CONTINUE WHEN NOT {reshape}({lead_value}doc, leaf, version, way, at, here, op, value, flag, number, new, leaf_kids, old_kids, adds);
    END IF;
    IF old_kids IS NOT NULL THEN
      -- The condition that is true for all numbers keeps the planner estimates low, so that JIT does not compile the
      -- statement.
      ids := ARRAY(
        WITH RECURSIVE below AS (
          SELECT k.id FROM pg_catalog.unnest(old_kids) k(id) WHERE k.id BETWEEN -9223372036854775807 AND 9223372036854775807
          UNION
          SELECT k.id FROM below b
          CROSS JOIN LATERAL (SELECT m.kids FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = b.id LIMIT 1) n
          CROSS JOIN LATERAL pg_catalog.unnest(n.kids) k(id) WHERE k.id BETWEEN -9223372036854775807 AND 9223372036854775807)
        SELECT b.id FROM below b);
      DELETE FROM {node} m WHERE {lead:m}m.doc = doc AND m.id = ANY (ids);
      UPDATE {head} AS h SET generation = (h.generation & 4611686018427387903) + 1 WHERE {lead:h}h.id = doc;
    END IF;
    outcome := 'applied';
    RETURN;
  END;
  END LOOP;
  outcome := 'again';
END $edit$
$$;
