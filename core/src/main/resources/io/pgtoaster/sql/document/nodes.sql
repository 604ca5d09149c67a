-- How edits change the nodes of a document: values that move out of a leaf, and the structure of a tree.

-- Returns the entry of a leaf for a value, however large: the value itself, or the number of a branch that was written
-- for it. Parts larger than half a leaf are moved out of line, and a value larger than a leaf becomes a tree. Parts are
-- listed from the outside and written from the inside: recursive calls ran out of stack at 200 levels.
CREATE OR REPLACE FUNCTION pgtoaster.template_pack(lead_value text, doc bigint, value jsonb) RETURNS jsonb
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  -- Decompress it once.
  whole pg_catalog.jsonb := value #> CAST('{}' AS pg_catalog.text[]);
  -- For each part: its path, as text; the position in this list of the first part within it; and its replacement.
  places pg_catalog.text[] := ARRAY[CAST('{}' AS pg_catalog.text)];
  firsts integer[];
  packed pg_catalog.jsonb[];
  at pg_catalog.text[];
  place pg_catalog.text;
  n integer := 1;
  i integer := 1;
  last integer;
  kind pg_catalog."char";
  parts pg_catalog.jsonb[];
  rest pg_catalog.text;
  piece pg_catalog.text;
  half pg_catalog.text;
  ids bigint[];
  counts bigint[];
  lows pg_catalog.bytea[];
  next bigint;
BEGIN
  IF pg_catalog.pg_column_size(value) <= store.leaf_size / 2 THEN
    RETURN value;
  END IF;
  WHILE i <= n LOOP
    at := CAST(places[i] AS pg_catalog.text[]);
    value := whole #> at;
    kind := CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' END;
    firsts[i] := n + 1;
    -- Assign the elements one by one, because appending to an array copies it.
    IF kind = 'a' THEN
      FOR place IN
        SELECT CAST(pg_catalog.array_append(at, CAST(e.o - 1 AS pg_catalog.text)) AS pg_catalog.text)
        FROM pg_catalog.jsonb_array_elements(value) WITH ORDINALITY e(e, o)
        WHERE pg_catalog.pg_column_size(e.e) > store.leaf_size / 2 ORDER BY e.o
      LOOP
        n := n + 1;
        places[n] := place;
      END LOOP;
    ELSIF kind = 'o' THEN
      FOR place IN
        SELECT CAST(pg_catalog.array_append(at, e.k) AS pg_catalog.text)
        FROM pg_catalog.jsonb_each(value) WITH ORDINALITY e(k, v, o) WHERE pg_catalog.pg_column_size(e.v) > store.leaf_size / 2 ORDER BY e.o
      LOOP
        n := n + 1;
        places[n] := place;
      END LOOP;
    END IF;
    i := i + 1;
  END LOOP;
  packed := pg_catalog.array_fill(CAST(NULL AS pg_catalog.jsonb), ARRAY[n]);
  FOR i IN REVERSE n .. 1 LOOP
    value := whole #> CAST(places[i] AS pg_catalog.text[]);
    kind := CASE pg_catalog.jsonb_typeof(value) WHEN 'object' THEN 'o' WHEN 'array' THEN 'a' WHEN 'string' THEN 's' ELSE 'v' END;
    IF firsts[i] < coalesce(firsts[i + 1], n + 1) THEN
      last := firsts[i] - 1;
      IF kind = 'a' THEN
        value := (
          SELECT pg_catalog.jsonb_agg(CASE WHEN e.n IS NULL THEN e.e ELSE packed[last + CAST(e.n AS integer)] END ORDER BY e.o)
          FROM (SELECT x.e, x.o,
                       CASE WHEN pg_catalog.pg_column_size(x.e) > store.leaf_size / 2 THEN pg_catalog.row_number() OVER (
                              PARTITION BY pg_catalog.pg_column_size(x.e) > store.leaf_size / 2 ORDER BY x.o) END AS n
                FROM pg_catalog.jsonb_array_elements(value) WITH ORDINALITY x(e, o)) e);
      ELSE
        value := (
          SELECT pg_catalog.jsonb_object_agg(e.k, CASE WHEN e.n IS NULL THEN e.v ELSE packed[last + CAST(e.n AS integer)] END)
          FROM (SELECT x.k, x.v,
                       CASE WHEN pg_catalog.pg_column_size(x.v) > store.leaf_size / 2 THEN pg_catalog.row_number() OVER (
                              PARTITION BY pg_catalog.pg_column_size(x.v) > store.leaf_size / 2 ORDER BY x.o) END AS n
                FROM pg_catalog.jsonb_each(value) WITH ORDINALITY x(k, v, o)) e);
      END IF;
    END IF;
    IF kind IN ('a', 'o') AND pg_catalog.pg_column_size(value) <= store.leaf_size / 2 THEN
      packed[i] := value;
      CONTINUE;
    END IF;
    next := store.next_id;
    lows := NULL;
    IF kind IN ('a', 'o') AND pg_catalog.pg_column_size(value) > store.leaf_size THEN
      PERFORM store.cut();
    -- A jsonb has 12 bytes more than its string.
    ELSIF kind = 's' AND pg_catalog.pg_column_size(value) > store.string_size + 12 THEN
      -- SplitPolicy.pieceEnd cuts at the same places.
      parts := CAST('{}' AS pg_catalog.jsonb[]);
      rest := value #>> CAST('{}' AS pg_catalog.text[]);
      WHILE rest <> '' LOOP
        piece := pg_catalog."left"(rest, store.string_size / 4);
        IF pg_catalog.octet_length(piece) < pg_catalog.octet_length(rest) THEN
          half := pg_catalog.substr(piece, store.string_size / 8 + 1);
          piece := pg_catalog.concat(pg_catalog."left"(piece, store.string_size / 8), coalesce(
            pg_catalog."substring"(half, E'^.*[ \t\n\x0B\f\r]'),
            pg_catalog."substring"(half, E'^.*[,;\\u3000\\u3001\\u3002\\uFF0C\\uFF1B]'), half));
        END IF;
        parts := pg_catalog.array_append(parts, pg_catalog.to_jsonb(piece));
        rest := pg_catalog."right"(rest, -pg_catalog.length(piece));
      END LOOP;
      counts := pg_catalog.array_fill(CAST(0 AS bigint), ARRAY[pg_catalog.cardinality(parts)]);
    ELSE
      parts := ARRAY[value];
      counts := ARRAY[CAST(1 AS bigint)];
    END IF;
    ids := ARRAY(SELECT next + g.g FROM pg_catalog.generate_series(1, pg_catalog.cardinality(parts)) g(g));
    next := next + pg_catalog.cardinality(parts);
    INSERT INTO store.node AS n (lead_column, doc, id, kind, bytes, value, kids)
    SELECT lead_value, doc, ids[p.o], kind, pg_catalog.pg_column_size(p.p), p.p, store.kids_of_part
    FROM pg_catalog.unnest(parts) WITH ORDINALITY p(p, o);
    WHILE pg_catalog.cardinality(ids) > 1 LOOP
      PERFORM store.level();
    END LOOP;
    packed[i] := pg_catalog.jsonb_build_object('$pgtoaster', ids[1]);
  END LOOP;
  RETURN packed[1];
