package io.pgtoaster.spring.tus;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.KeyColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.spi.Identifiers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** Creates a new row per upload, in the table that the properties name. */
record TableUploads(BlobColumn column, JdbcTemplate jdbc, Map<String, String> columns)
    implements TusUploads {

  @Override
  public Object create(TusUpload upload) {
    AttachedColumn at = column.describe();
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    columns.forEach(
        (name, target) -> {
          String value = upload.metadata().get(name);
          if (value != null && (!value.isEmpty() || takesEmptyText(at, target))) {
            names.add(Identifiers.quote(target));
            values.add(value);
          }
        });
    List<String> key =
        at.key().stream().map(KeyColumn::quoted).map(k -> "CAST(" + k + " AS text)").toList();
    String insert =
        "INSERT INTO "
            + at.quotedTable()
            + (names.isEmpty()
                ? " DEFAULT VALUES"
                : " (%s) VALUES (%s)"
                    .formatted(
                        String.join(", ", names),
                        String.join(", ", names.stream().map(n -> "?").toList())))
            + " RETURNING "
            + String.join(", ", key);
    @Nullable RowKey row =
        jdbc.<RowKey>execute((Connection connection) -> insert(connection, insert, values, key));
    if (row == null) {
      throw new IllegalStateException("the upload made no row");
    }
    return row.values();
  }

  /** Returns whether a column is of a text type. Only those accept an empty value. */
  private boolean takesEmptyText(AttachedColumn at, String target) {
    return !jdbc.queryForList(
            "SELECT 1 FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid"
                + " OPERATOR(pg_catalog.=) a.atttypid WHERE a.attrelid OPERATOR(pg_catalog.=)"
                + " CAST(CAST(? AS text) AS regclass) AND a.attname OPERATOR(pg_catalog.=)"
                + " CAST(? AS name) AND t.typcategory OPERATOR(pg_catalog.=) CAST('S' AS \"char\")",
            at.quotedTable(),
            target)
        .isEmpty();
  }

  private static RowKey insert(
      Connection connection, String insert, List<String> values, List<String> key)
      throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(insert)) {
      for (int i = 0; i < values.size(); i++) {
        s.setObject(i + 1, values.get(i), Types.OTHER);
      }
      try (ResultSet r = s.executeQuery()) {
        r.next();
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= key.size(); i++) {
          row.add(r.getString(i));
        }
        return new RowKey(row);
      }
    }
  }

  @Override
  public void terminated(TusUpload upload) {
    AttachedColumn at = column.describe();
    jdbc.<Integer>execute(
        (Connection connection) -> {
          try (PreparedStatement s =
              connection.prepareStatement(
                  "DELETE FROM " + at.quotedTable() + " AS o WHERE " + at.rowCondition())) {
            upload.row().bind(s, 1);
            return s.executeUpdate();
          }
        });
  }
}
