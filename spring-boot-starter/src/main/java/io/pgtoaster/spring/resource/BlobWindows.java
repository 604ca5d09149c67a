package io.pgtoaster.spring.resource;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.error.PgToasterException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads part of a snapshot in windows, each of which takes a connection only briefly. After each
 * window it checks the generation. If that is unchanged, the bytes that were read before are also
 * valid.
 */
final class BlobWindows extends InputStream {
  private static final int FIRST = 64 << 10;
  private static final int GROWTH = 4;
  private static final int LARGEST = 1 << 20;

  private final BlobColumn column;
  private final Object key;
  private final BlobInfo content;
  private final long end;
  private byte[] window = {};
  private int index;
  private int nextSize = FIRST;
  private long windowEnd;
  private boolean closed;

  BlobWindows(BlobColumn column, Object key, BlobInfo content, ByteRange part) {
    this.column = column;
    this.key = key;
    this.content = content;
    this.windowEnd = content.first() + part.from();
    this.end = content.first() + part.to();
  }

  @Override
  public int read() throws IOException {
    return fill() ? window[index++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, window.length - index);
    System.arraycopy(window, index, buffer, offset, count);
    index += count;
    return count;
  }

  @Override
  public long transferTo(OutputStream out) throws IOException {
    long count = 0;
    while (fill()) {
      int part = window.length - index;
      out.write(window, index, part);
      index = window.length;
      count += part;
    }
    return count;
  }

  @Override
  public long skip(long count) {
    long position = windowEnd - (window.length - index);
    long skipped = Math.max(0, Math.min(count, end - position));
    if (skipped <= window.length - index) {
      index += (int) skipped;
    } else {
      window = new byte[0];
      index = 0;
      windowEnd = position + skipped;
    }
    return skipped;
  }

  @Override
  public int available() {
    return window.length - index;
  }

  @Override
  public void close() {
    closed = true;
    window = new byte[0];
    index = 0;
  }

  private boolean fill() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    if (index < window.length) {
      return true;
    }
    int count = (int) Math.min(nextSize, end - windowEnd);
    if (count <= 0) {
      return false;
    }
    try {
      byte[] bytes = column.read(key, windowEnd, count);
      @Nullable BlobInfo now = column.info(key).orElse(null);
      if (bytes.length < count || now == null || !isSame(now)) {
        throw new IOException("the content was changed while it was read: " + column);
      }
      window = bytes;
    } catch (PgToasterException e) {
      throw new IOException(e.getMessage(), e);
    }
    index = 0;
    windowEnd += count;
    nextSize = Math.min(LARGEST, nextSize * GROWTH);
    return true;
  }

  private boolean isSame(BlobInfo now) {
    return now.generation() == content.generation()
        && Objects.equals(now.createdAt(), content.createdAt());
  }
}
