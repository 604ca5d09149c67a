package io.pgtoaster.spi;

import io.pgtoaster.error.ColumnNotFoundException;
import java.nio.charset.StandardCharsets;

/** Quoting of SQL identifiers. */
public final class Identifiers {
  private static final int MAX_BYTES = 63;

  private Identifiers() {}

  /** Quotes an identifier, so that any name, however hostile, is one token of SQL. */
  public static String quote(String name) {
    check(name);
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Quotes an identifier for people, where it needs quotes in a name that is given as text. */
  public static String quoteIfNeeded(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : quote(name);
  }

  /** Makes a literal of a text. */
  public static String literal(String text) {
    String quoted = "'" + text.replace("'", "''") + "'";
    return text.indexOf('\\') < 0 ? quoted : "E" + quoted.replace("\\", "\\\\");
  }

  /**
   * Refuses names that no server can have.
   *
   * @throws ColumnNotFoundException if it is empty, holds a zero character, or is longer than the
   *     63 bytes that the server would cut it to
   */
  public static String check(String name) {
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new ColumnNotFoundException("a name is empty or holds a zero character");
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new ColumnNotFoundException(
          "a name is longer than " + MAX_BYTES + " bytes, the most that PostgreSQL keeps");
    }
    return name;
  }
}
