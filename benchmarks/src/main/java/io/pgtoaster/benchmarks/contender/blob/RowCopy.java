package io.pgtoaster.benchmarks.contender.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/** Streams as rows of bytes, in the binary format of COPY. */
final class RowCopy {
  /** Bytes of a row. */
  static final int ROW = 8100;

  private static final int ROWS_PER_MESSAGE = 32;
  private static final int SIGNATURE = 19;
  private static final int COUNT = 2;
  private static final int LENGTH = 4;
  private static final int KEY = 2 * (LENGTH + Long.BYTES);

  private final Connection connection;
  private final boolean keyed;
  private final int header;
  private final byte[] message;

  /**
   * Makes one.
   *
   * @param connection that copies
   * @param keyed whether a row has a value's number and its own place in the value before its bytes
   */
  RowCopy(Connection connection, boolean keyed) {
    this.connection = connection;
    this.keyed = keyed;
    this.header = COUNT + (keyed ? KEY : 0) + LENGTH;
    this.message = new byte[ROWS_PER_MESSAGE * (header + ROW)];
  }

  /** Writes a stream into a table. */
  void in(String table, long id, InputStream in) throws SQLException, IOException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + table + " FROM STDIN (FORMAT binary)");
    byte[] signature = {
      'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    copy.writeToCopy(signature, 0, SIGNATURE);
    ByteBuffer buffer = ByteBuffer.wrap(message);
    int count = ROW;
    long start = 0;
    while (count == ROW) {
      buffer.clear();
      for (int row = 0; row < ROWS_PER_MESSAGE && count == ROW; row++) {
        int at = buffer.position();
        count = in.readNBytes(message, at + header, ROW);
        if (count > 0) {
          begin(buffer, id, start);
          buffer.putInt(count).position(at + header + count);
          start += count;
        }
      }
      if (buffer.position() > 0) {
        copy.writeToCopy(message, 0, buffer.position());
      }
    }
    copy.writeToCopy(new byte[] {-1, -1}, 0, 2);
    copy.endCopy();
  }

  private void begin(ByteBuffer row, long id, long start) {
    row.putShort((short) (keyed ? 3 : 1));
    if (keyed) {
      row.putInt(Long.BYTES).putLong(id).putInt(Long.BYTES).putLong(start);
    }
  }

  /** Reads rows of one column of bytes; returns how many bytes these are. */
  long out(String source, CRC32C crc) throws SQLException {
    CopyOut copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut("COPY " + source + " TO STDOUT (FORMAT binary)");
    long bytes = 0;
    int signature = SIGNATURE;
    byte[] row;
    while ((row = copy.readFromCopy()) != null) {
      ByteBuffer buffer = ByteBuffer.wrap(row);
      buffer.position(Math.min(signature, buffer.limit()));
      signature = 0;
      if (buffer.remaining() > COUNT + LENGTH && buffer.getShort() == 1) {
        int count = buffer.getInt();
        crc.update(row, buffer.position(), count);
        bytes += count;
      }
    }
    return bytes;
  }
}
