package io.pgtoaster.hibernate.internal;

import java.util.List;
import java.util.regex.Pattern;

/** Text literals in SQL. */
public final class SqlLiterals {
  private static final Pattern PLAIN = Pattern.compile("-?[A-Za-z0-9_]+");

  private SqlLiterals() {}

  /**
   * Quotes text.
   *
   * @param text any text
   * @return a literal with the same meaning for any value of standard_conforming_strings
   */
  public static String text(String text) {
    return (text.indexOf('\\') < 0 ? "'" : "E'")
        + text.replace("\\", "\\\\").replace("'", "''")
        + "'";
  }

  /**
   * Quotes an array of text.
   *
   * @param texts the elements
   * @return a literal that PostgreSQL accepts as a {@code text[]}
   */
  public static String array(List<String> texts) {
    return text("{" + String.join(",", texts.stream().map(SqlLiterals::element).toList()) + "}");
  }

  private static String element(String text) {
    return PLAIN.matcher(text).matches() && !text.equalsIgnoreCase("null")
        ? text
        : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
