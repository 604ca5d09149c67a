package io.pgtoaster.jsonb.keyed.store;

/** The statement that reads a whole document in one snapshot. */
final class WholeSql {
  /**
   * Selects the owner's row, and all nodes of its document in no particular order: the client needs
   * all of them, so the server does not have to walk the tree. The bounds on the numbers match
   * every node. The planner does not see their values, so it expects few rows and uses the index,
   * whatever its statistics.
   */
  static final String OPEN =
      """
      WITH r AS MATERIALIZED (
        SELECT s.value, s.header, CASE WHEN s.header IS NOT NULL THEN
                 (SELECT h.id FROM {head} h WHERE {lead:h}h.id = {number:s.header#>>CAST('{0}' AS text[])} AND {owned}) END AS doc,
               CAST('-9223372036854775808' AS bigint) AS lo, CAST(9223372036854775807 AS bigint) AS hi
        FROM (SELECT {keys} o.{column} AS value, o.{column}->CAST('$pgtoaster' AS text) AS header
              FROM {owner} o WHERE {row} OFFSET 0) s)
      SELECT CAST(NULL AS bigint), CAST(NULL AS "char"), CAST(NULL AS bigint[]),
             CAST(CASE WHEN r.header IS NULL THEN r.value ELSE r.value - CAST('$pgtoaster' AS text) END AS text),
             r.doc IS NOT NULL, r.header IS NOT NULL AND r.doc IS NULL,
             CASE WHEN r.header->1 IS NOT NULL THEN {number:r.header->>1} END
      FROM r
      UNION ALL
      SELECT n.id, n.kind, n.kids, CAST(n.value AS text), true, false, CAST(NULL AS bigint)
      FROM r JOIN {node} n ON {lead:n}n.doc = r.doc AND n.id BETWEEN r.lo AND r.hi\
      """;

  private WholeSql() {}
}
