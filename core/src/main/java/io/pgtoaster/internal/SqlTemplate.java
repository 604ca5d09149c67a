package io.pgtoaster.internal;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces each {@code {name}} in SQL by its value. Immutable. */
public final class SqlTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{([a-z_]+)}");

  private final Map<String, String> values;

  /** Creates a template with these values. */
  public SqlTemplate(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * Replaces the names once; names within values are not replaced.
   *
   * @throws IllegalStateException if a name has no value
   */
  public String fill(String sql) {
    return PLACE
        .matcher(sql)
        .replaceAll(
            found -> {
              String value = values.get(found.group(1));
              if (value == null) {
                throw new IllegalStateException("no value for " + found.group());
              }
              return Matcher.quoteReplacement(value);
            });
  }
}
