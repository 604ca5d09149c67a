package io.pgtoaster.cli.explain;

import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what this session has done to the tables of a column from PostgreSQL's own counters. They
 * include statements of the open transaction.
 */
final class Counters {
  private static final String RELATIONS =
      """
      WITH owner AS (SELECT CAST(CAST(? AS pg_catalog.text) AS pg_catalog.regclass) AS oid),
      tables AS (
        SELECT oid, CAST(? AS pg_catalog.text) AS name, 0 AS place FROM owner
        UNION SELECT p.relid, CAST(? AS pg_catalog.text), 0 FROM owner, pg_catalog.pg_partition_tree(owner.oid) p
        UNION ALL
        SELECT pg_catalog.to_regclass(pgtoaster.store_table(s.store, s.part)), pg_catalog.concat('store_', s.store, '_', s.part), s.place
        FROM (SELECT CAST(? AS integer) AS store, u.part, u.place
              FROM pg_catalog.unnest(ARRAY['head', 'node', 'garbage']) WITH ORDINALITY u(part, place)) s)
      SELECT t.name || CASE WHEN r.toast THEN ' (TOAST)' ELSE '' END, r.id, r.rows
      FROM tables t JOIN pg_catalog.pg_class c ON c.oid = CAST(t.oid AS pg_catalog.oid)
      CROSS JOIN LATERAL (
        SELECT c.oid AS id, false AS toast, true AS rows
        UNION ALL SELECT i.indexrelid, false, false FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid
        UNION ALL SELECT c.reltoastrelid, true, true WHERE c.reltoastrelid <> CAST(0 AS pg_catalog.oid)
        UNION ALL SELECT i.indexrelid, true, false FROM pg_catalog.pg_index i
                  WHERE i.indrelid = c.reltoastrelid AND c.reltoastrelid <> CAST(0 AS pg_catalog.oid)) r
      ORDER BY t.place, r.toast
      """;

  private static final String READ =
      """
      SELECT r.table,
        pg_catalog.sum(pg_catalog.pg_stat_get_xact_tuples_fetched(r.id)
            + CASE WHEN r.rows THEN pg_catalog.pg_stat_get_xact_tuples_returned(r.id) ELSE 0 END),
        pg_catalog.sum(CASE WHEN r.rows THEN pg_catalog.pg_stat_get_xact_tuples_inserted(r.id) ELSE 0 END),
        pg_catalog.sum(CASE WHEN r.rows THEN pg_catalog.pg_stat_get_xact_tuples_updated(r.id) ELSE 0 END),
        pg_catalog.sum(CASE WHEN r.rows THEN pg_catalog.pg_stat_get_xact_tuples_deleted(r.id) ELSE 0 END),
        pg_catalog.sum(pg_catalog.pg_stat_get_xact_blocks_fetched(r.id)),
        pg_catalog.sum(pg_catalog.pg_stat_get_xact_blocks_fetched(r.id) - pg_catalog.pg_stat_get_xact_blocks_hit(r.id)),
        (SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN 0
                     ELSE pg_catalog.pg_current_wal_insert_lsn() - CAST('0/0' AS pg_catalog.pg_lsn) END)
      FROM ROWS FROM (pg_catalog.unnest(CAST(? AS pg_catalog.text[])), pg_catalog.unnest(CAST(? AS pg_catalog.oid[])),
           pg_catalog.unnest(CAST(? AS boolean[]))) WITH ORDINALITY r("table", id, rows, place)
      GROUP BY r.table ORDER BY pg_catalog.min(r.place)
      """;

  private final Connection connection;
  private final List<String> tables = new ArrayList<>();
  private final List<Long> ids = new ArrayList<>();
  private final List<Boolean> rows = new ArrayList<>();

  Counters(Connection connection, AttachedColumn column) throws SQLException {
    this.connection = connection;
    try (PreparedStatement s = connection.prepareStatement(RELATIONS)) {
      s.setString(1, column.quotedTable());
      s.setString(2, column.schema() + "." + column.table());
      s.setString(3, column.schema() + "." + column.table());
      s.setInt(4, column.store());
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          tables.add(r.getString(1));
          ids.add(r.getLong(2));
          rows.add(r.getBoolean(3));
        }
      }
    }
  }

  /**
   * The values of the counters.
   *
   * @param byTable values for each table
   * @param wal position in the write-ahead log
   */
  record Reading(Map<String, Cost> byTable, long wal) {
    List<Cost> since(Reading before) {
      List<Cost> costs = new ArrayList<>();
      byTable.forEach(
          (table, now) -> {
            Cost cost = now.minus(before.byTable.getOrDefault(table, now));
            if (!cost.isNothing()) {
              costs.add(cost);
            }
          });
      return costs;
    }
  }

  Reading read() throws SQLException {
    Map<String, Cost> byTable = new LinkedHashMap<>();
    long wal = 0;
    try (PreparedStatement s = connection.prepareStatement(READ)) {
      s.setArray(1, connection.createArrayOf("text", tables.toArray()));
      s.setArray(2, connection.createArrayOf("oid", ids.toArray()));
      s.setArray(3, connection.createArrayOf("bool", rows.toArray()));
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          String table = r.getString(1);
          byTable.put(
              table,
              new Cost(
                  table,
                  r.getLong(2),
                  r.getLong(3),
                  r.getLong(4),
                  r.getLong(5),
                  r.getLong(6),
                  r.getLong(7)));
          wal = r.getLong(8);
        }
      }
    }
    return new Reading(byTable, wal);
  }
}
