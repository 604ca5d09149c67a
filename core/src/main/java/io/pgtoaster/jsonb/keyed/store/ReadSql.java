package io.pgtoaster.jsonb.keyed.store;

/**
 * Statements that read the value at a path, in one snapshot each. {@code LATERAL (SELECT .. LIMIT
 * 1)} looks up a node, because the planner must then use an index. The planner expects ten thousand
 * rows from a recursion. If a store has no statistics, it would scan the store to join them, and
 * compile the query (4 s of JIT).
 */
final class ReadSql {
  /**
   * Selects the branches to which the markers in a jsonb value refer, in document order. They are
   * in an array, because the planner expects a thousand rows from the function itself.
   */
  private static final String MARKERS =
      """
      SELECT k.o, k.id FROM pg_catalog.unnest(ARRAY(
        SELECT {number:m.m->>CAST('$pgtoaster' AS text)}
        FROM pg_catalog.jsonb_path_query({value}, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY m(m, o)
        ORDER BY m.o)) WITH ORDINALITY k(id, o)\
      """;

  /** The row of a key, whose document is read once, as {@code d}, and the path. */
  private static final String FROM_ROW =
      """

      FROM (SELECT CAST(? AS text[]) AS raw, CAST(? AS text[]) AS stored) p
      CROSS JOIN LATERAL (
        SELECT {keys} o.{column} #> CAST('{}' AS text[]) AS d FROM {owner} o WHERE {row} OFFSET 0) s\
      """;

  /**
   * True if a plain document has a member that looks like a marker at the path or at a prefix of
   * it: the header can be removed while triggers are off.
   */
  private static final String MARKED =
      """
      EXISTS (SELECT FROM pg_catalog.generate_series(1, pg_catalog.cardinality(p.raw)) i(i)
                    WHERE pg_catalog.jsonb_typeof(s.d #> pg_catalog.array_append(p.raw[:i.i], CAST('$pgtoaster' AS text))) = 'number')\
      """;

  /**
   * Reads plain documents like any jsonb, and values that a split document has completely in its
   * row. Calls the routine only for other values, because the call alone takes longer. The routine
   * also rejects markers of a document without a header. It must not be called for other plain
   * documents, because it would see changes that were committed after the statement began.
   */
  private static final String VALUE =
      """
      SELECT CASE WHEN s.d->CAST('$pgtoaster' AS text) IS NULL AND (s.d #> p.raw IS NOT NULL OR NOT {marked})
                       THEN CAST(s.d #> p.raw AS text)
                  WHEN s.d->CAST('$pgtoaster' AS text) IS NULL THEN {read}({row_key}, s.d, p.raw, CAST('text' AS text))
                  WHEN pg_catalog.strpos(CAST(s.d #> p.stored AS text), 'pgtoaster": ') = 0 THEN CAST(s.d #> p.stored AS text)
                  ELSE {read}({row_key}, s.d, p.stored, CAST('text' AS text)) END\
      """
          .replace("{marked}", MARKED);

  /**
   * Selects the value at a path: its text; or several rows of the store in one text (see {@code
   * PackedRows}); or empty text, if {@link #OPEN} must read it. The parameters are the path, as
   * given and as split documents store it, and the key.
   */
  static final String READ = VALUE + FROM_ROW;

