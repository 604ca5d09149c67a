package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.blob.appendable.format.BlobId;
import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.Piece;
import io.pgtoaster.blob.appendable.format.Tail;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.error.UnsupportedCapabilityException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import io.pgtoaster.internal.column.Permission;
import io.pgtoaster.spi.AttachedColumn;
import io.pgtoaster.spi.KeyColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds, locks and creates head rows. The lock on the head serialises all changes of a blob. The
 * owner's row is locked only to set a NULL handle.
 */
public record Heads(Store store) {
  private static final int LOOKS = 5;

  /** Locks the head of an existing blob. */
  public Head lock(Connection connection, RowKey key) throws SQLException {
    Head head = lockOrNull(connection, key);
    if (head == null) {
      throw new BlobNotFoundException(
          "the column " + store.place() + " is NULL in that row; append to it first");
    }
    return head;
  }

  /**
   * Locks the head of a blob if there is one. The row may receive another blob while this call
   * waits for the lock. So the same round trip reads its handle again, together with the pieces.
   *
   * @return the head, or null if the handle is NULL
   */
  public @Nullable Head lockOrNull(Connection connection, RowKey key) throws SQLException {
    AttachedColumn column = store.column();
    for (int look = 0; look < LOOKS; look++) {
      try (PreparedStatement s = connection.prepareStatement(store.sql(BlobSql.LOCK_BY_KEY, key))) {
        column.bind(s, column.bind(s, 1, key), key);
        s.execute();
        Head head = readHead(s);
        s.getMoreResults();
        try (ResultSet r = s.getResultSet()) {
          Long id = readId(r);
          if (id == null) {
            return null;
          }
          if (head != null && head.blob().id() == id) {
            return head.withPieces(readPieces(r));
          }
        }
      }
    }
    Permission.requireUpdate(connection, store.column(), key);
    throw new BlobCorruptException(
        "the handle in " + store.place() + " refers to a blob that does not exist; run verify");
  }

  /** Locks the head of a blob, creating the blob if the handle is NULL. */
  public Head lockOrCreate(Connection connection, RowKey key) throws SQLException {
    Head head = lockOrNull(connection, key);
    if (head != null) {
      return head;
    }
    Handle handle = lockRow(connection, key);
    if (handle.id() == null) {
      return create(connection, key, handle.leadingKey());
    }
    // Another first append was faster. Its row lock is released, so its blob is committed.
    return lock(connection, key);
  }

  /** Creates heads that no row references yet. */
  public long[] create(Connection connection, int count) throws SQLException {
    KeyColumn leadingKey = store.column().leadingKey();
    if (leadingKey != null) {
      throw new UnsupportedCapabilityException(
          "keys of this store begin with the column \"%s\"; insert the row and append to it"
              .formatted(leadingKey.name()));
    }
    // Create the head with capacity, so that a small first append is one statement.
    byte[] room = Tail.store(new byte[0], Tail.capacityFor(0, store.options().tail()));
    int size = store.options().chunkSize();
    return Query.list(
            connection, store.sql(BlobSql.CREATE_HEADS), r -> r.getLong(1), size, room, count)
        .stream()
        .mapToLong(Long::longValue)
        .toArray();
  }

  private Head create(Connection connection, RowKey key, @Nullable String leadingKey)
      throws SQLException {
    int size = store.options().chunkSize();
    Query.Parameters lead =
        (s, first) -> leadingKey == null ? first : Query.untyped(leadingKey).bind(s, first);
    long id = Query.one(connection, store.sql(BlobSql.CREATE_HEAD), r -> r.getLong(1), lead, size);
    BlobId blob = new BlobId(leadingKey, id);
    Head head = new Head(blob, 0, 0, 0, new byte[0], size, 0, false, null, 0, List.of());
    Script script = new Script();
    script.add(store.sql(BlobSql.SET_HANDLE), head.blob().id(), key);
    script.add(store.sql(BlobSql.HANDLE_IS_SET), key, head.blob().id());
    if (script.run(connection, Heads::isThere)) {
      return head;
    }
    Query.update(connection, store.sql(BlobSql.DELETE_HEAD), head.blob());
    throw new CatalogException(
        "the UPDATE that should set %s changed no row: a trigger, a rule or a policy of the table suppressed it"
            .formatted(store.place()));
  }

  /** Returns true if the second of two statements finds a row. */
  private static boolean isThere(PreparedStatement s) throws SQLException {
    s.getMoreResults();
    try (ResultSet r = s.getResultSet()) {
      return r.next();
    }
  }

  private @Nullable Head readHead(PreparedStatement s) throws SQLException {
    try (ResultSet r = s.getResultSet()) {
      return r.next() ? Head.read(r, store.hasLeadingKey()) : null;
    }
  }

  private record Handle(@Nullable Long id, @Nullable String leadingKey) {}

  private Handle lockRow(Connection connection, RowKey key) throws SQLException {
    return Query.read(
        connection,
        store.sql(BlobSql.LOCK_ROW),
        r -> {
          if (!r.isBeforeFirst()) {
            Permission.requireUpdate(connection, store.column(), key);
          }
          Long id = readId(r);
          return new Handle(id, store.hasLeadingKey() ? r.getString(2) : null);
        },
        key);
  }

  private @Nullable Long readId(ResultSet r) throws SQLException {
    if (!r.next()) {
      throw new RowNotFoundException(
          "no row of %s.%s has that key; insert the row first"
              .formatted(store.column().schema(), store.column().table()));
    }
    long id = r.getLong(1);
    return r.wasNull() ? null : (Long) id;
  }

  /**
   * Reads the pieces from the rows that have the handle. If there are no pieces, there is one row
   * with NULLs.
   */
  private static List<Piece> readPieces(ResultSet r) throws SQLException {
    List<Piece> pieces = new ArrayList<>();
    do {
      if (r.getObject(2) != null) {
        pieces.add(Piece.read(r, 2));
      }
    } while (r.next());
    return pieces;
  }
}
