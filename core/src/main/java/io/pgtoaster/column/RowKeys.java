package io.pgtoaster.column;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists rows with content, a page at a time. */
public final class RowKeys {
  private RowKeys() {}

  /**
   * Reads the keys of rows whose column is not NULL, in their order.
   *
   * @param connection to read on
   * @param column whose content the rows have
   * @param after the last key of the page before, or null for the first page
   * @param limit highest number of keys
   * @return keys; fewer than the limit only at the end
   * @throws SQLException if reading fails
   */
  public static List<RowKey> page(
      Connection connection, AttachedColumn column, @Nullable RowKey after, int limit)
      throws SQLException {
    List<RowKey> found = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(query(column, after != null))) {
      s.setInt(after == null ? 1 : RowKey.of(after.values(), column.key()).bind(s, 1), limit);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= column.key().size(); i++) {
            values.add(r.getString(i));
          }
          found.add(new RowKey(values));
        }
      }
    }
    return found;
  }

  private static String query(AttachedColumn column, boolean after) {
    List<String> names = column.key().stream().map(k -> "o." + k.quoted()).toList();
    String key = String.join(", ", names);
    String parameters = String.join(", ", column.key().stream().map(KeyColumn::parameter).toList());
    return "SELECT "
        + String.join(", ", names.stream().map(n -> "CAST(" + n + " AS pg_catalog.text)").toList())
        + " FROM "
        + column.quotedTable()
        + " AS o WHERE o."
        + column.quotedColumn()
        + " IS NOT NULL"
        + (after ? " AND (" + key + ") > (" + parameters + ")" : "")
        + " ORDER BY "
        + key
        + " LIMIT ?";
  }
}
