package io.pgtoaster.spring.actuate;

import io.pgtoaster.ExtensionStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Reads the attached columns from the catalog alone: a few rows, whatever the stores hold. */
final class AttachedColumns {
  private static final String COLUMNS =
      """
      SELECT a.schema_name, a.table_name, a.column_name, a.toaster
      FROM pgtoaster.attached_column a
      WHERE a.table_name IS NOT NULL AND a.column_exists
      ORDER BY a.store
      """;

  private AttachedColumns() {}

  /** A column that is there. */
  record Name(String schema, String table, String column, String toaster) {
    boolean isBlob() {
      return toaster.equals("appendable");
    }

    boolean isDocument() {
      return toaster.equals("keyed");
    }

    @Override
    public String toString() {
      return schema + "." + table + "." + column;
    }
  }

  static List<Name> read(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return read(connection);
    }
  }

  static List<Name> read(Connection connection) throws SQLException {
    List<Name> found = new ArrayList<>();
    try (PreparedStatement s = connection.prepareStatement(COLUMNS);
        ResultSet r = s.executeQuery()) {
      while (r.next()) {
        found.add(new Name(r.getString(1), r.getString(2), r.getString(3), r.getString(4)));
      }
    }
    return found;
  }

  /** Who does the work of a column: the extension, plain SQL, or the server's own toaster. */
  static String executor(String toaster, @Nullable ExtensionStatus extension, boolean wanted) {
    return switch (toaster) {
      case "appendable", "keyed" ->
          wanted && extension != null && extension.used() ? "extension" : "sql";
      case "postgrespro-bytea", "postgrespro-jsonb" -> "server";
      default -> "sql";
    };
  }
}
