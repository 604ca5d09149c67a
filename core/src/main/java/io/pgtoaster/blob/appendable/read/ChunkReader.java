package io.pgtoaster.blob.appendable.read;

import io.pgtoaster.blob.appendable.format.BlobId;
import io.pgtoaster.blob.appendable.format.Checksum;
import io.pgtoaster.blob.appendable.format.StoredRange;
import io.pgtoaster.blob.appendable.format.Tail;
import io.pgtoaster.blob.appendable.store.BlobSql;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.blob.appendable.store.StoreSql;
import io.pgtoaster.column.RowKey;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.DiscardedException;
import io.pgtoaster.internal.Query;
import io.pgtoaster.spi.OpenedBlob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges of a blob. Each range is read by one statement, and therefore in one snapshot. The
 * rows may arrive in any order.
 */
public record ChunkReader(Store store, Pins pins) {
  private static final long ALL_ROWS = Long.MAX_VALUE;

  public byte[][] read(Connection connection, AppendablePin pinned, long offset, int count)
      throws SQLException {
    pins.requireWriterAlive(connection, pinned);
    AppendablePin pin = pinned;
    for (int look = 0; ; look++) {
      if (offset < pin.first()) {
        throw new DiscardedException(pin.first());
      }
      StoredRange range = new StoredRange(offset, count);
      // Chunks may have been joined since the pin, and the last chunks may have become pieces
      // again.
      if (look == 0 && offset + count <= pin.stable()) {
        readChunks(connection, pin, range);
      } else {
        readGrowing(connection, pin, range);
      }
      if (range.complete()) {
        return range.parts();
      }
      // Either the blob has another chunk size now, or chunks were joined, or the blob is damaged.
      AppendablePin now = pins.refresh(connection, pin);
      if (look > 0 && now.chunkSize() == pin.chunkSize()) {
        throw new BlobCorruptException(
            "of the %s bytes at offset %s of the blob in %s only %s are stored; run verify"
                .formatted(count, offset, store.place(), range.found()));
      }
      pin = now;
    }
  }

  /**
   * Reads a range before the stable end, only from chunks. No chunk is longer than the blob's chunk
   * size. The server cuts a range of up to two chunks; the client cuts longer ranges.
   */
  private void readChunks(Connection connection, AppendablePin pin, StoredRange range)
      throws SQLException {
    long size = pin.chunkSize();
    BlobId blob = pin.blob();
    long from = range.offset();
    long to = range.end();
    if (!store.options().crc32c() && range.count() <= 2 * size) {
      Object[] bounds = {blob, from, from, to, from, blob, from - size, to, ALL_ROWS};
      read(BlobSql.READ_CUT, connection, pin, range, bounds);
    } else {
      read(BlobSql.READ_WHOLE, connection, pin, range, blob, blob, from - size, to, ALL_ROWS);
    }
  }

  /** Reads chunks, pieces and tail in one snapshot. */
  private void readGrowing(Connection connection, AppendablePin pin, StoredRange range)
      throws SQLException {
    BlobId blob = pin.blob();
    long from = range.offset() - pin.chunkSize();
    long to = range.end();
    Object[] bounds = {blob, blob, from, to, blob, blob, blob, to, blob, ALL_ROWS};
    read(BlobSql.READ_GROWING, connection, pin, range, bounds);
  }

  private void read(
      BlobSql sql,
      Connection connection,
      AppendablePin pin,
      StoredRange range,
      Object... parameters)
      throws SQLException {
    Query.Parameters bound = (s, first) -> Query.bind(s, Store.BINARY.bind(s, first), parameters);
    Query.read(
        connection,
        store.sql(sql),
        r -> {
          while (r.next()) {
            addRow(r, pin, range);
          }
          return range;
        },
        bound);
  }

  private void addRow(ResultSet r, AppendablePin pin, StoredRange range) throws SQLException {
    long generation = r.getLong(1);
    if (r.wasNull() || generation != pin.generation()) {
      throw pins.changed(r.wasNull() ? null : (Long) generation);
    }
    long start = r.getLong(2);
    byte[] data = r.getBytes(3);
    int crc = r.getInt(4);
    if (!r.wasNull() && crc != Checksum.of(data, 0, data.length)) {
      throw new BlobCorruptException(
          "the %s bytes at offset %s of the blob in %s do not match their CRC32C"
              .formatted(data.length, start, store.place()));
    }
    range.add(start, data, r.getBoolean(5) ? Tail.bytes(data).length : data.length);
  }

  /**
   * Reads by row key in one statement, from the chunks or through the store's routine.
   *
   * @return the bytes; null if the range is too long, the store has checksums, or nothing was
   *     found: the caller then pins the blob, which also reports the cause
   */
  public byte @Nullable [] tryRead(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    if (count > mostByKey()) {
      return null;
    }
    return Query.first(
        connection,
        store.sql(BlobSql.READ_BY_KEY, key),
        r -> bytes(r, 1, offset, count),
        Store.BINARY,
        offset,
        end(offset, count),
        key);
  }

  /** Pins the content of a row and reads as many bytes as the same statement can return. */
  public OpenedBlob open(Connection connection, RowKey key, long offset, int count)
      throws SQLException {
    int most = Math.min(count, mostByKey());
    // In a transaction, the pin needs the open writer, but this statement does not return it.
    if (most == 0 || !connection.getAutoCommit()) {
      return new OpenedBlob(pins.pin(connection, key));
    }
    OpenedBlob opened =
        Query.first(
            connection,
            store.sql(BlobSql.OPEN_BY_KEY, key),
            r -> {
              Pins.requireHandle(r, store);
              AppendablePin pin = pins.read(r, false);
              int wanted = (int) Math.min(most, Math.max(0, pin.length() - offset));
              byte[] bytes = bytes(r, store.hasLeadingKey() ? 11 : 10, offset, wanted);
              return bytes == null ? new OpenedBlob(pin) : new OpenedBlob(pin, bytes);
            },
            Store.BINARY,
            offset,
            end(offset, most),
            key);
    if (opened == null) {
      throw Pins.noRow(store);
    }
    return opened;
  }

  /** Returns the maximum number of bytes that one statement reads by row key. */
  private int mostByKey() {
    return store.options().crc32c() || !store.column().routines()
        ? 0
        : StoreSql.READ_BY_KEY_CHUNKS * store.options().chunkSize();
  }

  private static long end(long offset, int count) {
    return Math.min(offset, Long.MAX_VALUE - count) + count;
  }

  /**
   * Returns the bytes of a read by key: from the chunks if they contain the whole range, otherwise
   * from the routine. Returns null if bytes are missing.
   */
  private static byte @Nullable [] bytes(ResultSet r, int column, long offset, int wanted)
      throws SQLException {
    byte[] data = r.getBytes(column + 1);
    if (data == null) {
      return r.getBytes(column + 2);
    }
    long start = r.getLong(column);
    if (start <= offset && data.length == wanted) {
      // A second chunk would overlap this one.
      return r.next() ? null : data;
    }
    StoredRange range = new StoredRange(offset, wanted);
    range.add(Math.max(start, offset), data, data.length);
    while (r.next()) {
      data = r.getBytes(column + 1);
      range.add(Math.max(r.getLong(column), offset), data, data.length);
    }
    return range.complete() ? range.bytes() : null;
  }
}
