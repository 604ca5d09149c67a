package io.pgtoaster.blob;

import io.pgtoaster.column.ColumnAccess;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.Connections.Lease;
import io.pgtoaster.internal.SqlErrors;
import java.io.InputStream;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The content of a blob as it was when this was opened, whatever is appended meanwhile: by position
 * and by streams, also both at once and from several threads. Holds one connection until it is
 * closed, or uses the caller's.
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
    Place row = Place.row("open", key);
    return access.run(row, true, column -> open(access, column, row));
  }

  private static BlobReader open(
      ColumnAccess<BlobToaster, BlobVtable> access,
      ColumnAccess.Resolved<BlobToaster, BlobVtable> column,
      Place row) {
    Connections connections = access.connections();
    Lease lease = connections.lease();
    try {
      PinnedBlob pinned = column.vtable().pin(lease.connection(), column.key(row.key()));
      return new BlobReader(
          access,
          column.vtable(),
          lease,
          pinned,
          row.describe(column.column().describe()),
          connections.own());
    } catch (SQLException | RuntimeException e) {
      try {
        lease.close();
      } catch (SQLException closing) {
        e.addSuppressed(closing);
      }
      throw e instanceof SQLException s ? SqlErrors.translate(s) : (RuntimeException) e;
    }
  }

  /**
   * Returns the length of the pinned content.
   *
   * @return bytes
   */
  public long length() {
    return pinned.length();
  }

  /**
   * Returns the generation of the pinned content.
   *
   * @return a number that each overwrite, replacement and truncation raises
   */
  public long generation() {
    return pinned.generation();
  }

  /**
   * Tells whether the content was final when this was opened.
   *
   * @return true if sealed
   */
  public boolean sealed() {
    return pinned.sealed();
  }

  /**
   * Reads bytes at a position.
   *
   * @param offset of the first byte
   * @param buffer to fill
   * @param from index of the first byte to fill
   * @param count number of bytes wanted
   * @return number of bytes read, fewer than wanted only at the end; -1 at the end or behind it
   * @throws io.pgtoaster.error.BlobChangedException if the pinned content is gone
   * @throws IllegalStateException if this is closed
   */
  public int read(long offset, byte[] buffer, int from, int count) {
    Objects.checkFromIndexSize(from, count, buffer.length);
    if (offset < 0) {
      throw new InvalidOffsetException("offset " + offset + " is negative").at(place);
    }
    if (count == 0) {
      return 0;
    }
    if (offset >= pinned.length()) {
      return -1;
    }
    int part = (int) Math.min(count, pinned.length() - offset);
    fetch(offset, buffer, from, part);
    return part;
  }

  /**
   * Opens a stream over the whole content. Closing it leaves this reader open.
   *
   * @return a stream for one thread
   */
  public InputStream inputStream() {
    return stream(0, pinned.length(), () -> {});
  }

  /**
   * Opens a stream over a range.
   *
   * @param offset of the first byte
   * @param length number of bytes; the stream ends earlier at the end of the content
   * @return a stream for one thread
   * @throws InvalidOffsetException if the offset is beyond the end
   */
  public InputStream inputStream(long offset, long length) {
    return stream(offset, length, () -> {});
  }

  /** A stream that closes this reader. */
  InputStream onlyStream(long offset, long length) {
    try {
      return stream(offset, length, this::close);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() {
    // Waits for a window that is being fetched, so that the connection goes back idle.
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        lease.close();
      }
    } catch (SQLException e) {
      throw SqlErrors.translate(e).at(place);
    } finally {
      lock.unlock();
    }
  }

  private InputStream stream(long offset, long length, Runnable onClose) {
    Arguments.part(offset, length);
    if (offset > pinned.length()) {
      throw new InvalidOffsetException(
              "offset " + offset + " is beyond the end at " + pinned.length())
          .at(place);
    }
    long end = offset + Math.min(pinned.length() - offset, length);
    return new BlobInputStream(
        (at, buffer, count) -> fetch(at, buffer, 0, count), offset, end, own, onClose);
  }

  private void fetch(long offset, byte[] buffer, int from, int count) {
    access.heard(
        new Place("read", place, offset, count),
        () -> {
          fetchUnheard(offset, buffer, from, count);
          return count;
        });
  }

  private void fetchUnheard(long offset, byte[] buffer, int from, int count) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the reader is closed");
      }
      vtable.read(lease.connection(), pinned, offset, buffer, from, count);
    } catch (SQLException e) {
      throw SqlErrors.translate(e).at(place);
    } catch (PgToasterException e) {
      throw e.at(place + ", offset " + offset + ", length " + count);
    } finally {
      lock.unlock();
    }
  }
}
