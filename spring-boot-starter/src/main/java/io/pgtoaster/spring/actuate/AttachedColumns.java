package io.pgtoaster.spring.actuate;

import io.pgtoaster.ExtensionStatus;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.internal.column.Toasters;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.JsonToaster;
import io.pgtoaster.spi.Toaster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the attached columns from the catalog only: a few rows, regardless of the size of the
 * stores.
 */
final class AttachedColumns {
  private static final String COLUMNS =
      """
      SELECT a.schema_name, a.table_name, a.column_name, a.toaster, a.store_schema IS NOT NULL
      FROM pgtoaster.attached_column a
      WHERE a.table_name IS NOT NULL AND a.column_exists
      ORDER BY a.store
      """;

  private static final Toasters<BlobToaster> BLOBS = Toasters.blobs();
  private static final Toasters<JsonToaster> DOCUMENTS = Toasters.documents();

  private AttachedColumns() {}

  /**
   * An attached column.
   *
   * @param stored whether its content is in the tables of a store
   */
  record Name(ColumnName column, String toaster, boolean stored) {
    boolean isBlob() {
      return stored && BLOBS.find(toaster).isPresent();
    }

    boolean isDocument() {
      return stored && DOCUMENTS.find(toaster).isPresent();
    }

    @Override
    public String toString() {
      return column.toString();
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
        found.add(
            new Name(
                ColumnName.of(r.getString(1), r.getString(2), r.getString(3)),
                r.getString(4),
                r.getBoolean(5)));
      }
    }
    return found;
  }

  /**
   * Returns what executes calls on a column: the extension, plain SQL, or the server's own toaster.
   */
  static String executor(String toaster, @Nullable ExtensionStatus extension, boolean wanted) {
    Toaster.Executor executor =
        BLOBS
            .find(toaster)
            .map(Toaster::executor)
            .or(() -> DOCUMENTS.find(toaster).map(Toaster::executor))
            .orElse(Toaster.Executor.SQL);
    return switch (executor) {
      case EXTENSION -> wanted && extension != null && extension.used() ? "extension" : "sql";
      case SERVER -> "server";
      case SQL -> "sql";
    };
  }
}
