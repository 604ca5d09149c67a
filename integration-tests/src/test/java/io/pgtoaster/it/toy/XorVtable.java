package io.pgtoaster.it.toy;

import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.spi.AppendRequest;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The basic operations, as simple as possible. */
record XorVtable(ToyColumn column, int mask) implements BlobVtable {
  private record Pinned(RowKey key, long length) implements PinnedBlob {
    @Override
    public long generation() {
      return 0;
    }

    @Override
    public boolean sealed() {
      return false;
    }

    @Override
    public Instant createdAt() {
      return null;
    }
  }

  private byte[] changed(byte[] bytes) {
    byte[] result = bytes.clone();
    for (int i = 0; i < result.length; i++) {
      result[i] ^= (byte) mask;
    }
    return result;
  }

  /** Returns the content of a row, or null. */
  private byte[] load(Connection connection, RowKey key, boolean lock) throws SQLException {
    byte[] stored = column.load(connection, key, lock, byte[].class);
    return stored == null ? null : changed(stored);
  }

  private byte[] loadPresent(Connection connection, RowKey key, boolean lock) throws SQLException {
    byte[] content = load(connection, key, lock);
    if (content == null) {
      throw new BlobNotFoundException(column.describe() + " is NULL");
    }
    return content;
  }

  private void store(Connection connection, RowKey key, byte[] content) throws SQLException {
    column.store(connection, key, changed(content));
  }

  @Override
  public PinnedBlob pin(Connection connection, RowKey key) throws SQLException {
    return new Pinned(key, loadPresent(connection, key, false).length);
  }

  @Override
  public PinnedBlob refresh(Connection connection, PinnedBlob pinned) throws SQLException {
    return pin(connection, ((Pinned) pinned).key());
  }

  @Override
  public byte[][] read(Connection connection, PinnedBlob pinned, long offset, int count)
      throws SQLException {
    byte[] content = load(connection, ((Pinned) pinned).key(), false);
    if (content == null || content.length < offset + count) {
      throw new BlobChangedException("the content of " + column.describe() + " is shorter now");
    }
    return new byte[][] {Arrays.copyOfRange(content, (int) offset, (int) offset + count)};
  }

  @Override
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    byte[] present = load(connection, key, true);
    byte[] before = present == null ? new byte[0] : present;
    request.requireLength(before.length);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(before);
    all.write(request.array(), request.from(), request.count());
    byte[] buffer = new byte[65_536];
    int n;
    while ((n = request.readRest(buffer, 0, buffer.length)) > 0) {
      all.write(buffer, 0, n);
    }
    store(connection, key, all.toByteArray());
    return new AppendResult(before.length, all.size() - (long) before.length, false);
  }

  @Override
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    byte[] content = loadPresent(connection, key, true);
    if (offset > content.length) {
      throw new InvalidOffsetException("offset " + offset + " is beyond the end");
    }
    byte[] changed = Arrays.copyOf(content, (int) Math.max(content.length, offset + bytes.length));
    System.arraycopy(bytes, 0, changed, (int) offset, bytes.length);
    store(connection, key, changed);
  }

  @Override
  public void truncate(Connection connection, RowKey key, long length) throws SQLException {
    byte[] content = loadPresent(connection, key, true);
    if (length > content.length) {
      throw new InvalidOffsetException("length " + length + " is beyond the end");
    }
    store(connection, key, Arrays.copyOf(content, (int) length));
  }

  @Override
  public List<String> verify(Connection connection, RowKey key) throws SQLException {
    loadPresent(connection, key, false);
    return column.isCompressed(connection, key) ? List.of("the value is compressed") : List.of();
  }
}
