package io.pgtoaster.internal.json;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of one JSON string that PostgreSQL printed, without a parser. Most of a long
 * string is copied unchanged. Not thread-safe.
 */
final class StringText {
  private static final int ESCAPE = 2;
  private static final int UNICODE = 6;
  private static final int HEX = 16;
  private static final String NAMES = "\"\\/bfnrt";
  private static final String NAMED = "\"\\/\b\f\n\r\t";

  private final String text;
  private int quote;

  private StringText(String text) {
    this.text = text;
    this.quote = text.indexOf('"');
  }

  /**
   * Reads a string.
   *
   * @return the string; null if the text is not a string, or not in PostgreSQL's form
   */
  static @Nullable String read(byte[] utf8) {
    int end = utf8.length - 1;
    if (end < 1 || utf8[0] != '"' || utf8[end] != '"') {
      return null;
    }
    String text = new String(utf8, 1, end - 1, StandardCharsets.UTF_8);
    return text.indexOf('\uFFFD') < 0 ? new StringText(text).plain() : null;
  }

  private @Nullable String plain() {
    int backslash = text.indexOf('\\');
    if (backslash < 0) {
      return quote < 0 ? text : null;
    }
    StringBuilder plain = new StringBuilder(text.length());
    int from = 0;
    while (backslash >= 0) {
      int length = escape(backslash, plain.append(text, from, backslash));
      if (length == 0 || endsWithin(from, backslash)) {
        return null;
      }
      from = backslash + length;
      backslash = text.indexOf('\\', from);
    }
    return endsWithin(from, text.length())
        ? null
        : plain.append(text, from, text.length()).toString();
  }

  /** Returns whether the range contains a quotation mark that is not escaped. */
  private boolean endsWithin(int from, int to) {
    while (quote >= 0 && quote < from) {
      quote = text.indexOf('"', from);
    }
    return quote >= 0 && quote < to;
  }

  /** Appends the character of an escape; returns the length of the escape, 0 if it is unknown. */
  private int escape(int at, StringBuilder plain) {
    char name = at + 1 < text.length() ? text.charAt(at + 1) : 0;
    int known = NAMES.indexOf(name);
    if (known >= 0) {
      plain.append(NAMED.charAt(known));
      return ESCAPE;
    }
    if (!text.startsWith("u00", at + 1) || at + UNICODE > text.length()) {
      return 0;
    }
    int high = text.charAt(at + UNICODE - 2) - '0';
    int low = Character.digit(text.charAt(at + UNICODE - 1), HEX);
    if (high < 0 || high > 1 || low < 0 || high + low == 0) {
      return 0;
    }
    plain.append((char) (high * HEX + low));
    return UNICODE;
  }
}
