package io.pgtoaster.it.toy;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The column of a toy toaster: reads and writes one whole value per row. */
final class ToyColumn {
  private final AttachedColumn column;
  private final String select;
  private final String update;
  private final String compression;

  /**
   * Uses a column.
   *
   * @throws ColumnNotFoundException if it has another type
   */
  ToyColumn(AttachedColumn column, String type) {
    if (!column.typeName().equals(type)) {
      throw new ColumnNotFoundException(column.describe() + " is not of type " + type);
    }
    this.column = column;
    this.select =
        "SELECT o.%s FROM %s AS o WHERE %s"
            .formatted(column.quotedColumn(), column.quotedTable(), column.rowCondition());
    this.compression = select.replaceFirst("SELECT (\\S+)", "SELECT pg_column_compression($1)");
    this.update =
        "UPDATE %s AS o SET %s = ? WHERE %s"
            .formatted(column.quotedTable(), column.quotedColumn(), column.rowCondition());
  }

  String describe() {
    return column.describe();
  }

  /** Returns the value of a row, or null. */
  <T> T load(Connection connection, RowKey key, boolean lock, Class<T> type) throws SQLException {
    try (PreparedStatement s =
        connection.prepareStatement(lock ? select + " FOR NO KEY UPDATE" : select)) {
      column.bind(s, 1, key);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw new RowNotFoundException("no such row in " + column.describe());
        }
        return type.cast(r.getObject(1));
      }
    }
  }

  void store(Connection connection, RowKey key, Object value) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(update)) {
      s.setObject(1, value);
      column.bind(s, 2, key);
      s.executeUpdate();
    }
  }

  /** Runs a query about the column of a store, which returns a boolean. */
  static boolean holds(Connection connection, String query, int store) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(query)) {
      s.setInt(1, store);
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getBoolean(1);
      }
    }
  }

  boolean isCompressed(Connection connection, RowKey key) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(compression)) {
      column.bind(s, 1, key);
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getString(1) != null;
      }
    }
  }
}
