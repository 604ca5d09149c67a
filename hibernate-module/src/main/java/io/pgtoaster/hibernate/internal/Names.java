package io.pgtoaster.hibernate.internal;

import java.util.Locale;
import org.hibernate.boot.model.naming.Identifier;

/** Names as PostgreSQL's catalog has them. */
public final class Names {
  private Names() {}

  /**
   * Returns what the catalog has for a name of Hibernate's.
   *
   * @param name of a table or column
   * @return the name; in lower case, unless it is quoted
   */
  public static String exact(Identifier name) {
    return exact(name.getText(), name.isQuoted());
  }

  /**
   * Returns what the catalog has for a name that Hibernate renders as it is.
   *
   * @param text a quoted name has its quotation marks doubled already
   * @param quoted whether it is quoted
   * @return the name; in lower case, unless it is quoted
   */
  public static String exact(String text, boolean quoted) {
    return quoted ? text.replace("\"\"", "\"") : text.toLowerCase(Locale.ROOT);
  }

  /** What a name in SQL stands for. */
  static String exact(String sql) {
    return sql.startsWith("\"") && sql.endsWith("\"") && sql.length() > 1
        ? sql.substring(1, sql.length() - 1).replace("\"\"", "\"")
        : sql.toLowerCase(Locale.ROOT);
  }
}
