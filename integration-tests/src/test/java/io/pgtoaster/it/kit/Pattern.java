package io.pgtoaster.it.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.SplittableRandom;

/** Bytes that are cheap to generate, do not repeat, and are the same in each run. */
public final class Pattern extends InputStream {
  private final SplittableRandom random = new SplittableRandom(7);
  private long remaining;

  public Pattern(long length) {
    this.remaining = length;
  }

  public static MessageDigest digest(long length) throws IOException {
    MessageDigest digest = Bytes.sha256();
    try (InputStream input = new DigestInputStream(new Pattern(length), digest)) {
      input.transferTo(OutputStream.nullOutputStream());
    }
    return digest;
  }

  @Override
  public int read() {
    return remaining-- > 0 ? random.nextInt() & 0xFF : -1;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (remaining <= 0) {
      return -1;
    }
    int n = (int) Math.min(length, remaining);
    for (int i = 0; i < n; i += 8) {
      long bits = random.nextLong();
      for (int k = 0; k < Math.min(8, n - i); k++) {
        buffer[offset + i + k] = (byte) (bits >>> (8 * k));
      }
    }
    remaining -= n;
    return n;
  }
}
