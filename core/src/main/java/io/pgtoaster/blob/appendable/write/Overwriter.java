package io.pgtoaster.blob.appendable.write;

import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Heads;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.BlobSealedException;
import io.pgtoaster.error.CatalogException;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.error.DiscardedException;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.sql.Identifiers;
import io.pgtoaster.spi.BlobVtable;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Overwrites, truncates, discards and seals with the routine of the store, in one statement. */
public record Overwriter(Store store, Heads heads) {
  private static final int MAX_ATTEMPTS = 5;
  private static final Query.Parameters NO_BYTES = Query.untyped(null);
  private static final Outcome NO_ROW = new Outcome("other", 0);

  public Overwriter(Store store) {
    this(store, new Heads(store));
  }

  private record Outcome(String word, long place) {}

  /** Overwrites bytes, and appends those beyond the end. */
  public void write(Connection connection, RowKey key, long offset, byte[] bytes)
      throws SQLException {
    int from = 0;
    do {
      int count = Math.min(bytes.length - from, BlobVtable.MAX_WRITE);
      change(connection, key, "write", offset + from, Query.bytes(bytes, from, count));
      from += count;
    } while (from < bytes.length);
  }

  /**
   * Truncates, discards or seals.
   *
   * @param at new length, or offset of the first byte to keep, or null
   * @return the length before the change; after a discard, the first offset that is left
   */
  public long change(Connection connection, RowKey key, String op, @Nullable Long at)
      throws SQLException {
    return change(connection, key, op, at, NO_BYTES);
  }

  private long change(
      Connection connection, RowKey key, String op, @Nullable Long at, Query.Parameters data)
      throws SQLException {
    if (!store.column().routines()) {
      throw new CatalogException(
          "the store of %s has no routines of this version; its owner must run SELECT pgtoaster.mirror_privileges(%s)"
              .formatted(store.place(), Identifiers.literal(store.column().quotedTable())));
    }
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Outcome outcome = call(connection, key, op, at, data);
      switch (outcome.word()) {
        case "applied" -> {
          return outcome.place();
        }
        case "other", "null" -> {
          // Throws an exception, unless the row got another blob meanwhile.
          Head unused = heads.lock(connection, key);
        }
        default -> throw refused(outcome, op, at == null ? 0 : at);
      }
    }
    throw new ConcurrencyException(
        "other writers kept replacing the content of the row; call again");
  }

  private Outcome call(
      Connection connection, RowKey key, String op, @Nullable Long at, Query.Parameters data)
      throws SQLException {
    try {
      return Query.read(
          connection,
          store.sql(BlobSql.CHANGE, key),
          r -> r.next() ? new Outcome(r.getString(1), r.getLong(2)) : NO_ROW,
          key,
          op,
          Query.bigint(at),
          data);
    } catch (SQLException e) {
      throw Store.corruptOr(e);
    }
  }

  private PgToasterException refused(Outcome outcome, String op, long at) {
    long place = outcome.place();
    return switch (outcome.word()) {
      case "sealed" ->
          new BlobSealedException(
              "the blob in %s is sealed at %s bytes; nothing was changed"
                  .formatted(store.place(), place));
      case "discarded" -> new DiscardedException(place);
      case "offset" ->
          new InvalidOffsetException(
              at <= place
                  ? "the blob in " + store.place() + " cannot grow further"
                  : op.equals("truncate")
                      ? "cannot truncate to %s: the blob in %s has %s"
                          .formatted(at, store.place(), place)
                      : "offset %s is beyond the end at %s in %s; %s"
                          .formatted(
                              at,
                              place,
                              store.place(),
                              op.equals("write")
                                  ? "a blob has no holes"
                                  : "nothing was discarded"));
      default ->
          new BlobCorruptException(
              "a chunk or a piece of the blob in %s is missing or damaged; nothing was changed; run verify"
                  .formatted(store.place()));
    };
  }
}
