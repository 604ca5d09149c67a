package io.pgtoaster.jsonb.keyed;

/** Statements that read the value at a path, in one snapshot each. */
final class ReadSql {
  /**
   * Finds the branches that the markers in a jsonb value name, in document order: as an array,
   * because of the function itself the planner expects a thousand.
   */
  private static final String MARKERS =
      """
      SELECT k.o, k.id FROM unnest(ARRAY(
        SELECT coalesce(CAST(substring(m.m->>'$pgtoaster' FROM '^[0-9]{1,18}$') AS bigint), -1)
        FROM pg_catalog.jsonb_path_query(:value, 'strict $.** ? (exists(@."$pgtoaster"))') WITH ORDINALITY m(m, o)
        ORDER BY m.o)) WITH ORDINALITY k(id, o)\
      """;

  /** A cut of an array: from :lo up to, not including, :hi. */
  private static final String CUT =
      """
      pg_catalog.jsonb_path_query_array(:array, 'lax $[$a to $b]',
        jsonb_build_object('a', least(greatest(:lo, 0), jsonb_array_length(:array)), 'b', least(:hi, jsonb_array_length(:array)) - 1))\
      """;

  /** The row of a key, whose document is read once, as {@code d}, and the path. */
  private static final String FROM_ROW =
      """

      FROM (SELECT CAST(? AS text[]) AS raw, CAST(? AS text[]) AS stored) p
      CROSS JOIN LATERAL (
        SELECT {keys} o.{column} #> CAST('{}' AS text[]) AS d FROM {owner} o WHERE {row} OFFSET 0) s\
      """;

  /**
   * Plain documents are read as any jsonb, and so is what a split one has in its row as a whole.
   * For the rest the routine is called: to call it takes longer than all that.
   */
  private static final String VALUE =
      """
      SELECT CASE WHEN s.d->'$pgtoaster' IS NULL THEN CAST(s.d #> p.raw AS text)
                  WHEN pg_catalog.strpos(CAST(s.d #> p.stored AS text), 'pgtoaster": ') = 0 THEN CAST(s.d #> p.stored AS text)
                  ELSE {read}({row_key}, s.d, p.stored, 'text') END\
      """;

  /**
   * The value at a path: as text; or several rows of the store in one text (see {@link
   * PackedRows}); or an empty text, if it is to be read by {@link #OPEN}. The parameters are the
   * path, as it is given and as split documents store it, and the key.
   */
  static final String READ = VALUE + FROM_ROW;

  /** The same for the rows of many keys, each with the number of its key. */
  static final String READ_MANY =
      VALUE
          + ", q.n"
          + FROM_ROW
              .replace("CROSS JOIN", "CROSS JOIN {key_list} CROSS JOIN")
              .replace("{row}", "{listed_row}");

  /** The type of a value; what is no object is no marker either. */
  static final String TYPE_OF =
      """
      SELECT CASE WHEN s.d->'$pgtoaster' IS NULL THEN pg_catalog.jsonb_typeof(s.d #> p.raw)
                  WHEN pg_catalog.jsonb_typeof(s.d #> p.stored) <> 'object' THEN pg_catalog.jsonb_typeof(s.d #> p.stored)
                  ELSE {read}({row_key}, s.d, p.stored, 'type') END\
      """
          + FROM_ROW;

  /** Type and size of a value. */
  static final String SIZE_OF =
      """
      SELECT CASE WHEN s.d->'$pgtoaster' IS NOT NULL THEN {read}({row_key}, s.d, p.stored, 'size')
                  ELSE CASE pg_catalog.jsonb_typeof(s.d #> p.raw)
                    WHEN 'array' THEN 'array ' || CAST(jsonb_array_length(s.d #> p.raw) AS text)
                    WHEN 'object' THEN 'object ' || CAST((SELECT count(*) FROM pg_catalog.jsonb_object_keys(s.d #> p.raw)) AS text)
                    ELSE pg_catalog.jsonb_typeof(s.d #> p.raw) END END\
      """
          + FROM_ROW;

  /** A child, or nothing, and so a damaged document, where that stands above itself. */
  private static final String ONCE = "CASE WHEN k.id = ANY (b.above) THEN NULL ELSE k.id END";

  /**
   * A tree has each of its nodes once; in a damaged document whose nodes are shared there is no end
   * to the paths to them. The nodes are counted where there are many.
   */
  private static final String BOUNDED =
      """
      (SELECT * FROM :rows LIMIT CASE
        WHEN (SELECT count(*) FROM (SELECT FROM :rows LIMIT 65536) few) < 65536 THEN 65536
        ELSE (SELECT count(*) FROM {node} m WHERE m.doc = (SELECT f.doc FROM found f)) END)\
      """;

  private static final String SORTED =
      "(SELECT b.* FROM " + BOUNDED.replace(":rows", "below") + " b ORDER BY b.pos) s";

