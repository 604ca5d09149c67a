package io.pgtoaster.hibernate.blob;

import io.pgtoaster.error.PgToasterException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/** Appends written bytes to a blob, one buffer at a time. */
final class AppendingStream extends OutputStream {
  private static final int BUFFER = 1 << 18;

  private final AppendableBlob blob;
  private byte[] buffer = new byte[BUFFER];
  private int count;
  private boolean closed;

  AppendingStream(AppendableBlob blob) {
    this.blob = blob;
  }

  @Override
  public void write(int b) throws IOException {
    ensureOpen();
    if (count == buffer.length) {
      appendBuffer();
    }
    buffer[count++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    ensureOpen();
    int done = 0;
    while (done < length) {
      if (count == buffer.length) {
        appendBuffer();
      }
      int part = Math.min(length - done, buffer.length - count);
      System.arraycopy(bytes, offset + done, buffer, count, part);
      count += part;
      done += part;
    }
  }

  @Override
  public void flush() throws IOException {
    ensureOpen();
    appendBuffer();
  }

  private void appendBuffer() throws IOException {
    if (count == 0) {
      return;
    }
    byte[] piece = count == buffer.length ? buffer : Arrays.copyOf(buffer, count);
    try {
      blob.append(piece);
    } catch (PgToasterException e) {
      throw new IOException(e.getMessage(), e);
    }
    count = 0;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      try {
        appendBuffer();
      } finally {
        closed = true;
        count = 0;
        buffer = new byte[0];
      }
    }
  }

  private void ensureOpen() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
  }
}
