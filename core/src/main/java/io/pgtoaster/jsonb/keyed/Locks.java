package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.column.Permission;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DocumentCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a document's writers, in the order in which they are taken: the owner's row (who
 * changes what stands in it), the head (shared by all writers, alone by who drops branches), the
 * root of a branch (who changes its structure), the leaf.
 */
final class Locks {
  /** The owner's row under lock. */
  record Row(@Nullable String document, long otherBytes) {}

  private final KeyedStore store;
  private final Connection connection;
  private final RowKey key;

  Locks(KeyedStore store, Connection connection, RowKey key) {
    this.store = store;
    this.connection = connection;
    this.key = key;
  }

  Row row() throws SQLException {
    try (PreparedStatement s = connection.prepareStatement(store.sql().lockRow)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          Permission.requireUpdate(connection, store.column(), key);
          throw Reads.noRow();
        }
        return new Row(r.getString(1), r.getLong(2));
      }
    }
  }

  /** Keeps all other writers of the document away: locks its row, and its head alone. */
  void document() throws SQLException {
    Long document = Header.document(row().document());
    if (document != null && head(document, true) == null) {
      throw new DocumentCorruptException(ValueRows.NOT_OWNED);
    }
  }

  /** Returns the generation; null if the head is gone, or is not this row's. */
  @Nullable Long head(long document, boolean alone) throws SQLException {
    String sql = alone ? store.sql().lockHeadAlone : store.sql().lockHeadShared;
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      s.setLong(key.bind(s, 1), document);
      Long generation = number(s);
      requirePermission(generation);
      return generation;
    }
  }

  /** A head that is not found may be one that the role may not lock. */
  private void requirePermission(@Nullable Long generation) throws SQLException {
    if (generation == null) {
      Permission.requireUpdate(connection, store.column(), key);
    }
  }

  /**
   * Locks the head alone and looks at the first nodes, in one round trip. A transaction that keeps
   * its snapshot gives way in between if the document has changed since: locking the head does not
   * tell it, since writers of leaves only share it.
   *
   * @param take takes the result of {@code firstDigests}
   * @return false if the head is gone, or is not this row's; nothing is taken then
   */
  boolean headAndNodes(long document, NodeResult take) throws SQLException {
    Script script = new Script();
    script.add(
        store.sql().lockHeadAlone,
        (s, first) -> {
          int next = key.bind(s, first);
          s.setLong(next, document);
          return next + 1;
        });
    script.add(store.sql().lockSnapshot, document);
    script.add(
        store.sql().firstDigests,
        (s, first) -> {
          s.setLong(first, document);
          s.setInt(first + 1, ReusingSink.FIRST_ROWS);
          return first + 2;
        });
    boolean found =
        script.run(
            connection,
            s -> {
              if (number(s.getResultSet()) == null) {
                return false;
              }
              s.getMoreResults();
              s.getMoreResults();
              take.accept(s.getResultSet());
              return true;
            });
    if (!found) {
      Permission.requireUpdate(connection, store.column(), key);
    }
    return found;
  }

  /** Takes nodes. */
  @FunctionalInterface
  interface NodeResult {
    void accept(ResultSet nodes) throws SQLException;
  }

  private static @Nullable Long number(PreparedStatement s) throws SQLException {
    s.execute();
    return number(s.getResultSet());
  }

  private static @Nullable Long number(ResultSet result) throws SQLException {
    try (ResultSet r = result) {
      return r.next() ? (Long) r.getLong(1) : null;
    }
  }
}
