package io.pgtoaster.blob.appendable.write;

import io.pgtoaster.blob.appendable.format.ChunkInput;
import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.blob.appendable.store.AppendList;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Heads;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.blob.appendable.store.Tokens;
import io.pgtoaster.column.AppendResult;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidOffsetException;
import io.pgtoaster.error.OffsetConflictException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.AppendRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Appends to a blob. */
public record Appender(Store store, Heads heads, PendingTail pendingTail, Tokens tokens) {
  /** The number of bytes to read from a stream and to insert at a time. */
  private static final int WINDOW = 6 * 259_200;

  /** Larger appends use bulk inserts. */
  static final int MAX_ROUTINE = 1 << 20;

  /**
   * {@link BlobSql#APPEND_SHORT} is used for at most this fraction of a tail, which rarely has room
   * for more.
   */
  private static final int SHORT_PER_TAIL = 4;

  public Appender(Store store) {
    this(store, new Heads(store), new PendingTail(store), new Tokens(store));
  }

  /**
   * Appends in one statement: to the tail if it has room for a few bytes, otherwise through the
   * store's routine. Returns null if that is not possible; then use {@code append}, which handles
   * every case.
   */
  public @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    int count = request.count();
    // The routine does not compute the checksums of chunks.
    int most = store.options().crc32c() ? store.options().chunkSize() - 1 : MAX_ROUTINE;
    if (request.rest() != null || count > most || !store.column().routines()) {
      return null;
    }
    // All conditions of this statement apply to the updated head, so PostgreSQL checks them again
    // after waiting for its lock.
    boolean few =
        count > 0
            && count <= store.options().tail() / SHORT_PER_TAIL
            && request.token() == null
            && !store.options().notifyFollowers()
            && !store.column().distributed();
    String sql = store.sql(few ? BlobSql.APPEND_SHORT : BlobSql.APPEND, key);
    try (PreparedStatement s = connection.prepareStatement(sql)) {
      if (few) {
        bindShort(s, key, request);
      } else {
        AppendToken token = request.token();
        int next = bindBytes(s, Query.bind(s, 1, key), request);
        s.setObject(next++, token == null ? null : token.writer(), Types.OTHER);
        s.setObject(next, token == null ? null : (Long) token.sequence(), Types.BIGINT);
      }
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? result(r.getString(1), r.getLong(2), request) : null;
      }
    }
  }

  private void bindShort(PreparedStatement s, RowKey key, AppendRequest request)
      throws SQLException {
    s.setBytes(1, terminated(request));
    int next = Query.bind(s, 2, key);
    s.setInt(next++, request.count());
    s.setObject(next++, request.expectedOffset(), Types.BIGINT);
    s.setInt(next++, request.count());
    int unused = bindBytes(s, Query.bind(s, next, key), request);
  }

  private int bindBytes(PreparedStatement s, int first, AppendRequest request) throws SQLException {
    int next = Query.bytes(request.array(), request.from(), request.count()).bind(s, first);
    s.setObject(
        next, store.checksum(request.array(), request.from(), request.count()), Types.INTEGER);
    s.setObject(next + 1, request.expectedOffset(), Types.BIGINT);
    return next + 2;
  }

  private static @Nullable AppendResult result(String outcome, long place, AppendRequest request) {
    return switch (outcome) {
      case "applied" -> new AppendResult(place, request.count(), false);
      case "already" -> new AppendResult(place, request.count(), true);
      case "conflict" -> {
        request.requireLength(place);
        yield null;
      }
      default -> null;
    };
  }

  /**
   * Appends to several rows in one statement. The result of an append is null if it was not done.
   */
  public List<@Nullable AppendResult> tryAppendAll(
      Connection connection, List<RowKey> keys, List<AppendRequest> requests, boolean whole)
      throws SQLException {
    if (store.column().distributed() || !store.column().routines()) {
      return Collections.nCopies(keys.size(), null);
    }
    String sql = store.sql(BlobSql.APPEND_MANY);
    return new AppendList(store, keys, requests).append(connection, sql, whole);
  }

  /**
   * Handles every kind of append: locks the head, checks the request and writes. Requires a
   * transaction.
   */
  public AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    Long expected = request.expectedOffset();
    Head head;
    if (expected == null || expected == 0) {
      head = heads.lockOrCreate(connection, key);
    } else {
      head = heads.lockOrNull(connection, key);
      if (head == null) {
        throw new OffsetConflictException(expected, 0);
      }
    }
    AppendToken token = request.token();
    if (token != null) {
      AppendResult before = tokens.find(connection, head, token, request);
      if (before != null) {
        return before;
      }
    }
    head.requireOpen(store.place());
    long offset = head.length();
    request.requireLength(offset);
    long length = append(connection, head, request);
    if (token != null) {
      tokens.record(connection, head, token, offset, length);
    }
    return new AppendResult(offset, length, false);
  }

  /** Appends to a locked, open blob; returns the number of bytes. */
  private long append(Connection connection, Head head, AppendRequest request) throws SQLException {
    int count = request.count();
    if (head.length() > Long.MAX_VALUE - count) {
      throw new InvalidOffsetException("the blob in " + store.place() + " cannot grow further");
    }
    if (request.rest() != null) {
      return appendStream(connection, head, request);
    }
    if (count > 0) {
      ChunkInput input =
          new ChunkInput(pendingTail.join(head), request.array(), request.from(), count);
      pendingTail.flush(connection, head, head.pieceStart(), input, count);
    }
    return count;
  }

  private long appendStream(Connection connection, Head head, AppendRequest request)
      throws SQLException {
    int count = request.count();
    ChunkInput input =
        new ChunkInput(pendingTail.join(head), request.array(), request.from(), count);
    try (ChunkWriter chunks = new ChunkWriter(store, connection, head, head.pieceStart())) {
      TailSegment after = chunks.write(input);
      long length = count;
      byte[] window = new byte[WINDOW];
      do {
        count = request.readRest(window, 0, WINDOW);
        after = chunks.write(new ChunkInput(after, window, 0, count));
        length += count;
      } while (count == WINDOW);
      pendingTail.store(connection, head, chunks.end(), after);
      return length;
    }
  }

  /** Returns the bytes followed by the terminator of a tail. */
  private static byte[] terminated(AppendRequest request) {
    byte[] bytes =
        Arrays.copyOfRange(request.array(), request.from(), request.from() + request.count() + 1);
    bytes[request.count()] = 1;
    return bytes;
  }
}
