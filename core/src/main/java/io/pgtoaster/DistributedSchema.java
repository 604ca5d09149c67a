package io.pgtoaster;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A schema with attached columns that Citus keeps on one node.
 *
 * @param schema its exact name
 * @param node host and port at which the coordinator reaches the node
 * @param tables number of its tables, including those of stores
 * @param bytes total size of these tables
 */
public record DistributedSchema(String schema, String node, long tables, long bytes) {
  static final String ALL = "SELECT schema, node, tables, bytes FROM pgtoaster.schema_places()";

  static DistributedSchema read(ResultSet r) throws SQLException {
    return new DistributedSchema(r.getString(1), r.getString(2), r.getLong(3), r.getLong(4));
  }
}