END $$;

-- Writes the new content of a leaf if more than the leaf itself changes: values that are moved out of line, a counted
-- array with more or fewer elements, leaves that are cut, merged or deleted, and the inner nodes above, as found by
-- template_edit. at: the content of the leaf at that version. becomes: NULL if value is to be moved out of line first.
-- Returns false, without changing anything, if another writer was faster. Locks the root of the branch, then the leaf.
CREATE OR REPLACE FUNCTION pgtoaster.template_reshape(
  lead_value text, doc bigint, leaf bigint, version bigint, way bigint[], at jsonb, here text[], op text,
  value jsonb, flag boolean, number text, becomes jsonb, leaf_kids bigint[], old_kids bigint[], adds integer) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
  depth integer := coalesce(pg_catalog.cardinality(way), 0) / 3;
  new pg_catalog.jsonb := becomes;
  bytes integer := pg_catalog.pg_column_size(becomes);
  packed boolean := becomes IS NULL;
  span integer := 1;
  c integer;
  next bigint;
  found_version bigint;
  kind pg_catalog."char";
  ids bigint[];
  counts bigint[];
  parts pg_catalog.jsonb[];
  kids bigint[];
  starts bigint[];
  lows pg_catalog.bytea[];
  row_lows pg_catalog.bytea[];
  other record;