  private static final String SHALLOW_ROWS = BOUNDED.replace(":rows", "shallow") + " s";

  /** The rows below a value, in document order. */
  private static final String BELOW =
      """
      ,
      below AS (
        SELECT ARRAY[CAST(k.o AS integer)] AS pos, k.id, f.doc, ARRAY[f.leaf, k.id] AS above
        FROM found f CROSS JOIN LATERAL (
          SELECT k.o, k.id FROM unnest(f.kids) WITH ORDINALITY k(id, o) WHERE f.inside
          UNION ALL
          SELECT m.o, m.id FROM (:markers) m
          WHERE NOT f.inside AND f.doc IS NOT NULL AND (f.node IS NULL OR f.kids IS NOT NULL)
          UNION ALL
          SELECT 2147483647, f.rest WHERE f.rest IS NOT NULL) k
        WHERE NOT f.refused AND :few
        UNION ALL
        SELECT array_append(b.pos, CAST(k.o AS integer)), :once, b.doc, array_append(b.above, k.id)
        FROM below b CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE m.doc = b.doc AND m.id = b.id LIMIT 1) n
        CROSS JOIN LATERAL unnest(n.kids) WITH ORDINALITY k(id, o)
        WHERE :few)\
      """
          .replace(":markers", MARKERS.replace(":value", "f.shown"))
          .replace(":once", ONCE)
          .replace(":few", WalkSql.FEW);

  /**
   * The value in document order: its row, then the rows below it. The first row tells how many
   * children it has if it is an inner node, and has no number if the walk did not leave the owner's
   * row.
   */
  static final String OPEN =
      WalkSql.TO_VALUE
          + WalkSql.FOUND
          + BELOW
          + """

          SELECT CAST(NULL AS integer[]) AS pos, f.leaf AS id, f.refused, f.doc IS NOT NULL, f.kind,
                 CASE WHEN f.inside THEN cardinality(f.kids) END, f.rest, CAST(f.shown AS text)
          FROM found f
          UNION ALL
          SELECT s.pos, s.id, n.id IS NULL, true, n.kind, CASE WHEN n.value IS NULL THEN cardinality(n.kids) END, NULL,
                 CAST(n.value AS text)
          FROM :sorted LEFT JOIN LATERAL (SELECT m.* FROM {node} m WHERE m.doc = s.doc AND m.id = s.id LIMIT 1) n ON true
          ORDER BY pos NULLS FIRST\
          """
              .replace(":sorted", SORTED);

  /** The same for some elements of an array. */
  static final String SLICE =
      WalkSql.TO_VALUE
          + """
          ,
          c AS (SELECT CAST(? AS bigint) AS lo, CAST(? AS bigint) AS hi)\
          """
          + WalkSql.FOUND
          + """
          ,
          cut AS MATERIALIZED (
            SELECT f.doc, f.node, f.leaf, f.kind, f.kids, f.starts, f.inside, f.refused,
                   CASE WHEN pg_catalog.jsonb_typeof(f.shown) = 'array' THEN :cut_found END AS shown
            FROM found f, c),
          below AS (
            SELECT ARRAY[CAST(k.o AS integer)] AS pos, k.id, f.doc, k.lo, k.hi, ARRAY[f.leaf, k.id] AS above
            FROM cut f CROSS JOIN LATERAL (
              SELECT k.o, k.id, c.lo - f.starts[k.o] AS lo, c.hi - f.starts[k.o] AS hi
              FROM c, unnest(f.kids) WITH ORDINALITY k(id, o)
              WHERE f.inside AND f.starts[k.o] < c.hi AND f.starts[k.o + 1] > c.lo
              UNION ALL
              SELECT m.o, m.id, NULL, NULL FROM (:markers_found) m
              WHERE NOT f.inside AND f.doc IS NOT NULL AND (f.node IS NULL OR f.kids IS NOT NULL)) k
            WHERE NOT f.refused AND :few
            UNION ALL
            SELECT array_append(b.pos, CAST(k.o AS integer)), :once, b.doc, k.lo, k.hi, array_append(b.above, k.id)
            FROM below b CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE m.doc = b.doc AND m.id = b.id LIMIT 1) n
            CROSS JOIN LATERAL (
              SELECT k.id, k.o, b.lo - n.starts[k.o] AS lo, b.hi - n.starts[k.o] AS hi
              FROM unnest(n.kids) WITH ORDINALITY k(id, o)
              WHERE b.lo IS NULL OR n.value IS NULL AND n.starts[k.o] < b.hi AND n.starts[k.o + 1] > b.lo
              UNION ALL
              SELECT m.id, m.o, NULL, NULL FROM (:markers_node) m
              WHERE b.lo IS NOT NULL AND n.value IS NOT NULL AND n.kids IS NOT NULL) k
            WHERE :few)
          SELECT CAST(NULL AS integer[]) AS pos, NULL AS id, f.refused, f.doc IS NOT NULL, f.kind,
                 CASE WHEN f.inside THEN (SELECT count(*) FROM c, unnest(f.kids) WITH ORDINALITY k(id, o)
                                          WHERE f.starts[k.o] < c.hi AND f.starts[k.o + 1] > c.lo) END,
                 NULL, CAST(f.shown AS text)
          FROM cut f
          UNION ALL
          SELECT s.pos, s.id, n.id IS NULL, true, n.kind,
                 CASE WHEN n.value IS NOT NULL THEN NULL
                      WHEN s.lo IS NULL THEN cardinality(n.kids)
                      ELSE (SELECT count(*) FROM unnest(n.kids) WITH ORDINALITY k(id, o)
                            WHERE n.starts[k.o] < s.hi AND n.starts[k.o + 1] > s.lo) END,
                 NULL, CAST(CASE WHEN s.lo IS NULL OR n.value IS NULL THEN n.value ELSE :cut_node END AS text)
          FROM :sorted LEFT JOIN LATERAL (SELECT m.* FROM {node} m WHERE m.doc = s.doc AND m.id = s.id LIMIT 1) n ON true
          ORDER BY pos NULLS FIRST\
          """
              .replace(":few", WalkSql.FEW)
              .replace(":once", ONCE)
              .replace(":sorted", SORTED)
              .replace(":cut_found", cut("f.shown", "c.lo", "c.hi"))
              .replace(":cut_node", cut("n.value", "s.lo", "s.hi"))
              .replace(":markers_found", MARKERS.replace(":value", "f.shown"))
              .replace(":markers_node", MARKERS.replace(":value", cut("n.value", "b.lo", "b.hi")));

