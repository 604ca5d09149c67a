package io.pgtoaster.blob.appendable;

import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges. Each range is one statement, and so one snapshot; rows are copied to their place in
 * the buffer in whatever order they come.
 */
record ChunkReader(Store store, Pins pins) {
  void read(
      Connection connection, AppendablePin pinned, long offset, byte[] buffer, int from, int count)
      throws SQLException {
    pins.requireWriterAlive(connection, pinned);
    AppendablePin pin = pinned;
    for (int look = 0; ; look++) {
      Target target = new Target(offset, buffer, from, count);
      if (offset + count <= pin.stable()) {
        readChunks(connection, pin, target);
      } else {
        readGrowing(connection, pin, target);
      }
      if (target.complete()) {
        return;
      }
      // The blob moved to another chunk size, or something is wrong.
      AppendablePin now = pins.refresh(connection, pin);
      if (look > 0 && now.chunkSize() == pin.chunkSize()) {
        throw new BlobCorruptException(
            "of the "
                + count
                + " bytes at offset "
                + offset
                + " of the blob in "
                + store.place()
                + " only "
                + target.filled()
                + " are stored; see verify");
      }
      pin = now;
    }
  }

  /**
   * Below the stable end: chunks alone, found by the offsets where they must start. A range in one
   * or two chunks is cut by the server; of a longer one the edges are dropped here.
   */
  private void readChunks(Connection connection, AppendablePin pin, Target target)
      throws SQLException {
    long size = pin.chunkSize();
    long first = target.offset() - target.offset() % size;
    boolean cut = !store.options().crc32c() && target.end() <= first + 2 * size;
    StoreSql sql = store.sql();
    try (PreparedStatement s = Store.prepareBinary(connection, cut ? sql.readCut : sql.readWhole)) {
      int next = pin.blob().bind(s, 1);
      if (cut) {
        s.setLong(next++, target.offset());
        s.setLong(next++, target.offset());
        s.setLong(next++, target.end());
        s.setLong(next++, target.offset());
      }
      next = pin.blob().bind(s, next);
      s.setLong(next++, first);
      s.setLong(next, cut ? (target.end() - 1) / size * size : target.end());
      copyRows(s, pin, target);
    }
  }

  /** Chunks, pieces and tail, all of one moment. */
  private void readGrowing(Connection connection, AppendablePin pin, Target target)
      throws SQLException {
    try (PreparedStatement s = Store.prepareBinary(connection, store.sql().readGrowing)) {
      int next = pin.blob().bind(s, 1);
      next = pin.blob().bind(s, next);
      s.setLong(next++, target.offset() - target.offset() % pin.chunkSize());
      s.setLong(next++, target.end());
      next = pin.blob().bind(s, next);
      next = pin.blob().bind(s, next);
      next = pin.blob().bind(s, next);
      s.setLong(next++, target.end());
      pin.blob().bind(s, next);
      copyRows(s, pin, target);
    }
  }

  private void copyRows(PreparedStatement s, AppendablePin pin, Target target) throws SQLException {
    try (ResultSet r = s.executeQuery()) {
      while (r.next()) {
        long generation = r.getLong(1);
        if (r.wasNull()) {
          throw pins.changed((Long) null);
        }
        if (generation != pin.generation()) {
          throw pins.changed(generation);
        }
        long start = r.getLong(2);
        byte[] data = r.getBytes(3);
        int crc = r.getInt(4);
        if (!r.wasNull() && crc != Checksum.of(data, 0, data.length)) {
          throw new BlobCorruptException(
              "the "
                  + data.length
                  + " bytes at offset "
                  + start
                  + " of the blob in "
                  + store.place()
                  + " fail their CRC32C");
        }
        target.copy(start, data, r.getBoolean(5) ? Tail.bytes(data).length : data.length);
      }
    }
  }

  /**
   * Reads by row key in one statement, if the range lies in chunks.
   *
   * @return the bytes; null if it takes a pin first
   */
  byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    int most = (StoreSql.READ_BY_KEY_CHUNKS - 1) * store.options().chunkSize();
    if (store.options().crc32c() || count > most) {
      return null;
    }
    long end = offset + count;
    try (PreparedStatement s = Store.prepareBinary(connection, store.sql().readByKey)) {
      s.setLong(1, offset);
      s.setLong(2, offset);
      s.setLong(3, end);
      s.setLong(4, offset);
      s.setLong(5, offset);
      s.setLong(6, offset);
      s.setLong(7, end);
      key.bind(s, 8);
      try (ResultSet r = s.executeQuery()) {
        if (!r.next()) {
          throw Pins.noRow(store);
        }
        Pins.requireHandle(r, store);
        long length = r.getLong(3);
        if (offset >= length) {
          return new byte[0];
        }
        if (Math.min(end, length) > r.getLong(4)) {
          return null;
        }
        Target target = Target.of(offset, (int) (Math.min(end, length) - offset));
        do {
          byte[] data = r.getBytes(10);
          if (data != null) {
            target.copy(r.getLong(9), data, data.length);
          }
        } while (r.next());
        return target.complete() ? target.buffer() : null;
      }
    }
  }
}