BEGIN
  -- A change of the structure locks the root, then the leaf. The nodes on the path must still be the same.
  IF depth > 0 THEN
    SELECT m.version INTO found_version FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = way[1] FOR NO KEY UPDATE;
    IF found_version IS DISTINCT FROM way[2] THEN
      RETURN false;
    END IF;
    FOR level IN 2 .. depth LOOP
      SELECT m.version INTO found_version FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = way[3 * level - 2];
      IF found_version IS DISTINCT FROM way[3 * level - 1] THEN
        RETURN false;
      END IF;
    END LOOP;
  END IF;
  SELECT m.version INTO found_version FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = leaf FOR NO KEY UPDATE;
  IF found_version IS DISTINCT FROM version THEN
    RETURN false;
  END IF;
  IF packed THEN
    IF op = 'append' THEN
      PERFORM store.pack_entries(value);
    ELSE
      value := store.pack(lead_value, doc, value);
    END IF;
    new := store.new;
    bytes := pg_catalog.pg_column_size(new);
  END IF;
  IF bytes > store.leaf_size + store.leaf_size / 2 THEN
    -- A leaf of a document that was written as a whole may also have larger entries.
    PERFORM store.pack_entries(new);
    packed := true;
    bytes := pg_catalog.pg_column_size(new);
  END IF;
  IF bytes BETWEEN (CASE WHEN depth = 0 THEN 0 ELSE store.leaf_size / 4 END) AND store.leaf_size + store.leaf_size / 2
     AND (depth = 0 OR pg_catalog.jsonb_typeof(new) = 'array') THEN
    -- Usually one element is added or removed: update the leaf, and the counts above it.
    IF old_kids IS NOT NULL OR packed THEN
      leaf_kids := (SELECT store.kids_of_part FROM (SELECT new AS p) p);
    END IF;
    UPDATE store.node AS m SET value = new, version = (m.version & 4611686018427387903) + 1, bytes = bytes, kids = leaf_kids
    WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
    FOR level IN 1 .. CASE adds WHEN 0 THEN 0 ELSE depth END LOOP
      UPDATE store.node AS m SET version = (m.version & 4611686018427387903) + 1,
             starts = m.starts[:way[3 * level]] OPERATOR(pg_catalog.||) ARRAY(
               SELECT s.s + adds FROM pg_catalog.unnest(m.starts[way[3 * level] + 1:]) WITH ORDINALITY s(s, o) ORDER BY s.o)
      WHERE store.lead(m) AND m.doc = doc AND m.id = way[3 * level - 2];
    END LOOP;
    RETURN true;
  END IF;
  kind := CASE pg_catalog.jsonb_typeof(new) WHEN 'array' THEN 'a' ELSE 'o' END;
  c := way[3 * depth];
  IF depth > 0 AND new IN (CAST('[]' AS pg_catalog.jsonb), CAST('{}' AS pg_catalog.jsonb)) THEN
    parts := '{}';
    counts := '{}';
  ELSIF bytes > store.leaf_size + store.leaf_size / 2 THEN
    value := new;
    PERFORM store.cut();
  ELSE
    parts := ARRAY[new];
    counts := ARRAY[CASE WHEN kind = 'a' THEN CAST(pg_catalog.jsonb_array_length(new) AS bigint) ELSE 0 END];
    lows := ARRAY[CAST('' AS pg_catalog.bytea)];
    IF bytes < store.leaf_size / 4 AND depth > 0 THEN
      -- Merge it with the next leaf, or the one before, if both fit into one.
      SELECT m.kids INTO kids FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = way[3 * depth - 2];
      SELECT m.id, m.value, m.bytes INTO other FROM store.node m
      WHERE store.lead(m) AND m.doc = doc AND m.id = kids[CASE WHEN c < pg_catalog.cardinality(kids) THEN c + 1 ELSE c - 1 END]
      FOR NO KEY UPDATE;
      IF other.value IS NOT NULL AND other.bytes + bytes <= store.leaf_size * 3 / 4 THEN
        span := 2;
        IF c < pg_catalog.cardinality(kids) THEN
          parts := ARRAY[new || other.value];
        ELSE
          parts := ARRAY[other.value || new];
          c := c - 1;
        END IF;
        IF kind = 'a' THEN
          counts := ARRAY[CAST(pg_catalog.jsonb_array_length(parts[1]) AS bigint)];
        END IF;
        DELETE FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = other.id;
      END IF;
    END IF;
  END IF;
  -- The leaf keeps its number, unless it is a root that becomes a parent node.
  next := store.next_id;
  ids := ARRAY(SELECT CASE WHEN i.i = 1 AND (depth > 0 OR pg_catalog.cardinality(parts) = 1) THEN leaf ELSE next + i.i END
               FROM pg_catalog.generate_series(1, pg_catalog.cardinality(parts)) i(i));
  next := next + pg_catalog.cardinality(parts);
  IF pg_catalog.cardinality(ids) = 0 THEN
    DELETE FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
  END IF;
  INSERT INTO store.node AS n (lead_column, doc, id, kind, bytes, value, kids)
  SELECT lead_value, doc, ids[p.o], kind, pg_catalog.pg_column_size(p.p), p.p, store.kids_of_part
  FROM pg_catalog.unnest(parts) WITH ORDINALITY p(p, o) WHERE ids[p.o] <> leaf;
  IF ids[1] = leaf THEN
    UPDATE store.node AS m SET value = p.p, version = (m.version & 4611686018427387903) + 1,
           bytes = pg_catalog.pg_column_size(p.p), kids = store.kids_of_part
    FROM (SELECT parts[1] AS p) p WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
  END IF;
  IF depth = 0 AND pg_catalog.cardinality(ids) > 1 THEN
    WHILE pg_catalog.cardinality(ids) > store.fan_out LOOP
      PERFORM store.level();
    END LOOP;
    PERFORM store.write_inner();
  END IF;
  -- Update the nodes that lead to the leaf.
  FOR level IN REVERSE depth .. 1 LOOP
    leaf := way[3 * level - 2];
    IF level < depth THEN
      c := way[3 * level];
      span := 1;
    END IF;
    SELECT m.kids, CASE WHEN kind = 'a' THEN m.starts END, m.lows INTO kids, starts, row_lows
    FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
    EXIT WHEN span = 1 AND pg_catalog.cardinality(ids) = 1 AND ids[1] = kids[c] AND (kind = 'o' OR counts[1] = starts[c + 1] - starts[c]);
    IF kind = 'a' THEN
      counts := ARRAY(SELECT starts[i.i + 1] - starts[i.i] FROM pg_catalog.generate_series(1, c - 1) i(i)) OPERATOR(pg_catalog.||) counts
        OPERATOR(pg_catalog.||) ARRAY(SELECT starts[i.i + 1] - starts[i.i]
                                      FROM pg_catalog.generate_series(c + span, pg_catalog.cardinality(kids)) i(i));
    ELSE
      IF pg_catalog.cardinality(ids) > 0 THEN
        lows[1] := row_lows[c];
      END IF;
      lows := row_lows[:c - 1] OPERATOR(pg_catalog.||) lows[:pg_catalog.cardinality(ids)] OPERATOR(pg_catalog.||) row_lows[c + span:];
      counts := pg_catalog.array_fill(CAST(0 AS bigint), ARRAY[pg_catalog.cardinality(lows)]);
    END IF;
    ids := kids[:c - 1] OPERATOR(pg_catalog.||) ids OPERATOR(pg_catalog.||) kids[c + span:];
    IF pg_catalog.cardinality(ids) = 0 THEN
      IF level > 1 THEN
        DELETE FROM store.node m WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
      ELSE
        UPDATE store.node AS m SET value = CASE WHEN kind = 'a' THEN CAST('[]' AS pg_catalog.jsonb) ELSE CAST('{}' AS pg_catalog.jsonb) END,
               kids = NULL, starts = NULL, lows = NULL, version = (m.version & 4611686018427387903) + 1, bytes = 4
        WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
      END IF;
      CONTINUE;
    END IF;
    IF pg_catalog.cardinality(ids) > store.fan_out THEN
      IF level = 1 THEN
        PERFORM store.level();
      ELSE
        -- The second half becomes a new node next to this one.
        next := next + 1;
        c := pg_catalog.cardinality(ids) / 2;
        INSERT INTO store.node AS n (lead_column, doc, id, kind, bytes, kids, starts, lows)
        VALUES (lead_value, doc, next, kind, 0, ids[c + 1:], CASE WHEN kind = 'a' THEN store.starts(counts[c + 1:]) END,
                CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[c + 2:]) END);
        UPDATE store.node AS m SET kids = ids[:c], starts = CASE WHEN kind = 'a' THEN store.starts(counts[:c]) END,
               lows = CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[2:c]) END,
               version = (m.version & 4611686018427387903) + 1
        WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;
        ids := ARRAY[leaf, next];
        counts := ARRAY[store.sum(counts[:c]), store.sum(counts[c + 1:])];
        lows := ARRAY[lows[1], lows[c + 1]];
        CONTINUE;
      END IF;
    END IF;
    PERFORM store.write_inner();
    ids := ARRAY[leaf];
    counts := ARRAY[store.sum(counts)];
    lows := lows[:1];
  END LOOP;
  RETURN true;
END $$;
