package io.pgtoaster.cli.name;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.column.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A table's name in SQL syntax: {@code recording}, {@code media.recording} or {@code
 * "We.ird"."Name"}. Without double quotes, a name is folded to lower case.
 *
 * @param schema exact name of the schema, or null for the search path
 * @param name exact name
 */
public record QualifiedName(@Nullable String schema, String name) {
  /**
   * Parses the name of a table.
   *
   * @param text with or without a schema
   * @return the exact names
   */
  public static QualifiedName table(String text) {
    List<String> parts = parts(text);
    return switch (parts.size()) {
      case 1 -> new QualifiedName(null, parts.get(0));
      case 2 -> new QualifiedName(parts.get(0), parts.get(1));
      default -> throw bad(text, "has more than two parts; quote names that contain a dot");
    };
  }

  /**
   * Parses the name of a column and its table.
   *
   * @param table name with or without a schema
   * @param column a single name
   * @return the exact names
   */
  public static ColumnName column(String table, String column) {
    QualifiedName owner = table(table);
    return new ColumnName(owner.schema, owner.name, column(column));
  }

  /**
   * Parses the name of a column.
   *
   * @param text a single name
   * @return the exact name
   */
  public static String column(String text) {
    List<String> parts = parts(text);
    if (parts.size() != 1) {
      throw bad(
          text,
          "is not a single column name; quote a name with a dot, and name the table"
              + " with --table");
    }
    return parts.get(0);
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int at = 0;
    while (true) {
      int end;
      if (at < text.length() && text.charAt(at) == '"') {
        end = closingQuote(text, at);
        parts.add(text.substring(at + 1, end).replace("\"\"", "\""));
        end++;
      } else {
        end = at;
        while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '"') {
          end++;
        }
        parts.add(text.substring(at, end).toLowerCase(Locale.ROOT));
      }
      if (parts.get(parts.size() - 1).isEmpty()) {
        throw bad(text, "has an empty part");
      }
      if (end == text.length()) {
        return parts;
      }
      if (text.charAt(end) != '.') {
        throw bad(text, "contains a double quote in the middle of a part");
      }
      at = end + 1;
    }
  }

  private static int closingQuote(String text, int open) {
    for (int i = open + 1; i < text.length(); i++) {
      if (text.charAt(i) == '"') {
        if (i + 1 < text.length() && text.charAt(i + 1) == '"') {
          i++;
        } else {
          return i;
        }
      }
    }
    throw bad(text, "contains a double quote that is not closed");
  }

  private static Failure bad(String text, String why) {
    return new Failure(ExitCode.USAGE, "the name " + text + " " + why);
  }

  @Override
  public String toString() {
    return schema == null ? quote(name) : quote(schema) + "." + quote(name);
  }

  /** Quotes a name unless SQL reads it the same without quotes. */
  private static String quote(String name) {
    return name.matches("[a-z_][a-z0-9_$]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }
}
