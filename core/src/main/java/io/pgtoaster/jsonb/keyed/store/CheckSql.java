package io.pgtoaster.jsonb.keyed.store;

/**
 * Statements that check a whole stored document. The planner must expect few rows from both
 * statements, whatever the statistics of the store. Otherwise it reads the whole store or compiles
 * the statement, which took 40 to 100 ms instead of 1 ms. So they have conditions that are true for
 * every row. The planner assumes that these match one row in two hundred.
 */
final class CheckSql {
  /** Selects the row, its header, and the number of its head if the row owns that head. */
  private static final String ROW =
      """
      SELECT s.*, (SELECT h.id FROM {head} h WHERE {lead:h}h.id = {number:s.header#>>CAST('{0}' AS text[])} AND {owned}) AS head
      FROM (SELECT {keys} o.{column} AS value, o.{column}->CAST('$pgtoaster' AS text) AS header FROM {owner} o WHERE {row} OFFSET 0) s\
      """;

  /** Selects the row, and all nodes of all heads whose owner is the row. */
  static final String EVERYTHING =
      """
      WITH r AS MATERIALIZED ({source_row})
      SELECT CAST(NULL AS bigint), CAST(NULL AS bigint), CAST(NULL AS "char"), CAST(NULL AS integer), CAST(NULL AS bigint[]),
             CAST(NULL AS bigint[]), CAST(NULL AS bytea[]), CAST(r.value AS text), r.head
      FROM r
      UNION ALL
      SELECT n.id, n.version, n.kind, n.bytes, n.kids, n.starts, n.lows, CAST(n.value AS text), n.doc
      FROM r s CROSS JOIN LATERAL pg_catalog.unnest(ARRAY(SELECT h.id FROM {head} h WHERE {lead:h}{owned})) h(id)
      JOIN {node} n ON {lead:n}n.doc = h.id AND n.id {any}
      WHERE h.id {any}\
      """
          .replace("{source_row}", ROW);

  static final String STAT =
      """
      WITH RECURSIVE r AS MATERIALIZED (
        SELECT w.value AS doc, w.head, w.header->>1 AS rest,
               CASE WHEN pg_catalog.jsonb_typeof(w.value) = 'object' THEN w.value - CAST('$pgtoaster' AS text) END AS members
        FROM ({source_row}) w),
      tree AS (
        SELECT k.top, k.id, 1 AS level FROM (
          SELECT k.key AS top, CAST(substring(m.m->>CAST('$pgtoaster' AS text) FROM '^[0-9]{1,18}$') AS bigint) AS id
          FROM r CROSS JOIN LATERAL pg_catalog.jsonb_each(r.members) k
          CROSS JOIN LATERAL pg_catalog.unnest(ARRAY(
            SELECT * FROM pg_catalog.jsonb_path_query(k.value, 'strict $.** ? (exists(@."$pgtoaster"))'))) m(m)
          WHERE r.head IS NOT NULL AND pg_catalog.octet_length(k.key) BETWEEN 0 AND 2147483647
          UNION ALL
          SELECT NULL, CAST(substring(r.rest FROM '^[0-9]{1,18}$') AS bigint) FROM r WHERE r.head IS NOT NULL AND r.rest IS NOT NULL) k
        WHERE k.id {any}
        UNION
        SELECT t.top, k.id, t.level + 1
        FROM tree t CROSS JOIN LATERAL (SELECT m.kids FROM {node} m WHERE {lead:m}m.doc = (SELECT r.head FROM r) AND m.id = t.id LIMIT 1) n,
             pg_catalog.unnest(n.kids) k(id)
        WHERE k.id {any} AND t.level < 256),
      stored AS (
        SELECT t.top, t.level, n.value IS NULL AS inner_node, greatest(n.bytes, 0) AS bytes, pg_catalog.pg_column_size(n.value) AS size
        FROM tree t CROSS JOIN LATERAL (SELECT m.* FROM {node} m WHERE {lead:m}m.doc = (SELECT r.head FROM r) AND m.id = t.id LIMIT 1) n),
      tops AS (SELECT s.top, pg_catalog.sum(s.bytes) AS bytes FROM stored s WHERE s.top IS NOT NULL GROUP BY s.top)
      SELECT r.doc IS NULL, r.head IS NOT NULL, pg_catalog.pg_column_size(r.doc),
             (SELECT pg_catalog.count(*) FROM pg_catalog.jsonb_object_keys(r.members)) - (SELECT pg_catalog.count(*) FROM tops),
             (SELECT pg_catalog.count(*) FROM tops),
             (SELECT pg_catalog.count(*) FROM stored s WHERE NOT s.inner_node),
             (SELECT pg_catalog.count(*) FROM stored s WHERE s.inner_node),
             (SELECT pg_catalog.sum(s.bytes) FROM stored s), (SELECT pg_catalog.sum(s.size) FROM stored s),
             (SELECT pg_catalog.max(s.level) FROM stored s), pg_catalog.octet_length(CAST(r.doc AS text)), t.top, t.bytes
      FROM r LEFT JOIN LATERAL (SELECT t.top, t.bytes FROM tops t ORDER BY t.bytes DESC, t.top LIMIT 10) t ON true
      ORDER BY t.bytes DESC, t.top\
      """
          .replace("{source_row}", ROW);

  private CheckSql() {}
}
