package io.pgtoaster.blob.stock;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.column.LargeValues;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Implements the blob operations on a column whose value is the blob. */
public final class StockVtable implements BlobVtable {
  private static final long NULL = -1;
  private static final long NO_ROW = -2;

  private final StockSql sql;
  private volatile boolean encodingChecked;

  StockVtable(StockSql sql) {
    this.sql = sql;
  }

  /**
   * Creates the operations on a {@code bytea} column for another toaster.
   *
   * @param column a column of type {@code bytea}
   * @param rules the rules of that toaster
   * @return thread-safe operations
   */
  public static StockVtable of(AttachedColumn column, StockRules rules) {
    return new StockVtable(new StockSql(column, false, rules));
  }

  @Override
  public PinnedBlob pin(Connection connection, RowKey key) throws SQLException {
    checkEncoding(connection);
    return new StockBlob(key, present(length(connection, sql.length, key)));
  }

  @Override
  public PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException {
    RowKey key = ((StockBlob) pinned).key();
    long length = length(connection, sql.length, key);
    if (length < pinned.length()) {
      throw new BlobChangedException("the value was shortened or removed after it was opened");
    }
    return new StockBlob(key, length);
  }

  @Override
  public byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException {
    if (count == 0) {
      return new byte[0][];
    }
    byte @Nullable [] bytes = range(connection, ((StockBlob) pinned).key(), offset, count);
    if (bytes == null || bytes.length < count) {
      throw new BlobChangedException("the value was shortened or removed after it was opened");
    }
    return new byte[][] {bytes};
  }

