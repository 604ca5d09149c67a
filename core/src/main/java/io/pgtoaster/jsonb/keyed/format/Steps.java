package io.pgtoaster.jsonb.keyed.format;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * A path in the forms that the statements need: as given, and as split documents store it.
 * Immutable.
 *
 * @param given keys and positions
 */
public record Steps(List<String> given) {
  /**
   * Makes {@code toArray} return strings, because the driver sends only arrays of strings in binary
   * form.
   */
  private static final String[] NONE = {};

  public int length() {
    return given.size();
  }

  public List<String> escaped() {
    return given.stream().map(Markers::escape).toList();
  }

  /** Returns true if split documents store all keys unchanged. */
  public boolean isPlain() {
    for (String step : given) {
      if (Markers.looksLikeOne(step)) {
        return false;
      }
    }
    return true;
  }

  /** Binds the path as given, and as split documents store it; returns the next number. */
  public int bindBoth(PreparedStatement statement, int first) throws SQLException {
    Connection connection = statement.getConnection();
    Array raw = connection.createArrayOf("text", given.toArray(NONE));
    statement.setArray(first, raw);
    statement.setArray(
        first + 1, isPlain() ? raw : connection.createArrayOf("text", escaped().toArray(NONE)));
    return first + 2;
  }

  /** Binds the path as given; returns the number of the next parameter. */
  public int bind(PreparedStatement statement, int first) throws SQLException {
    statement.setArray(first, statement.getConnection().createArrayOf("text", given.toArray(NONE)));
    return first + 1;
  }

  /** Binds the path and that of the container of its last step; returns the next number. */
  public int bindSlot(PreparedStatement statement, int first) throws SQLException {
    return new Steps(given.subList(0, given.size() - 1)).bind(statement, bind(statement, first));
  }
}
