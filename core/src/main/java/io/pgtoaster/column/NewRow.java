package io.pgtoaster.column;

import io.pgtoaster.error.RowExistsException;
import io.pgtoaster.internal.SqlErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * Inserts rows of which no more is given than the key and the content; the rest takes its defaults.
 */
public final class NewRow {
  private NewRow() {}

  /**
   * Inserts a row.
   *
   * @param connection any
   * @param column whose row it is
   * @param key of the row
   * @param text of the content in the column's type, or null
   * @throws RowExistsException if the row is there, or another like it
   * @throws SQLException as the driver throws it
   */
  public static void insert(
      Connection connection, AttachedColumn column, RowKey key, @Nullable String text)
      throws SQLException {
    String names = String.join(", ", column.key().stream().map(KeyColumn::quoted).toList());
    String values = String.join(", ", column.key().stream().map(KeyColumn::parameter).toList());
    String sql =
        "INSERT INTO %s (%s, %s) VALUES (%s, ?)"
            .formatted(column.quotedTable(), names, column.quotedColumn(), values);
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setObject(key.bind(s, 1), text, Types.OTHER);
      s.executeUpdate();
    } catch (SQLException e) {
      throw unlessThere(e);
    }
  }

  /**
   * Tells that a row is there already.
   *
   * @param thrown by a statement that inserts a row
   * @return the same, if it says anything else
   * @throws RowExistsException if a unique index of the owner's table refused the row
   */
  public static SQLException unlessThere(SQLException thrown) {
    if (SqlErrors.isRowThere(thrown)) {
      throw new RowExistsException(
          "a row with this key, or with what else must be unique, is there already; put stores"
              + " its document",
          thrown);
    }
    return thrown;
  }
}
