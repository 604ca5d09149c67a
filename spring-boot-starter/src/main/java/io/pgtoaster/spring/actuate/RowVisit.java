package io.pgtoaster.spring.actuate;

import io.pgtoaster.PgToaster;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.KeyColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spring.actuate.AttachedColumns.Name;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Visits rows with content in the order of their key, a page at a time. */
final class RowVisit {
  static final int PAGE = 200;

  private RowVisit() {}

  /** What is done with a row of a column. */
  record Content(
      AttachedColumn column,
      Function<RowKey, List<String>> verify,
      Function<RowKey, Long> compact) {
    static Content of(PgToaster toaster, Name name, Connection connection) {
      if (name.isDocument()) {
        var documents =
            toaster.documents(name.schema(), name.table(), name.column()).on(connection);
        return new Content(documents.describe(), documents::verify, documents::compact);
      }
      var blobs = toaster.blobs(name.schema(), name.table(), name.column()).on(connection);
      return new Content(blobs.describe(), blobs::verify, blobs::compact);
    }
  }

  /** The keys behind one, in their order. */
  static List<RowKey> page(
      Connection connection, AttachedColumn column, @Nullable RowKey after, int limit)
      throws SQLException {
    List<RowKey> keys = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(sql(column, after != null))) {
      s.setInt(after == null ? 1 : after.bind(s, 1), limit);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= column.key().size(); i++) {
            values.add(r.getString(i));
          }
          keys.add(new RowKey(values));
        }
      }
    }
    return keys;
  }

  private static String sql(AttachedColumn column, boolean after) {
    List<KeyColumn> key = column.key();
    String names = String.join(", ", key.stream().map(k -> "o." + k.quoted()).toList());
    return "SELECT "
        + String.join(
            ", ", key.stream().map(k -> "CAST(o." + k.quoted() + " AS pg_catalog.text)").toList())
        + " FROM "
        + column.quotedTable()
        + " AS o WHERE o."
        + column.quotedColumn()
        + " IS NOT NULL"
        + (after
            ? " AND ("
                + names
                + ") > ("
                + String.join(", ", key.stream().map(KeyColumn::parameter).toList())
                + ")"
            : "")
        + " ORDER BY "
        + names
        + " LIMIT ?";
  }
}
