package io.pgtoaster.column;

import io.pgtoaster.internal.Identifiers;

/**
 * A column with its type, for use as a row key or as a leading key.
 *
 * @param name exact name
 * @param typeSchema schema of its type
 * @param typeName name of its type
 */
public record KeyColumn(String name, String typeSchema, String typeName) {
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