  private static final String TYPE =
      """
      CASE WHEN f.inside THEN CASE f.kind WHEN 'a' THEN 'array' WHEN 'o' THEN 'object' ELSE 'string' END
           ELSE pg_catalog.jsonb_typeof(f.shown) END\
      """;

  /** The leaves of an object or array, or the value itself; not what their markers name. */
  private static final String SHALLOW =
      """
      ,
      shallow AS (
        SELECT f.shown AS value, f.doc, CASE WHEN f.inside THEN f.kids WHEN f.rest IS NOT NULL THEN ARRAY[f.rest] END AS kids,
               CASE WHEN f.inside THEN f.starts END AS starts, CASE WHEN f.inside THEN f.lows END AS lows,
               ARRAY[coalesce(f.leaf, -1)] AS above
        FROM found f WHERE NOT f.refused
        UNION ALL
        SELECT n.value, s.doc, CASE WHEN n.value IS NULL THEN n.kids END, n.starts, n.lows, array_append(s.above, k.id)
        FROM shallow s CROSS JOIN LATERAL unnest(s.kids) WITH ORDINALITY k(id, o)
        CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE m.doc = s.doc AND m.id = k.id LIMIT 1) n
        WHERE :few AND k.id <> ALL (s.above) AND (:descend))\
      """;

  /**
   * Keys of an object; the parameters behind the path are the last key before, its code, and a
   * limit. Keys are compared as their user wrote them: those that look like a marker's are stored
   * longer, and so behind others. A node all of whose stored keys come before the last key has none
   * behind it.
   */
  static final String KEYS =
      WalkSql.TO_VALUE
          + """
          ,
          a AS (SELECT CAST(? AS text) AS key, CAST(? AS bytea) AS code)\
          """
          + WalkSql.FOUND
          + SHALLOW
              .replace(":few", WalkSql.FEW)
              .replace("FROM shallow s CROSS", "FROM a, shallow s CROSS")
              .replace(
                  ":descend",
                  "a.code IS NULL OR s.lows IS NULL OR k.o = cardinality(s.kids) OR s.lows[k.o + 1]"
                      + " > a.code")
          + """

          SELECT f.refused, :type, k.k
          FROM found f LEFT JOIN LATERAL (
            SELECT u.k FROM a, :shallow CROSS JOIN LATERAL pg_catalog.jsonb_object_keys(s.value) k(k)
            CROSS JOIN LATERAL (
              SELECT CASE WHEN f.doc IS NOT NULL AND pg_catalog.ltrim(k.k, '$') = 'pgtoaster' AND k.k <> 'pgtoaster'
                     THEN substring(k.k FROM 2) ELSE k.k END) u(k)
            WHERE pg_catalog.jsonb_typeof(s.value) = 'object'
              AND (a.key IS NULL OR (octet_length(u.k), u.k COLLATE "C") > (octet_length(a.key), a.key COLLATE "C"))
            ORDER BY octet_length(u.k), u.k COLLATE "C" LIMIT ?) k ON true\
          """
              .replace(":type", TYPE)
              .replace(":shallow", SHALLOW_ROWS);

  private ReadSql() {}

  private static String cut(String array, String lo, String hi) {
    return CUT.replace(":array", array).replace(":lo", lo).replace(":hi", hi);
  }
}
