package io.pgtoaster.column;

import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.error.RowNotFoundException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Locks a row of the owner table. */
public final class RowLock {
  private RowLock() {}

  /**
   * Locks a row as an update of other than its key does, until the transaction ends.
   *
   * @param connection in a transaction
   * @param column a column of its table
   * @param key of the row
   * @throws RowNotFoundException if there is no row with this key
   * @throws AccessDeniedException if the role may read it and not update the column
   * @throws SQLException as the driver throws it
   */
  public static void take(Connection connection, AttachedColumn column, RowKey key)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "SELECT 1 FROM "
                + column.quotedTable()
                + " AS o WHERE "
                + column.rowCondition()
                + " AND "
                + Permission.mayUpdate(column)
                + " FOR NO KEY UPDATE")) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          Permission.requireUpdate(connection, column, key);
          throw new RowNotFoundException("there is no row with this key");
        }
      }
    }
  }
}
