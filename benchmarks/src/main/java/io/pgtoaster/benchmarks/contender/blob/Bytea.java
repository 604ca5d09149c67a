package io.pgtoaster.benchmarks.contender.blob;

import io.pgtoaster.benchmarks.contender.Checksums;
import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.PGStatement;

/** A {@code bytea} column. */
final class Bytea extends BlobContender {

  Bytea(String compression) throws SQLException {
    super(Kind.PLAIN);
    Database database = database();
    database.run("CREATE TABLE bench.blobs (id bigint PRIMARY KEY, data bytea NOT NULL)");
    Names.store(database, "bench.blobs", "data", compression);
    BlobContender.addOthers(database, "''");
  }

  @Override
  void add(int first, int last) throws SQLException {
    database()
        .run(
            "INSERT INTO bench.blobs SELECT i, '' FROM generate_series("
                + first
                + ", "
                + last
                + ") i");
  }

  @Override
  public BlobSession session() throws SQLException {
    return new Session(database().connect());
  }

  private static final class Session extends BlobSession {
    private final PreparedStatement append;
    private final PreparedStatement write;
    private final PreparedStatement read;
    private final PreparedStatement range;

    Session(Connection connection) throws SQLException {
      super(connection);
      this.append = connection.prepareStatement("UPDATE blobs SET data = data || ? WHERE id = ?");
      this.write = connection.prepareStatement("UPDATE blobs SET data = ? WHERE id = ?");
      this.read = binary(connection, "SELECT data FROM blobs WHERE id = ?");
      this.range =
          binary(connection, "SELECT substring(data FROM ? FOR ?) FROM blobs WHERE id = ?");
    }

    /** The driver transfers bytes in binary format only with server-side prepared statements. */
    private static PreparedStatement binary(Connection connection, String sql) throws SQLException {
      PreparedStatement s = connection.prepareStatement(sql);
      s.unwrap(PGStatement.class).setPrepareThreshold(-1);
      return s;
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException {
      append.setBytes(1, piece);
      append.setLong(2, id);
      append.executeUpdate();
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException {
      write.setBinaryStream(1, in, bytes);
      write.setLong(2, id);
      write.executeUpdate();
    }

    @Override
    public long read(long id) throws SQLException {
      read.setLong(1, id);
      return Checksums.of(bytes(read));
    }

    @Override
    public byte[] range(long id, long offset, int count) throws SQLException {
      range.setInt(1, Math.toIntExact(offset + 1));
      range.setInt(2, count);
      range.setLong(3, id);
      return bytes(range);
    }

    private static byte[] bytes(PreparedStatement s) throws SQLException {
      try (ResultSet r = s.executeQuery()) {
        r.next();
        return r.getBytes(1);
      }
    }

    @Override
    public long length(long id) throws SQLException {
      read.setLong(1, id);
      return bytes(read).length;
    }
  }
}
