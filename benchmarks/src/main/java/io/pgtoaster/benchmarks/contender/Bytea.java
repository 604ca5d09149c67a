package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A {@code bytea} column. */
final class Bytea extends BlobContender {
  Bytea(String compression) throws SQLException {
    super(Kind.PLAIN);
    database.run(
        "CREATE TABLE bench.blobs (id bigint PRIMARY KEY, data bytea NOT NULL DEFAULT '')");
    Names.store(database, "bench.blobs", "data", compression);
    addOthers();
  }

  @Override
  public Session session() throws SQLException {
    return new Statements(database.connect());
  }

  private static final class Statements extends Session {
    Statements(Connection connection) {
      super(connection);
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException {
      Sql.update(connection, "UPDATE blobs SET data = data || ? WHERE id = ?", piece, id);
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException {
      try (PreparedStatement s =
          connection.prepareStatement("UPDATE blobs SET data = ? WHERE id = ?")) {
        s.setBinaryStream(1, in, bytes);
        s.setLong(2, id);
        s.executeUpdate();
      }
    }

    @Override
    public long read(long id) throws SQLException {
      return Payload.checksum(all(id));
    }

    private byte[] all(long id) throws SQLException {
      return Sql.bytes(connection, "SELECT data FROM blobs WHERE id = ?", id);
    }

    @Override
    public byte[] range(long id, long offset, int count) throws SQLException {
      String sql = "SELECT substring(data FROM ? FOR ?) FROM blobs WHERE id = ?";
      return Sql.bytes(connection, sql, Math.toIntExact(offset + 1), count, id);
    }

    @Override
    public long length(long id) throws SQLException {
      return all(id).length;
    }
  }
}
