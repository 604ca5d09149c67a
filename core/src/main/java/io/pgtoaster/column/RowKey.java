package io.pgtoaster.column;

import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.json.Strings;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.List;

/**
 * The key of one row of an owner table, in the order of its key columns.
 *
 * @param values text form of each value, as PostgreSQL reads it
 */
public record RowKey(List<String> values) implements Query.Parameters {
  /**
   * Makes a key.
   *
   * @param key the value of the key column, or for a composite key a {@link List} of them in the
   *     order of the key columns: numbers, strings, {@link java.util.UUID}s, date and time types,
   *     {@code byte[]}, or anything whose {@link Object#toString()} PostgreSQL can read as the type
   *     of the column
   * @param columns the key columns
   * @return the key
   * @throws RowNotFoundException if the number of values is not that of the columns
   */
  public static RowKey of(Object key, List<KeyColumn> columns) {
    if (columns.size() == 1 && !(key instanceof List<?>)) {
      return new RowKey(List.of(text(key)));
    }
    List<?> given = key instanceof List<?> list ? list : List.of(key);
    if (given.size() != columns.size()) {
      throw new RowNotFoundException(
          "the key has " + given.size() + " values, and the row key is " + names(columns));
    }
    return new RowKey(given.stream().map(RowKey::text).toList());
  }

  /**
   * Binds the values.
   *
   * @param statement with a parameter per key column
   * @param first number of the first of them
   * @return number of the next parameter
   * @throws SQLException as the driver throws it
   */
  @Override
  public int bind(PreparedStatement statement, int first) throws SQLException {
    int next = first;
    for (String value : values) {
      statement.setObject(next++, value, Types.OTHER);
    }
    return next;
  }

  /**
   * Binds the values of a text of several statements, some of which return rows. Where the driver
   * has to ask for the types of parameters it learns that rows may be long, and then waits for
   * those of each statement before it sends the next; so types that it knows are said.
   *
   * @param statement with a parameter per key column
   * @param first number of the first of them
   * @param columns the key columns
   * @return number of the next parameter
   * @throws SQLException as the driver throws it
   */
  public int bind(PreparedStatement statement, int first, List<KeyColumn> columns)
      throws SQLException {
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).bind(statement, first + i, values.get(i));
    }
    return first + columns.size();
  }

  /**
   * Binds many keys.
   *
   * @param statement with the parameters of {@link AttachedColumn#keyList}
   * @param first number of the first of them
   * @param keys at least one
   * @return number of the next parameter
   * @throws SQLException as the driver throws it
   */
  public static int bindAll(PreparedStatement statement, int first, List<RowKey> keys)
      throws SQLException {
    int columns = keys.get(0).values.size();
    for (int i = 0; i < columns; i++) {
      String[] values = new String[keys.size()];
      for (int k = 0; k < values.length; k++) {
        values[k] = keys.get(k).values.get(i);
      }
      statement.setArray(first + i, statement.getConnection().createArrayOf("text", values));
    }
    return first + columns;
  }

  private static String names(List<KeyColumn> columns) {
    return "(" + String.join(", ", columns.stream().map(KeyColumn::name).toList()) + ")";
  }

  private static String text(Object value) {
    if (value instanceof byte[] bytes) {
      return "\\x" + HexFormat.of().formatHex(bytes);
    }
    String text = value.toString();
    if (text.indexOf('\0') >= 0) {
      throw new RowNotFoundException("a key value holds a zero character, which no row can have");
    }
    if (Strings.hasHalfPair(text)) {
      // The driver would send "?" in its place, which another row may have.
      throw new RowNotFoundException(
          "a key value holds half of a surrogate pair, which no row can have");
    }
    return text;
  }
}
