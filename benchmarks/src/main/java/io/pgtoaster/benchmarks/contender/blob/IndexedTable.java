package io.pgtoaster.benchmarks.contender.blob;

import io.pgtoaster.benchmarks.server.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.zip.CRC32C;

/**
 * COPY into one table for all values, with the key and the index of this library's chunks: what a
 * program can do by itself that writes each value once and knows its number. Nothing is locked, and
 * no length is kept.
 */
final class IndexedTable extends BlobContender {
  IndexedTable() throws SQLException {
    super(Kind.PLAIN);
    database()
        .run(
            """
            CREATE TABLE bench.chunks (blob_id bigint, start bigint, data bytea NOT NULL,
              PRIMARY KEY (blob_id, start)) WITH (toast_tuple_target = 8160)
            """);
    database().run("ALTER TABLE bench.chunks ALTER COLUMN data SET STORAGE EXTERNAL");
  }

  /** A value without bytes has no row. */
  @Override
  void add(int first, int last) {}

  @Override
  public BlobSession session() throws SQLException {
    return new Session(database().connect());
  }

  private static final class Session extends BlobSession {
    private final RowCopy copy;

    Session(Connection connection) {
      super(connection);
      this.copy = new RowCopy(connection, true);
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException, IOException {
      write(id, new ByteArrayInputStream(piece), piece.length);
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException, IOException {
      copy.in("chunks", id, in);
    }

    @Override
    public long read(long id) throws SQLException {
      CRC32C crc = new CRC32C();
      copyOut(id, crc);
      return crc.getValue();
    }

    private long copyOut(long id, CRC32C crc) throws SQLException {
      return copy.out("(SELECT data FROM chunks WHERE blob_id = " + id + " ORDER BY start)", crc);
    }

    @Override
    public byte[] range(long id, long offset, int count) {
      throw new UnsupportedOperationException("only streams in are asked of an indexed table");
    }

    @Override
    public long length(long id) throws SQLException {
      return copyOut(id, new CRC32C());
    }
  }
}
