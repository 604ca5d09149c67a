package io.pgtoaster.jsonb.keyed;

/**
 * The recursive query that follows a path from the owner's row through markers and inner nodes:
 * each of its rows is one step into a value, or one node further down. It looks at the head, and so
 * whether the stub belongs to its row, when it leaves the row.
 *
 * <p>Here and elsewhere, nodes are looked up one by one, below a LIMIT, and {@link #FEW} keeps
 * estimates low: left alone, the planner expects millions of rows of a recursion that has a few,
 * and reads the whole store for them or has the statement compiled. OFFSET 0 keeps it from reading
 * all heads into a hash for the few that are looked for.
 *
 * <p>A walk that goes down further than any tree is deep is broken off: its nodes run in circles.
 */
final class WalkSql {
  /** Number of a branch in a marker or header; -1 where somebody wrote something else. */
  static final String BRANCH = "coalesce(CAST(substring(%s FROM '^[0-9]{1,18}$') AS bigint), -1)";

  /** True of every child; the planner takes it to be true of one in two hundred. */
  static final String FEW =
      "k.id BETWEEN CAST('-9223372036854775808' AS bigint) AND 9223372036854775807";

  private static final String PARAMETERS =
      """
      WITH RECURSIVE p AS (
        SELECT CAST(? AS text[]) AS raw, CAST(? AS text[]) AS escaped, CAST(? AS bigint[]) AS positions,
               CAST(? AS bytea[]) AS codes, CAST(? AS integer) AS len)\
      """;

  private static final String WALK =
      """
      ,
      walk AS (
        SELECT 0 AS hop, 0 AS step, CASE WHEN x.child IS NULL THEN o.{column} END AS value, x.doc, {keys} x.child,
               CASE WHEN x.doc IS NULL THEN p.raw ELSE p.escaped END AS path,
               CAST(NULL AS bigint) AS node, CAST(NULL AS bigint) AS leaf, CAST(NULL AS bigint) AS version,
               CAST(NULL AS "char") AS kind, 0 AS bytes, CAST(NULL AS bigint[]) AS kids, CAST(NULL AS bigint[]) AS starts,
               CAST(NULL AS bytea[]) AS lows, CAST(NULL AS bigint) AS rel, false AS broken
        FROM p, {owner} o
        CROSS JOIN LATERAL (SELECT o.{column}->'$pgtoaster' AS header) y
        CROSS JOIN LATERAL (
          SELECT CASE WHEN y.header IS NOT NULL THEN :doc END AS doc,
                 CASE WHEN y.header->1 IS NOT NULL
                       AND (p.len > 0 AND NOT pg_catalog.jsonb_exists(o.{column}, p.escaped[1])
                            OR o.{column} - '$pgtoaster' = '{}')
                      THEN :rest END AS child) x
        WHERE {row}
        UNION ALL
        SELECT w.hop + 1, s.step, CASE WHEN s.child IS NULL THEN s.value ELSE n.value END, w.doc, {walked_keys}
               CAST(NULL AS bigint), w.path, n.id, coalesce(n.id, w.leaf), n.version, n.kind, n.bytes,
               n.kids, n.starts, n.lows, s.rel,
               s.child IS NOT NULL AND (n.id IS NULL OR w.hop > 64 * (p.len + 2))
        FROM p, walk w
        CROSS JOIN LATERAL (
          SELECT CASE WHEN w.rel IS NOT NULL THEN w.rel
                      WHEN p.positions[w.step + 1] < 0 THEN p.positions[w.step + 1] + w.starts[cardinality(w.starts)]
                      ELSE p.positions[w.step + 1] END AS i) a
        CROSS JOIN LATERAL (
          SELECT CASE WHEN w.value IS NOT NULL THEN NULL
                      WHEN w.starts IS NOT NULL THEN width_bucket(a.i, w.starts)
                      WHEN w.lows IS NOT NULL THEN width_bucket(p.codes[w.step + 1], w.lows) END AS c,
                 CASE WHEN w.value IS NULL THEN NULL
                      WHEN w.rel IS NULL THEN w.value #> w.path[w.step + 1:w.step + 1]
                      ELSE w.value -> CAST(w.rel AS integer) END AS v) b
        CROSS JOIN LATERAL (
          SELECT CASE WHEN w.child IS NOT NULL THEN w.child
                      WHEN w.value IS NULL THEN w.kids[b.c]
                      WHEN w.doc IS NOT NULL AND b.v->'$pgtoaster' IS NOT NULL THEN :marked END AS child,
                 b.v AS value,
                 CASE WHEN w.child IS NULL AND w.value IS NOT NULL THEN w.step + 1 ELSE w.step END AS step,
                 CASE WHEN w.child IS NULL AND w.value IS NULL AND w.starts IS NOT NULL THEN a.i - w.starts[b.c] END AS rel) s
        LEFT JOIN LATERAL (
          SELECT m.* FROM {node} m WHERE m.id = s.child AND m.doc =
            CASE WHEN s.child IS NULL THEN NULL WHEN w.leaf IS NOT NULL THEN w.doc
                 ELSE (SELECT h.id FROM {head} h WHERE h.id = w.doc AND {owned}) END
          LIMIT 1) n ON true
        WHERE NOT w.broken AND (w.child IS NOT NULL
           OR w.step < p.len AND (w.value IS NOT NULL OR w.kids IS NOT NULL)))\
      """
          .replace(":doc", BRANCH.formatted("y.header#>>CAST('{0}' AS text[])"))
          .replace(":rest", BRANCH.formatted("y.header->>1"))
          .replace(":marked", BRANCH.formatted("b.v->>'$pgtoaster'"));

  /** Walks all steps. */
  static final String TO_VALUE = PARAMETERS + WALK;

  /**
   * The value at the end of the walk: one row if the owner's row is there, with a value, or inside
   * a branch, or with nothing at all if the path leads nowhere.
   */
  static final String FOUND =
      """
      ,
      found AS MATERIALIZED (
        SELECT w.*,
               CASE WHEN NOT x.there THEN NULL
                    WHEN p.len = 0 AND w.node IS NULL AND w.doc IS NOT NULL THEN w.value - '$pgtoaster'
                    ELSE w.value END AS shown,
               CASE WHEN p.len = 0 AND w.value->'$pgtoaster'->1 IS NOT NULL THEN :rest END AS rest,
               x.there AND w.value IS NULL AND w.kids IS NOT NULL AS inside,
               w.broken OR p.len = 0 AND w.node IS NULL AND w.doc IS NOT NULL AND NOT EXISTS (
                 SELECT FROM {head} h WHERE h.id = w.doc AND {owned} OFFSET 0) AS refused
        FROM walk w, p, LATERAL (SELECT w.step = p.len AND w.child IS NULL AS there) x
        ORDER BY w.hop DESC LIMIT 1)\
      """
          .replace(":rest", BRANCH.formatted("w.value->'$pgtoaster'->>1"));

  private WalkSql() {}
}
