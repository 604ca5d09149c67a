package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendRequest;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.InvalidOffsetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;

/** Overwrites and truncates. Both raise the generation, so that open readers notice. */
record Overwriter(Store store, Heads heads, LastRun lastRun, Appender appender) {
  private static final int BATCH_BYTES = 1 << 20;

  Overwriter(Store store) {
    this(store, new Heads(store), new LastRun(store), new Appender(store));
  }

  void write(Connection connection, RowKey key, long offset, byte[] array, int from, int count)
      throws SQLException {
    Head head = heads.lock(connection, key).requireOpen(store.place());
    if (offset > head.length()) {
      throw new InvalidOffsetException(
          "offset "
              + offset
              + " is beyond the end at "
              + head.length()
              + " in "
              + store.place()
              + "; a blob has no holes");
    }
    if (count == 0) {
      return;
    }
    if (offset == head.length()) {
      appender.append(connection, head, request(array, from, count));
      return;
    }
    Head next = head.nextGeneration();
    int inChunks = (int) Math.max(0, Math.min(count, head.pieceStart() - offset));
    if (inChunks > 0) {
      writeChunks(connection, head, offset, array, from, inChunks);
    }
    Run run = lastRun.load(connection, head);
    int rest = count - inChunks;
    if (rest == 0) {
      lastRun.settle(connection, next, head.pieceStart(), run);
      return;
    }
    // What lies in the last run is laid over it, and what lies beyond its end is appended.
    int at = Math.toIntExact(offset + inChunks - head.pieceStart());
    int over = Math.min(rest, run.count() - at);
    byte[] bytes = Arrays.copyOf(run.bytes(), run.count());
    System.arraycopy(array, from + inChunks, bytes, at, over);
    ChunkInput input = new ChunkInput(Run.of(bytes), array, from + inChunks + over, rest - over);
    int pieces = lastRun.settle(connection, next, head.pieceStart(), input);
    lastRun.dropSpare(connection, head, pieces);
  }

  void truncate(Connection connection, RowKey key, long length) throws SQLException {
    Head head = heads.lock(connection, key).requireOpen(store.place());
    long now = head.length();
    if (length > now) {
      throw new InvalidOffsetException(
          "cannot truncate to " + length + ": the blob in " + store.place() + " has " + now);
    }
    if (length == now) {
      return;
    }
    Head next = head.nextGeneration();
    if (length >= head.pieceStart()) {
      Run run = lastRun.load(connection, head);
      Run kept = run.first((int) (length - head.pieceStart()));
      settle(connection, head, next, head.pieceStart(), kept);
      return;
    }
    int kept = (int) (length % head.chunkSize());
    long start = length - kept;
    Run run = kept == 0 ? Run.EMPTY : Run.of(chunk(connection, head, start)).first(kept);
    try (PreparedStatement s = Store.prepare(connection, store.sql().deleteChunks)) {
      s.setLong(head.blob().bind(s, 1), start);
      s.executeUpdate();
    }
    settle(connection, head, next, start, run);
  }

  /** Writes the last run, and leaves nothing of the one before. */
  private void settle(Connection connection, Head head, Head next, long start, Run run)
      throws SQLException {
    lastRun.dropSpare(connection, head, lastRun.settle(connection, next, start, run));
  }

  private void writeChunks(
      Connection connection, Head head, long offset, byte[] array, int from, int count)
      throws SQLException {
    int size = head.chunkSize();
    try (PreparedStatement s = Store.prepare(connection, store.sql().updateChunk)) {
      int batched = 0;
      int done = 0;
      while (done < count) {
        long at = offset + done;
        int inChunk = (int) (at % size);
        int length = Math.min(size - inChunk, count - done);
        byte[] data = length == size ? new byte[size] : chunk(connection, head, at - inChunk);
        System.arraycopy(array, from + done, data, inChunk, length);
        s.setBytes(1, data);
        s.setObject(2, store.checksum(data, 0, size), Types.INTEGER);
        s.setLong(head.blob().bind(s, 3), at - inChunk);
        s.addBatch();
        done += length;
        batched += size;
        if (batched >= BATCH_BYTES || done == count) {
          requireAllThere(s.executeBatch());
          batched = 0;
        }
      }
    }
  }

  private void requireAllThere(int[] updated) {
    for (int rows : updated) {
      if (rows != 1) {
        throw new BlobCorruptException(
            "a chunk of the blob in "
                + store.place()
                + " is missing; nothing was changed, see verify");
      }
    }
  }

  private byte[] chunk(Connection connection, Head head, long start) throws SQLException {
    try (PreparedStatement s = Store.prepare(connection, store.sql().chunk)) {
      s.setLong(head.blob().bind(s, 1), start);
      try (ResultSet r = s.executeQuery()) {
        if (r.next()) {
          byte[] data = r.getBytes(2);
          int crc = r.getInt(3);
          if (data.length == head.chunkSize()
              && (r.wasNull() || crc == Checksum.of(data, 0, data.length))) {
            return data;
          }
        }
        throw new BlobCorruptException(
            "the chunk at offset "
                + start
                + " of the blob in "
                + store.place()
                + " is missing or damaged; nothing was changed, see verify");
      }
    }
  }

  private static AppendRequest request(byte[] array, int from, int count) {
    return new AppendRequest(array, from, count, null, AppendOptions.defaults());
  }
}
