package io.pgtoaster.blob;

import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * A channel over a blob. Each call is a call on the column, so no connection is held between calls.
 */
final class BlobChannel implements SeekableByteChannel {
  private static final int MAX_READ = 1 << 20;
  private static final int MAX_WRITE = 4 << 20;

  private final BlobColumn column;
  private final Object key;
  private final ChannelOptions options;
  private long position;
  private volatile boolean closed;

  BlobChannel(BlobColumn column, Object key, ChannelOptions options) {
    this.column = column;
    this.key = key;
    this.options = options;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    ensureOpen();
    int wanted = Math.min(target.remaining(), MAX_READ);
    try {
      if (wanted == 0) {
        return position >= column.length(key) ? -1 : 0;
      }
      byte[] bytes = column.readUpTo(key, position, wanted);
      target.put(bytes);
      position += bytes.length;
      return bytes.length == 0 ? -1 : bytes.length;
    } catch (PgToasterException e) {
      throw Background.asIo(e);
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    ensureOpen();
    int all = source.remaining();
    try {
      while (source.hasRemaining()) {
        byte[] piece = new byte[Math.min(source.remaining(), MAX_WRITE)];
        source.get(source.position(), piece);
        write(piece);
        source.position(source.position() + piece.length);
        position += piece.length;
      }
    } catch (PgToasterException e) {
      throw Background.asIo(e);
    }
    return all;
  }

  private void write(byte[] piece) throws IOException {
    long size = column.length(key);
    if (position < size) {
      column.write(key, position, piece);
      return;
    }
    AppendOptions at = AppendOptions.defaults().withExpectedOffset(size);
    if (position == size) {
      column.append(key, piece, at);
    } else {
      column.append(key, afterGap(position - size, piece), at);
    }
  }

  /** Returns the zeros of the gap followed by the bytes, so that one append writes both. */
  private InputStream afterGap(long gap, byte[] piece) throws IOException {
    if (gap > options.maxGap()) {
      String message =
          ("position %s is %s bytes beyond the end; the gap would be filled with zeros,"
                  + " but maxGap of ChannelOptions is %s; write the missing bytes first, or"
                  + " allow the gap")
              .formatted(position, gap, options.maxGap());
      throw new IOException(message, new InvalidOffsetException(message));
    }
    return new SequenceInputStream(new Zeros(gap), new ByteArrayInputStream(piece));
  }

  @Override
  public long position() throws IOException {
    ensureOpen();
    return position;
  }

  @Override
  public BlobChannel position(long newPosition) throws IOException {
    ensureOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position " + newPosition + " is negative");
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    ensureOpen();
    try {
      return column.length(key);
    } catch (PgToasterException e) {
      throw Background.asIo(e);
    }
  }

  @Override
  public BlobChannel truncate(long size) throws IOException {
    if (size < 0) {
      throw new IllegalArgumentException("size " + size + " is negative");
    }
    if (size < size()) {
      try {
        column.truncate(key, size);
      } catch (PgToasterException e) {
        throw Background.asIo(e);
      }
    }
    position = Math.min(position, size);
    return this;
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    closed = true;
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }
}
