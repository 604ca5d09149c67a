package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.blob.appendable.format.Checksum;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.column.routing.Routing;
import io.pgtoaster.error.BlobCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * What the parts of the toaster share: column, options and statements of one store. Immutable.
 *
 * @param column the attached column
 * @param options of the store
 * @param routing how those by a row's key name the leading key
 * @param sql its statements
 */
public record Store(AttachedColumn column, StoreOptions options, Routing routing, StoreSql sql) {
  public static Store of(AttachedColumn column) {
    return new Store(column, StoreOptions.of(column), Routing.of(column), new StoreSql(column));
  }

  /** A statement with the names of this store. */
  public String sql(BlobSql statement) {
    return sql.get(statement);
  }

  /** A statement on the blob of a row, by the row's key. */
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
   * Throws a {@link BlobCorruptException} for damage that a function found after it had begun to
   * write; returns any other error.
   */
  public static SQLException corruptOr(SQLException e) {
    if ("XX001".equals(e.getSQLState())) {
      throw new BlobCorruptException(
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
    }
    return e;
  }

  /** Prepares a statement on a blob; the caller binds from the returned parameter number on. */
  public static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /**
   * Prepares a statement that returns payload: as bytes from the first execution, where the driver
   * would send hexadecimal text until the statement has been used five times. Bytes need a
   * statement that the server keeps; a connection that wants none gets text.
   */
  public static PreparedStatement prepareBinary(Connection connection, String sql)
      throws SQLException {
    return withThreshold(connection, sql, -1);
  }

  /** Prepares a statement that the server keeps from its first execution on. */
  public static PreparedStatement prepareNow(Connection connection, String sql)
      throws SQLException {
    return withThreshold(connection, sql, 1);
  }

  /** Threshold 0 says that the server must keep no statement, as behind a pool of transactions. */
  private static PreparedStatement withThreshold(Connection connection, String sql, int threshold)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    setThreshold(statement, threshold);
    return statement;
  }

  /** Binds nothing; has the server keep the statement from its first execution on. */
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

  /** CRC32C of a row if this store has them, or null. */
  public @Nullable Integer checksum(byte[] bytes, int from, int count) {
    return options.crc32c() ? (Integer) Checksum.of(bytes, from, count) : null;
  }
}
