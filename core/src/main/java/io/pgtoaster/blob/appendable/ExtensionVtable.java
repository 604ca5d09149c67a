package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.appendable.store.AppendList;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.ServerExtension;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.AttachedColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Implements some operations with functions of the server extension, which are faster on the same
 * tables. A function that cannot handle a call changes nothing and returns NULL. Plain SQL then
 * does the work or throws the exception.
 */
final class ExtensionVtable extends AppendableVtable {
  /** Larger appends use the bulk path, which sends one slice while the server processes another. */
  private static final int MAX_APPEND = 1 << 20;

  private static final int MAX_READ = 8 << 20;

  private final Store store;
  private final String append;
  private final String appendMany;
  private final String read;
  private final String write;
  private final String truncate;
  private final String compact;

  ExtensionVtable(AttachedColumn column, Store store) {
    super(store);
    this.store = store;
    append =
        ServerExtension.call(
            column,
            "try_blob_append",
            "CAST(? AS bytea)",
            "CAST(? AS bigint)",
            "CAST(? AS uuid)",
            "CAST(? AS bigint)");
    appendMany =
        "SELECT a.n, CASE WHEN a.r IS NULL THEN 'other' ELSE 'applied' END, a.r,"
            + " 1 / CASE WHEN pg_catalog.count(a.r) OVER () >= w.n THEN 1 ELSE 0 END"
            + (" FROM (" + forEach(column) + " OFFSET 0) a(n, r)")
            + " CROSS JOIN (SELECT CAST(? AS bigint)) w(n)";
    read = ServerExtension.call(column, "try_blob_read", "CAST(? AS bigint)", "CAST(? AS integer)");
    write = ServerExtension.call(column, "try_blob_write", "CAST(? AS bigint)", "CAST(? AS bytea)");
    truncate = ServerExtension.call(column, "try_blob_truncate", "CAST(? AS bigint)");
    compact = ServerExtension.call(column, "try_blob_compact");
  }

  private static String forEach(AttachedColumn column) {
    String list = AppendList.in(column);
    return ServerExtension.callForEach(
        column, list, "try_blob_append", "q.v1", "q.v3", "CAST(q.v4 AS uuid)", "q.v5");
  }

  @Override
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    if (request.rest() != null || request.count() > MAX_APPEND) {
      return null;
    }
    AppendToken token = request.token();
    Long offset =
        number(
            connection,
            append,
            key,
            request.bytes(),
            Query.bigint(request.expectedOffset()),
            token == null ? null : token.writer(),
            Query.bigint(token == null ? null : (Long) token.sequence()));
    return offset == null ? null : new AppendResult(offset, request.count(), false);
  }

  @Override
  public List<@Nullable AppendResult> tryAppendAll(
      Connection connection, List<RowKey> keys, List<AppendRequest> requests, boolean whole)
      throws SQLException {
    return new AppendList(store, keys, requests).append(connection, appendMany, whole);
  }

  @Override
  public byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    if (count > MAX_READ) {
      return null;
    }
    byte[] bytes =
        Query.first(connection, read, r -> r.getBytes(1), Store.BINARY, key, offset, count);
    return bytes == null ? super.tryRead(connection, key, offset, count) : bytes;
  }

  @Override
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    if (bytes.length > MAX_APPEND || !isDone(connection, write, key, offset, bytes)) {
      super.write(connection, key, offset, bytes);
    }
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    if (!isDone(connection, truncate, key, length)) {
      super.truncate(connection, key, length);
    }
  }

  @Override
  public long compact(Connection connection, RowKey key) throws SQLException {
    Long rows = number(connection, compact, key);
    return rows == null ? super.compact(connection, key) : rows;
  }

  private static boolean isDone(Connection connection, String call, @Nullable Object... parameters)
      throws SQLException {
    try {
      return Query.is(connection, call, parameters);
    } catch (SQLException e) {
      throw Store.corruptOr(e);
    }
  }

  private static @Nullable Long number(
      Connection connection, String call, @Nullable Object... parameters) throws SQLException {
    try {
      return Query.first(connection, call, r -> r.getObject(1, Long.class), parameters);
    } catch (SQLException e) {
      throw Store.corruptOr(e);
    }
  }
}
