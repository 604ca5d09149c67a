package io.pgtoaster;

import io.pgtoaster.spi.Toaster;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code pgtoaster.status()}. */
final class StatusQuery {
  private static final String STATUS =
      """
      SELECT s.store, s.schema_name, s.table_name, s.column_name, s.toaster, s.contents, s.bytes,
             s.stored_rows, s.table_bytes, s.dead_share, s.garbage, s.warnings,
             ARRAY(SELECT o.key FROM pg_catalog.jsonb_each_text(s.options) o ORDER BY o.key),
             ARRAY(SELECT o.value FROM pg_catalog.jsonb_each_text(s.options) o ORDER BY o.key),
             EXISTS (SELECT FROM pgtoaster.attached_column a WHERE a.store = s.store
                     AND a.table_name IS NOT NULL AND a.column_exists)
      FROM pgtoaster.status() s
      ORDER BY s.store
      """;

  private StatusQuery() {}

  /**
   * Returns the catalog's status, with the warnings of toasters on the class path added to its own.
   */
  static List<ColumnStatus> run(
      Connection connection, Function<String, @Nullable Toaster<?, ?>> toasters)
      throws SQLException {
    List<ColumnStatus> found = new ArrayList<>();
    List<Boolean> there = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(STATUS);
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        there.add(r.getBoolean(15));
        found.add(
            new ColumnStatus(
                r.getInt(1),
                r.getString(2),
                r.getString(3),
                r.getString(4),
                r.getString(5),
                options(strings(r, 13), strings(r, 14)),
                number(r, 6),
                number(r, 7),
                number(r, 8),
                number(r, 9),
                share(r, 10),
                number(r, 11),
                List.copyOf(strings(r, 12))));
      }
    }
    for (int i = 0; i < found.size(); i++) {
      ColumnStatus status = found.get(i);
      @Nullable Toaster<?, ?> toaster = toasters.apply(status.toaster());
      if (there.get(i) && toaster != null) {
        found.set(i, status.warned(toaster.warnings(connection, status.store())));
      }
    }
    return List.copyOf(found);
  }

  private static Map<String, String> options(List<String> names, List<String> values) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      // A role may have stored a JSON null in the row of its store.
      if (values.get(i) != null) {
        options.put(names.get(i), values.get(i));
      }
    }
    return Map.copyOf(options);
  }

  private static List<String> strings(ResultSet row, int index) throws SQLException {
    Array array = row.getArray(index);
    try {
      return Arrays.asList((String[]) array.getArray());
    } finally {
      array.free();
    }
  }

  private static @Nullable Long number(ResultSet row, int index) throws SQLException {
    long value = row.getLong(index);
    return row.wasNull() ? null : value;
  }

  private static @Nullable Double share(ResultSet row, int index) throws SQLException {
    double value = row.getDouble(index);
    return row.wasNull() ? null : value;
  }
}
