package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.jsonb.keyed.store.KeyedStore;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Reads the rows of a value one at a time, as sorted by the server. Owns its statement. Not
 * thread-safe.
 */
final class StoredRows extends ValueRows {
  private final PreparedStatement statement;
  private final ResultSet rows;
  private long id;

  StoredRows(PreparedStatement statement) throws SQLException {
    this.statement = statement;
    try {
      this.rows = statement.executeQuery();
    } catch (SQLException e) {
      throw KeyedStore.corruptOr(e);
    }
  }

  @Override
  void next() throws SQLException {
    if (!advance()) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
  }

  @Override
  void next(long branch) throws SQLException {
    next();
    if (id != branch) {
      throw new DocumentCorruptException("branch " + branch + " of the document is missing");
    }
  }

  /** Moves to the next row; returns false if there is none. */
  boolean advance() throws SQLException {
    if (!rows.next()) {
      return false;
    }
    if (rows.getBoolean(3)) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    id = rows.getLong(2);
    split = rows.getBoolean(4);
    String name = rows.getString(5);
    kind = name == null ? '-' : name.charAt(0);
    long count = rows.getLong(6);
    children = rows.wasNull() ? null : (Long) count;
    overflow = rows.getObject(7) != null;
    text = rows.getBytes(8);
    return true;
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
