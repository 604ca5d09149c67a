package io.pgtoaster.blob.appendable;

import io.pgtoaster.error.BlobCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Loads and stores the last run of a locked blob: its pieces and its tail. */
record LastRun(Store store) {
  /** More pieces than this are merged into one, so that a run of tiny ones stays cheap to read. */
  static final int MAX_PIECES = 64;

  /** Returns the bytes from {@code head.pieceStart()} to the end of the blob. */
  Run load(Connection connection, Head head) throws SQLException {
    byte[] tail = head.tailBytes();
    int pending = Math.toIntExact(head.base() - head.pieceStart());
    byte[] bytes = new byte[pending + tail.length];
    System.arraycopy(tail, 0, bytes, pending, tail.length);
    if (pending > 0) {
      loadPieces(connection, head, bytes, pending);
    }
    return Run.of(bytes);
  }

  private void loadPieces(Connection connection, Head head, byte[] bytes, int pending)
      throws SQLException {
    int at = 0;
    try (PreparedStatement s = Store.prepareBinary(connection, store.sql().pieces)) {
      head.blob().bind(s, 1);
      try (ResultSet r = s.executeQuery()) {
        while (r.next()) {
          byte[] piece = r.getBytes(2);
          if (r.getLong(1) != head.pieceStart() + at || at + piece.length > pending) {
            throw corrupt(head, at);
          }
          int crc = r.getInt(3);
          if (!r.wasNull() && crc != Checksum.of(piece, 0, piece.length)) {
            throw corrupt(head, at);
          }
          System.arraycopy(piece, 0, bytes, at, piece.length);
          at += piece.length;
        }
      }
    }
    if (at != pending) {
      throw corrupt(head, at);
    }
  }

  private BlobCorruptException corrupt(Head head, int at) {
    return new BlobCorruptException(
        "a piece of the blob in "
            + store.place()
            + " at offset "
            + (head.pieceStart() + at)
            + " is missing or damaged; nothing was changed, see verify");
  }

  /**
   * Writes full chunks from a run as far as it has them, then the head with what is left.
   *
   * @param connection in the transaction that holds the lock on the head
   * @param head as it is stored
   * @param changed the same head with the generation, seal, or chunk size to store
   * @param start end of the full chunks that are there
   * @param run the bytes from {@code start} to the end of the blob
   */
  void settle(Connection connection, Head head, Head changed, long start, Run run)
      throws SQLException {
    settle(connection, head, changed, start, run, run.bytes(), 0, 0);
  }

  /** The same with more bytes behind the run, which may be as many as an array holds. */
  void settle(
      Connection connection,
      Head head,
      Head changed,
      long start,
      Run run,
      byte[] more,
      int from,
      int count)
      throws SQLException {
    long all = (long) run.count() + count;
    if (all < changed.chunkSize()) {
      store(connection, head, changed, start, count == 0 ? run : run.plus(more, from, count));
      return;
    }
    try (ChunkWriter chunks = new ChunkWriter(store, connection, changed, start, all)) {
      chunks.put(run.bytes(), 0, run.count());
      chunks.put(more, from, count);
      Run rest = chunks.finish();
      store(connection, head, changed, chunks.end(), rest);
    }
  }

  /**
   * Writes the head, with its last run as one piece or as the tail.
   *
   * @param connection in the transaction that holds the lock on the head
   * @param head as it is stored
   * @param changed the same head with the generation, seal, or chunk size to store
   * @param start end of the full chunks
   * @param run less than one chunk
   */
  void store(Connection connection, Head head, Head changed, long start, Run run)
      throws SQLException {
    int capacity = changed.sealed() ? 0 : Tail.capacityFor(run.count(), store.options().tail());
    boolean asTail = run.count() == 0 || capacity > 0;
    byte[] tail = asTail ? Tail.store(run.exact(), capacity) : new byte[0];
    write(
        connection,
        changed.with(start, asTail ? start : start + run.count(), asTail ? 0 : 1, tail),
        head.pieceRows() > 0,
        asTail ? null : run,
        start);
  }

  /** Adds a piece behind the pieces that are there; the tail becomes empty, with full room. */
  void addPiece(Connection connection, Head head, Run piece) throws SQLException {
    int capacity = store.options().tail();
    write(
        connection,
        head.with(
            head.pieceStart(),
            head.base() + piece.count(),
            head.pieceRows() + 1,
            Tail.store(new byte[0], capacity)),
        false,
        piece,
        head.base());
  }

  /** Writes the head with another tail. */
  void setTail(Connection connection, Head head, byte[] tail) throws SQLException {
    write(
        connection,
        head.with(head.pieceStart(), head.base(), head.pieceRows(), tail),
        false,
        null,
        0);
  }

  /** Up to four statements in one round trip. */
  private void write(
      Connection connection, Head head, boolean dropPieces, @Nullable Run piece, long pieceAt)
      throws SQLException {
    StoreSql sql = store.sql();
    String all =
        (dropPieces ? sql.deletePieces + "; " : "")
            + (piece == null ? "" : sql.insertPiece + "; ")
            + sql.updateHead
            + (store.options().notifyFollowers() ? "; " + sql.notifyFollowers : "");
    try (PreparedStatement s = Store.prepare(connection, all)) {
      int next = 1;
      if (dropPieces) {
        next = head.blob().bind(s, next);
      }
      if (piece != null) {
        next = head.blob().bind(s, next);
        s.setLong(next++, pieceAt);
        s.setObject(next++, store.checksum(piece.bytes(), 0, piece.count()), Types.INTEGER);
        s.setBytes(next++, piece.exact());
      }
      s.setLong(next++, head.base());
      s.setLong(next++, head.pieceStart());
      s.setInt(next++, head.pieceRows());
      s.setBytes(next++, head.tail());
      s.setInt(next++, head.chunkSize());
      s.setLong(next++, head.generation());
      s.setBoolean(next++, head.sealed());
      next = head.blob().bind(s, next);
      if (store.options().notifyFollowers()) {
        head.blob().bind(s, next);
      }
      s.execute();
    }
  }
}
