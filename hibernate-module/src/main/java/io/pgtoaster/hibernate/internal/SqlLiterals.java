package io.pgtoaster.hibernate.internal;

import java.util.List;
import java.util.regex.Pattern;

/** Texts within SQL. */
public final class SqlLiterals {
  private static final Pattern PLAIN = Pattern.compile("-?[A-Za-z0-9_]+");

  private SqlLiterals() {}

  /**
   * Quotes a text.
   *
   * @param text any
   * @return a literal that means the text whatever standard_conforming_strings says
   */
  public static String text(String text) {
    return (text.indexOf('\\') < 0 ? "'" : "E'")
        + text.replace("\\", "\\\\").replace("'", "''")
        + "'";
  }

  /**
   * Quotes texts as an array.
   *
   * @param texts any
   * @return a literal that PostgreSQL reads as a {@code text[]}
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
