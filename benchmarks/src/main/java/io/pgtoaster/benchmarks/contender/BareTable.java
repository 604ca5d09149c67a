package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;

/**
 * COPY into and out of a table of rows, and one inserted row for an append: the limit. Nothing is
 * addressed, locked or checked, there is no index, and each value has a table of its own.
 */
final class BareTable extends BlobContender {
  private static final int ROW = 8100;
  private static final int ROWS_PER_MESSAGE = 32;
  private static final int HEADER = 2 + 4;
  private static final int SIGNATURE = 19;

  BareTable() throws SQLException {
    super(Kind.PLAIN);
  }

  @Override
  void add(int first, int last) throws SQLException {
    for (int i = first; i <= last; i++) {
      database()
          .run("CREATE TABLE bench.bare_" + i + " (data bytea) WITH (toast_tuple_target = 8160)");
      database().run("ALTER TABLE bench.bare_" + i + " ALTER COLUMN data SET STORAGE EXTERNAL");
    }
  }

  /** A short row goes where there is room. */
  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public BlobSession session() throws SQLException {
    return new Session(database().connect());
  }

  private static final class Session extends BlobSession {
    private final byte[] message = new byte[ROWS_PER_MESSAGE * (HEADER + ROW)];

    Session(Connection connection) {
      super(connection);
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException, IOException {
      if (piece.length > ROW) {
        write(id, new ByteArrayInputStream(piece), piece.length);
        return;
      }
      // The driver keeps prepared statements by their text.
      try (PreparedStatement s =
          connection.prepareStatement("INSERT INTO bare_" + id + " VALUES (?)")) {
        s.setBytes(1, piece);
        s.executeUpdate();
      }
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException, IOException {
      CopyIn copy =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY bare_" + id + " FROM STDIN (FORMAT binary)");
      byte[] signature = {
        'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
      };
      copy.writeToCopy(signature, 0, SIGNATURE);
      ByteBuffer buffer = ByteBuffer.wrap(message);
      int count = ROW;
      while (count == ROW) {
        buffer.clear();
        for (int row = 0; row < ROWS_PER_MESSAGE && count == ROW; row++) {
          int at = buffer.position();
          count = in.readNBytes(message, at + HEADER, ROW);
          if (count > 0) {
            buffer.putShort((short) 1).putInt(count);
            buffer.position(at + HEADER + count);
          }
        }
        if (buffer.position() > 0) {
          copy.writeToCopy(message, 0, buffer.position());
        }
      }
      copy.writeToCopy(new byte[] {-1, -1}, 0, 2);
      copy.endCopy();
    }

    @Override
    public long read(long id) throws SQLException {
      CRC32C crc = new CRC32C();
      copyOut(id, crc);
      return crc.getValue();
    }

    private long copyOut(long id, CRC32C crc) throws SQLException {
      CopyOut copy =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyOut("COPY bare_" + id + " TO STDOUT (FORMAT binary)");
      long bytes = 0;
      int signature = SIGNATURE;
      byte[] row;
      while ((row = copy.readFromCopy()) != null) {
        ByteBuffer buffer = ByteBuffer.wrap(row);
        buffer.position(Math.min(signature, buffer.limit()));
        signature = 0;
        if (buffer.remaining() > HEADER && buffer.getShort() == 1) {
          int count = buffer.getInt();
          crc.update(row, buffer.position(), count);
          bytes += count;
        }
      }
      return bytes;
    }

    @Override
    public byte[] range(long id, long offset, int count) {
      throw new UnsupportedOperationException("rows of a bare table have no positions");
    }

    @Override
    public long length(long id) throws SQLException {
      return copyOut(id, new CRC32C());
    }
  }
}
