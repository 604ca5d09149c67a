package io.pgtoaster.it.kit;

import java.io.InputStream;
import java.io.Reader;
import java.util.Date;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.util.ByteStreamWriter;

/**
 * The sizes of a statement's parameters: of those that are set, and of all that were executed. What
 * a parameter makes only while it is sent is not counted.
 */
final class Parameters {
  private final Map<Object, Long> current = new TreeMap<>();
  private long sum;
  private long largest;

  /** Notes a call of one of the set methods: its first, second and last argument. */
  void set(Object index, Object value, Object last) {
    if (index instanceof Integer) {
      current.put(index, size(value, last instanceof Number n ? n.longValue() : 0));
    }
  }

  /** The parameters that are set are executed once. They stay for the next execution. */
  void keep() {
    for (long size : current.values()) {
      sum += size;
      largest = Math.max(largest, size);
    }
  }

  long sum() {
    return sum;
  }

  long largest() {
    return largest;
  }

  void forget() {
    sum = 0;
    largest = 0;
  }

  /** Bytes of a value: of text as it is sent, of numbers and times as Java holds them. */
  private static long size(Object value, long lengthOfStream) {
    if (value instanceof byte[] bytes) {
      return bytes.length;
    }
    if (value instanceof InputStream || value instanceof Reader) {
      return lengthOfStream;
    }
    if (value == null || value instanceof ByteStreamWriter) {
      return 0;
    }
    return value instanceof Number || value instanceof Date ? Long.BYTES : utf8(value.toString());
  }

  /** Bytes of a text in UTF-8, counted without making them. */
  static long utf8(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
