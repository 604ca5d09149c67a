package io.pgtoaster.cli.upload;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a pipe on its own thread. While no data arrives, the reader can commit what it has or
 * notice that it must stop.
 */
final class PipeInput {
  private static final int PIECE = 1 << 16;
  private static final byte[] END = {};

  private final InputStream in;
  private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(8);
  private volatile @Nullable IOException failure;

  PipeInput(InputStream in) {
    this.in = in;
    Thread reader = new Thread(this::pump, "pgtoaster-input");
    reader.setDaemon(true);
    reader.start();
  }

  private void pump() {
    byte[] buffer = new byte[PIECE];
    try {
      while (true) {
        int n = read(buffer);
        if (n < 0) {
          break;
        }
        pieces.put(Arrays.copyOf(buffer, n));
      }
      pieces.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int read(byte[] buffer) {
    try {
      int n;
      do {
        n = in.read(buffer);
      } while (n == 0);
      return n;
    } catch (IOException e) {
      failure = e;
      return -1;
    }
  }

  /** Returns the next piece, an empty array at the end, or null if nothing arrives in time. */
  byte @Nullable [] next(Duration patience) throws IOException {
    try {
      byte @Nullable [] piece = pieces.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      @Nullable IOException thrown = failure;
      if (piece != null && piece.length == 0 && thrown != null) {
        throw new IOException("cannot read the input: " + thrown.getMessage(), thrown);
      }
      return piece;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
