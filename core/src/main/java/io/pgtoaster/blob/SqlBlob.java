package io.pgtoaster.blob;

import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.sql.Blob;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A JDBC view of a blob. Positions start at 1 and have 64 bits. A NULL column is an empty blob,
 * which a write creates. Discarded bytes keep their positions but cannot be read; streams without a
 * position and searches begin after them. All errors, including calls after {@link #free}, are
 * reported as an {@link SQLException} with a SQLState.
 */
final class SqlBlob implements Blob {
  private static final int WRITE_BUFFER = 1 << 20;
  private static final String INVALID_PARAMETER = "22023";
  private static final String NULL_NOT_ALLOWED = "22004";
  private static final String OUT_OF_RANGE = "22003";
  private static final String FREED = "55000";

  private final BlobColumn column;
  private final Object key;
  private volatile boolean freed;

  SqlBlob(BlobColumn column, Object key) {
    this.column = column;
    this.key = key;
  }

  private interface Action<T> {
    T run() throws IOException, SQLException;
  }

  private <T> T call(Action<T> action) throws SQLException {
    ensureUsable();
    try {
      return action.run();
    } catch (PgToasterException e) {
      throw new SQLException(e.getMessage(), e.sqlState(), e);
    } catch (IOException e) {
      throw new SQLException(
          e.getMessage(), e.getCause() instanceof PgToasterException p ? p.sqlState() : "58030", e);
    }
  }

  private void ensureUsable() throws SQLException {
    if (freed) {
      throw new SQLException("this Blob has been freed", FREED);
    }
  }

  private static long offset(long position) throws SQLException {
    if (position < 1) {
      throw new SQLException(
          "position " + position + " is less than 1, the first byte", INVALID_PARAMETER);
    }
    return position - 1;
  }

  private static long length(long length) throws SQLException {
    if (length < 0) {
      throw new SQLException("length " + length + " is negative", INVALID_PARAMETER);
    }
    return length;
  }

  private static <T> T given(@Nullable T argument, String name) throws SQLException {
    if (argument == null) {
      throw new SQLException(name + " is null", NULL_NOT_ALLOWED);
    }
    return argument;
  }

  @Override
  public long length() throws SQLException {
    return call(() -> column.length(key));
  }

  /** Returns the existing bytes from the position on; an empty array after the end. */
  @Override
  public byte[] getBytes(long pos, int length) throws SQLException {
    return call(() -> column.readUpTo(key, offset(pos), (int) length((long) length)));
  }

  @Override
  public InputStream getBinaryStream() throws SQLException {
    return call(() -> orEmpty(() -> column.inputStream(key)));
  }

  /** Requires the whole range to exist, unlike {@link #getBytes}. */
  @Override
  public InputStream getBinaryStream(long pos, long length) throws SQLException {
    return call(
        () -> {
          long offset = offset(pos);
          length(length);
          long end = column.length(key);
          if (offset >= end || length > end - offset) {
            throw new SQLException(
                "position " + pos + " with length " + length + " reaches beyond the end at " + end,
                OUT_OF_RANGE);
          }
          return orEmpty(() -> column.inputStream(key, offset, length));
        });
  }

  private static InputStream orEmpty(Supplier<InputStream> open) {
    try {
      return open.get();
    } catch (BlobNotFoundException nullColumn) {
      return new ByteArrayInputStream(new byte[0]);
    }
  }

  @Override
  public long position(byte @Nullable [] pattern, long start) throws SQLException {
    return call(() -> find(given(pattern, "pattern"), offset(start)));
  }

  @Override
  public long position(@Nullable Blob pattern, long start) throws SQLException {
    return call(
        () -> {
          Blob wanted = given(pattern, "pattern");
          long offset = offset(start);
          long length = wanted.length();
          if (length > Integer.MAX_VALUE) {
            throw new SQLException(
                "a pattern of " + length + " bytes is too long to search for", INVALID_PARAMETER);
          }
          return find(length == 0 ? new byte[0] : wanted.getBytes(1, (int) length), offset);
        });
  }

  private long find(byte[] pattern, long start) throws IOException {
    BlobInfo info = column.info(key).orElse(null);
    if (info == null) {
      return start == 0 && pattern.length == 0 ? 1 : -1;
    }
    long length = info.length();
    long offset = Math.max(start, info.first());
    if (offset > length || pattern.length > length - offset) {
      return -1;
    }
    try (InputStream in = column.inputStream(key, offset, length - offset)) {
      long found = Search.find(in, pattern);
      return found < 0 ? -1 : offset + found + 1;
    }
  }

  @Override
  public int setBytes(long pos, byte @Nullable [] bytes) throws SQLException {
    return call(
        () -> {
          byte[] all = given(bytes, "bytes");
          return write(offset(pos), all, 0, all.length);
        });
  }

  @Override
  public int setBytes(long pos, byte @Nullable [] bytes, int offset, int len) throws SQLException {
    return call(
        () -> {
          byte[] all = given(bytes, "bytes");
          if (offset < 0 || len < 0 || len > all.length - offset) {
            throw new SQLException(
                "offset %d and length %d are not within %d bytes"
                    .formatted(offset, len, all.length),
                INVALID_PARAMETER);
          }
          return write(offset(pos), all, offset, len);
        });
  }

  private int write(long at, byte[] bytes, int offset, int length)
      throws IOException, SQLException {
    try (OutputStream out = stream(at)) {
      out.write(Arrays.copyOfRange(bytes, offset, offset + length));
    } catch (IOException e) {
      if (e.getCause() instanceof InvalidOffsetException) {
        throw new SQLException(e.getMessage(), OUT_OF_RANGE, e);
      }
      throw e;
    }
    return length;
  }

  /** Returns a stream that rejects writes after a gap; JDBC does not specify their effect. */
  private OutputStream stream(long at) throws IOException {
    BlobChannel channel =
        new BlobChannel(column, key, ChannelOptions.defaults().withMaxGap(0)).position(at);
    return new FilterOutputStream(Channels.newOutputStream(channel)) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
          out.write(bytes, offset, length);
        } catch (IOException e) {
          if (e.getCause() instanceof InvalidOffsetException gap) {
            throw new IOException(
                "position %d is beyond the end; write at position %d or before"
                    .formatted(at + 1, column.length(key) + 1),
                gap);
          }
          throw e;
        }
      }
    };
  }

  @Override
  public OutputStream setBinaryStream(long pos) throws SQLException {
    return call(() -> new BufferedOutputStream(stream(offset(pos)), WRITE_BUFFER));
  }

  @Override
  public void truncate(long len) throws SQLException {
    call(
        () -> {
          try {
            column.truncate(key, length(len));
          } catch (BlobNotFoundException e) {
            if (len > 0) {
              throw new SQLException("length " + len + " is beyond the end at 0", OUT_OF_RANGE, e);
            }
          }
          return len;
        });
  }

  @Override
  public void free() {
    freed = true;
  }
}
