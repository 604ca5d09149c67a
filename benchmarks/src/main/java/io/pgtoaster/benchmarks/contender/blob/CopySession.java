package io.pgtoaster.benchmarks.contender.blob;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/** Values as rows of bytes, streamed in and out by COPY in its binary format. */
abstract class CopySession extends BlobSession {
  /** Bytes per row. */
  static final int ROW = 8100;

  private static final int ROWS_PER_MESSAGE = 32;
  private static final int SIGNATURE = 19;
  private static final int COUNT = 2;
  private static final int LENGTH = 4;
  private static final int KEY = 2 * (LENGTH + Long.BYTES);

  private final boolean keyed;
  private final int header;
  private final byte[] message;

  /**
   * Creates a session.
   *
   * @param connection connection that runs COPY
   * @param keyed whether a row starts with the value's number and its position in the value
   */
  CopySession(Connection connection, boolean keyed) {
    super(connection);
    this.keyed = keyed;
    this.header = COUNT + (keyed ? KEY : 0) + LENGTH;
    this.message = new byte[ROWS_PER_MESSAGE * (header + ROW)];
  }

  /** Returns the table of a value. */
  abstract String table(long id);

  /** Returns the COPY source with the bytes of a value, in order. */
  abstract String source(long id);

  @Override
  public void append(long id, byte[] piece) throws SQLException, IOException {
    write(id, new ByteArrayInputStream(piece), piece.length);
  }

  @Override
  public void write(long id, InputStream in, long size) throws SQLException, IOException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY " + table(id) + " FROM STDIN (FORMAT binary)");
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

  @Override
  public long read(long id) throws SQLException {
    CRC32C crc = new CRC32C();
    copyOut(id, crc);
    return crc.getValue();
  }

  @Override
  public long length(long id) throws SQLException {
    return copyOut(id, new CRC32C());
  }

  /**
   * Unsupported, and not measured: bare rows have no position, and the indexed table is only
   * streamed.
   */
  @Override
  public byte[] range(long id, long offset, int count) {
    throw new UnsupportedOperationException("ranges of rows written by COPY are not supported");
  }

  private long copyOut(long id, CRC32C crc) throws SQLException {
    CopyOut copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut("COPY " + source(id) + " TO STDOUT (FORMAT binary)");
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
