package io.pgtoaster.blob.appendable.write;

import io.pgtoaster.blob.appendable.format.Checksum;
import io.pgtoaster.blob.appendable.format.ChunkInput;
import io.pgtoaster.blob.appendable.format.Head;
import io.pgtoaster.blob.appendable.format.TailSegment;
import io.pgtoaster.blob.appendable.store.Store;
import io.pgtoaster.blob.appendable.store.StoreSql;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.ByteStreamWriter;

/**
 * Cuts bytes into full chunks and inserts them. The server cuts a parameter of a quarter of a
 * megabyte into rows. This is cheaper for the server than rows that are cut by the client or sent
 * by COPY.
 *
 * <p>One batch sends many such statements to the server. The bytes of each are prepared when the
 * driver asks for their length, just before it sends them. So the next statement is prepared while
 * the server processes the previous one. At that time it reads only from memory, because a stream
 * might read from the connection that is being written to.
 */
public final class ChunkWriter implements AutoCloseable {
  private static final int LARGEST_BATCH = 64;
  private static final int CRC_BYTES = 4;

  private final Head head;
  private final PreparedStatement insert;
  private final int chunkSize;
  private final int slice;
  private final int header;
  private byte[] buffer = new byte[0];
  private long start;
  private int leftAt;
  private int leftCount;
  private boolean ended;
  private boolean outOfOrder;
  private @Nullable Slice prepared;

  /**
   * Starts to write.
   *
   * @param head head of the locked blob, with the chunk size to write
   * @param start offset of the first byte to write, a multiple of the chunk size
   */
  ChunkWriter(Store store, Connection connection, Head head, long start) throws SQLException {
    this.head = head;
    this.start = start;
    this.chunkSize = head.chunkSize();
    this.slice = slice(chunkSize);
    this.header = header(store, chunkSize);
    this.insert =
        connection.prepareStatement(store.sql().insertChunks(chunkSize, store.options().crc32c()));
    Store.PREPARED.bind(insert, 1);
  }

  /** Returns the number of bytes that one statement inserts. */
  static int slice(int chunkSize) {
    return StoreSql.chunksPerInsert(chunkSize) * chunkSize;
  }

  private static int header(Store store, int chunkSize) {
    return store.options().crc32c() ? StoreSql.chunksPerInsert(chunkSize) * CRC_BYTES : 0;
  }

  /** Reads all full chunks of an input, at most one slice, into the parameter of one insert. */
  static byte[] takeChunks(Store store, int chunkSize, ChunkInput input) {
    int chunks = (int) (input.remaining() / chunkSize);
    int header = header(store, chunkSize);
    byte[] parameter = new byte[header + chunks * chunkSize];
    input.fill(parameter, header, chunks * chunkSize);
    addChecksums(parameter, header, chunkSize, chunks);
    return parameter;
  }

  private static void addChecksums(byte[] buffer, int header, int chunkSize, int chunks) {
    for (int i = 0; header > 0 && i < chunks; i++) {
      int crc = Checksum.of(buffer, header + i * chunkSize, chunkSize);
      ByteBuffer.wrap(buffer).putInt(i * CRC_BYTES, crc);
    }
  }

  /**
   * Writes all full chunks of an input.
   *
   * @param input the bytes, read to the end
   * @return the bytes after the last full chunk
   */
  TailSegment write(ChunkInput input) throws SQLException {
    ended = false;
    allocate(input.remaining());
    while (input.remaining() >= chunkSize) {
      long slices = (input.remaining() + slice - 1) / slice;
      for (int i = 0; i < Math.min(slices, LARGEST_BATCH); i++) {
        addSlice(new Slice(input), start + (long) i * slice);
      }
      insert.executeBatch();
      if (outOfOrder) {
        throw new IllegalStateException(
            "the driver sent parameters in an order that is not supported");
      }
    }
    if (!ended) {
      leftAt = header;
      leftCount = input.fill(buffer, header, (int) input.remaining());
    }
    return TailSegment.of(Arrays.copyOfRange(buffer, leftAt, leftAt + leftCount));
  }

  /** Returns the end of the chunks inserted so far. */
  long end() {
    return start;
  }

  private void allocate(long wanted) {
    int size = header + (int) Math.min(wanted, slice);
    if (buffer.length < size) {
      buffer = new byte[size];
    }
  }

  private void addSlice(Slice data, long at) throws SQLException {
    int next = head.blob().bind(insert, 1);
    insert.setLong(next++, at);
    insert.setObject(next, data);
    insert.addBatch();
  }

  /** One parameter: checksums, if the store has them, then full chunks. */
  private final class Slice implements ByteStreamWriter {
    private final ChunkInput input;
    private int length = -1;

    Slice(ChunkInput input) {
      this.input = input;
    }

    @Override
    public int getLength() {
      if (length < 0) {
        length = prepare();
      }
      return length;
    }

    private int prepare() {
      int filled = input.fill(buffer, header, Math.min(slice, buffer.length - header));
      int full = filled / chunkSize * chunkSize;
      if (filled < slice) {
        ended = true;
        leftAt = header + full;
        leftCount = filled - full;
      }
      start += full;
      prepared = this;
      if (full == 0) {
        return 0;
      }
      addChecksums(buffer, header, chunkSize, full / chunkSize);
      return header + full;
    }

    @Override
    public void writeTo(ByteStreamTarget target) throws IOException {
      int count = getLength();
      if (prepared == this || count == 0) {
        target.getOutputStream().write(buffer, 0, count);
      } else {
        // The driver calls this to describe a failed batch, when the bytes have been
        // overwritten.
        outOfOrder = true;
        target.getOutputStream().write(new byte[count]);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    insert.close();
  }
}
