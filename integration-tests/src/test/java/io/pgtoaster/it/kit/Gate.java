package io.pgtoaster.it.kit;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An input stream that stops at an offset until it is released. */
public final class Gate extends FilterInputStream {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);
  private final long at;
  private long position;

  public Gate(InputStream in, long at) {
    super(in);
    this.at = at;
  }

  public void awaitReached() throws InterruptedException {
    if (!reached.await(Wait.DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the stream was not read up to " + at);
    }
  }

  public void open() {
    opened.countDown();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (position >= at) {
      reached.countDown();
      try {
        if (!opened.await(Wait.DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
          throw new IOException("the gate was never opened");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
    int n = super.read(buffer, offset, (int) Math.min(length, Math.max(1, at - position)));
    position += Math.max(0, n);
    return n;
  }
}