  /**
   * The text of a value in the root of a member's branch, if that is a leaf, or in a leaf directly
   * below it; NULL if the routine must find the value. Calling the routine for each row takes more
   * than twice as long.
   */
  private static final String NEAR =
      """
      (SELECT CASE WHEN pg_catalog.strpos(t.t, 'pgtoaster": ') = 0 THEN t.t END
       FROM (SELECT CAST(l.value #> l.rest AS text) AS t
             FROM (SELECT h.id FROM {head} h
                   WHERE {lead:h}h.id = {number:s.d#>>CAST('{$pgtoaster,0}' AS text[])} AND {owned}
                     AND pg_catalog.cardinality(p.stored) > 1 LIMIT 1) h
             CROSS JOIN LATERAL (
               SELECT m.* FROM {node} m
               WHERE {lead:m}m.doc = h.id AND m.id = {number:s.d#>>ARRAY[p.stored[1], CAST('$pgtoaster' AS text)]} LIMIT 1) b
             CROSS JOIN LATERAL (
               SELECT CASE WHEN pg_catalog.octet_length(p.stored[2]) BETWEEN 1 AND 9 AND pg_catalog.ltrim(p.stored[2], '0123456789') = ''
                           THEN CAST(p.stored[2] AS bigint) END AS place OFFSET 0) w
             CROSS JOIN LATERAL (
               SELECT CASE WHEN b.value IS NULL AND b.kind = 'o'
                           THEN pg_catalog.width_bucket(
                             pg_catalog.int4send(pg_catalog.octet_length(pg_catalog.convert_to(p.stored[2], 'UTF8')))
                               || pg_catalog.substr(pg_catalog.convert_to(p.stored[2], 'UTF8'), 1, 512), b.lows)
                           ELSE pg_catalog.width_bucket(w.place, b.starts) END AS c OFFSET 0) x
             CROSS JOIN LATERAL (
               SELECT b.value, p.stored[2:] AS rest WHERE b.value IS NOT NULL
               UNION ALL
               (SELECT n.value, CASE WHEN b.kind = 'o' THEN p.stored[2:]
                                     ELSE pg_catalog.array_prepend(CAST(w.place - b.starts[x.c] AS text), p.stored[3:]) END
                FROM {node} n WHERE {lead:n}n.doc = h.id AND n.id = b.kids[x.c] AND b.value IS NULL LIMIT 1)) l LIMIT 1) t)\
      """;

  private static String readMany(String value) {
    return value
        + ", q.n"
        + FROM_ROW
            .replace("CROSS JOIN", "CROSS JOIN {key_list} CROSS JOIN")
            .replace("{row}", "{lead_row}{listed_row}");
  }

  private static final String BY_ROUTINE = "{read}({row_key}, s.d, p.stored, CAST('text' AS text))";

  /** Does the same for the rows of many keys, each with the number of its key. */
  static final String READ_MANY =
      readMany(VALUE.replace(BY_ROUTINE, "coalesce(" + NEAR + ", " + BY_ROUTINE + ")"));

  /** Does the same for a distributed column: Citus rejects the lookups in the store. */
  static final String READ_MANY_DISTRIBUTED = readMany(VALUE);

  /** Selects the type of a value. A value that is not an object is never a marker. */
  static final String TYPE_OF =
      """
      SELECT CASE WHEN s.d->CAST('$pgtoaster' AS text) IS NULL AND NOT {marked}
                  THEN pg_catalog.jsonb_typeof(s.d #> p.raw)
                  WHEN s.d->CAST('$pgtoaster' AS text) IS NULL THEN {read}({row_key}, s.d, p.raw, CAST('type' AS text))
                  WHEN pg_catalog.jsonb_typeof(s.d #> p.stored) <> 'object' THEN pg_catalog.jsonb_typeof(s.d #> p.stored)
                  ELSE {read}({row_key}, s.d, p.stored, CAST('type' AS text)) END\
      """
              .replace("{marked}", MARKED)
          + FROM_ROW;

  /** Selects the type and size of a value. */
  static final String SIZE_OF =
      """
      SELECT CASE WHEN s.d->CAST('$pgtoaster' AS text) IS NOT NULL THEN {read}({row_key}, s.d, p.stored, CAST('size' AS text))
                  WHEN {marked} THEN {read}({row_key}, s.d, p.raw, CAST('size' AS text))
                  ELSE CASE pg_catalog.jsonb_typeof(s.d #> p.raw)
                    WHEN 'array' THEN 'array ' || CAST(pg_catalog.jsonb_array_length(s.d #> p.raw) AS text)
                    WHEN 'object' THEN
                      'object ' || CAST((SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(s.d #> p.raw)) AS text)
                    ELSE pg_catalog.jsonb_typeof(s.d #> p.raw) END END\
      """
              .replace("{marked}", MARKED)
          + FROM_ROW;

