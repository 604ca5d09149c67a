package io.pgtoaster.it.kit;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;

/** Content for blobs, reproducible by its seed. */
public final class Bytes {
  public static final int TAIL = 1012;
  public static final int CHUNK = 8100;
  public static final int WINDOW = 64 << 10;
  public static final int BIG_WINDOW = 1 << 20;

  private Bytes() {}

  public static byte[] random(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Returns bytes that are ASCII text. */
  public static byte[] text(long seed, int length) {
    byte[] bytes = random(seed, length);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('!' + (bytes[i] & 0x3F));
    }
    return bytes;
  }

  public static byte[] concat(byte[]... parts) {
    byte[] all = new byte[Arrays.stream(parts).mapToInt(p -> p.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  public static byte[] slice(byte[] bytes, int from, int length) {
    return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + length));
  }

  /** Sizes around every limit of the format, and around the sizes of read windows. */
  public static IntStream boundaries() {
    return IntStream.concat(
        IntStream.of(0, 1),
        IntStream.of(TAIL, CHUNK, 2 * CHUNK, WINDOW, BIG_WINDOW)
            .flatMap(n -> IntStream.rangeClosed(n - 1, n + 1)));
  }

  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
