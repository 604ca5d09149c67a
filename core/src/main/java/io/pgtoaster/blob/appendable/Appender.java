package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.AppendOutcome;
import io.pgtoaster.blob.AppendRequest;
import io.pgtoaster.blob.AppendResult;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.InvalidOffsetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Appends. */
record Appender(Store store, Heads heads, LastRun lastRun, Tokens tokens) {
  /** A stream is read, and then inserted, so many bytes at a time. */
  private static final int WINDOW = 6 * 259_200;

  Appender(Store store) {
    this(store, new Heads(store), new LastRun(store), new Tokens(store));
  }

  /**
   * The common small append in one statement: an update of the head row, whose tail has room, or a
   * piece behind the others. The conditions are all on the head row, which changes, so they hold
   * also when the statement waited for its lock.
   */
  @Nullable AppendResult tryAppend(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    int count = request.count();
    if (request.options().token() != null
        || request.rest() != null
        || store.options().notifyFollowers()
        || count == 0
        || likelyCompletesAChunk(request)) {
      return null;
    }
    return count < store.options().tail()
        ? tryTail(connection, key, request)
        : tryPiece(connection, key, request);
  }

  private boolean likelyCompletesAChunk(AppendRequest request) {
    return request.count() > store.options().chunkSize() / 2;
  }

  private @Nullable AppendResult tryTail(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    int count = request.count();
    Long expected = request.options().expectedOffset();
    StoreSql sql = store.sql();
    try (PreparedStatement s =
        Store.prepare(connection, expected == null ? sql.tryAppend : sql.tryAppendAt)) {
      s.setBytes(1, terminated(request));
      int next = key.bind(s, 2);
      s.setInt(next++, count);
      if (expected != null) {
        s.setLong(next, expected);
      }
      try (ResultSet r = s.executeQuery()) {
        return r.next()
            ? new AppendResult(r.getLong(1) - count, count, AppendOutcome.APPLIED)
            : null;
      }
    }
  }

  /** Only with an empty tail: what it was before the update the statement could not tell. */
  private @Nullable AppendResult tryPiece(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    int count = request.count();
    int from = request.from();
    Long expected = request.options().expectedOffset();
    StoreSql sql = store.sql();
    try (PreparedStatement s =
        Store.prepare(connection, expected == null ? sql.tryPiece : sql.tryPieceAt)) {
      s.setInt(1, count);
      int next = key.bind(s, 2);
      s.setInt(next++, count);
      if (expected != null) {
        s.setLong(next++, expected);
      }
      s.setInt(next++, count);
      s.setObject(next++, store.checksum(request.array(), from, count), Types.INTEGER);
      s.setBytes(next, Arrays.copyOfRange(request.array(), from, from + count));
      try (ResultSet r = s.executeQuery()) {
        return r.next() ? new AppendResult(r.getLong(1), count, AppendOutcome.APPLIED) : null;
      }
    }
  }

  /** Any append, in a transaction: lock the head, decide, write. */
  AppendResult append(Connection connection, RowKey key, AppendRequest request)
      throws SQLException {
    Long expected = request.options().expectedOffset();
    boolean pieces = likelyCompletesAChunk(request);
    Head head =
        expected == null || expected == 0
            ? heads.lockOrCreate(connection, key, pieces)
            : heads.lockOrNull(connection, key, pieces);
    if (head == null) {
      return new AppendResult(0, 0, AppendOutcome.CONFLICT);
    }
    AppendToken token = request.options().token();
    if (token != null) {
      AppendResult before = tokens.find(connection, head, token, request);
      if (before != null) {
        return before;
      }
    }
    head.requireOpen(store.place());
    long offset = head.length();
    if (expected != null && expected != offset) {
      return new AppendResult(offset, 0, AppendOutcome.CONFLICT);
    }
    long length = append(connection, head, request);
    if (token != null) {
      tokens.record(connection, head, token, offset, length);
    }
    return new AppendResult(offset, length, AppendOutcome.APPLIED);
  }

  /** Appends to a locked, open blob; returns the number of bytes. */
  long append(Connection connection, Head head, AppendRequest request) throws SQLException {
    int count = request.count();
    if (head.length() > Long.MAX_VALUE - count) {
      throw new InvalidOffsetException("the blob in " + store.place() + " cannot grow further");
    }
    long pending = head.length() - head.pieceStart();
    if (request.rest() != null || pending + count >= head.chunkSize()) {
      return appendChunks(connection, head, request);
    }
    if (count > 0) {
      appendSmall(connection, head, request);
    }
    return count;
  }

  /** The last run stays shorter than a chunk: the bytes go to the tail or make a piece with it. */
  private void appendSmall(Connection connection, Head head, AppendRequest request)
      throws SQLException {
    byte[] tail = head.tailBytes();
    Run run = Run.of(tail).plus(request.array(), request.from(), request.count());
    int capacity =
        run.count() < head.tail().length
            ? head.tail().length
            : Tail.capacityFor(run.count(), store.options().tail());
    if (capacity > 0) {
      lastRun.setTail(connection, head, Tail.store(run.exact(), capacity));
    } else if (head.pieceRows() >= LastRun.MAX_PIECES) {
      Run all = lastRun.load(connection, head);
      lastRun.store(
          connection,
          head,
          head.pieceStart(),
          all.plus(request.array(), request.from(), request.count()));
    } else {
      lastRun.addPiece(connection, head, run);
    }
  }

  /** The last run and the new bytes make full chunks, and a new last run. */
  private long appendChunks(Connection connection, Head head, AppendRequest request)
      throws SQLException {
    Run before = lastRun.load(connection, head);
    int count = request.count();
    ChunkInput input = new ChunkInput(before, request.array(), request.from(), count);
    if (request.rest() == null) {
      lastRun.append(connection, head, input, count);
      return count;
    }
    try (ChunkWriter chunks = new ChunkWriter(store, connection, head, head.pieceStart())) {
      Run after = chunks.write(input);
      long length = count;
      byte[] window = new byte[WINDOW];
      do {
        count = request.readRest(window, 0, WINDOW);
        after = chunks.write(new ChunkInput(after, window, 0, count));
        length += count;
      } while (count == WINDOW);
      lastRun.store(connection, head, chunks.end(), after);
      return length;
    }
  }

  /** The bytes with the terminator of a tail behind them. */
  private static byte[] terminated(AppendRequest request) {
    byte[] bytes =
        Arrays.copyOfRange(request.array(), request.from(), request.from() + request.count() + 1);
    bytes[request.count()] = 1;
    return bytes;
  }
}
