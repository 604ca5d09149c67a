package io.pgtoaster.column;

import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.spi.Identifiers;
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
 * @param operatorSchema schema of the operators by which its index compares
 */
public record KeyColumn(String name, String typeSchema, String typeName, String operatorSchema) {
  private static final String NOT_READABLE = "22P02";
  private static final String OUT_OF_RANGE = "22003";

  /** A long has as many digits, whichever they are. */
  private static final int INTEGER_DIGITS = 18;

  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,1000}(\\.[0-9]{1,1000})?");

  // What some version of PostgreSQL reads lies within these; each version reads some of it.
  private static final Pattern PERHAPS_INTEGER =
      Pattern.compile("\\s*[+-]?([0-9][0-9_]*|0[xXoObB][0-9a-fA-F_]+)\\s*");
  private static final Pattern PERHAPS_ID =
      Pattern.compile("\\{?[0-9a-fA-F]{4}(-?[0-9a-fA-F]{4}){7}\\}?");
  private static final Pattern PERHAPS_NUMBER =
      Pattern.compile("\\s*[+-]?(\\.?[0-9][0-9a-zA-Z_.+-]*|(?i:nan|inf|infinity))\\s*");

  /**
   * Returns the name for use in SQL.
   *
   * @return the name in double quotes
   */
  public String quoted() {
    return Identifiers.quote(name);
  }

  /**
   * Returns a parameter of this column's type. The server sees the type from the cast, whatever the
   * Java type of the value, so that an index on the column is used.
   *
   * @return {@code CAST(? AS type)}
   */
  public String parameter() {
    return cast("?");
  }

  /**
   * Compares two values of this column's type by the operator that an index on the column uses,
   * whatever other operators the search path has.
   *
   * @param left SQL
   * @param operator such as {@code =}
   * @param right SQL
   * @return the comparison
   */
  public String compared(String left, String operator, String right) {
    return left
        + " OPERATOR("
        + Identifiers.quoteIfNeeded(operatorSchema)
        + "."
        + operator
        + ") "
        + right;
  }

  /**
   * Binds {@link #parameter}, by its type where the driver knows that, else as text of any type.
   * Text that is not in the usual form is left to the server to read or to refuse.
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

  /** The name of the type, if it is the server's own. */
  private String builtIn() {
    return typeSchema.equals("pg_catalog") ? typeName : "";
  }

  /**
   * Tells why no version of the server reads a text as this column's type, where the form of the
   * text tells that: before a statement fails, and with it the transaction of the caller.
   *
   * @return the SQLState that the server would give; null if it may read it
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

  /** Whether it has the usual form; each call asks, and a pattern's matcher takes 230 bytes. */
  private static boolean isInteger(String value) {
    int first = value.startsWith("-") ? 1 : 0;
    int digits = value.length() - first;
    boolean usual = digits >= 1 && digits <= INTEGER_DIGITS;
    for (int i = first; usual && i < value.length(); i++) {
      usual = value.charAt(i) >= '0' && value.charAt(i) <= '9';
    }
    return usual;
  }

  /** Whether an error of the server that quotes this text is not about the text itself. */
  boolean isAlwaysRead(String value) {
    return switch (builtIn()) {
      case "int2", "int4", "int8" -> isInteger(value);
      case "uuid" -> ID.matcher(value).matches();
      case "numeric" -> DECIMAL.matcher(value).matches();
      case "text", "varchar", "bpchar", "name" -> true;
      default -> false;
    };
  }

  /** The error of a value that is none of this column's type. */
  InvalidKeyException wrong(Object given, String sqlState) {
    return new InvalidKeyException(
        "the key column \"%s\" has the type %s%s, and the given %s is no value of it"
            .formatted(
                name,
                typeSchema.equals("pg_catalog") ? "" : typeSchema + ".",
                typeName,
                given.getClass().getName()),
        sqlState);
  }

  /**
   * Returns an expression as a value of this column's type.
   *
   * @param expression SQL
   * @return {@code CAST(expression AS type)}
   */
  public String cast(String expression) {
    return "CAST("
        + expression
        + " AS "
        + Identifiers.quote(typeSchema)
        + "."
        + Identifiers.quote(typeName)
        + ")";
  }
}
