package io.pgtoaster.cli.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read. */
public final class CountingInput extends FilterInputStream {
  private long count;

  public CountingInput(InputStream in) {
    super(in);
  }

  public long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    count += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] buffer, int from, int length) throws IOException {
    int n = super.read(buffer, from, length);
    count += Math.max(0, n);
    return n;
  }
}
