package io.pgtoaster.benchmarks.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How often the server has scanned tables from beginning to end.
 *
 * @param tables tables of a trial, by name
 */
public record TableScans(Map<String, Table> tables) {
  /**
   * A table.
   *
   * @param scans scans so far
   * @param pages size of the table
   */
  record Table(long scans, long pages) {}

  /** Scanning a table with fewer pages costs less than reading an index and one of its pages. */
  private static final int FEW_PAGES = 16;

  private static final String COUNTS =
      """
      SELECT schemaname || '.' || relname, seq_scan, pg_relation_size(relid) / 8192
      FROM pg_stat_user_tables WHERE schemaname IN ('bench', 'pgtoaster')
      """;

  /** Reads the counts that all sessions have reported. */
  static TableScans of(Connection connection) throws SQLException {
    Map<String, Table> tables = new LinkedHashMap<>();
    try (Statement s = connection.createStatement();
        ResultSet r = s.executeQuery(COUNTS)) {
      while (r.next()) {
        tables.put(r.getString(1), new Table(r.getLong(2), r.getLong(3)));
      }
    }
    return new TableScans(tables);
  }

  /** Returns the tables with more than a few pages that were scanned since then. */
  public List<String> since(TableScans before) {
    return tables.entrySet().stream()
        .filter(t -> t.getValue().pages() > FEW_PAGES)
        .filter(t -> t.getValue().scans() > before.scans(t.getKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private long scans(String table) {
    return tables.getOrDefault(table, new Table(0, 0)).scans();
  }
}
