package io.pgtoaster.benchmarks.data;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;

/** The text of a document with many parts, generated while it is read. */
public final class PartsStream extends InputStream {
  private static final int BATCH = 100;

  private final long count;
  private final LongFunction<String> part;
  private final String tail;
  private byte[] text;
  private int position;
  private long next;
  private boolean ended;

  /**
   * Creates a stream.
   *
   * @param head text before the parts
   * @param count number of parts
   * @param part returns the text of a part; a comma and a space separate two parts
   * @param tail text after the parts
   */
  public PartsStream(String head, long count, LongFunction<String> part, String tail) {
    this.count = count;
    this.part = part;
    this.tail = tail;
    this.text = head.getBytes(StandardCharsets.UTF_8);
  }

  private boolean atEnd() {
    while (position == text.length) {
      if (ended) {
        return true;
      }
      StringBuilder more = new StringBuilder();
      for (int i = 0; i < BATCH && next < count; i++) {
        more.append(next == 0 ? "" : ", ").append(part.apply(next++));
      }
      if (next == count) {
        more.append(tail);
        ended = true;
      }
      text = more.toString().getBytes(StandardCharsets.UTF_8);
      position = 0;
    }
    return false;
  }

  @Override
  public int read() {
    return atEnd() ? -1 : text[position++] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (atEnd()) {
      return -1;
    }
    int n = Math.min(length, text.length - position);
    System.arraycopy(text, position, buffer, offset, n);
    position += n;
    return n;
  }
}
