package io.pgtoaster.blob.appendable.write;

import io.pgtoaster.blob.appendable.format.BlobId;
import io.pgtoaster.blob.appendable.format.ChunkInput;
import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.Piece;
import io.pgtoaster.blob.appendable.format.Tail;
import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.blob.appendable.store.StoreSql;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.internal.Script;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Joins and stores the last run of a locked blob: its pieces and its tail. */
public record PendingTail(Store store) {
  /** Returns the bytes from {@code head.pieceStart()} to the end of the blob. */
  TailSegment join(Head head) {
    byte[] tail = head.tailBytes();
    if (head.pieceStart() < 0
        || head.pieceStart() > head.base()
        || head.base() - head.pieceStart() > TailSegment.MAX_BYTES) {
      throw corrupt(head, 0);
    }
    int pending = (int) (head.base() - head.pieceStart());
    byte[] bytes = new byte[pending + tail.length];
    System.arraycopy(tail, 0, bytes, pending, tail.length);
    int at = 0;
    for (Piece piece : head.pieces()) {
      byte[] data = piece.data();
      if (piece.start() != head.pieceStart() + at
          || at + data.length > pending
          || piece.damaged()) {
        throw corrupt(head, at);
      }
      System.arraycopy(data, 0, bytes, at, data.length);
      at += data.length;
    }
    if (at != pending) {
      throw corrupt(head, at);
    }
    return TailSegment.of(bytes);
  }

  private BlobCorruptException corrupt(Head head, int at) {
    return store.damaged("the piece", head.pieceStart() + at);
  }

  /**
   * Writes all full chunks of a run, then the head with the remaining bytes.
   *
   * @param connection a connection in the transaction that has the lock on the head
   * @param head head with the generation, seal, or chunk size to store
   * @param start end of the existing full chunks
   * @param run the bytes from {@code start} to the end of the blob
   * @return number of pieces that the blob then has
   */
  int flush(Connection connection, Head head, long start, TailSegment run) throws SQLException {
    return flush(connection, head, start, ChunkInput.of(run), 0);
  }

  /**
   * Does the same for a run followed by more bytes, in one round trip if one statement can insert
   * all chunks.
   *
   * @param next expected number of bytes of the next append
   */
  int flush(Connection connection, Head head, long start, ChunkInput input, int next)
      throws SQLException {
    int size = head.chunkSize();
    if (input.remaining() > ChunkWriter.slice(size)) {
      try (ChunkWriter chunks = new ChunkWriter(store, connection, head, start)) {
        TailSegment rest = chunks.write(input);
        return store(connection, null, head, chunks.end(), rest, next);
      }
    }
    long end = start + input.remaining() / size * size;
    Chunks full =
        end == start ? null : new Chunks(start, ChunkWriter.takeChunks(store, size, input));
    byte[] rest = new byte[(int) input.remaining()];
    input.fill(rest, 0, rest.length);
    return store(connection, full, head, end, TailSegment.of(rest), next);
  }

  /**
   * Writes the head, with its last run as one piece or as the tail.
   *
   * @param connection a connection in the transaction that has the lock on the head
   * @param head head with the generation, seal, or chunk size to store
   * @param start end of the full chunks
   * @param run less than one chunk
   * @return number of pieces that the blob then has
   */
  int store(Connection connection, Head head, long start, TailSegment run) throws SQLException {
    return store(connection, null, head, start, run, 0);
  }

  /**
   * Does the same with chunks before the run.
   *
   * @param next expected number of bytes of the next append; a tail is useful only if it has room
   *     for them
   */
  private int store(
      Connection connection,
      @Nullable Chunks chunks,
      Head head,
      long start,
      TailSegment run,
      int next)
      throws SQLException {
    int wanted = Math.max(run.count(), next);
    int capacity = head.sealed() ? 0 : Tail.capacityFor(wanted, store.options().tail());
    boolean asTail = run.count() == 0 || capacity > 0;
    byte[] tail = asTail ? Tail.store(run.exact(), capacity) : new byte[0];
    write(connection, chunks, head, start, asTail ? null : run, tail);
    return asTail ? 0 : 1;
  }

  /**
   * Deletes the pieces that are kept for reuse, because the blob will not grow or its old bytes
   * must be deleted.
   *
   * @param rows number of pieces that the blob has
   * @return number of rows deleted
   */
  int dropSpare(Connection connection, Head head, int rows) throws SQLException {
    return Query.update(connection, store.sql(BlobSql.DELETE_PIECES), head.blob(), rows);
  }

  /** Full chunks to write, as the parameter of their insert. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chunks(long start, byte[] parameter) {}

  /** Runs up to four statements in one round trip. */
  private void write(
      Connection connection,
      @Nullable Chunks chunks,
      Head head,
      long start,
      @Nullable TailSegment piece,
      byte[] tail)
      throws SQLException {
    StoreSql sql = store.sql();
    BlobId blob = head.blob();
    Script script = new Script();
    if (chunks != null) {
      String insert = sql.insertChunks(head.chunkSize(), store.options().crc32c());
      script.add(insert, Store.PREPARED, blob, chunks.start(), chunks.parameter());
    }
    if (piece != null) {
      Query.Parameters checksum = Query.integer(store.checksum(piece.bytes(), 0, piece.count()));
      script.add(store.sql(BlobSql.PUT_PIECE), blob, 0, start, checksum, piece.exact());
    }
    script.add(
        store.sql(BlobSql.UPDATE_HEAD),
        piece == null ? start : start + piece.count(),
        start,
        piece == null ? 0 : 1,
        tail,
        head.chunkSize(),
        head.generation(),
        head.sealed(),
        blob);
    if (store.options().notifyFollowers()) {
      script.add(store.sql(BlobSql.NOTIFY_FOLLOWERS), blob, blob);
    }
    script.run(connection);
  }
}
