package io.pgtoaster.blob;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DiscardedException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.ByteArrays;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Connections.Lease;
import io.pgtoaster.internal.SqlErrors;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.OpenedBlob;
import io.pgtoaster.spi.PinnedBlob;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/**
 * Reads the content of a blob as it was when the reader was opened, regardless of later appends. It
 * can be read by position and through streams, at the same time and from several threads. Holds one
 * connection until it is closed, or uses the caller's.
 *
 * <pre>{@code
 * try (BlobReader reader = audio.open(42)) {
 *   byte[] header = reader.inputStream(0, 128).readAllBytes();
 *   reader.inputStream(128, reader.length() - 128).transferTo(out);
 * }
 * }</pre>
 */
public final class BlobReader implements AutoCloseable {
  private final ColumnAccess<BlobToaster, BlobVtable> access;
  private final BlobVtable vtable;
  private final Lease lease;
  private final PinnedBlob pinned;
  private final String place;
  private final boolean own;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean closed;

  private BlobReader(
      ColumnAccess<BlobToaster, BlobVtable> access,
      BlobVtable vtable,
      Lease lease,
      PinnedBlob pinned,
      String place,
      boolean own) {
    this.access = access;
    this.vtable = vtable;
    this.lease = lease;
    this.pinned = pinned;
    this.place = place;
    this.own = own;
  }

  static BlobReader open(ColumnAccess<BlobToaster, BlobVtable> access, Object key) {
    BlobOperation row = BlobOperation.row("open", key);
    Opening pin = (vtable, connection, k) -> new OpenedBlob(vtable.pin(connection, k));
    return access.run(row, true, column -> open(access, column, row, pin)).reader();
  }

  /**
   * Opens a stream that closes its reader; the statement that finds the row may also read the first
   * bytes.
   */
  static BlobInputStream stream(
      ColumnAccess<BlobToaster, BlobVtable> access, Object key, long offset, long length) {
    return stream(access, key, offset, length, pinned -> offset);
  }

  /** Opens such a stream over the whole content without discarded bytes. */
  static BlobInputStream whole(ColumnAccess<BlobToaster, BlobVtable> access, Object key) {
    return stream(access, key, 0, Long.MAX_VALUE, PinnedBlob::first);
  }

