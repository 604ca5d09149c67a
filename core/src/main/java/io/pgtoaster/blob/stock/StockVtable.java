package io.pgtoaster.blob.stock;

import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.AppendRequest;
import io.pgtoaster.blob.AppendResult;
import io.pgtoaster.blob.BlobVtable;
import io.pgtoaster.blob.PinnedBlob;
import io.pgtoaster.column.AttachedColumn;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations on one column whose value is the blob. */
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
   * @param column of type {@code bytea}
   * @param rules of that toaster
   * @return operations that any thread may use
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
      throw new BlobChangedException("the value was cut or removed since it was opened");
    }
    return new StockBlob(key, length);
  }

  @Override
  public void read(
      Connection connection, PinnedBlob pinned, long offset, byte[] buffer, int from, int count)
      throws SQLException {
    if (count == 0) {
      return;
    }
    byte @Nullable [] bytes = range(connection, ((StockBlob) pinned).key(), offset, count);
    if (bytes == null || bytes.length < count) {
      throw new BlobChangedException("the value was cut or removed since it was opened");
    }
    System.arraycopy(bytes, 0, buffer, from, count);
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
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    check(connection, request);
    if (request.rest() != null) {
      return null;
    }
    checkText(request.array(), request.from(), request.count());
    @Nullable Long expected = request.options().expectedOffset();
    try (PreparedStatement s = connection.prepareStatement(sql.tryAppend)) {
      bindBytes(s, 1, request.array(), request.from(), request.count());
      int next = key.bind(s, 2);
      s.setLong(next++, sql.rules.maxLength() - request.count());
      s.setObject(next++, expected, Types.BIGINT);
      s.setObject(next, expected, Types.BIGINT);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? applied(r.getLong(1), request.count()) : null;
      }
    }
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
    @Nullable Long expected = request.options().expectedOffset();
    if (expected != null && expected != length) {
      return new AppendResult(length, 0, AppendOutcome.CONFLICT);
    }
    checkRoom(length, request.count());
    if (present != NULL && request.count() == 0 && request.rest() == null) {
      return new AppendResult(length, 0, AppendOutcome.APPLIED);
    }
    try (PreparedStatement s = connection.prepareStatement(sql.append)) {
      long count;
      if (request.rest() == null) {
        bindBytes(s, 1, request.array(), request.from(), request.count());
        count = request.count();
      } else {
        // The driver reads it to its end here, into a temporary file, before it sends anything.
        BoundedInput input = new BoundedInput(request, sql, length);
        s.setBinaryStream(1, input);
        count = input.count();
      }
      key.bind(s, 2);
      s.executeUpdate();
      return new AppendResult(length, count, AppendOutcome.APPLIED);
    }
  }

  @Override
  public void write(
      Connection connection, RowKey key, long offset, byte[] array, int from, int count)
      throws SQLException {
    checkEncoding(connection);
    checkText(array, from, count);
    long length = present(length(connection, sql.lock, key));
    if (offset > length) {
      throw new InvalidOffsetException(
          "offset " + offset + " is beyond the end of the value, which has " + length + " bytes");
    }
    checkRoom(offset, count);
    checkBoundary(connection, key, offset);
    checkBoundary(connection, key, offset + count);
    try (PreparedStatement s = connection.prepareStatement(sql.overwrite)) {
      bindBytes(s, 1, array, from, count);
      s.setInt(2, (int) offset + 1);
      s.setInt(3, count);
      key.bind(s, 4);
      s.executeUpdate();
    }
    keepLength(connection, key, Math.max(length, offset + count));
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    checkEncoding(connection);
    long present = present(length(connection, sql.lock, key));
    if (length > present) {
      throw new InvalidOffsetException(
          "the value has " + present + " bytes and cannot be cut to " + length);
    }
    checkBoundary(connection, key, length);
    try (PreparedStatement s = connection.prepareStatement(sql.truncate)) {
      s.setInt(1, (int) length);
      key.bind(s, 2);
      s.executeUpdate();
    }
    keepLength(connection, key, length);
  }

  private void keepLength(Connection connection, RowKey key, long length) throws SQLException {
    if (sql.keepLength != null) {
      try (PreparedStatement s = connection.prepareStatement(sql.keepLength)) {
        s.setLong(1, length);
        key.bind(s, 2);
        s.executeUpdate();
      }
    }
  }

  @Override
  public boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    present(length(connection, sql.length, source));
    try (PreparedStatement s = connection.prepareStatement(sql.copy)) {
      target.bind(s, source.bind(s, 1));
      found(s.executeUpdate() == 1 ? 0 : NO_ROW);
    }
    return true;
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    PinnedBlob unused = pin(connection, key);
    if (sql.countedLength == null) {
      return List.of();
    }
    try (PreparedStatement s = connection.prepareStatement(sql.countedLength)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        return r.next() && r.getLong(1) != r.getLong(2)
            ? List.of("there are " + r.getLong(2) + " bytes, and kept is " + r.getLong(1))
            : List.of();
      }
    }
  }

  private static AppendResult applied(long end, int count) {
    return new AppendResult(end - count, count, AppendOutcome.APPLIED);
  }

  /** Bytes of a range; null if the column is NULL or there is no row. */
  private byte @Nullable [] range(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    int from = (int) Math.min(offset, sql.rules.maxLength()) + 1;
    int first = sql.rules.breakAt() - from + 1;
    boolean broken = 0 < first && first < count;
    try (PreparedStatement s = connection.prepareStatement(broken ? sql.readBroken : sql.read)) {
      int next = bindRange(s, 1, from, broken ? first : count);
      if (broken) {
        next = bindRange(s, next, from + first, count - first);
      }
      key.bind(s, next);
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? r.getBytes(1) : null;
      }
    }
  }

  private static int bindRange(PreparedStatement statement, int first, int from, int count)
      throws SQLException {
    statement.setInt(first, from);
    statement.setInt(first + 1, count);
    return first + 2;
  }

  private static long length(Connection connection, String query, RowKey key) throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(query)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          return NO_ROW;
        }
        long length = r.getLong(1);
        return r.wasNull() ? NULL : length;
      }
    }
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

  private static void bindBytes(
      PreparedStatement statement, int index, byte[] array, int from, int count)
      throws SQLException {
    statement.setBinaryStream(index, new ByteArrayInputStream(array, from, count), count);
  }

  private void check(Connection connection, AppendRequest request) throws SQLException {
    if (request.options().token() != null) {
      throw new UnsupportedCapabilityException(
          "the toaster "
              + sql.rules.toaster()
              + " keeps no tokens; attach the column to appendable");
    }
    checkEncoding(connection);
  }

  private void checkRoom(long offset, int count) {
    if (offset + count > sql.rules.maxLength()) {
      throw new InvalidOffsetException(
          "a value of the toaster "
              + sql.rules.toaster()
              + " ends at "
              + sql.rules.maxLength()
              + " bytes, and these would reach to "
              + (offset + count)
              + "; attach the column to appendable");
    }
  }

  private void checkText(byte[] array, int from, int count) {
    if (sql.text) {
      Utf8Check.check(array, from, count);
    }
  }

  /** Refuses to split a character of a text. */
  private void checkBoundary(Connection connection, RowKey key, long offset) throws SQLException {
    if (sql.text) {
      byte @Nullable [] next = range(connection, key, offset, 1);
      if (next != null && next.length > 0 && Utf8Check.isContinuation(next[0])) {
        throw Utf8Check.refused("a change within a character (at byte " + offset + ")", null);
      }
    }
  }

  /** The lengths that the server tells of a text are those of UTF-8 only if it stores UTF-8. */
  private void checkEncoding(Connection connection) throws SQLException {
    if (sql.text && !encodingChecked) {
      try (PreparedStatement s =
              connection.prepareStatement("SELECT pg_catalog.getdatabaseencoding()");
          ResultSet r = s.executeQuery()) {
        if (r.next() && !r.getString(1).equals("UTF8")) {
          throw new UnsupportedCapabilityException(
              "text columns need a database in UTF8, and this one is in " + r.getString(1));
        }
      }
      encodingChecked = true;
    }
  }
}
