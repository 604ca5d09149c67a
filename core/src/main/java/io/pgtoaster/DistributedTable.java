package io.pgtoaster;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The part of a table that is on one Citus node, if the table is distributed by its rows.
 *
 * @param table name as written in SQL
 * @param node host and port at which the coordinator reaches the node
 * @param shards number of the table's shards on the node
 * @param bytes size of these shards and of their rows' content in the stores
 */
public record DistributedTable(String table, String node, long shards, long bytes) {
  static final String ALL =
      "SELECT CAST(relation AS text), node, shards, bytes FROM pgtoaster.table_places()";

  static DistributedTable read(ResultSet r) throws SQLException {
    return new DistributedTable(r.getString(1), r.getString(2), r.getLong(3), r.getLong(4));
  }
}