  @Override
  public byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    checkEncoding(connection);
    byte @Nullable [] bytes = range(connection, key, offset, count);
    if (bytes == null) {
      present(length(connection, sql.length, key));
    }
    return bytes;
  }

  @Override
  public List<Integer> tryReadAll(
      Connection connection, List<RowKey> keys, long offset, int count, ObjIntConsumer<byte[]> take)
      throws SQLException {
    checkEncoding(connection);
    int from = (int) Math.min(offset, sql.rules.maxLength()) + 1;
    int first = sql.rules.breakAt() - from + 1;
    if (0 < first && first < count) {
      return BlobVtable.super.tryReadAll(connection, keys, offset, count, take);
    }
    return Query.read(
        connection,
        sql.readMany,
        r -> {
          while (r.next()) {
            byte[] bytes = r.getBytes(2);
            if (bytes != null) {
              take.accept(bytes, r.getInt(1) - 1);
            }
          }
          return List.of();
        },
        Query.keys(keys),
        from,
        count);
  }

  @Override
  public List<Integer> tryLengths(
      Connection connection, List<RowKey> keys, ObjIntConsumer<Long> take) throws SQLException {
    checkEncoding(connection);
    return Query.read(
        connection,
        sql.lengths,
        r -> {
          while (r.next()) {
            take.accept(r.getLong(2), r.getInt(1) - 1);
          }
          return List.of();
        },
        Query.keys(keys));
  }

  @Override
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    check(connection, request);
    if (request.rest() != null) {
      return null;
    }
    checkText(request.array(), request.from(), request.count());
    @Nullable Long expected = request.expectedOffset();
    Query.Parameters offset = Query.bigint(expected);
    return Query.first(
        connection,
        sql.tryAppend,
        r -> applied(r.getLong(1) - request.count(), request.count()),
        Query.bytes(request.array(), request.from(), request.count()),
        key,
        sql.rules.maxLength() - request.count(),
        offset,
        offset);
  }

  @Override
  public boolean wholeCharacters() {
    return sql.text;
  }

  @Override
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    check(connection, request);
    if (request.rest() == null) {
      checkText(request.array(), request.from(), request.count());
    }
    long present = found(length(connection, sql.lock, key));
    long length = Math.max(0, present);
    request.requireLength(length);
    checkRoom(length, request.count());
    if (present != NULL && request.count() == 0 && request.rest() == null) {
      return new AppendResult(length, 0, false);
    }
    if (request.rest() == null) {
      Query.Parameters bytes = Query.bytes(request.array(), request.from(), request.count());
      Query.update(connection, sql.append, bytes, key);
      return applied(length, request.count());
    }
    BoundedInput input = new BoundedInput(request, sql, length);
    Query.Parameters stream =
        (s, first) -> {
          // Here the driver reads the whole stream into a temporary file before it sends anything.
          s.setBinaryStream(first, input);
          return first + 1;
        };
    Query.update(connection, sql.append, stream, key);
    return applied(length, input.count());
  }

  @Override
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    int count = bytes.length;
    checkEncoding(connection);
    checkText(bytes, 0, count);
    long length = present(length(connection, sql.lock, key));
    if (offset > length) {
      throw new InvalidOffsetException(
          "offset " + offset + " is beyond the end of the value, which has " + length + " bytes");
    }
    checkRoom(offset, count);
    checkBoundary(connection, key, offset);
    checkBoundary(connection, key, offset + count);
    Query.Parameters all = Query.bytes(bytes, 0, count);
    Query.update(connection, sql.overwrite, all, (int) offset + 1, count, key);
    keepLength(connection, key, Math.max(length, offset + count));
    written(Math.max(length, offset + count));
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    checkEncoding(connection);
    long present = present(length(connection, sql.lock, key));
    if (length > present) {
      throw new InvalidOffsetException(
          "the value has " + present + " bytes and cannot be truncated to " + length);
    }
    checkBoundary(connection, key, length);
    Query.update(connection, sql.truncate, (int) length, key);
    keepLength(connection, key, length);
  }

  private void keepLength(Connection connection, RowKey key, long length) throws SQLException {
    if (sql.keepLength != null) {
      Query.update(connection, sql.keepLength, length, key);
    }
  }

  @Override
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    present(length(connection, sql.length, source));
    found(Query.update(connection, sql.copy, source, target) == 1 ? 0 : NO_ROW);
    return true;
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    PinnedBlob unused = pin(connection, key);
    if (sql.countedLength == null) {
      return List.of();
    }
    return Query.read(
        connection,
        sql.countedLength,
        r ->
            r.next() && r.getLong(1) != r.getLong(2)
                ? List.of(
                    "there are %s bytes, but the stored length is %s"
                        .formatted(r.getLong(2), r.getLong(1)))
                : List.of(),
        key);
  }

  private AppendResult applied(long offset, long count) {
    written(offset + count);
    return new AppendResult(offset, count, false);
  }

  private void written(long length) {
    LargeValues.written(
        sql.column,
        length,
        "attach(\"%1$s\", \"%2$s\", BlobOptions.defaults()) on an empty column, or"
            + " migration(ColumnName.of(\"%1$s\", \"%2$s\")) to keep the content");
  }

  /** Returns the bytes of a range; null if the column is NULL or the row does not exist. */
  private byte @Nullable [] range(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    int from = (int) Math.min(offset, sql.rules.maxLength()) + 1;
    int first = sql.rules.breakAt() - from + 1;
    boolean broken = 0 < first && first < count;
    Query.Rows<byte[]> bytes = r -> r.getBytes(1);
    return broken
        ? Query.first(
            connection, sql.readBroken, bytes, from, first, from + first, count - first, key)
        : Query.first(connection, sql.read, bytes, from, count, key);
  }

  private static long length(Connection connection, String query, RowKey key) throws SQLException {
    return Query.<Long>read(
        connection,
        query,
        r -> !r.next() ? NO_ROW : r.getObject(1) == null ? NULL : r.getLong(1),
        key);
  }

  private static long found(long length) {
    if (length == NO_ROW) {
      throw new RowNotFoundException("there is no row with this key");
    }
    return length;
  }

  private static long present(long length) {
    if (found(length) == NULL) {
      throw new BlobNotFoundException("the column is NULL; an append creates content");
    }
    return length;
  }

  private void check(Connection connection, AppendRequest request) throws SQLException {
    if (request.token() != null) {
      throw new UnsupportedCapabilityException(
          "the toaster %s does not store tokens; attach the column to appendable"
              .formatted(sql.rules.toaster()));
    }
    checkEncoding(connection);
  }

  private void checkRoom(long offset, int count) {
    if (offset + count > sql.rules.maxLength()) {
      throw new InvalidOffsetException(
          ("a value of the toaster %s has at most %s bytes, and this call would extend it to %s; attach"
                  + " the column to appendable")
              .formatted(sql.rules.toaster(), sql.rules.maxLength(), (offset + count)));
    }
  }

  private void checkText(byte[] array, int from, int count) {
    if (sql.text) {
      Utf8Check.check(array, from, count);
    }
  }

  /** Throws an exception if the offset is inside a character. */
  private void checkBoundary(Connection connection, RowKey key, long offset) throws SQLException {
    if (sql.text) {
      byte @Nullable [] next = range(connection, key, offset, 1);
      if (next != null && next.length > 0 && Utf8Check.isContinuation(next[0])) {
        throw Utf8Check.refused("a change within a character (at byte " + offset + ")", null);
      }
    }
  }

  /**
   * Throws an exception unless the database uses UTF-8: otherwise the server's text lengths are not
   * those of UTF-8.
   */
  private void checkEncoding(Connection connection) throws SQLException {
    if (sql.text && !encodingChecked) {
      String query = "SELECT pg_catalog.getdatabaseencoding()";
      String encoding = Query.one(connection, query, r -> r.getString(1));
      if (!encoding.equals("UTF8")) {
        throw new UnsupportedCapabilityException(
            "text columns need a database with encoding UTF8, but this one has " + encoding);
      }
      encodingChecked = true;
    }
  }
}
