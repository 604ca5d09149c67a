package io.pgtoaster;

import io.pgtoaster.column.ColumnName;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
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
    return Query.list(
        connection,
        STATUS,
        r -> {
          List<String> warnings = new ArrayList<>(strings(r, 12));
          @Nullable Toaster<?, ?> toaster = toasters.apply(r.getString(5));
          if (r.getBoolean(15) && toaster != null) {
            warnings.addAll(toaster.warnings(connection, r.getInt(1)));
          }
          @Nullable String table = r.getString(3);
          return new ColumnStatus(
              r.getInt(1),
              table == null ? null : new ColumnName(r.getString(2), table, r.getString(4)),
              r.getString(5),
              options(strings(r, 13), strings(r, 14)),
              r.getObject(6, Long.class),
              r.getObject(7, Long.class),
              r.getObject(8, Long.class),
              r.getObject(9, Long.class),
              r.getObject(10, Double.class),
              r.getObject(11, Long.class),
              List.copyOf(warnings));
        });
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
    return Arrays.asList((String[]) row.getArray(index).getArray());
  }
}
