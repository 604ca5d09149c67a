package io.pgtoaster.internal;

import io.pgtoaster.error.ColumnNotFoundException;

/** Quoting of SQL identifiers. */
public final class Identifiers {
  private Identifiers() {}

  /**
   * Quotes an identifier, so that any name, however hostile, is one token of SQL.
   *
   * @param name the exact name, unquoted
   * @return the name in double quotes
   */
  public static String quote(String name) {
    check(name);
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Refuses names that no server can have.
   *
   * @param name the exact name, unquoted
   * @return the name
   * @throws ColumnNotFoundException if it is empty or holds a zero character
   */
  public static String check(String name) {
    if (name.isEmpty() || name.indexOf('\0') >= 0) {
      throw new ColumnNotFoundException("a name is empty or holds a zero character");
    }
    return name;
  }
}
