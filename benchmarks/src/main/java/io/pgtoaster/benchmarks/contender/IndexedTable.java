package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * COPY into one table for all values, with the same key and index as this library's chunks. A
 * program can do this itself if it writes each value once and knows its number. It stores no length
 * and locks nothing. Only streams into it are measured.
 */
final class IndexedTable extends BlobContender {
  IndexedTable() throws SQLException {
    super(Kind.PLAIN);
    database.run(
        """
            CREATE TABLE bench.chunks (blob_id bigint, start bigint, data bytea NOT NULL,
              PRIMARY KEY (blob_id, start)) WITH (toast_tuple_target = 8160)
            """);
    database.run("ALTER TABLE bench.chunks ALTER COLUMN data SET STORAGE EXTERNAL");
  }

  /** An empty value has no row. */
  @Override
  void add(int first, int last) {}

  @Override
  public Session session() throws SQLException {
    return new Copies(database.connect());
  }

  private static final class Copies extends Session {
    /** Bytes per row. */
    private static final int ROW = 8100;

    /** Copies per message. */
    private static final int ROWS = 32;

    /** Bytes before those of the row: the number of columns, two keys, and the length. */
    private static final int HEADER = 2 + 2 * (4 + 8) + 4;

    private static final byte[] SIGNATURE =
        "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private final byte[] message = new byte[ROWS * (HEADER + ROW)];

    Copies(Connection connection) {
      super(connection);
    }

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
              .copyIn("COPY chunks FROM STDIN (FORMAT binary)");
      copy.writeToCopy(SIGNATURE, 0, SIGNATURE.length);
      ByteBuffer rows = ByteBuffer.wrap(message);
      int count = ROW;
      for (long start = 0; count == ROW; start += count) {
        count = in.readNBytes(message, rows.position() + HEADER, ROW);
        if (count > 0) {
          rows.putShort((short) 3).putInt(8).putLong(id).putInt(8).putLong(start).putInt(count);
          rows.position(rows.position() + count);
        }
        if (count < ROW || !rows.hasRemaining()) {
          copy.writeToCopy(message, 0, rows.position());
          rows.clear();
        }
      }
      copy.writeToCopy(new byte[] {-1, -1}, 0, 2);
      copy.endCopy();
    }

    @Override
    public long read(long id) throws SQLException {
      CRC32C crc = new CRC32C();
      String sql = "SELECT data FROM chunks WHERE blob_id = ? ORDER BY start";
      try (PreparedStatement s = Sql.prepare(connection, sql, id);
          ResultSet r = s.executeQuery()) {
        while (r.next()) {
          crc.update(r.getBytes(1));
        }
      }
      return crc.getValue();
    }

    @Override
    public long length(long id) {
      throw new UnsupportedOperationException("no length is stored");
    }

    @Override
    public byte[] range(long id, long offset, int count) {
      throw new UnsupportedOperationException("only streams are measured");
    }
  }
}
