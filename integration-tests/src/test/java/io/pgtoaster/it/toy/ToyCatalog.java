package io.pgtoaster.it.toy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The row of a toy's column in the catalog. */
final class ToyCatalog {
  private ToyCatalog() {}

  static int add(Connection connection, long table, String column, String toaster)
      throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(
            "INSERT INTO pgtoaster.store (owner, column_name, toaster) "
                + "VALUES (CAST(? AS oid), ?, ?) RETURNING id")) {
      s.setLong(1, table);
      s.setString(2, column);
      s.setString(3, toaster);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getInt(1);
      }
    }
  }
}
