package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.blob.appendable.format.Checksum;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.internal.column.Routing;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * The column, options and statements of one store, shared by the classes of the toaster. Immutable.
 *
 * @param column the attached column
 * @param options the options of the store
 * @param routing names the leading key in statements by row key
 * @param sql the statements of the store
 */
public record Store(AttachedColumn column, StoreOptions options, Routing routing, StoreSql sql) {
  public static Store of(AttachedColumn column) {
    return new Store(column, StoreOptions.of(column), Routing.of(column), new StoreSql(column));
  }

  /** Returns a statement with the names of this store. */
  public String sql(BlobSql statement) {
    return sql.get(statement);
  }

  /** Returns a statement on the blob of a row, identified by the row's key. */
  public String sql(BlobSql statement, RowKey key) {
    return routing.fill(sql.get(statement), key);
  }

  public boolean hasLeadingKey() {
    return column.leadingKey() != null;
  }

  public String place() {
    return column.describe();
  }

  /**
   * Throws a {@link BlobCorruptException} if the error reports damage that a function found after
   * it had started to write; returns any other error.
   */
  public static SQLException corruptOr(SQLException e) {
    if ("XX001".equals(e.getSQLState())) {
      throw new BlobCorruptException(
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
    }
    return e;
  }

  /** Prepares a statement on a blob. */
  public static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /**
   * Prepares a statement that returns payload in binary form from its first execution on. Otherwise
   * the driver receives hexadecimal text until the fifth execution. The binary form needs a
   * server-side prepared statement; a connection that disables these receives text.
   */
  public static PreparedStatement prepareBinary(Connection connection, String sql)
      throws SQLException {
    return withThreshold(connection, sql, -1);
  }

  /** Prepares a statement on the server at its first execution. */
  public static PreparedStatement prepareNow(Connection connection, String sql)
      throws SQLException {
    return withThreshold(connection, sql, 1);
  }

  /**
   * A threshold of 0 disables server-side prepared statements, as needed by transaction pooling.
   */
  private static PreparedStatement withThreshold(Connection connection, String sql, int threshold)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    setThreshold(statement, threshold);
    return statement;
  }

  /** Binds nothing; prepares the statement on the server at its first execution. */
  public static int keepNow(PreparedStatement statement, int first) throws SQLException {
    setThreshold(statement, 1);
    return first;
  }

  private static void setThreshold(PreparedStatement statement, int threshold) throws SQLException {
    if (statement.isWrapperFor(PGStatement.class)) {
      PGStatement driver = statement.unwrap(PGStatement.class);
      if (driver.getPrepareThreshold() != 0) {
        driver.setPrepareThreshold(threshold);
      }
    }
  }

  /** Returns the CRC32C of a row, or null if this store has no checksums. */
  public @Nullable Integer checksum(byte[] bytes, int from, int count) {
    return options.crc32c() ? (Integer) Checksum.of(bytes, from, count) : null;
  }
}