  /**
   * Finds the value at a path in the place that the routine returns: the row, a leaf or an inner
   * node. Selects no row if the key does not exist. The parameters are the path, twice, the key,
   * and those of the statement that uses this part.
   *
   * <p>Here and elsewhere, each node is looked up by its own subquery with a LIMIT, and conditions
   * that are always true keep estimates low. Otherwise the planner would expect millions of rows
   * from a recursion that returns only a few, and would read the whole store or compile the
   * statement.
   */
  private static final String FOUND =
      """
      WITH RECURSIVE s AS MATERIALIZED (
        SELECT s.d, y.split, {size}
               CASE WHEN y.split THEN CAST({read}({row_key}, s.d, p.stored, CAST('place' AS text)) AS text[])
                    WHEN {marked} THEN CAST({read}({row_key}, s.d, p.raw, CAST('place' AS text)) AS text[])
                    ELSE CAST('{"","",""}' AS text[]) OPERATOR(pg_catalog.||) p.raw END AS at\
      """
              .replace("{marked}", MARKED)
          + FROM_ROW
          + """

            CROSS JOIN LATERAL (SELECT s.d->CAST('$pgtoaster' AS text) IS NOT NULL AS split) y),
          found AS MATERIALIZED (
            SELECT CAST(CASE WHEN s.at[1] OPERATOR(pg_catalog.<>) CAST('' AS text) THEN s.at[1] END AS bigint) AS doc, n.id AS leaf,
                   CASE WHEN s.at[3] OPERATOR(pg_catalog.<>) CAST('' AS text) THEN {number:s.at[3]} END AS rest, a.*,
                   n.kind, n.kids, n.starts, n.lows,
                   coalesce(s.at[2] OPERATOR(pg_catalog.<>) CAST('' AS text), false) AND n.value IS NULL AS inside, {shown} AS shown
            FROM s CROSS JOIN LATERAL (SELECT {arguments}) a LEFT JOIN LATERAL (
              SELECT m.* FROM {node} m
              WHERE {lead:m}m.doc = CAST(CASE WHEN s.at[1] OPERATOR(pg_catalog.<>) CAST('' AS text) THEN s.at[1] END AS bigint)
                AND m.id = CAST(CASE WHEN s.at[2] OPERATOR(pg_catalog.<>) CAST('' AS text) THEN s.at[2] END AS bigint) LIMIT 1) n ON true
            CROSS JOIN LATERAL (
              SELECT CASE WHEN s.at[2] OPERATOR(pg_catalog.<>) CAST('' AS text) THEN n.value
                          WHEN s.split THEN s.d - CAST('$pgtoaster' AS text) ELSE s.d END #> s.at[4:] AS whole OFFSET 0) v)\
          """;

  /** Selects a child, or NULL, which means a damaged document, if the child is its own ancestor. */
  private static final String ONCE = "CASE WHEN k.id = ANY (b.above) THEN NULL ELSE k.id END";

  /**
   * Limits the rows of a recursion. A tree contains each of its nodes once; in a damaged document
   * with shared nodes the number of paths is unlimited. The nodes are counted only if there are
   * many rows.
   */
  private static final String BOUNDED =
      """
      (SELECT * FROM {rows} LIMIT CASE
        WHEN (SELECT pg_catalog.count(*) FROM (SELECT FROM {rows} LIMIT 65536) few) < 65536 THEN 65536
        ELSE (SELECT pg_catalog.count(*) FROM {node} m WHERE {lead:m}m.doc = (SELECT f.doc FROM found f)) END)\
      """;

  /** The size of the array, if the first parameter, the smaller position, counts from its end. */
  private static final String SIZE =
      """
      CASE WHEN CAST(? AS bigint) < CAST(0 AS bigint) THEN
                 CASE WHEN y.split
                      THEN CAST((pg_catalog.regexp_match(
                        {read}({row_key}, s.d, p.stored, CAST('size' AS text)), CAST('^array (.*)$' AS text)))[1] AS bigint)
                      WHEN pg_catalog.jsonb_typeof(s.d #> p.raw) = 'array'
                      THEN pg_catalog.jsonb_array_length(s.d #> p.raw) END END AS size,\
      """;

