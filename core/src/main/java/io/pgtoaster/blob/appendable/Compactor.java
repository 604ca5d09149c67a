package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Seals, compacts and copies. None of them changes a byte, so open readers go on. */
record Compactor(Store store, Heads heads, LastRun lastRun, Pins pins, ChunkReader reader) {
  private static final long COPY_BYTES = 64L << 20;
  private static final int SAMPLE_CHUNKS = 16;
  private static final int WINDOW_BYTES = 1 << 20;

  Compactor(Store store) {
    this(
        store,
        new Heads(store),
        new LastRun(store),
        new Pins(store),
        new ChunkReader(store, new Pins(store)));
  }

  void seal(Connection connection, RowKey key) throws SQLException {
    Head head = heads.lock(connection, key);
    if (!head.sealed()) {
      Run run = lastRun.load(connection, head);
      int rows = lastRun.settle(connection, head.withSealed(), head.pieceStart(), run);
      lastRun.dropSpare(connection, head, rows);
    }
  }

  /**
   * Merges the pieces of a blob into one, and brings it to the chunk size and compression that its
   * store has now; returns the number of rows written anew.
   */
  long compact(Connection connection, RowKey key) throws SQLException {
    Head head = heads.lock(connection, key);
    if (head.chunkSize() != store.options().chunkSize()) {
      return rechunk(connection, head);
    }
    long rows = recompress(connection, head);
    int pieces = head.pieceRows();
    if (pieces > 1) {
      Run run = lastRun.load(connection, head);
      pieces = lastRun.settle(connection, head, head.pieceStart(), run);
    }
    return rows + lastRun.dropSpare(connection, head, pieces);
  }

  private long recompress(Connection connection, Head head) throws SQLException {
    String compression = store.options().compression();
    long rows;
    try (PreparedStatement s = Store.prepare(connection, store.sql().recompressChunks)) {
      int next = head.blob().bind(s, 1);
      s.setString(next++, compression);
      s.setString(next, compression);
      rows = s.executeUpdate();
    }
    return compression.equals("none") ? rows : rows + compress(connection, head);
  }

  /**
   * Compresses chunks that are stored plain; returns how many became compressed. Such a chunk is
   * either incompressible, or was written before the store compressed, and nothing tells which. So
   * a few of them, spread over the blob, are written anew first, and all only if one of those got
   * smaller: an incompressible blob is not rewritten by each compact.
   */
  private long compress(Connection connection, Head head) throws SQLException {
    long size = head.chunkSize();
    long some = Math.max(1, head.pieceStart() / size / SAMPLE_CHUNKS) * size;
    long gained = compress(connection, head, some);
    return gained == 0 || some == size ? gained : gained + compress(connection, head, size);
  }

  private long compress(Connection connection, Head head, long step) throws SQLException {
    long before = compressed(connection, head, step);
    try (PreparedStatement s = Store.prepare(connection, store.sql().compressChunks)) {
      s.setLong(head.blob().bind(s, 1), step);
      s.executeUpdate();
    }
    return compressed(connection, head, step) - before;
  }

  private long compressed(Connection connection, Head head, long step) throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, store.sql().compressedChunks)) {
      s.setLong(head.blob().bind(s, 1), step);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getLong(1);
      }
    }
  }

  /**
   * Writes all chunks anew in the store's size. Old chunks are deleted just before new ones take
   * their place, so the two never meet under one offset.
   */
  private long rechunk(Connection connection, Head head) throws SQLException {
    Head changed = head.withChunkSize(store.options().chunkSize());
    AppendablePin pin = pins.ofLocked(head);
    Run last = lastRun.load(connection, head);
    int size = head.chunkSize();
    byte[] window = new byte[Math.max(1, WINDOW_BYTES / size) * size];
    Run carried = Run.EMPTY;
    long at = 0;
    try (ChunkWriter chunks = new ChunkWriter(store, connection, changed, 0);
        PreparedStatement delete = Store.prepare(connection, store.sql().deleteChunkRange)) {
      while (at < head.pieceStart()) {
        int count = (int) Math.min(window.length, head.pieceStart() - at);
        reader.read(connection, pin, at, window, 0, count);
        int next = head.blob().bind(delete, 1);
        delete.setLong(next++, at);
        delete.setLong(next, at + count);
        delete.executeUpdate();
        carried = chunks.write(new ChunkInput(carried, window, 0, count));
        at += count;
      }
      Run rest = chunks.write(new ChunkInput(carried, last.bytes(), 0, last.count()));
      lastRun.dropSpare(connection, head, lastRun.store(connection, changed, chunks.end(), rest));
      return Math.max(1, chunks.end() / changed.chunkSize());
    }
  }

  /** Copies chunk rows inside the server; false if the two blobs differ in their chunk size. */
  boolean copy(Connection connection, RowKey source, RowKey target) throws SQLException {
    AppendablePin from = pins.pin(connection, source);
    Head to = heads.lockOrCreate(connection, target);
    if (to.length() > 0 || to.chunkSize() != from.chunkSize()) {
      return false;
    }
    long copied = 0;
    try (PreparedStatement s = Store.prepare(connection, store.sql().copyChunks)) {
      for (long start = 0; start < from.stable(); start += COPY_BYTES) {
        int next = to.blob().bind(s, 1);
        next = from.blob().bind(s, next);
        s.setLong(next++, start);
        s.setLong(next, Math.min(start + COPY_BYTES, from.stable()));
        copied += s.executeUpdate();
      }
    }
    byte[] run = new byte[(int) (from.length() - from.stable())];
    reader.read(connection, from, from.stable(), run, 0, run.length);
    lastRun.settle(connection, to, from.stable(), Run.of(run));
    if (pins.refresh(connection, from).chunkSize() != from.chunkSize()) {
      throw pins.changedChunks();
    }
    if (copied != from.stable() / from.chunkSize()) {
      throw new BlobCorruptException(
          "chunks of the blob in "
              + store.place()
              + " are missing; nothing was copied, see verify");
    }
    return true;
  }
}
