package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.jsonb.keyed.format.PinnedPaths;
import io.pgtoaster.jsonb.keyed.format.SplitPolicy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * What the parts of the toaster share: column, policy and statements of one store. Immutable.
 *
 * @param column the attached column
 * @param policy when members leave and leaves split
 * @param touch whether a change of a leaf also touches the owner's row
 * @param sql its statements
 */
public record KeyedStore(AttachedColumn column, SplitPolicy policy, boolean touch, KeyedSql sql) {
  public static KeyedStore of(AttachedColumn column) {
    boolean touch = column.option("touch").equals("row");
    return new KeyedStore(
        column,
        new SplitPolicy(
            Integer.parseInt(column.option("row_budget")),
            Integer.parseInt(column.option("leaf_size")),
            Integer.parseInt(column.option("fan_out")),
            PinnedPaths.parse(column.option("keep_inline"))),
        touch,
        new KeyedSql(column));
  }

  /** Prepares a statement that calls a routine of the store. */
  public PreparedStatement prepare(Connection connection, String statement) throws SQLException {
    if (!column.routines()) {
      throw new CatalogException(
          "the routines of the store are not those of this catalog, or name its tables where they"
              + " were: SELECT pgtoaster.mirror_privileges('"
              + column.quotedTable().replace("'", "''")
              + "')");
    }
    return connection.prepareStatement(statement);
  }
}
