package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.appendable.format.BlobId;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobChangedException;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.BlobNotFoundException;
import io.pgtoaster.error.RowNotFoundException;
import io.pgtoaster.internal.Query;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Reads the head of a blob without locking it. */
public record Pins(Store store) {
  public AppendablePin pin(Connection connection, RowKey key) throws SQLException {
    boolean watch = !connection.getAutoCommit();
    return Query.read(
        connection,
        watch
            ? store.sql(BlobSql.PIN_BY_KEY_IN_TRANSACTION, key)
            : store.sql(BlobSql.PIN_BY_KEY, key),
        r -> {
          if (!r.next()) {
            throw noRow(store);
          }
          requireHandle(r, store);
          return read(r, watch);
        },
        key);
  }

  public AppendablePin refresh(Connection connection, AppendablePin pinned) throws SQLException {
    boolean watch = !connection.getAutoCommit();
    return Query.read(
        connection,
        watch ? store.sql(BlobSql.PIN_BY_ID_IN_TRANSACTION) : store.sql(BlobSql.PIN_BY_ID),
        r -> {
          if (!r.next()) {
            throw changed("was deleted, or its creation was rolled back");
          }
          AppendablePin now = read(r, watch);
          if (now.generation() != pinned.generation()) {
            throw changed("was overwritten or truncated");
          }
          if (now.length() < pinned.length()) {
            throw changed("is shorter than it was: an append was rolled back or lost");
          }
          return now;
        },
        pinned.blob());
  }

  /**
   * Throws an exception if the transaction or savepoint that wrote the pinned bytes was rolled
   * back.
   */
  void requireWriterAlive(Connection connection, AppendablePin pinned) throws SQLException {
    if (pinned.openWriter() != 0
        && Query.is(
            connection,
            store.sql(BlobSql.OPEN_WRITER),
            Long.toString(pinned.openWriter()),
            pinned.blob())) {
      throw changed("lost bytes whose transaction was rolled back");
    }
  }

  BlobChangedException changed(@Nullable Long generation) {
    return changed(generation == null ? "was deleted" : "was overwritten or truncated");
  }

  private BlobChangedException changed(String what) {
    return new BlobChangedException(
        "the blob in %s %s since this reader was opened; open it again"
            .formatted(store.place(), what));
  }

  static RowNotFoundException noRow(Store store) {
    return new RowNotFoundException(
        "no row of " + store.column().schema() + "." + store.column().table() + " has that key");
  }

  /**
   * Requires the handle in column 1 and the id of its head in column 2; throws an exception if
   * either is NULL.
   */
  static void requireHandle(ResultSet r, Store store) throws SQLException {
    r.getLong(1);
    if (r.wasNull()) {
      throw new BlobNotFoundException("the column " + store.place() + " is NULL in that row");
    }
    r.getLong(2);
    if (r.wasNull()) {
      throw new BlobCorruptException(
          "the handle in " + store.place() + " refers to a blob that does not exist; run verify");
    }
  }

  AppendablePin read(ResultSet r, boolean watch) throws SQLException {
    long length = r.getLong(3);
    if (length < 0) {
      throw new BlobCorruptException(
          "the head of the blob in %s is damaged: it states a length of %d"
              .formatted(store.place(), length));
    }
    int next = 10;
    String leadingKey = store.hasLeadingKey() ? r.getString(next++) : null;
    return new AppendablePin(
        new BlobId(leadingKey, r.getLong(2)),
        length,
        r.getLong(4),
        r.getInt(5),
        r.getLong(6),
        r.getBoolean(7),
        r.getObject(8, OffsetDateTime.class).toInstant(),
        r.getLong(9),
        watch ? r.getLong(next) : 0);
  }
}