  /** The range of elements, counted from the start of the array. */
  private static final String RANGE =
      """
      r.lo, greatest(r.lo, CASE WHEN r.hi < CAST(0 AS bigint) THEN r.hi + r.size ELSE r.hi END) AS hi
                  FROM (SELECT CASE WHEN q.lo < CAST(0 AS bigint) THEN greatest(q.lo + q.size, CAST(0 AS bigint)) ELSE q.lo END AS lo,
                               q.hi, q.size
                        FROM (SELECT CAST(? AS bigint) AS lo, CAST(? AS bigint) AS hi,
                                     coalesce(s.size, CAST(0 AS bigint)) AS size OFFSET 0) q OFFSET 0) r OFFSET 0\
      """;

  /**
   * Selects the value in document order: its row, then the rows below it. With bounds, selects the
   * elements of an array between them. The row of an inner node has the number of its children. The
   * first row also shows whether the document is split.
   */
  static final String OPEN =
      FOUND
              .replace("{size}", SIZE)
              .replace("{arguments}", RANGE)
              .replace(
                  "{shown}",
                  "CASE WHEN a.lo IS NULL THEN v.whole"
                      + " WHEN pg_catalog.jsonb_typeof(v.whole) = 'array' THEN {cut} END")
              .replace("{cut}", cut("v.whole", "a"))
          + """
          ,
          below AS (
            SELECT ARRAY[CAST(k.o AS integer)] AS pos, k.id, f.doc, k.lo, k.hi, ARRAY[f.leaf, k.id] AS above
            FROM found f CROSS JOIN LATERAL (
              SELECT k.o, k.id, f.lo - f.starts[k.o] AS lo, f.hi - f.starts[k.o] AS hi
              FROM pg_catalog.unnest(f.kids) WITH ORDINALITY k(id, o) WHERE f.inside AND {within_found}
              UNION ALL
              SELECT m.o, m.id, NULL, NULL FROM ({markers_found}) m
              WHERE NOT f.inside AND f.doc IS NOT NULL AND (f.leaf IS NULL OR f.kids IS NOT NULL)
              UNION ALL
              SELECT 2147483647, f.rest, NULL, NULL WHERE f.rest IS NOT NULL AND f.lo IS NULL) k
            WHERE k.id {any}
            UNION ALL
            SELECT pg_catalog.array_append(b.pos, CAST(k.o AS integer)), {once}, b.doc, k.lo, k.hi, pg_catalog.array_append(b.above, k.id)
            FROM below b CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = b.doc AND m.id = b.id LIMIT 1) n
            CROSS JOIN LATERAL (
              SELECT k.id, k.o, b.lo - n.starts[k.o] AS lo, b.hi - n.starts[k.o] AS hi
              FROM pg_catalog.unnest(n.kids) WITH ORDINALITY k(id, o) WHERE b.lo IS NULL OR n.value IS NULL AND {within_node}
              UNION ALL
              SELECT m.id, m.o, NULL, NULL FROM ({markers_node}) m
              WHERE b.lo IS NOT NULL AND n.value IS NOT NULL AND n.kids IS NOT NULL) k
            WHERE k.id {any})
          SELECT CAST(NULL AS integer[]) AS pos, f.leaf AS id, false, f.doc IS NOT NULL, f.kind,
                 CASE WHEN f.inside THEN (
                   SELECT pg_catalog.count(*) FROM pg_catalog.unnest(f.kids) WITH ORDINALITY k(id, o) WHERE {within_found}) END,
                 f.rest, CAST(f.shown AS text)
          FROM found f
          UNION ALL
          SELECT s.pos, s.id, n.id IS NULL, true, n.kind,
                 CASE WHEN n.value IS NULL AND n.kids IS NOT NULL THEN (
                   SELECT pg_catalog.count(*) FROM pg_catalog.unnest(n.kids) WITH ORDINALITY k(id, o) WHERE {within_row}) END,
                 NULL, CAST(CASE WHEN s.lo IS NULL OR n.value IS NULL THEN n.value ELSE {cut_row} END AS text)
          FROM (SELECT b.* FROM {below} b ORDER BY b.pos) s
          LEFT JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = s.doc AND m.id = s.id LIMIT 1) n ON true
          ORDER BY pos NULLS FIRST\
          """
              .replace("{below}", BOUNDED.replace("{rows}", "below"))
              .replace("{once}", ONCE)
              .replace("{within_found}", within("f", "f"))
              .replace("{within_node}", within("n", "b"))
              .replace("{within_row}", within("n", "s"))
              .replace("{markers_found}", MARKERS.replace("{value}", "f.shown"))
              .replace("{markers_node}", MARKERS.replace("{value}", cut("n.value", "b")))
              .replace("{cut_row}", cut("n.value", "s"));

