package io.pgtoaster.spi;

import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.internal.sql.Identifiers;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column with its type, for use as a row key or as a leading key.
 *
 * @param name exact name
 * @param typeSchema schema of its type
 * @param typeName name of its type
 * @param operatorSchema schema of the comparison operators of its index
 */
public record KeyColumn(String name, String typeSchema, String typeName, String operatorSchema) {
  private static final String NOT_READABLE = "22P02";
  private static final String OUT_OF_RANGE = "22003";

  /** Number of digits that always fit in a long. */
  private static final int INTEGER_DIGITS = 18;

  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,1000}(\\.[0-9]{1,1000})?");

  // Matches all forms that any version of PostgreSQL can read; each version reads only some of
  // them.
  private static final Pattern PERHAPS_INTEGER =
      Pattern.compile("\\s*[+-]?([0-9][0-9_]*|0[xXoObB][0-9a-fA-F_]+)\\s*");
  private static final Pattern PERHAPS_ID =
      Pattern.compile("\\{?[0-9a-fA-F]{4}(-?[0-9a-fA-F]{4}){7}\\}?");
  private static final Pattern PERHAPS_NUMBER =
      Pattern.compile("\\s*[+-]?(\\.?[0-9][0-9a-zA-Z_.+-]*|(?i:nan|inf|infinity))\\s*");

  /** Returns the name for use in SQL. */
  public String quoted() {
    return Identifiers.quote(name);
  }

  /**
   * Returns a parameter of this column's type, {@code CAST(? AS type)}. The server takes the type
   * from the cast, whatever the Java type of the value, so it can use an index on the column.
   */
  public String parameter() {
    return cast("?");
  }

  /**
   * Returns a comparison of two values of this column's type. It uses the operator of the column's
   * index, regardless of operators on the search path.
   */
  public String compared(String left, String operator, String right) {
    String qualified = Identifiers.quoteIfNeeded(operatorSchema) + "." + operator;
    return left + " OPERATOR(" + qualified + ") " + right;
  }

  /**
   * Binds {@link #parameter}: with its type if the driver knows the type, else as text of any type.
   * The server reads or rejects text that does not have the usual form.
   */
  void bind(PreparedStatement statement, int number, String value) throws SQLException {
    switch (builtIn()) {
      case "int2", "int4", "int8" -> {
        if (isInteger(value)) {
          statement.setLong(number, Long.parseLong(value));
          return;
        }
      }
      case "uuid" -> {
        if (ID.matcher(value).matches()) {
          statement.setObject(number, UUID.fromString(value));
          return;
        }
      }
      case "text", "varchar" -> {
        statement.setString(number, value);
        return;
      }
      default -> {}
    }
    statement.setObject(number, value, Types.OTHER);
  }

  /** Returns the name of the type, if it is a type of PostgreSQL itself. */
  private String builtIn() {
    return typeSchema.equals("pg_catalog") ? typeName : "";
  }

  /**
   * Returns the SQLState that the server would return for text whose form shows that no version of
   * the server can read it as this column's type; null if it may read the text. This check runs
   * before a statement fails, which would abort the caller's transaction.
   */
  @Nullable String refusal(String value) {
    return switch (builtIn()) {
      case "int2" -> refusal(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case "int4" -> refusal(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "int8" -> refusal(value, Long.MIN_VALUE, Long.MAX_VALUE);
      case "uuid" -> PERHAPS_ID.matcher(value).matches() ? null : NOT_READABLE;
      case "numeric" -> PERHAPS_NUMBER.matcher(value).matches() ? null : NOT_READABLE;
      default -> null;
    };
  }

  private static @Nullable String refusal(String value, long least, long most) {
    if (!isInteger(value) && !PERHAPS_INTEGER.matcher(value).matches()) {
      return NOT_READABLE;
    }
    String text = value.strip();
    try {
      long number = Long.parseLong(text);
      return number < least || number > most ? OUT_OF_RANGE : null;
    } catch (NumberFormatException e) {
      return text.matches("[+-]?[0-9]+") ? OUT_OF_RANGE : null;
    }
  }

  /**
   * Returns whether text has the usual form of an integer. Runs on each call, so it avoids the 230
   * bytes of a pattern's matcher.
   */
  private static boolean isInteger(String value) {
    int first = value.startsWith("-") ? 1 : 0;
    int digits = value.length() - first;
    boolean usual = digits >= 1 && digits <= INTEGER_DIGITS;
    for (int i = first; usual && i < value.length(); i++) {
      usual = value.charAt(i) >= '0' && value.charAt(i) <= '9';
    }
    return usual;
  }

  /**
   * Returns whether the server can always read this text, so that an error that quotes it has
   * another cause.
   */
  boolean isAlwaysRead(String value) {
    return switch (builtIn()) {
      case "int2", "int4", "int8" -> isInteger(value);
      case "uuid" -> ID.matcher(value).matches();
      case "numeric" -> DECIMAL.matcher(value).matches();
      case "text", "varchar", "bpchar", "name" -> true;
      default -> false;
    };
  }

  /** Returns the exception for a value that cannot be converted to this column's type. */
  InvalidKeyException wrong(Object given, String sqlState) {
    return new InvalidKeyException(
        "the key column \"%s\" has the type %s%s, but the given %s is not a value of that type"
            .formatted(
                name,
                typeSchema.equals("pg_catalog") ? "" : typeSchema + ".",
                typeName,
                given.getClass().getName()),
        sqlState);
  }

  /** Returns an expression as a value of this column's type, {@code CAST(expression AS type)}. */
  public String cast(String expression) {
    String type = Identifiers.quote(typeSchema) + "." + Identifiers.quote(typeName);
    return "CAST(" + expression + " AS " + type + ")";
  }
}
