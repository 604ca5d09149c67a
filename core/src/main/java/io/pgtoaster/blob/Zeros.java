package io.pgtoaster.blob;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

/** A stream of zero bytes. */
final class Zeros extends InputStream {
  private long left;

  Zeros(long count) {
    this.left = count;
  }

  @Override
  public int read() {
    if (left == 0) {
      return -1;
    }
    left--;
    return 0;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    if (left == 0 && length > 0) {
      return -1;
    }
    int count = (int) Math.min(length, left);
    Arrays.fill(buffer, offset, offset + count, (byte) 0);
    left -= count;
    return count;
  }
}
