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
      s.setInt(head.blob().bind(s, 1), head.pieceRows());
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
   * @return number of pieces that the blob has then
   */
  int settle(Connection connection, Head head, Head changed, long start, Run run)
      throws SQLException {
    return settle(connection, head, changed, start, ChunkInput.of(run));
  }

  /** The same with the bytes of a run and others behind them. */
  int settle(Connection connection, Head head, Head changed, long start, ChunkInput input)
      throws SQLException {
    try (ChunkWriter chunks = new ChunkWriter(store, connection, changed, start)) {
      Run rest = chunks.write(input);
      return store(connection, head, changed, chunks.end(), rest);
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
   * @return number of pieces that the blob has then
   */
  int store(Connection connection, Head head, Head changed, long start, Run run)
      throws SQLException {
    int capacity = changed.sealed() ? 0 : Tail.capacityFor(run.count(), store.options().tail());
    boolean asTail = run.count() == 0 || capacity > 0;
    byte[] tail = asTail ? Tail.store(run.exact(), capacity) : new byte[0];
    write(
        connection,
        changed.with(start, asTail ? start : start + run.count(), asTail ? 0 : 1, tail),
        asTail ? null : new Piece(0, start, run));
    return asTail ? 0 : 1;
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
        new Piece(head.pieceRows(), head.base(), piece));
  }

  /** Writes the head with another tail. */
  void setTail(Connection connection, Head head, byte[] tail) throws SQLException {
    write(connection, head.with(head.pieceStart(), head.base(), head.pieceRows(), tail), null);
  }

  /**
   * Deletes the pieces that wait to be used again: of a blob that will not grow, or whose old bytes
   * shall be gone.
   *
   * @param rows number of pieces that the blob has
   * @return number of rows deleted
   */
  int dropSpare(Connection connection, Head head, int rows) throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, store.sql().deletePieces)) {
      s.setInt(head.blob().bind(s, 1), rows);
      return s.executeUpdate();
    }
  }

  /** A piece to write. */
  private record Piece(int slot, long start, Run run) {}

  /** Up to three statements in one round trip. */
  private void write(Connection connection, Head head, @Nullable Piece piece) throws SQLException {
    StoreSql sql = store.sql();
    String all =
        (piece == null ? "" : sql.putPiece + "; ")
            + sql.updateHead
            + (store.options().notifyFollowers() ? "; " + sql.notifyFollowers : "");
    try (PreparedStatement s = Store.prepare(connection, all)) {
      int next = 1;
      if (piece != null) {
        Run run = piece.run();
        next = head.blob().bind(s, next);
        s.setInt(next++, piece.slot());
        s.setLong(next++, piece.start());
        s.setObject(next++, store.checksum(run.bytes(), 0, run.count()), Types.INTEGER);
        s.setBytes(next++, run.exact());
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
        next = head.blob().bind(s, next);
        head.blob().bind(s, next);
      }
      s.execute();
    }
  }
}
