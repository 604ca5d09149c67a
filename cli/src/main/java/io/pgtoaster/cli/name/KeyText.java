package io.pgtoaster.cli.name;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import java.util.ArrayList;
import java.util.List;

/**
 * The text form of a row key. The key of a single column is used literally. The values of a key of
 * several columns are separated by commas; a value that contains a comma or a double quote is
 * enclosed in double quotes, as in CSV.
 */
public final class KeyText {
  private KeyText() {}

  /**
   * Parses a key.
   *
   * @param text text that the user wrote
   * @param columns number of columns of the row key
   * @return the values
   */
  public static List<String> parse(String text, int columns) {
    if (columns == 1) {
      return List.of(text);
    }
    List<String> values = split(text);
    if (values.size() != columns) {
      throw new Failure(
          ExitCode.USAGE,
          "the key "
              + text
              + " has "
              + values.size()
              + " values, but the row key has "
              + columns
              + " columns; separate the values by commas, as in 7,\"a, b\"");
    }
    return values;
  }

  /**
   * Formats a key so that {@link #parse} can read it back.
   *
   * @param values values of the row key
   * @return the text
   */
  public static String format(List<String> values) {
    if (values.size() == 1) {
      return values.get(0);
    }
    return String.join(",", values.stream().map(KeyText::quote).toList());
  }

  private static String quote(String value) {
    boolean plain = !value.isEmpty() && value.indexOf(',') < 0 && value.indexOf('"') < 0;
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }

  private static List<String> split(String text) {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        if (quoted && i + 1 < text.length() && text.charAt(i + 1) == '"') {
          value.append(c);
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (c == ',' && !quoted) {
        values.add(value.toString());
        value.setLength(0);
      } else {
        value.append(c);
      }
    }
    if (quoted) {
      throw new Failure(
          ExitCode.USAGE, "the key " + text + " contains a double quote that is not closed");
    }
    values.add(value.toString());
    return values;
  }
}
