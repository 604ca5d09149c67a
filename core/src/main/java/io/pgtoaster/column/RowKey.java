package io.pgtoaster.column;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/**
 * The key of one row of an owner table, in the order of its key columns.
 *
 * @param values text form of each value, which PostgreSQL can read
 */
public record RowKey(List<String> values) {
  /** Copies the values, so that a key of a map cannot change. */
  public RowKey {
    values = List.copyOf(values);
  }

  /** Binds a parameter for each key column; returns the number of the next parameter. */
  public int bind(PreparedStatement statement, int first) throws SQLException {
    int next = first;
    for (String value : values) {
      statement.setObject(next++, value, Types.OTHER);
    }
    return next;
  }

  /**
   * Binds one or more keys, with one array per key column; returns the number of the next
   * parameter.
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
}
