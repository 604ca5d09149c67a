package io.pgtoaster.column;

import io.pgtoaster.error.DatabaseException;
import io.pgtoaster.error.InvalidKeyException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.json.Strings;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The key of one row of an owner table, in the order of its key columns.
 *
 * @param values text form of each value, which PostgreSQL can read
 */
public record RowKey(List<String> values) implements Query.Parameters {
  /**
   * SQLStates for texts that are not values of a type: invalid form, number out of range, invalid
   * date or time.
   */
  private static final Set<String> NOT_READ = Set.of("22P02", "22003", "22007", "22008");

  /**
   * Creates a key.
   *
   * @param key the value of the key column, or for a composite key a {@link List} of values in the
   *     order of the key columns: numbers, strings, {@link java.util.UUID}s, date and time types,
   *     {@code byte[]}, or any object whose {@link Object#toString()} PostgreSQL can read as the
   *     type of the column
   * @param columns the key columns
   * @return the key
   * @throws InvalidKeyException if the number of values differs from the number of columns, or a
   *     value cannot be of its column's type, as far as its form shows without the server
   */
  public static RowKey of(Object key, List<KeyColumn> columns) {
    List<?> given = values(key);
    if (given.size() != columns.size()) {
      throw new InvalidKeyException(
          "the key has " + given.size() + " values, and the row key is " + names(columns), "22023");
    }
    if (given.size() == 1) {
      return new RowKey(List.of(text(given.get(0), columns.get(0))));
    }
    List<String> texts = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      texts.add(text(given.get(i), columns.get(i)));
    }
    return new RowKey(texts);
  }

  private static List<?> values(Object key) {
    if (key == null) {
      throw new IllegalArgumentException("key is null");
    }
    if (key instanceof RowKey row) {
      return row.values();
    }
    return key instanceof List<?> list ? list : List.of(key);
  }

  /**
   * Finds the key value that caused an error of the server.
   *
   * @param keys that the call was about, as callers pass them
   * @param columns the key columns
   * @return an exception for the value that the server's message quotes; empty if it quotes none
   */
  static Optional<InvalidKeyException> refused(
      DatabaseException e, Collection<?> keys, List<KeyColumn> columns) {
    @Nullable String message = NOT_READ.contains(e.sqlState()) ? e.getMessage() : null;
    if (message == null) {
      return Optional.empty();
    }
    for (Object key : keys) {
      List<?> given = values(key);
      for (int i = 0; i < given.size() && i < columns.size(); i++) {
        Object value = given.get(i);
        KeyColumn column = columns.get(i);
        String text = form(value);
        if (!column.isAlwaysRead(text) && message.contains(text)) {
          return Optional.of(column.wrong(value, e.sqlState()));
        }
      }
    }
    return Optional.empty();
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
   * Binds the values in a string of several statements, some of which return rows. Types that the
   * driver knows are declared. If the driver had to ask the server for them, it would learn that
   * rows may be long, and then wait for the result of each statement before it sends the next.
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

  private static String text(@Nullable Object value, KeyColumn column) {
    if (value == null) {
      throw new InvalidKeyException(
          "the value of the key column \"" + column.name() + "\" is null, which no row has",
          "22004");
    }
    String text = form(value);
    if (text.indexOf('\0') >= 0) {
      throw new RowNotFoundException("a key value holds a zero character, which no row can have");
    }
    if (Strings.hasHalfPair(text)) {
      // The driver would send "?" instead, which may be the key of another row.
      throw new RowNotFoundException(
          "a key value holds half of a surrogate pair, which no row can have");
    }
    @Nullable String refusal = column.refusal(text);
    if (refusal != null) {
      throw column.wrong(value, refusal);
    }
    return text;
  }

  private static String form(Object value) {
    return value instanceof byte[] bytes
        ? "\\x" + HexFormat.of().formatHex(bytes)
        : value.toString();
  }
}
