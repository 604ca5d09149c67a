package io.pgtoaster.internal.sql;

import io.pgtoaster.error.ColumnNotFoundException;
import java.nio.charset.StandardCharsets;

/** Quotes SQL identifiers. */
public final class Identifiers {
  private static final int MAX_BYTES = 63;

  private Identifiers() {}

  /** Quotes an identifier, so that any name, even a malicious one, is one token of SQL. */
  public static String quote(String name) {
    check(name);
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Quotes an identifier for display, if it needs quotes in a name that is passed as text. */
  public static String quoteIfNeeded(String name) {
    return isPlain(name) ? name : quote(name);
  }

  /** Uses no regular expression, because every call on a column runs this. */
  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || c == '_';
      if (!letter && (i == 0 || c < '0' || c > '9')) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /** Converts text to an SQL literal. */
  public static String literal(String text) {
    String quoted = "'" + text.replace("'", "''") + "'";
    return text.indexOf('\\') < 0 ? quoted : "E" + quoted.replace("\\", "\\\\");
  }

  /**
   * Rejects names that no server can have.
   *
   * @throws ColumnNotFoundException if the name is empty, contains a zero character, or is longer
   *     than the 63 bytes to which the server would cut it
   */
  public static String check(String name) {
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new ColumnNotFoundException("a name is empty or contains a zero character");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new ColumnNotFoundException(
          "the name \"" + name + "\" is longer than 63 bytes, PostgreSQL's limit");
    }
    return name;
  }
}