  /**
   * Selects the keys of an object. The parameters after the key are the last key of the previous
   * page, its code, and a limit. Keys are compared as the user wrote them: keys that look like a
   * marker's are stored in a longer form, and therefore after others. A node whose stored keys are
   * all before the last key has no later key. It reads only the leaves of the object, or the value
   * itself, but not the branches that their markers name.
   */
  static final String KEYS =
      FOUND
              .replace("{size}", "")
              .replace("{arguments}", "CAST(? AS text) AS after, CAST(? AS bytea) AS code")
              .replace("{shown}", "v.whole")
          + """
          ,
          shallow AS (
            SELECT f.shown AS value, f.doc, f.code, CASE WHEN f.inside THEN f.kids WHEN f.rest IS NOT NULL THEN ARRAY[f.rest] END AS kids,
                   CASE WHEN f.inside THEN f.lows END AS lows, ARRAY[coalesce(f.leaf, -1)] AS above
            FROM found f
            UNION ALL
            SELECT n.value, s.doc, s.code, CASE WHEN n.value IS NULL THEN n.kids END, n.lows, pg_catalog.array_append(s.above, k.id)
            FROM shallow s CROSS JOIN LATERAL pg_catalog.unnest(s.kids) WITH ORDINALITY k(id, o)
            CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = s.doc AND m.id = k.id LIMIT 1) n
            WHERE k.id {any} AND k.id <> ALL (s.above)
              AND (s.code IS NULL OR s.lows IS NULL OR k.o = pg_catalog.cardinality(s.kids) OR s.lows[k.o + 1] > s.code))
          SELECT CASE WHEN f.inside THEN f.kind = 'o' ELSE coalesce(pg_catalog.jsonb_typeof(f.shown) = 'object', false) END, k.k
          FROM found f LEFT JOIN LATERAL (
            SELECT u.k FROM {shallow} s CROSS JOIN LATERAL pg_catalog.jsonb_object_keys(s.value) k(k)
            CROSS JOIN LATERAL (
              SELECT CASE WHEN f.doc IS NOT NULL AND pg_catalog.ltrim(k.k, '$') = 'pgtoaster' AND k.k <> 'pgtoaster'
                     THEN substring(k.k FROM 2) ELSE k.k END) u(k)
            WHERE pg_catalog.jsonb_typeof(s.value) = 'object'
              AND (f.after IS NULL
                   OR (pg_catalog.octet_length(u.k), u.k COLLATE "C") > (pg_catalog.octet_length(f.after), f.after COLLATE "C"))
            ORDER BY pg_catalog.octet_length(u.k), u.k COLLATE "C" LIMIT CAST(? AS integer)) k ON true\
          """
              .replace("{shallow}", BOUNDED.replace("{rows}", "shallow"));

  private ReadSql() {}

  /**
   * Returns a condition: child k of an inner node has elements between the bounds, if these exist.
   */
  private static String within(String node, String bounds) {
    return "({b}.lo IS NULL OR {n}.starts[k.o] < {b}.hi AND {n}.starts[k.o + 1] > {b}.lo)"
        .replace("{n}", node)
        .replace("{b}", bounds);
  }

  /** Returns an expression for part of an array: from lo (inclusive) to hi (exclusive). */
  private static String cut(String array, String bounds) {
    return """
    pg_catalog.jsonb_path_query_array({array}, 'lax $[$a to $b]',
      pg_catalog.jsonb_build_object('a', least(greatest({b}.lo, 0), pg_catalog.jsonb_array_length({array})),
                                    'b', least({b}.hi, pg_catalog.jsonb_array_length({array})) - 1))\
    """
        .replace("{array}", array)
        .replace("{b}", bounds);
  }
}
