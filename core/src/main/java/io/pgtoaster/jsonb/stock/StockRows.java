package io.pgtoaster.jsonb.stock;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.InvalidJsonException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.internal.column.LargeValues;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs the statements on one stock column. */
record StockRows(AttachedColumn column, StockSql sql) {
  private static final String PROGRAM_LIMIT_EXCEEDED = "54000";
  private static final String STATEMENT_TOO_COMPLEX = "54001";

  static Query.Parameters path(DocumentPath path) {
    return Query.texts(path.steps());
  }

  static <T> T read(
      Connection connection, String sql, Query.Rows<T> rows, @Nullable Object... parameters)
      throws SQLException {
    return Objects.requireNonNull(find(connection, sql, rows, parameters));
  }

  static <T> @Nullable T find(
      Connection connection, String sql, Query.Rows<T> rows, @Nullable Object... parameters)
      throws SQLException {
    try {
      return Query.find(connection, sql, rows, parameters);
    } catch (SQLException e) {
      throw limit(e);
    }
  }

  static int update(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try {
      return Query.update(connection, sql, parameters);
    } catch (SQLException e) {
      throw limit(e);
    }
  }

  /**
   * Converts errors at the limits of a jsonb value to specific exceptions; returns any other error.
   */
  private static SQLException limit(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    if (state.equals(PROGRAM_LIMIT_EXCEEDED)) {
      throw new UnsupportedCapabilityException(
          "a document that is one jsonb value has at most 256 MB; attach the column to the toaster keyed");
    }
    if (state.equals(STATEMENT_TOO_COMPLEX)) {
      throw new InvalidJsonException(
          "a value is nested deeper than the server can read at its max_stack_depth");
    }
    return e;
  }

  /** Moves to the first row of a read. The first column is true if the root looks like a stub. */
  void check(Connection connection, ResultSet r) throws SQLException {
    if (!r.next()) {
      throw new RowNotFoundException("there is no row with this key");
    }
    if (r.getBoolean(1)) {
      requireUnattached(connection);
    }
  }

  /** Throws an exception if the column was attached to another toaster meanwhile. */
  void requireUnattached(Connection connection) throws SQLException {
    AttachedColumn now = ColumnLookup.find(connection, column.name(), false);
    if (!now.toaster().equals(column.toaster())) {
      throw new CatalogException(
          "the column has been attached to the toaster \"" + now.toaster() + "\" meanwhile");
    }
  }

  /** Warns if the column is not attached and a document is large. */
  void written(long size) {
    LargeValues.written(column, size, "attach(\"%s\", \"%s\", JsonOptions.defaults())");
  }

  void require(Connection connection, RowKey key) throws SQLException {
    if (Query.first(connection, sql.exists, r -> true, key) == null) {
      throw new RowNotFoundException("there is no row with this key");
    }
  }
}
