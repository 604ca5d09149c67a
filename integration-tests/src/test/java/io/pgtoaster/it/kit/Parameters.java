package io.pgtoaster.it.kit;

import java.io.InputStream;
import java.io.Reader;
import java.util.Date;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.util.ByteStreamWriter;

/**
 * The sizes of a statement's parameters: those currently set, and all that were executed. Data that
 * a parameter generates while it is sent does not count.
 */
final class Parameters {
  private final Map<Object, Long> current = new TreeMap<>();
  private long sum;
  private long largest;

  /** Records a call of a set method with its first, second and last argument. */
  void set(Object index, Object value, Object last) {
    if (index instanceof Integer) {
      current.put(index, size(value, last instanceof Number n ? n.longValue() : 0));
    }
  }

  /** Counts the current parameters as executed once. They remain for the next execution. */
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

  /** Returns the bytes of a value: text as it is sent, numbers and times as in Java. */
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

  /** Returns the length of a text in UTF-8 without encoding it. */
  private static long utf8(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }
}
