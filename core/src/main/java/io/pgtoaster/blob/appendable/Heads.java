package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * Finds, locks and creates head rows. The lock on the head serialises whoever changes a blob; the
 * owning row is locked only where a NULL handle is set.
 */
record Heads(Store store) {
  private static final int LOOKS = 5;

  /** Locks the head of an existing blob. */
  Head lock(Connection connection, RowKey key) throws SQLException {
    Head head = lockOrNull(connection, key);
    if (head == null) {
      throw new BlobNotFoundException(
          "the column " + store.place() + " is NULL in that row; append to it first");
    }
    return head;
  }

  /**
   * Locks the head of a blob if there is one.
   *
   * @return the head, or null if the handle is NULL
   */
  @Nullable Head lockOrNull(Connection connection, RowKey key) throws SQLException {
    for (int look = 0; look < LOOKS; look++) {
      try (PreparedStatement s = Store.prepare(connection, store.sql().lockByKey)) {
        key.bind(s, 1);
        Head head = readOne(s);
        if (head != null) {
          return head;
        }
      }
      // No such row, a NULL handle, or a blob that was given up between the look-up and the lock.
      if (handle(connection, store.sql().handle, key) == null) {
        return null;
      }
    }
    throw new BlobCorruptException(
        "the handle in " + store.place() + " names a blob that is not there; see verify");
  }

  /** Locks the head of a blob, creating the blob if the handle is NULL. */
  Head lockOrCreate(Connection connection, RowKey key) throws SQLException {
    Head head = lockOrNull(connection, key);
    if (head != null) {
      return head;
    }
    Handle handle = handle(connection, store.sql().handleForUpdate, key);
    if (handle == null) {
      return create(connection, key);
    }
    // Another first append came before; its blob is committed, since its row lock is gone.
    return lock(connection, key);
  }

  private Head create(Connection connection, RowKey key) throws SQLException {
    String leadingKey = leadingKey(connection, key);
    Head head;
    try (PreparedStatement s = Store.prepare(connection, store.sql().createHead)) {
      int next = 1;
      if (leadingKey != null) {
        s.setObject(next++, leadingKey, Types.OTHER);
      }
      s.setInt(next, store.options().chunkSize());
      try (ResultSet r = s.executeQuery()) {
        r.next();
        head =
            new Head(
                new BlobId(leadingKey, r.getLong(1)),
                0,
                0,
                0,
                new byte[0],
                store.options().chunkSize(),
                0,
                false,
                r.getObject(2, OffsetDateTime.class).toInstant(),
                null);
      }
    }
    try (PreparedStatement s = Store.prepare(connection, store.sql().setHandle)) {
      s.setLong(1, head.blob().id());
      key.bind(s, 2);
      s.executeUpdate();
    }
    return head;
  }

  private @Nullable String leadingKey(Connection connection, RowKey key) throws SQLException {
    if (!store.hasLeadingKey()) {
      return null;
    }
    try (PreparedStatement s = Store.prepare(connection, store.sql().handle)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getString(2);
      }
    }
  }

  /** Locks a head again by id, against changes ({@code lockById}) or only against changers. */
  Head byId(Connection connection, BlobId blob, String sql) throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, sql)) {
      blob.bind(s, 1);
      Head head = readOne(s);
      if (head == null) {
        throw new BlobChangedException("the blob in " + store.place() + " was deleted");
      }
      return head;
    }
  }

  private @Nullable Head readOne(PreparedStatement s) throws SQLException {
    try (ResultSet r = s.executeQuery()) {
      return r.next() ? Head.read(r, store.hasLeadingKey()) : null;
    }
  }

  private record Handle(long id) {}

  private @Nullable Handle handle(Connection connection, String sql, RowKey key)
      throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, sql)) {
      key.bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw new RowNotFoundException(
              "no row of "
                  + store.column().schema()
                  + "."
                  + store.column().table()
                  + " has that key; insert the row first");
        }
        long id = r.getLong(1);
        return r.wasNull() ? null : new Handle(id);
      }
    }
  }
}
