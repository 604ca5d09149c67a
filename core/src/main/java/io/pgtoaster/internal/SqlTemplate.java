package io.pgtoaster.internal;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces each {@code {name}} in SQL by its value. In {@code {name:argument}}, the argument
 * replaces the first {@code {}} of the value. Immutable.
 */
public final class SqlTemplate {
  private static final Pattern PLACE =
      Pattern.compile("\\{([a-z_]+)(?::([^{}]*(?:\\{[^{}]*}[^{}]*)*))?}");

  private final Map<String, String> values;

  /** Creates a template with these values. */
  public SqlTemplate(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /**
   * Replaces all names, once; names within values are not replaced.
   *
   * @throws IllegalStateException if a name has no value
   */
  public String fill(String sql) {
    return PLACE.matcher(sql).replaceAll(found -> Matcher.quoteReplacement(value(found)));
  }

  private String value(MatchResult found) {
    String value = values.get(found.group(1));
    if (value == null) {
      throw new IllegalStateException("no value for " + found.group());
    }
    String argument = found.group(2);
    if (argument == null) {
      return value;
    }
    int at = value.indexOf("{}");
    return at < 0 ? value : value.substring(0, at) + fill(argument) + value.substring(at + 2);
  }
}
