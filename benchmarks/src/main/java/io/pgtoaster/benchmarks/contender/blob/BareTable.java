package io.pgtoaster.benchmarks.contender.blob;

import io.pgtoaster.benchmarks.server.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.zip.CRC32C;

/**
 * COPY into and out of a table of rows, and one inserted row for an append: the limit. Nothing is
 * addressed, locked or checked, there is no index, and each value has a table of its own.
 */
final class BareTable extends BlobContender {
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
    private final RowCopy copy;

    Session(Connection connection) {
      super(connection);
      this.copy = new RowCopy(connection, false);
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException, IOException {
      if (piece.length > RowCopy.ROW) {
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
      copy.in("bare_" + id, id, in);
    }

    @Override
    public long read(long id) throws SQLException {
      CRC32C crc = new CRC32C();
      copyOut(id, crc);
      return crc.getValue();
    }

    private long copyOut(long id, CRC32C crc) throws SQLException {
      return copy.out("bare_" + id, crc);
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
