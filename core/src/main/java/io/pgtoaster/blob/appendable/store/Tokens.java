package io.pgtoaster.blob.appendable.store;

import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.error.OutcomeUnknownException;
import io.pgtoaster.error.TokenMismatchException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.AppendRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores the last append of each writer to a blob. Requires the lock on the head. */
public record Tokens(Store store) {
  private static final int READ_BYTES = 64 << 10;

  /**
   * Finds an append that was applied before.
   *
   * @return its result, or null if the append is new
   */
  public @Nullable AppendResult find(
      Connection connection, Head head, AppendToken token, AppendRequest request)
      throws SQLException {
    record Last(long sequence, long start, long length) {}
    Last last =
        Query.first(
            connection,
            store.sql(BlobSql.TOKEN),
            r -> new Last(r.getLong(1), r.getLong(2), r.getLong(3)),
            head.blob(),
            token.writer());
    if (last == null) {
      refuseForgotten(head, token);
      return null;
    }
    if (token.sequence() > last.sequence()) {
      return null;
    }
    if (token.sequence() < last.sequence()) {
      throw unknown(token, "the writer's last append there has the sequence " + last.sequence());
    }
    long count = count(request, last.length());
    if (count != last.length()) {
      throw new TokenMismatchException(
          ("sequence %s of writer %s appended %s bytes to %s, but this append with the same token"
                  + " has %s; a retry must repeat the content, and a new append must use the next"
                  + " sequence")
              .formatted(
                  token.sequence(),
                  token.writer(),
                  last.length(),
                  store.place(),
                  count > last.length() && request.rest() != null ? "more" : count));
    }
    return new AppendResult(last.start(), last.length(), true);
  }

  /** Returns the length of a request. Reads at most one byte more than expected from a stream. */
  private static long count(AppendRequest request, long expected) {
    long count = request.count();
    byte[] buffer = new byte[request.rest() == null ? 0 : READ_BYTES];
    int wanted;
    int got;
    do {
      wanted = (int) Math.max(0, Math.min(buffer.length, expected + 1 - count));
      got = request.readRest(buffer, 0, wanted);
      count += got;
    } while (got > 0 && got == wanted);
    return count;
  }

  /** Stores the token of an append. */
  public void record(Connection connection, Head head, AppendToken token, long offset, long length)
      throws SQLException {
    Query.update(
        connection,
        store.sql(BlobSql.UPSERT_TOKEN),
        head.blob(),
        token.writer(),
        token.sequence(),
        offset,
        length);
  }

  /**
   * Throws an exception if the writer has no row but began before writers were forgotten; otherwise
   * it is a new writer.
   */
  private void refuseForgotten(Head head, AppendToken token) {
    Instant since = head.tokensSince();
    UUID writer = token.writer();
    if (since != null && writer.version() == 7) {
      Instant began = Instant.ofEpochMilli(writer.getMostSignificantBits() >>> 16);
      if (began.isBefore(since)) {
        throw unknown(token, "writers silent since " + since + " were forgotten");
      }
    }
  }

  private OutcomeUnknownException unknown(AppendToken token, String why) {
    return new OutcomeUnknownException(
        ("it is no longer known whether sequence %s of writer %s was appended to %s: %s; nothing"
                + " was changed; compare the content, then continue with a new writer")
            .formatted(token.sequence(), token.writer(), store.place(), why));
  }
}
