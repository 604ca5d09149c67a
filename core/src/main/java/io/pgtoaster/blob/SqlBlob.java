package io.pgtoaster.blob;

import io.pgtoaster.error.PgToasterException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;

/** A blob as JDBC has it: positions count from 1, here with 64 bits. */
final class SqlBlob implements Blob {
  private static final int WRITE_BUFFER = 1 << 20;
  private static final String INVALID_PARAMETER = "22023";

  private final BlobColumn column;
  private final Object key;
  private volatile boolean freed;

  SqlBlob(BlobColumn column, Object key) {
    this.column = column;
    this.key = key;
  }

  private interface Action<T> {
    T run() throws IOException;
  }

  private <T> T call(Action<T> action) throws SQLException {
    if (freed) {
      throw new SQLException("the Blob is freed", "55000");
    }
    try {
      return action.run();
    } catch (PgToasterException e) {
      throw new SQLException(e.getMessage(), e.sqlState(), e);
    } catch (IOException e) {
      throw new SQLException(
          e.getMessage(), e.getCause() instanceof PgToasterException p ? p.sqlState() : "58030", e);
    }
  }

  private static long offset(long position) throws SQLException {
    if (position < 1) {
      throw new SQLException(
          "position " + position + " is less than 1, the first byte", INVALID_PARAMETER);
    }
    return position - 1;
  }

  @Override
  public long length() throws SQLException {
    return call(() -> column.length(key));
  }

  @Override
  public byte[] getBytes(long pos, int length) throws SQLException {
    long offset = offset(pos);
    return call(() -> column.read(key, offset, length));
  }

  @Override
  public InputStream getBinaryStream() throws SQLException {
    return call(() -> column.inputStream(key));
  }

  @Override
  public InputStream getBinaryStream(long pos, long length) throws SQLException {
    long offset = offset(pos);
    return call(() -> column.inputStream(key, offset, length));
  }

  @Override
  public long position(byte[] pattern, long start) throws SQLException {
    long offset = offset(start);
    Objects.requireNonNull(pattern, "pattern");
    return call(
        () -> {
          long length = column.length(key);
          if (offset > length || pattern.length > length - offset) {
            return -1L;
          }
          try (InputStream in = column.inputStream(key, offset, length - offset)) {
            long found = Search.find(in, pattern);
            return found < 0 ? -1 : offset + found + 1;
          }
        });
  }

  @Override
  public long position(Blob pattern, long start) throws SQLException {
    return position(pattern.getBytes(1, Math.toIntExact(pattern.length())), start);
  }

  @Override
  public int setBytes(long pos, byte[] bytes) throws SQLException {
    return setBytes(pos, bytes, 0, bytes.length);
  }

  @Override
  public int setBytes(long pos, byte[] bytes, int offset, int len) throws SQLException {
    long at = offset(pos);
    Objects.checkFromIndexSize(offset, len, bytes.length);
    return call(
        () -> {
          try (OutputStream out =
              Channels.newOutputStream(new BlobChannel(column, key).position(at))) {
            out.write(Arrays.copyOfRange(bytes, offset, offset + len));
          }
          return len;
        });
  }

  @Override
  public OutputStream setBinaryStream(long pos) throws SQLException {
    long at = offset(pos);
    return call(
        () ->
            new BufferedOutputStream(
                Channels.newOutputStream(new BlobChannel(column, key).position(at)), WRITE_BUFFER));
  }

  @Override
  public void truncate(long len) throws SQLException {
    call(
        () -> {
          column.truncate(key, len);
          return len;
        });
  }

  @Override
  public void free() {
    freed = true;
  }
}
