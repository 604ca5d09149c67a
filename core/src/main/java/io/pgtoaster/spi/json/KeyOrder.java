package io.pgtoaster.spi.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** Keys in the order in which {@code jsonb} keeps them: by length in UTF-8, then by bytes. */
public final class KeyOrder implements Comparator<String> {
  /** The order. */
  public static final KeyOrder JSONB = new KeyOrder();

  /** Bytes of a key that go into its code. */
  public static final int CODE_BYTES = 512;

  private KeyOrder() {}

  @Override
  public int compare(String a, String b) {
    int lengths = Integer.compare(utf8Length(a), utf8Length(b));
    return lengths == 0 ? compareBytes(a, b) : lengths;
  }

  /** Compares keys that have as many bytes. */
  public static int compareBytes(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(rank(x), rank(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Surrogates stand for code points behind all others, as their UTF-8 does. */
  private static int rank(char c) {
    if (c < Character.MIN_SURROGATE) {
      return c;
    }
    return c <= Character.MAX_SURROGATE ? c + 0x2000 : c - 0x800;
  }

  /** Counts bytes. */
  public static int utf8Length(String text) {
    int chars = text.length();
    int bytes = chars;
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        bytes += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
      }
    }
    return bytes;
  }

  /**
   * Returns a key's code, which sorts as the key does: 4 bytes of length, big end first, and the
   * first {@value #CODE_BYTES} bytes. Only keys of one length whose first bytes are the same share
   * one.
   */
  public static byte[] code(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    int first = Math.min(bytes.length, CODE_BYTES);
    return ByteBuffer.allocate(Integer.BYTES + first)
        .putInt(bytes.length)
        .put(bytes, 0, first)
        .array();
  }
}