  private static BlobInputStream stream(
      ColumnAccess<BlobToaster, BlobVtable> access,
      Object key,
      long offset,
      long length,
      ToLongFunction<PinnedBlob> start) {
    BlobOperation row = BlobOperation.row("open", key);
    int first = (int) Math.min(length, BlobInputStream.MIN_WINDOW);
    Opening both = (vtable, connection, k) -> vtable.open(connection, k, offset, first);
    Opened opened = access.run(row, true, column -> open(access, column, row, both));
    try {
      return opened
          .reader()
          .onlyStream(start.applyAsLong(opened.reader().pinned), length, opened.bytes());
    } catch (RuntimeException e) {
      opened.reader().close();
      throw e;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Opened(BlobReader reader, byte[] bytes) {}

  private interface Opening {
    OpenedBlob open(BlobVtable vtable, Connection connection, RowKey key) throws SQLException;
  }

  private static Opened open(
      ColumnAccess<BlobToaster, BlobVtable> access,
      ColumnAccess.Resolved<BlobToaster, BlobVtable> column,
      BlobOperation row,
      Opening opening) {
    Connections connections = access.connections();
    Lease lease = connections.lease();
    try {
      OpenedBlob opened = opening.open(column.vtable(), lease.connection(), column.key(row.key()));
      BlobReader reader =
          new BlobReader(
              access,
              column.vtable(),
              lease,
              opened.pinned(),
              row.describe(column.column().describe()),
              connections.connectionPerCall());
      return new Opened(reader, opened.bytes());
    } catch (SQLException | RuntimeException e) {
      lease.close();
      throw e instanceof SQLException s ? SqlErrors.translate(s) : (RuntimeException) e;
    }
  }

  /** Returns the length of the pinned content in bytes. */
  public long length() {
    return pinned.length();
  }

  /**
   * Returns the offset of the first byte that was not discarded when this reader was opened. It is
   * 0 if none was.
   */
  public long first() {
    return pinned.first();
  }

  /**
   * Returns the generation of the pinned content, which increases with each overwrite, replacement
   * and truncation.
   */
  public long generation() {
    return pinned.generation();
  }

  /** Returns whether the content was final when this reader was opened. */
  public boolean sealed() {
    return pinned.sealed();
  }

  /**
   * Reads bytes at a position.
   *
   * @param from index of the first byte to fill
   * @return number of bytes read, fewer than wanted only at the end; -1 at the end or after it
   * @throws io.pgtoaster.error.BlobChangedException if the pinned content no longer exists
   * @throws io.pgtoaster.error.DiscardedException if the byte at the offset was discarded
   * @throws IllegalStateException if this reader is closed
   */
  public int read(long offset, byte[] buffer, int from, int count) {
    Objects.checkFromIndexSize(from, count, buffer.length);
    if (offset < 0) {
      throw SqlErrors.at(new InvalidOffsetException("offset " + offset + " is negative"), place);
    }
    if (count == 0) {
      return 0;
    }
    if (offset >= pinned.length()) {
      return -1;
    }
    int part = (int) Math.min(count, pinned.length() - offset);
    ByteArrays.copy(fetch(offset, part), buffer, from);
    return part;
  }

  /**
   * Returns the offset of the first of the last lines: {@link #first} if there are no more lines,
   * and the length for 0 lines. A line ends with {@code \n}; the last one may have no terminator.
   * Reads backwards from the end.
   */
  public long startOfLastLines(long lines) {
    return LastLines.start(
        pinned.first(),
        pinned.length(),
        Arguments.lines(lines),
        (offset, count) -> ByteArrays.joined(fetch(offset, count)),
        block -> {});
  }

  /**
   * Opens a stream over the whole content without discarded bytes. Closing it leaves this reader
   * open.
   *
   * @return a stream for one thread
   */
  public InputStream inputStream() {
    return inputStream(pinned.first(), pinned.length());
  }

  /**
   * Opens a stream over a range.
   *
   * @param length number of bytes; the stream ends earlier at the end of the content
   * @return a stream for one thread
   * @throws InvalidOffsetException if the offset is beyond the end
   */
  public InputStream inputStream(long offset, long length) {
    return stream(offset, length, BlobInputStream.NOTHING, () -> {});
  }

  /** Returns a stream that closes this reader and starts with the bytes already read. */
  private BlobInputStream onlyStream(long offset, long length, byte[] first) {
    if (first.length > 0) {
      access.notifying(new BlobOperation("read", place, offset, first.length), () -> first);
    }
    return stream(offset, length, first, this::close);
  }

  @Override
  public void close() {
    // Wait for a window that is being fetched, so that the connection is idle when it is returned.
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        lease.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private BlobInputStream stream(long offset, long length, byte[] first, Runnable onClose) {
    Arguments.part(offset, length);
    if (offset > pinned.length()) {
      throw SqlErrors.at(
          new InvalidOffsetException(
              "offset " + offset + " is beyond the end at " + pinned.length()),
          place);
    }
    if (offset < pinned.first()) {
      throw SqlErrors.at(new DiscardedException(pinned.first()), place);
    }
    long end = offset + Math.min(pinned.length() - offset, length);
    return new BlobInputStream(this::fetch, offset, end, first, own, onClose);
  }

  private byte[][] fetch(long offset, int count) {
    return access.notifying(
        new BlobOperation("read", place, offset, count), () -> fetchUnreported(offset, count));
  }

  private byte[][] fetchUnreported(long offset, int count) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the reader is closed");
      }
      return vtable.read(lease.connection(), pinned, offset, count);
    } catch (SQLException e) {
      throw SqlErrors.at(SqlErrors.translate(e), place);
    } catch (PgToasterException e) {
      throw SqlErrors.at(
          access.snapshotOr(lease.connection(), e),
          place + ", offset " + offset + ", length " + count);
    } finally {
      lock.unlock();
    }
  }
}
