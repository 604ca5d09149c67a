package io.pgtoaster.blob.appendable;

import io.pgtoaster.blob.AppendRequest;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.PGStatement;
import org.postgresql.util.ByteStreamWriter;

/**
 * Cuts bytes into full chunks and inserts them. The server cuts a parameter of a quarter of a
 * megabyte into rows, which costs it less than rows cut by the client or by COPY; several such
 * statements go to it in one batch, so that it works while the next are sent. What is left at the
 * end, less than one chunk, is handed back.
 */
final class ChunkWriter implements AutoCloseable {
  private static final int STATEMENTS = 6;

  private final Store store;
  private final Head head;
  private final PreparedStatement insert;
  private final byte[] window;
  private final int chunkSize;
  private final int slice;
  private int filled;
  private long start;

  /**
   * Begins to write.
   *
   * @param head of the locked blob, with the chunk size to write
   * @param start offset of the first byte to come, a multiple of the chunk size
   * @param expected number of bytes to come at most; the buffer is no larger
   */
  ChunkWriter(Store store, Connection connection, Head head, long start, long expected)
      throws SQLException {
    this.store = store;
    this.head = head;
    this.start = start;
    this.chunkSize = head.chunkSize();
    this.slice = StoreSql.chunksPerInsert(chunkSize) * chunkSize;
    long slices = Math.min(STATEMENTS, Math.max(expected, 1) / slice + 1);
    this.window = new byte[Math.toIntExact(slices * slice)];
    this.insert =
        Store.prepare(
            connection,
            store.options().crc32c()
                ? store.sql().insertChecksummedChunks
                : store.sql().insertChunks(chunkSize));
    if (insert.isWrapperFor(PGStatement.class)) {
      insert.unwrap(PGStatement.class).setPrepareThreshold(1);
    }
  }

  /** Takes bytes. */
  void put(byte[] bytes, int from, int count) throws SQLException {
    int at = from;
    int left = count;
    while (left > 0) {
      int taken = Math.min(left, window.length - filled);
      System.arraycopy(bytes, at, window, filled, taken);
      filled += taken;
      at += taken;
      left -= taken;
      insertIfFull();
    }
  }

  /** Takes the stream behind the bytes of a request, to its end; returns the number of bytes. */
  long putRest(AppendRequest request) throws SQLException {
    long total = 0;
    while (true) {
      int wanted = window.length - filled;
      int got = request.readRest(window, filled, wanted);
      filled += got;
      total += got;
      if (got < wanted) {
        return total;
      }
      insertIfFull();
    }
  }

  /** Inserts the full chunks that are left; returns the bytes behind them. */
  Run finish() throws SQLException {
    int full = filled / chunkSize * chunkSize;
    insert(full);
    return Run.of(Arrays.copyOfRange(window, full, filled));
  }

  /** End of the chunks inserted so far. */
  long end() {
    return start;
  }

  private void insertIfFull() throws SQLException {
    if (filled == window.length) {
      insert(filled);
      filled = 0;
    }
  }

  private void insert(int count) throws SQLException {
    if (count == 0) {
      return;
    }
    for (int at = 0; at < count; at += slice) {
      addSlice(at, Math.min(slice, count - at));
    }
    insert.executeBatch();
    start += count;
  }

  private void addSlice(int at, int count) throws SQLException {
    int next = head.blob().bind(insert, 1);
    // The leading key and the id are values to insert here, in the order of the columns.
    insert.setLong(next++, start + at);
    if (store.options().crc32c()) {
      insert.setInt(next++, chunkSize);
      insert.setObject(next++, ByteStreamWriter.of(ByteBuffer.wrap(window, at, count)));
      insert.setInt(next++, chunkSize);
      insert.setInt(next++, chunkSize);
      insert.setArray(next, insert.getConnection().createArrayOf("int4", checksums(at, count)));
    } else {
      insert.setObject(next++, ByteStreamWriter.of(ByteBuffer.wrap(window, at, count)));
      insert.setInt(next, count);
    }
    insert.addBatch();
  }

  private Integer[] checksums(int at, int count) {
    Integer[] checksums = new Integer[count / chunkSize];
    for (int i = 0; i < checksums.length; i++) {
      checksums[i] = Checksum.of(window, at + i * chunkSize, chunkSize);
    }
    return checksums;
  }

  @Override
  public void close() throws SQLException {
    insert.close();
  }
}
