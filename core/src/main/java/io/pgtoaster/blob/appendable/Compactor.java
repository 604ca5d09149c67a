package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.RowKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Seals, compacts and copies. None of them changes a byte, so open readers go on. */
record Compactor(Store store, Heads heads, LastRun lastRun, Pins pins, ChunkReader reader) {
  private static final long COPY_BYTES = 64L << 20;
  private static final int WINDOW_CHUNKS = 128;

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
      int rows = lastRun.settle(connection, head, head.withSealed(), head.pieceStart(), run);
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
      pieces = lastRun.settle(connection, head, head, head.pieceStart(), run);
    }
    return rows + lastRun.dropSpare(connection, head, pieces);
  }

  private long recompress(Connection connection, Head head) throws SQLException {
    String compression = store.options().compression();
    try (PreparedStatement s = Store.prepare(connection, store.sql().recompressChunks)) {
      int next = head.blob().bind(s, 1);
      // An incompressible chunk has no method and is as good as it can be.
      s.setString(next++, compression);
      s.setString(next, compression);
      return s.executeUpdate();
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
    byte[] window = new byte[WINDOW_CHUNKS * head.chunkSize()];
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
      lastRun.store(connection, head, changed, chunks.end(), rest);
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
    try (PreparedStatement s = Store.prepare(connection, store.sql().copyChunks)) {
      for (long start = 0; start < from.stable(); start += COPY_BYTES) {
        int next = to.blob().bind(s, 1);
        next = from.blob().bind(s, next);
        s.setLong(next++, start);
        s.setLong(next, Math.min(start + COPY_BYTES, from.stable()));
        s.executeUpdate();
      }
    }
    byte[] run = new byte[(int) (from.length() - from.stable())];
    reader.read(connection, from, from.stable(), run, 0, run.length);
    lastRun.settle(connection, to, to, from.stable(), Run.of(run));
    pins.refresh(connection, from);
    return true;
  }
}
