package io.pgtoaster.blob;

import io.pgtoaster.column.BlobCapability;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.ConnectionLostException;
import io.pgtoaster.error.ConnectionUnavailableException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.ByteArrays;
import io.pgtoaster.internal.Connections;
import io.pgtoaster.internal.column.ColumnAccess;
import io.pgtoaster.spi.BlobToaster;
import io.pgtoaster.spi.BlobVtable;
import io.pgtoaster.spi.PinnedBlob;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the existing bytes and then new ones, until the blob is sealed. It polls, and does not hold
 * a connection while it waits. All followers of columns with {@code notify} share one connection
 * ({@link io.pgtoaster.internal.Notifications}).
 */
final class FollowInputStream extends InputStream {
  private static final int FIRST_BUFFER = 16 << 10;
  private static final int MAX_BUFFER = 1 << 20;
  private static final int MAX_LOST = 10;

  private final ColumnAccess<BlobToaster, BlobVtable> access;
  private final BlobOperation context;
  private final FollowOptions options;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition waking = lock.newCondition();
  private boolean woken;
  private @Nullable PinnedBlob pinned;
  private byte[] buffer = BlobInputStream.NOTHING;
  private int index;
  private int most = FIRST_BUFFER;
  private long position;
  private @Nullable Long lastLines;
  private int lost;
  private final FollowerWatch watch;
  private volatile boolean closed;

  FollowInputStream(
      ColumnAccess<BlobToaster, BlobVtable> access, Object key, FollowOptions options) {
    this.access = access;
    this.context = BlobOperation.row("follow", key);
    this.options = options;
    this.position = options.from();
    this.lastLines = options.lastLines();
    this.watch = new FollowerWatch(access, context, this::wake);
    access.require(BlobCapability.SEAL);
    refuseFixedSnapshot(access.connections());
  }

  /**
   * Throws an exception if the snapshot is fixed, because the stream would never see new bytes and
   * would wait forever.
   */
  private static void refuseFixedSnapshot(Connections connections) {
    if (connections.inCallersTransaction()
        && connections.read(Connection::getTransactionIsolation)
            >= Connection.TRANSACTION_REPEATABLE_READ) {
      throw new UnsupportedCapabilityException(
          "a transaction with isolation level REPEATABLE READ or higher never sees new bytes; follow"
              + " in READ COMMITTED, or on a separate connection");
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer[index++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      ensureOpen();
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.length - index);
    System.arraycopy(buffer, index, target, offset, count);
    index += count;
    return count;
  }

  @Override
  public int available() throws IOException {
    ensureOpen();
    return buffer.length - index;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waking.signalAll();
    } finally {
      lock.unlock();
    }
    watch.close();
  }

  private void wake() {
    lock.lock();
    try {
      woken = true;
      waking.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
  }

  /** Waits for a byte; returns false at the end of a sealed blob. */
  private boolean fill() throws IOException {
    ensureOpen();
    long began = System.nanoTime();
    Duration pause = options.pollMin();
    while (index == buffer.length) {
      if (poll()) {
        break;
      }
      PinnedBlob seen = pinned;
      if (seen != null && seen.sealed() && position == seen.length()) {
        return false;
      }
      watch.announce(seen);
      pause(pause, began);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(options.pollMax()) > 0 ? options.pollMax() : longer;
    }
    return true;
  }

  /** Fetches the available bytes; returns false if there are none. */
  private boolean poll() throws IOException {
    try {
      buffer = access.read(context, (c, column, key) -> fetch(c, column.vtable(), key));
      lost = 0;
      index = 0;
      position += buffer.length;
      if (buffer.length == most) {
        most = Math.min(MAX_BUFFER, 4 * most);
      }
      return buffer.length > 0;
    } catch (ConnectionLostException | ConnectionUnavailableException e) {
      if (!access.connections().connectionPerCall() || ++lost > MAX_LOST) {
        throw Background.asIo(e);
      }
      return false;
    } catch (PgToasterException | IllegalStateException e) {
      throw Background.asIo(e);
    }
  }

  private byte[] fetch(Connection connection, BlobVtable vtable, RowKey key) throws SQLException {
    PinnedBlob seen = pinned;
    if (seen == null) {
      try {
        seen = vtable.pin(connection, key);
      } catch (BlobNotFoundException e) {
        lastLines = null;
        return BlobInputStream.NOTHING;
      }
    } else if (position >= seen.length()) {
      seen = vtable.refresh(connection, seen);
    }
    if (pinned == null && position == 0) {
      position = seen.first();
    }
    if (lastLines != null) {
      PinnedBlob first = seen;
      position =
          LastLines.start(
              first.first(),
              first.length(),
              lastLines,
              (offset, count) -> ByteArrays.joined(vtable.read(connection, first, offset, count)),
              block -> {
                if (closed) {
                  throw new IllegalStateException("the stream is closed");
                }
              });
      lastLines = null;
    }
    if (pinned == null && position > seen.length()) {
      throw new InvalidOffsetException(
          "offset " + position + " is beyond the end at " + seen.length());
    }
    pinned = seen;
    if (position > seen.length()) {
      throw new BlobChangedException(
          "the blob has " + seen.length() + " bytes, and " + position + " were already read");
    }
    int count = (int) Math.min(most, seen.length() - position);
    return ByteArrays.joined(
        count == 0 ? new byte[0][] : vtable.read(connection, seen, position, count));
  }

  private void pause(Duration pause, long began) throws IOException {
    long nanos = pause.toNanos();
    Duration timeout = options.timeout();
    if (timeout != null) {
      long left = timeout.toNanos() - (System.nanoTime() - began);
      if (left <= 0) {
        throw new FollowTimeoutException(
            "%s: no byte arrived after offset %s within %s"
                .formatted(
                    context.describe(access.resolved().column().describe()), position, timeout));
      }
      nanos = Math.min(nanos, left);
    }
    lock.lock();
    try {
      long left = nanos;
      while (!closed && !woken && left > 0) {
        left = waking.awaitNanos(left);
      }
      woken = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      lock.unlock();
    }
    ensureOpen();
  }
}
