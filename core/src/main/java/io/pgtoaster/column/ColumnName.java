package io.pgtoaster.column;

import io.pgtoaster.error.ColumnNotFoundException;
import io.pgtoaster.internal.sql.Identifiers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The name of a column. Names are exact, as in PostgreSQL's catalog: without quotes, and not folded
 * to lower case.
 *
 * @param schema name of the table's schema, or null to find the table on the search path
 * @param table name of the table
 * @param column name of the column
 */
public record ColumnName(@Nullable String schema, String table, String column) {
  /**
   * Checks the names.
   *
   * @throws ColumnNotFoundException if no server can have such a name: it is empty, longer than 63
   *     bytes, or contains a zero character
   */
  public ColumnName {
    if (schema != null) {
      Identifiers.check(schema);
    }
    Identifiers.check(table);
    Identifiers.check(column);
  }

  /**
   * Returns the name of a column of a table on the search path, without a schema.
   *
   * @throws ColumnNotFoundException if no server can have such a name
   */
  public static ColumnName of(String table, String column) {
    return new ColumnName(null, table, column);
  }

  /**
   * Returns the name of a column.
   *
   * @param schema exact name of the table's schema
   * @throws ColumnNotFoundException if no server can have such a name
   */
  public static ColumnName of(String schema, String table, String column) {
    return new ColumnName(Objects.requireNonNull(schema, "schema"), table, column);
  }

  /** Returns the name as written in SQL, such as {@code media.recording.audio}. */
  @Override
  public String toString() {
    String name = Identifiers.quoteIfNeeded(table) + "." + Identifiers.quoteIfNeeded(column);
    return schema == null ? name : Identifiers.quoteIfNeeded(schema) + "." + name;
  }
}
