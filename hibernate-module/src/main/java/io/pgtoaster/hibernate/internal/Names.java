package io.pgtoaster.hibernate.internal;

import java.util.Locale;
import org.hibernate.boot.model.naming.Identifier;

/** Converts names to the form in PostgreSQL's catalog. */
public final class Names {
  private Names() {}

  /** Returns the catalog's form of a Hibernate name: in lower case unless it is quoted. */
  public static String exact(Identifier name) {
    return exact(name.getText(), name.isQuoted());
  }

  /**
   * Returns the catalog's form of a name that Hibernate renders unchanged. In a quoted name,
   * quotation marks are already doubled.
   */
  public static String exact(String text, boolean quoted) {
    return quoted ? text.replace("\"\"", "\"") : text.toLowerCase(Locale.ROOT);
  }

  /** Returns the catalog's form of a name in SQL. */
  static String exact(String sql) {
    return sql.startsWith("\"") && sql.endsWith("\"") && sql.length() > 1
        ? sql.substring(1, sql.length() - 1).replace("\"\"", "\"")
        : sql.toLowerCase(Locale.ROOT);
  }
}
