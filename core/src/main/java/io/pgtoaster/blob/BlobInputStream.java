package io.pgtoaster.blob;

import io.pgtoaster.spi.BlobVtable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range in windows. The first window is small, because many callers read only the beginning
 * of a stream. Windows stay in the arrays in which they arrive. If prefetching is allowed and the
 * consumer is slow, the next window is fetched while the current one is consumed, so two are in
 * memory. Not thread-safe, except that any thread may close it.
 */
final class BlobInputStream extends InputStream {
  /** Size of the first window, in bytes. */
  static final int MIN_WINDOW = 64 << 10;

  /** Size of all other windows, in bytes. */
  static final int MAX_WINDOW = 2 << 20;

  /**
   * A remainder of up to this many bytes is fetched as one window: a consumer that begins to read
   * it usually reads all of it.
   */
  private static final int SHORT_REST = 1 << 20;

  /**
   * The next window is prefetched if the consumer took more than 1/AHEAD_SHARE of the fetch time to
   * consume the current one. For faster consumers, passing data between threads costs more time
   * than it saves.
   */
  private static final int AHEAD_SHARE = 4;

  /** The buffer before the first fetch. */
  static final byte[] NOTHING = {};

  private static final long NO_MARK = -1;

  /** Fetches the bytes; called by any thread. */
  interface Source {
    /** Returns bytes as {@link BlobVtable#read} does; the range is within the content. */
    byte[][] fetch(long offset, int count);
  }

  /** A window that is being fetched. */
  private record Next(long offset, int count, Future<byte[][]> parts) {
    boolean holds(long position) {
      return position >= offset && position < offset + count;
    }
  }

  private final Source source;
  private final long end;
  private final boolean ahead;
  private final Runnable onClose;
  private long windowStart;
  private long windowEnd;
  private byte[][] window;
  private int part;
  private byte[] bytes = NOTHING;
  private long bytesStart;
  private int index;
  private int nextSize = MIN_WINDOW;
  private @Nullable Next next;
  private volatile long fetchNanos;
  private long shownAt;
  private long mark = NO_MARK;
  private volatile boolean closed;

  /**
   * @param first bytes from the offset on, if already read; used without copying
   */
  BlobInputStream(
      Source source, long offset, long end, byte[] first, boolean ahead, Runnable onClose) {
    this.source = source;
    this.end = end;
    this.ahead = ahead;
    this.onClose = onClose;
    show(new byte[][] {first}, offset, first.length);
  }

  @Override
  public int read() throws IOException {
    return fill(1) ? bytes[index++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (length == 0) {
      ensureOpen();
      return 0;
    }
    if (!fill(length)) {
      return -1;
    }
    int done = 0;
    do {
      int count = Math.min(length - done, bytes.length - index);
      System.arraycopy(bytes, index, buffer, offset + done, count);
      index += count;
      done += count;
    } while (done < length && inWindow());
    return done;
  }

  @Override
  public byte[] readNBytes(int length) throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is negative");
    }
    ensureOpen();
    byte[] all = new byte[(int) Math.min(length, end - position())];
    readNBytes(all, 0, all.length);
    return all;
  }

  @Override
  public byte[] readAllBytes() throws IOException {
    if (end - position() > Integer.MAX_VALUE - 8) {
      throw new IOException("the rest of the blob is too long for one array");
    }
    return readNBytes(Integer.MAX_VALUE);
  }

  @Override
  public long transferTo(OutputStream out) throws IOException {
    Objects.requireNonNull(out, "out");
    long count = 0;
    while (fill(1)) {
      int rest = bytes.length - index;
      out.write(bytes, index, rest);
      index += rest;
      count += rest;
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    ensureOpen();
    long position = position();
    long skipped = Math.max(0, Math.min(count, end - position));
    seek(position + skipped);
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  /** Ignores the limit: bytes that are no longer in the window are fetched again. */
  @Override
  public synchronized void mark(int readLimit) {
    mark = position();
  }

  @Override
  public synchronized void reset() throws IOException {
    ensureOpen();
    if (mark == NO_MARK) {
      throw new IOException("no position is marked");
    }
    seek(mark);
  }

  @Override
  public int available() throws IOException {
    ensureOpen();
    return (int) (windowEnd - position());
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      next = null;
      try {
        onClose.run();
      } catch (RuntimeException e) {
        throw Background.asIo(e);
      }
    }
  }

  long position() {
    return bytesStart + index;
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
  }

  /**
   * Makes at least one byte available; returns false at the end. If {@code wanted} is larger,
   * fetches a larger window.
   */
  private boolean fill(int wanted) throws IOException {
    ensureOpen();
    if (inWindow()) {
      return true;
    }
    long position = position();
    if (position >= end) {
      return false;
    }
    boolean slowConsumer = (System.nanoTime() - shownAt) * AHEAD_SHARE > fetchNanos;
    Next fetched = next;
    next = null;
    boolean first = fetchNanos == 0;
    if (fetched != null && fetched.holds(position)) {
      show(Background.await(fetched.parts), fetched.offset, fetched.count);
      seek(position);
    } else {
      nextSize = Math.max(nextSize, Math.min(wanted, MAX_WINDOW));
      int count = nextCount(position);
      try {
        show(fetch(position, count), position, count);
      } catch (RuntimeException e) {
        throw Background.asIo(e);
      }
    }
    if (ahead && !first && slowConsumer) {
      fetchAhead(windowEnd);
    }
    shownAt = System.nanoTime();
    return true;
  }

  /**
   * Moves to the next array of the window if the current one is used up; returns false at the
   * window's end.
   */
  private boolean inWindow() {
    while (index == bytes.length) {
      if (part + 1 >= window.length) {
        return false;
      }
      bytesStart += bytes.length;
      bytes = window[++part];
      index = 0;
    }
    return true;
  }

  private void show(byte[][] parts, long offset, int count) {
    window = parts;
    windowStart = offset;
    windowEnd = offset + count;
    part = 0;
    bytes = parts[0];
    bytesStart = offset;
    index = 0;
  }

  /** Moves to a position within the window or outside of it. */
  private void seek(long position) {
    if (position < windowStart || position > windowEnd) {
      show(new byte[][] {NOTHING}, position, 0);
      return;
    }
    if (position < bytesStart) {
      show(window, windowStart, (int) (windowEnd - windowStart));
    }
    while (position - bytesStart > bytes.length) {
      bytesStart += bytes.length;
      bytes = window[++part];
    }
    index = (int) (position - bytesStart);
  }

  private byte[][] fetch(long offset, int count) {
    long start = System.nanoTime();
    byte[][] parts = source.fetch(offset, count);
    fetchNanos = System.nanoTime() - start;
    return parts;
  }

  private void fetchAhead(long offset) {
    int count = nextCount(offset);
    if (count > 0) {
      next = new Next(offset, count, Background.start(() -> fetch(offset, count)));
    }
  }

  private int nextCount(long offset) {
    long rest = end - offset;
    int count = (int) (rest <= SHORT_REST ? rest : Math.min(nextSize, rest));
    nextSize = MAX_WINDOW;
    return count;
  }
}
