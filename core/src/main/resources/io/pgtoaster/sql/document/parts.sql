-- Texts that the routines of a store of documents share.

-- Returns the texts that the templates of documents share, each preceded by its name. New numbers increase with time
-- and contain 20 random bits (Ids.java).
CREATE OR REPLACE FUNCTION pgtoaster.document_parts() RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT ARRAY[
    'next_id', $p$((CAST(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) CAST(1000 AS double precision)
            AS bigint) - 1767225600000) << 20)
          + CAST(pg_catalog.floor(pg_catalog.random() OPERATOR(pg_catalog.*) CAST(1048576 AS double precision)) AS bigint)$p$,
    -- The branches that a value refers to, in the order of the document, or NULL.
    'kids_of_part', $p$CASE WHEN pg_catalog.strpos(CAST(p.p AS pg_catalog.text), 'pgtoaster": ') > 0 THEN store.kids(p.p) END$p$,
    -- Whether a value is larger than half a leaf, by the leaf size for whole documents. Its exact bytes are counted
    -- only if necessary.
    'large', $p$(pg_catalog.pg_column_size(\1) > store.whole_leaf
          OR pg_catalog.pg_column_size(\1) > store.whole_leaf / 2 AND pgtoaster.json_bytes(\1) > store.whole_leaf / 2)$p$,
    -- Moves the entries larger than half a leaf out of line.
    'pack_entries', $p$IF pg_catalog.jsonb_typeof(\1) = 'array' THEN
      \1 := (SELECT pg_catalog.jsonb_agg(
                      CASE WHEN pg_catalog.pg_column_size(e.e) > store.leaf_size / 2 THEN store.pack(lead_value, doc, e.e) ELSE e.e END
                     ORDER BY e.o)
             FROM pg_catalog.jsonb_array_elements(\1) WITH ORDINALITY e(e, o));
    ELSE
      \1 := (SELECT pg_catalog.jsonb_object_agg(
                      m.k,
                      CASE WHEN pg_catalog.pg_column_size(m.v) > store.leaf_size / 2 THEN store.pack(lead_value, doc, m.v) ELSE m.v END)
             FROM pg_catalog.jsonb_each(\1) m(k, v));
    END IF;$p$,
    -- Cuts the object or array value into parts of about a leaf each; returns the parts, their numbers of elements, and
    -- the codes of their first keys. Keys with the same code stay together.
    'cut', $p$IF kind = 'a' THEN
      SELECT pg_catalog.array_agg(g.part ORDER BY g.place), pg_catalog.array_agg(g.number ORDER BY g.place)
        INTO parts, counts
      FROM (SELECT pg_catalog.jsonb_agg(e.e ORDER BY e.o) AS part, pg_catalog.count(*) AS number, e.place
            FROM (SELECT x.e, x.o,
                         (pg_catalog.sum(pg_catalog.pg_column_size(x.e)) OVER (ORDER BY x.o) - pg_catalog.pg_column_size(x.e))
                           / store.leaf_size AS place
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
                                 / store.leaf_size AS place,
                               pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(x.k, 'UTF8')))
                               || pg_catalog.substr(pg_catalog.convert_to(x.k, 'UTF8'), 1, 512) AS code
                        FROM pg_catalog.jsonb_each(value) WITH ORDINALITY x(k, v, o)) c) m
            GROUP BY m.place) g;
    END IF;$p$,
    -- Adds one level of inner nodes above ids.
    'level', $p$INSERT INTO store.node AS n (lead_column, doc, id, kind, bytes, kids, starts, lows)
    SELECT lead_value, doc, next + 1 + g.g / store.fan_out, kind, 0, ids[g.g + 1:g.g + store.fan_out],
           CASE WHEN kind = 'a' THEN store.starts(counts[g.g + 1:g.g + store.fan_out]) END,
           CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[g.g + 2:g.g + store.fan_out]) END
    FROM pg_catalog.generate_series(0, pg_catalog.cardinality(ids) - 1, store.fan_out) g(g);
    SELECT pg_catalog.array_agg(next + 1 + g.g / store.fan_out ORDER BY g.g),
           pg_catalog.array_agg(store.sum(counts[g.g + 1:g.g + store.fan_out]) ORDER BY g.g),
           pg_catalog.array_agg(lows[g.g + 1] ORDER BY g.g)
      INTO ids, counts, lows
    FROM pg_catalog.generate_series(0, pg_catalog.cardinality(ids) - 1, store.fan_out) g(g);
    next := next + pg_catalog.cardinality(ids);$p$,
    'write_inner', $p$UPDATE store.node AS m SET value = NULL, bytes = 0, kids = ids,
               starts = CASE WHEN kind = 'a' THEN store.starts(counts) END,
               lows = CASE WHEN kind = 'o' THEN pg_catalog.array_prepend(CAST('' AS pg_catalog.bytea), lows[2:]) END,
               version = (m.version & 4611686018427387903) + 1
        WHERE store.lead(m) AND m.doc = doc AND m.id = leaf;$p$,
    -- The new value of at, which is the document or a leaf.
    'new', $p$CASE op WHEN 'remove' THEN at #- here
                    WHEN 'insert' THEN pg_catalog.jsonb_insert(at, here, value, flag)
                    WHEN 'append' THEN
                      CASE WHEN pg_catalog.cardinality(here) = 1 THEN at || value
                           ELSE pg_catalog.jsonb_set(at, here[:pg_catalog.cardinality(here) - 1],
                                                     (at #> here[:pg_catalog.cardinality(here) - 1]) || value) END
                    WHEN 'increment' THEN pg_catalog.jsonb_set(at, here, CAST(number AS pg_catalog.jsonb), true)
                    ELSE pg_catalog.jsonb_set(at, here, value, true) END$p$,
    -- Blocks all other writers of the document, and then repeats the walk.
    'lock_document', $p$IF leaf IS NULL AND room IS NULL THEN
            outcome := 'lock';
            RETURN;
          ELSIF held < 2 THEN
            PERFORM store.lock_alone();
            held := 2;
            CONTINUE attempts;
          END IF;$p$,
    'append_later', $p$IF later IS NOT NULL AND outcome = 'applied' THEN
          op := 'append';
          value := later;
          later := NULL;
          dropped := NULL;
          path[pg_catalog.cardinality(path)] := '-1';
          CONTINUE attempts;
        END IF;$p$,
    'lock_shared', $p$SELECT h.generation INTO found_generation FROM store.head h WHERE h.id = doc AND store.owned FOR KEY SHARE;
        PERFORM store.check_generation();$p$,
    'lock_alone', $p$SELECT h.generation INTO found_generation FROM store.head h WHERE h.id = doc AND store.owned FOR UPDATE;
        PERFORM store.check_generation();$p$,
    'check_generation', $p$IF found_generation IS NULL OR found_generation <> generation THEN
          outcome := CASE WHEN found_generation IS NULL THEN 'head' ELSE 'again' END;
          RETURN;
        END IF;$p$,
    'starts', $p$(SELECT pg_catalog.array_agg(q.s ORDER BY q.o)
            FROM (SELECT CAST(0 AS bigint) AS s, CAST(0 AS bigint) AS o UNION ALL
                  SELECT CAST(pg_catalog.sum(x.x) OVER (ORDER BY x.o) AS bigint), x.o
                  FROM pg_catalog.unnest(\1) WITH ORDINALITY x(x, o)) q)$p$,
    'sum', $p$CAST((SELECT pg_catalog.sum(x.x) FROM pg_catalog.unnest(\1) x(x)) AS bigint)$p$,
    -- The number in the text of a marker or header; NULL if it is not a number.
    'number', $p$CASE WHEN pg_catalog.octet_length(\1) BETWEEN 1 AND 18 AND pg_catalog.ltrim(\1, '0123456789') = ''
            THEN CAST(\1 AS bigint) END$p$,
    'kids', $p$(SELECT pg_catalog.array_agg(CAST(k.k ->> CAST('$pgtoaster' AS pg_catalog.text) AS bigint) ORDER BY k.o)
       FROM pg_catalog.jsonb_path_query(\1, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY k(k, o))$p$,
    -- The sort key of object keys.
    'code', $p$pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(\1, 'UTF8')))
          || pg_catalog.substr(pg_catalog.convert_to(\1, 'UTF8'), 1, 512)$p$,
    -- The text form of a position in PostgreSQL, without its range.
    'position', $p$'^[ \t-\r]*[-+]?0*[0-9]{1,10}$'$p$,
    'lock_own', $p$SELECT h.generation INTO found_generation FROM store.head h WHERE h.id = doc AND store.owned FOR \1;
        IF found_generation IS NULL THEN
          PERFORM store.refuse();
        END IF;$p$
  ]
$$;
