package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.error.DocumentCorruptException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The rows of a value in document order, one at a time. Owns its statement. Not thread-safe. */
final class StoredRows implements AutoCloseable {
  /** What is said of a stub that does not belong to its row, or of a marker that names nothing. */
  static final String NOT_OWNED =
      "the row holds a stub that is not its own: copied from another row, or changed by hand, or"
          + " its branches are gone; store the document anew, or set the column to NULL";

  private final PreparedStatement statement;
  private final ResultSet rows;
  private long id;
  private boolean split;
  private char kind;
  private @Nullable Long children;
  private boolean rest;
  private byte @Nullable [] text;

  StoredRows(PreparedStatement statement) throws SQLException {
    this.statement = statement;
    this.rows = statement.executeQuery();
  }

  /** Goes to the first row of a value; false if there is none. */
  boolean first() throws SQLException {
    return advance();
  }

  /** Goes to the next row, which must be there. */
  void next() throws SQLException {
    if (!advance()) {
      throw new DocumentCorruptException(NOT_OWNED);
    }
  }

  private boolean advance() throws SQLException {
    if (!rows.next()) {
      return false;
    }
    if (rows.getBoolean(3)) {
      throw new DocumentCorruptException(NOT_OWNED);
    }
    id = rows.getLong(2);
    split = rows.getBoolean(4);
    String name = rows.getString(5);
    kind = name == null ? '-' : name.charAt(0);
    long count = rows.getLong(6);
    children = rows.wasNull() ? null : (Long) count;
    rest = rows.getObject(7) != null;
    text = rows.getBytes(8);
    return true;
  }

  /** Number of the key that the present row belongs to, from 1, where there are many. */
  int key() throws SQLException {
    return rows.getInt(9);
  }

  long id() {
    return id;
  }

  boolean split() {
    return split;
  }

  char kind() {
    return kind;
  }

  /** Number of children of an inner node; null for a value. */
  @Nullable Long children() {
    return children;
  }

  boolean hasRest() {
    return rest;
  }

  byte @Nullable [] text() {
    return text;
  }

  /** The text of a leaf. */
  byte[] stored() {
    byte[] stored = text;
    if (stored == null) {
      throw new DocumentCorruptException(NOT_OWNED);
    }
    return stored;
  }

  @Override
  public void close() throws SQLException {
    try {
      rows.close();
    } finally {
      statement.close();
    }
  }
}
