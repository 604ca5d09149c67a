package io.pgtoaster.internal.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** Orders keys as {@code jsonb} does: by length in UTF-8, then by bytes. */
public final class KeyOrder implements Comparator<String> {
  /** The only instance. */
  public static final KeyOrder JSONB = new KeyOrder();

  /** Maximum number of bytes of a key in its code. */
  public static final int CODE_BYTES = 512;

  private KeyOrder() {}

  @Override
  public int compare(String a, String b) {
    int lengths = Integer.compare(utf8Length(a), utf8Length(b));
    return lengths == 0 ? compareBytes(a, b) : lengths;
  }

  /** Compares keys with the same number of bytes. */
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

  /**
   * Returns the order of a character. Surrogates belong to code points that sort after all others
   * in UTF-8.
   */
  private static int rank(char c) {
    if (c < Character.MIN_SURROGATE) {
      return c;
    }
    return c <= Character.MAX_SURROGATE ? c + 0x2000 : c - 0x800;
  }

  /** Returns the length of text in UTF-8, in bytes. */
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
   * Returns a key's code, which sorts like the key. It consists of the length in 4 bytes,
   * big-endian, and the first {@value #CODE_BYTES} bytes. Two keys have the same code only if their
   * lengths and their first bytes are equal.
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
