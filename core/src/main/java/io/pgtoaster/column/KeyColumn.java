package io.pgtoaster.column;

import io.pgtoaster.internal.Identifiers;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A column with its type, for use as a row key or as a leading key.
 *
 * @param name exact name
 * @param typeSchema schema of its type
 * @param typeName name of its type
 */
public record KeyColumn(String name, String typeSchema, String typeName) {
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");
  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

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
   * Binds {@link #parameter}, by its type where the driver knows that, else as text of any type.
   * Text that is not in the usual form is left to the server to read or to refuse.
   */
  void bind(PreparedStatement statement, int number, String value) throws SQLException {
    switch (typeSchema.equals("pg_catalog") ? typeName : "") {
      case "int2", "int4", "int8" -> {
        if (INTEGER.matcher(value).matches()) {
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
