package io.pgtoaster.hibernate.internal;

import io.pgtoaster.internal.sql.Identifiers;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Arrays of text in SQL. */
public final class SqlArrays {
  private static final Pattern PLAIN = Pattern.compile("-?[A-Za-z0-9_]+");

  private SqlArrays() {}

  /** Returns a literal that PostgreSQL accepts as a {@code text[]}. */
  public static String literal(List<String> texts) {
    return Identifiers.literal(
        texts.stream().map(SqlArrays::element).collect(Collectors.joining(",", "{", "}")));
  }

  private static String element(String text) {
    return PLAIN.matcher(text).matches() && !text.equalsIgnoreCase("null")
        ? text
        : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
