package io.pgtoaster.internal;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fills names into SQL: in the place of each {@code {name}} what it stands for. Immutable. */
public final class SqlTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{([a-z_]+)}");

  private final Map<String, String> values;

  /** Creates one. */
  public SqlTemplate(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * Fills in once: what looks like a place in a value stays as it is.
   *
   * @throws IllegalStateException if a name stands for nothing
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
