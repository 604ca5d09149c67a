package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.blob.appendable.format.Checksum;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.Routing;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/**
 * The column, options and statements of one store, shared by the classes of the toaster. Immutable.
 *
 * @param column the attached column
 * @param options the options of the store
 * @param routing adds the leading key to statements by row key
 * @param sql the statements of the store
 */
public record Store(AttachedColumn column, StoreOptions options, Routing routing, StoreSql sql) {
  /**
   * Binds nothing. Makes a statement return payload in binary form from its first execution on.
   * Otherwise the driver receives hexadecimal text until the fifth execution. The binary form needs
   * a server-side prepared statement; a connection that disables these receives text.
   */
  public static final Query.Parameters BINARY = (s, first) -> setThreshold(s, -1, first);

  /** Binds nothing. Makes the driver prepare a statement on the server at its first execution. */
  public static final Query.Parameters PREPARED = (s, first) -> setThreshold(s, 1, first);

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

  /**
   * A threshold of 0 disables server-side prepared statements, as needed by transaction pooling.
   */
  private static int setThreshold(PreparedStatement statement, int threshold, int first)
      throws SQLException {
    if (statement.isWrapperFor(PGStatement.class)) {
      PGStatement driver = statement.unwrap(PGStatement.class);
      if (driver.getPrepareThreshold() != 0) {
        driver.setPrepareThreshold(threshold);
      }
    }
    return first;
  }

  /** Returns the exception for damage that a change has found, before it changed anything. */
  public BlobCorruptException damaged(String what, long offset) {
    return new BlobCorruptException(
        "%s at offset %s of the blob in %s is missing or damaged; nothing was changed; run verify"
            .formatted(what, offset, place()));
  }

  /** Returns the CRC32C of a row, or null if this store has no checksums. */
  public @Nullable Integer checksum(byte[] bytes, int from, int count) {
    return options.crc32c() ? (Integer) Checksum.of(bytes, from, count) : null;
  }
}
