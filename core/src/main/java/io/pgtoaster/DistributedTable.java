package io.pgtoaster;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What one node of Citus has of a table that is distributed by its rows.
 *
 * @param table as SQL writes it
 * @param node host and port of the node, as the coordinator reaches it
 * @param shards the number of parts of the table that lie there
 * @param bytes of these, and of the content of their rows in the stores of its columns
 */
public record DistributedTable(String table, String node, long shards, long bytes) {
  static final String ALL =
      "SELECT CAST(relation AS text), node, shards, bytes FROM pgtoaster.table_places()";

  static DistributedTable read(ResultSet r) throws SQLException {
    return new DistributedTable(r.getString(1), r.getString(2), r.getLong(3), r.getLong(4));
  }
}
