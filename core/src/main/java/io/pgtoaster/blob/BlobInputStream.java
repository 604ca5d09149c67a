package io.pgtoaster.blob;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a range in windows, the first one small since many streams are read only a little; what
 * is asked for at once goes where it is wanted. Where it may, and the consumer takes its time, it
 * fetches the next window while the present one is consumed, and keeps two, for a moment three. For
 * one thread, but any thread may close it.
 */
final class BlobInputStream extends InputStream {
  /** First window. */
  static final int MIN_WINDOW = 64 << 10;

  /** All others. */
  static final int MAX_WINDOW = 2 << 20;

  /**
   * A window is fetched ahead if the consumer took more than one part in so many of the time that
   * fetching one took; else to pass it between threads costs more than it gains.
   */
  private static final int AHEAD_SHARE = 4;

  /** Where no bytes are there yet. */
  static final byte[] NOTHING = {};

  private static final long NO_MARK = -1;

  /** Where the bytes come from; any thread. */
  interface Source {
    /** Fills a part of the buffer; the range is within the content. */
    void fetch(long offset, byte[] buffer, int from, int count);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Window(long offset, int count, byte[] bytes, Future<?> done) {
    boolean holds(long position) {
      return position >= offset && position < offset + count;
    }
  }

  private final Source source;
  private final long end;
  private final boolean ahead;
  private final Runnable onClose;
  private byte[] window;
  private long windowStart;
  private int index;
  private int limit;
  private int nextSize = MIN_WINDOW;
  private @Nullable Window next;
  private volatile long fetchNanos;
  private long shownAt;
  private long mark = NO_MARK;
  private volatile boolean closed;

  /**
   * @param first bytes from the offset on, if they are there already; taken over
   */
  BlobInputStream(
      Source source, long offset, long end, byte[] first, boolean ahead, Runnable onClose) {
    this.source = source;
    this.windowStart = offset;
    this.window = first;
    this.limit = first.length;
    this.end = end;
    this.ahead = ahead;
    this.onClose = onClose;
  }

  @Override
  public int read() throws IOException {
    return fill() ? window[index++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (length == 0) {
      ensureOpen();
      return 0;
    }
    if (wantsWindow(length)) {
      return fetchInto(buffer, offset, length);
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, limit - index);
    System.arraycopy(window, index, buffer, offset, count);
    index += count;
    return count;
  }

  @Override
  public byte[] readNBytes(int length) throws IOException {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is negative");
    }
    ensureOpen();
    byte[] bytes = new byte[(int) Math.min(length, end - position())];
    readNBytes(bytes, 0, bytes.length);
    return bytes;
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
    while (fill()) {
      int part = limit - index;
      out.write(window, index, part);
      index += part;
      count += part;
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    ensureOpen();
    long position = position();
    long skipped = Math.max(0, Math.min(count, end - position));
    if (skipped <= limit - index) {
      index += (int) skipped;
    } else {
      windowStart = position + skipped;
      index = 0;
      limit = 0;
    }
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return true;
  }

  /** The limit does not matter: what has left the window is fetched again. */
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
    long back = mark - windowStart;
    if (back >= 0 && back <= limit) {
      index = (int) back;
    } else {
      windowStart = mark;
      index = 0;
      limit = 0;
    }
  }

  @Override
  public int available() throws IOException {
    ensureOpen();
    return limit - index;
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

  private long position() {
    return windowStart + index;
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
  }

  /** Whether so many bytes are a window of their own, and not there yet. */
  private boolean wantsWindow(int length) throws IOException {
    ensureOpen();
    long rest = end - position();
    return index == limit
        && rest > 0
        && length >= Math.min(nextSize, rest)
        && (next == null || !next.holds(position()));
  }

  /** Puts a window where it is wanted. */
  private int fetchInto(byte[] buffer, int offset, int length) throws IOException {
    long position = position();
    int count = (int) Math.min(Math.min(length, MAX_WINDOW), end - position);
    next = null;
    nextSize = MAX_WINDOW;
    fetchAsIo(position, buffer, offset, count);
    windowStart = position + count;
    index = 0;
    limit = 0;
    shownAt = System.nanoTime();
    return count;
  }

  /** Makes sure that there is a byte in the window; false at the end. */
  private boolean fill() throws IOException {
    ensureOpen();
    if (index < limit) {
      return true;
    }
    long position = position();
    if (position >= end) {
      return false;
    }
    boolean slowConsumer = (System.nanoTime() - shownAt) * AHEAD_SHARE > fetchNanos;
    byte[] free = window;
    Window fetched = next;
    next = null;
    boolean first = fetchNanos == 0;
    if (fetched != null && fetched.holds(position)) {
      Background.await(fetched.done);
      show(fetched.bytes, fetched.offset, fetched.count, position);
    } else {
      int count = nextCount(position);
      byte[] bytes = free;
      if (free.length < count) {
        bytes = new byte[count];
      } else {
        free = NOTHING;
      }
      fetchAsIo(position, bytes, 0, count);
      show(bytes, position, count, position);
    }
    if (ahead && !first && slowConsumer) {
      fetchAhead(windowStart + limit, free);
    }
    shownAt = System.nanoTime();
    return true;
  }

  private void fetchAsIo(long offset, byte[] buffer, int from, int count) throws IOException {
    try {
      fetch(offset, buffer, from, count);
    } catch (RuntimeException e) {
      throw Background.asIo(e);
    }
  }

  private void fetch(long offset, byte[] buffer, int from, int count) {
    long start = System.nanoTime();
    source.fetch(offset, buffer, from, count);
    fetchNanos = System.nanoTime() - start;
  }

  private void show(byte[] bytes, long offset, int count, long position) {
    window = bytes;
    windowStart = offset;
    index = (int) (position - offset);
    limit = count;
  }

  private void fetchAhead(long offset, byte[] free) {
    int count = nextCount(offset);
    if (count > 0) {
      byte[] bytes = free.length < count ? new byte[count] : free;
      Future<?> done =
          Background.start(
              () -> {
                fetch(offset, bytes, 0, count);
                return offset;
              });
      next = new Window(offset, count, bytes, done);
    }
  }

  private int nextCount(long offset) {
    int count = (int) Math.min(nextSize, end - offset);
    nextSize = MAX_WINDOW;
    return count;
  }
}
