package io.pgtoaster.cli.demo;

import java.io.InputStream;
import java.util.Random;

/** A stream of so many bytes that do not compress. */
final class GeneratedInput extends InputStream {
  static final int PERIOD = 1_000_000;
  private static final byte[] NOISE = noise();

  private long left;
  private int at;

  GeneratedInput(long size) {
    this.left = size;
  }

  private static byte[] noise() {
    byte[] bytes = new byte[PERIOD];
    new Random(20_261_120).nextBytes(bytes);
    return bytes;
  }

  /** Returns what the stream repeats. */
  static byte[] period() {
    return NOISE.clone();
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int from, int count) {
    if (left == 0) {
      return -1;
    }
    int n = (int) Math.min(left, Math.min(count, PERIOD - at));
    System.arraycopy(NOISE, at, buffer, from, n);
    at = (at + n) % PERIOD;
    left -= n;
    return n;
  }
}
