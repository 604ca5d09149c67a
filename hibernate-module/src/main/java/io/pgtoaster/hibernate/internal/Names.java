package io.pgtoaster.hibernate.internal;

import java.util.Locale;
import org.hibernate.boot.model.naming.Identifier;

/** Names as PostgreSQL's catalog has them. */
final class Names {
  private Names() {}

  static String exact(Identifier name) {
    return exact(name.getText(), name.isQuoted());
  }

  /** What Hibernate renders as it is: a quoted name has its quotation marks doubled already. */
  static String exact(String text, boolean quoted) {
    return quoted ? text.replace("\"\"", "\"") : text.toLowerCase(Locale.ROOT);
  }

  /** What a name in SQL stands for. */
  static String exact(String sql) {
    return sql.startsWith("\"") && sql.endsWith("\"") && sql.length() > 1
        ? sql.substring(1, sql.length() - 1).replace("\"\"", "\"")
        : sql.toLowerCase(Locale.ROOT);
  }
}
