package io.pgtoaster.hibernate.blob;

import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.hibernate.blob.BlobState.Row;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;

/** A channel over a blob; each call looks up its row and transaction again. */
final class SessionChannel implements SeekableByteChannel {
  private final AppendableBlob blob;
  private long position;
  private boolean closed;

  SessionChannel(AppendableBlob blob, long position) {
    this.blob = blob;
    this.position = position;
  }

  private interface Call<T> {
    T on(SeekableByteChannel channel) throws IOException;
  }

  private <T> T call(boolean changes, Call<T> call) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    try {
      Row row = changes ? blob.changing("writing to a channel") : blob.state().row(blob);
      SeekableByteChannel channel = row.column().channel(row.key()).position(position);
      T result = call.on(channel);
      position = channel.position();
      return result;
    } catch (PgToasterException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return call(false, c -> c.read(target));
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return call(true, c -> c.write(source));
  }

  @Override
  public long position() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (newPosition < 0) {
      throw new IllegalArgumentException("position " + newPosition + " is negative");
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    return call(false, SeekableByteChannel::size);
  }

  @Override
  public SeekableByteChannel truncate(long size) throws IOException {
    call(true, c -> c.truncate(size));
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
}
