package io.pgtoaster.spring.tus;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SplittableRandom;

/** Bytes of any length, each known by its offset. */
record GeneratedContent(long seed, long length) {
  static final int BLOCK = 64 << 10;

  /** Returns the bytes from an offset to the end of its block, or of all. */
  byte[] from(long offset) {
    long block = offset / BLOCK;
    byte[] bytes = new byte[BLOCK];
    new SplittableRandom(seed + block).nextBytes(bytes);
    int from = (int) (offset % BLOCK);
    int to = (int) Math.min(BLOCK, length - block * BLOCK);
    return java.util.Arrays.copyOfRange(bytes, from, to);
  }

  byte[] sha256() throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (long offset = 0; offset < length; offset += BLOCK) {
      digest.update(from(offset));
    }
    return digest.digest();
  }
}
