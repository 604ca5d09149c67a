package io.pgtoaster.cli.demo;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Checksum;

/** The beginning of a stream, with its checksum. */
final class CheckedInput extends FilterInputStream {
  private final Checksum checksum;
  private long left;

  CheckedInput(InputStream in, long limit, Checksum checksum) {
    super(in);
    this.left = limit;
    this.checksum = checksum;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int from, int count) throws IOException {
    int n = left == 0 ? -1 : super.read(buffer, from, (int) Math.min(count, left));
    if (n > 0) {
      checksum.update(buffer, from, n);
      left -= n;
    }
    return n;
  }
}
