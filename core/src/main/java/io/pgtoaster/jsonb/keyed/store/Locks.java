package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import io.pgtoaster.internal.column.Permission;
import io.pgtoaster.jsonb.keyed.format.Header;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a document's writers. The order is: the owner's row (to change its content), the
 * head (shared by all writers, exclusive to drop branches), the root of a branch (to change its
 * structure), the leaf.
 */
public record Locks(KeyedStore store, Connection connection, RowKey key) {
  /** The number of nodes that are read in the same round trip that locks the head. */
  public static final int FIRST_ROWS = 64;

  /** The locked owner's row. */
  public record Row(@Nullable String document, long otherBytes) {}

  /** The row, and the number of the document if the row owns it; both are locked. */
  public record Stored(Row row, @Nullable Long document) {}

  public Locks {
    store = store.at(key);
  }

  public Row row() throws SQLException {
    return Query.read(connection, store.sql(KeyedSql.LOCK_ROW), this::row, key);
  }

  private Row row(ResultSet r) throws SQLException {
    if (!r.next()) {
      Permission.requireUpdate(connection, store.column(), key);
      throw Refusals.noRow();
    }
    return new Row(r.getString(1), r.getLong(2));
  }

  /** Blocks all other writers of the document: locks its row, and its head exclusively. */
  public void document() throws SQLException {
    Stored stored = both().run(connection, this::stored);
    if (stored.document() == null && Header.document(stored.row().document()) != null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
  }

  /** Locks the row, and its head exclusively, in one round trip. */
  private Script both() {
    Script script = new Script();
    script.add(store.sql(KeyedSql.LOCK_ROW), keys());
    script.add(store.sql(KeyedSql.LOCK_HEAD_ALONE), keys());
    return script;
  }

  private Query.Parameters keys() {
    return (s, first) -> store.column().bind(s, first, key);
  }

  /**
   * Reads the result of {@link #both}. Ignores a stub that belongs to another row, so that its
   * branches stay unchanged.
   */
  private Stored stored(PreparedStatement s) throws SQLException {
    Row row = row(s.getResultSet());
    s.getMoreResults();
    Long generation = number(s.getResultSet());
    @Nullable Long document = Header.document(row.document());
    if (document != null) {
      requirePermission(generation);
    }
    return new Stored(row, generation == null ? null : document);
  }

  /**
   * Locks the head exclusively. Returns the generation; null if the head does not exist or does not
   * belong to this row.
   */
  public @Nullable Long head() throws SQLException {
    Long generation =
        Query.first(connection, store.sql(KeyedSql.LOCK_HEAD_ALONE), r -> r.getLong(1), key);
    requirePermission(generation);
    return generation;
  }

  /**
   * Throws an exception if the role may not lock the head. This is one possible reason for not
   * finding it.
   */
  private void requirePermission(@Nullable Long generation) throws SQLException {
    if (generation == null) {
      Permission.requireUpdate(connection, store.column(), key);
    }
  }

  /**
   * Locks the row, and its head exclusively, and reads the first nodes, in one round trip. A
   * transaction that keeps its snapshot fails (40001) if the document has changed since. The lock
   * on the head does not detect this, because writers of leaves only share the head.
   *
   * @param take receives the result of {@code firstDigests}, if the row owns a document
   */
  public Stored whole(NodeResult take) throws SQLException {
    Script script = both();
    script.add(store.sql(KeyedSql.LOCK_SNAPSHOT), keys());
    script.add(store.sql(KeyedSql.FIRST_DIGESTS), keys(), FIRST_ROWS);
    return script.run(
        connection,
        s -> {
          Stored stored = stored(s);
          Long document = stored.document();
          if (document != null) {
            s.getMoreResults();
            s.getMoreResults();
            take.accept(document, s.getResultSet());
          }
          return stored;
        });
  }

  /** Receives the nodes of a document. */
  @FunctionalInterface
  public interface NodeResult {
    void accept(long document, ResultSet nodes) throws SQLException;
  }

  private static @Nullable Long number(ResultSet r) throws SQLException {
    return r.next() ? (Long) r.getLong(1) : null;
  }
}
