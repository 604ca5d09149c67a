package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Database;
import io.pgtoaster.benchmarks.server.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Large objects through the driver, whose numbers the application knows. */
final class LargeObjects implements BlobContender {
  /** The fastest of 8 KB to 2 MB, both ways: reads by 512 KB took half as long again. */
  private static final int BUFFER = 48 << 10;

  private final Database database;
  private final List<Long> oids = new ArrayList<>();

  LargeObjects() throws SQLException {
    this.database = Database.create(Kind.PLAIN);
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public int add(int values) throws SQLException {
    int first = oids.size() + 1;
    for (int i = 0; i < values; i++) {
      oids.add(database.number("SELECT lo_creat(-1)"));
    }
    return first;
  }

  @Override
  public BlobSession session() throws SQLException {
    return new Session(database.connect(), oids);
  }

  private static final class Session implements BlobSession {
    private final Connection connection;
    private final List<Long> oids;
    private final LargeObjectManager manager;
    private final PreparedStatement range;
    private final byte[] buffer = new byte[BUFFER];

    Session(Connection connection, List<Long> oids) throws SQLException {
      this.connection = connection;
      this.oids = oids;
      this.manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
      this.range = connection.prepareStatement("SELECT lo_get(?, ?, ?)");
      range.unwrap(PGStatement.class).setPrepareThreshold(-1);
    }

    private interface Work<T> {
      T on(LargeObject object) throws SQLException, IOException;
    }

    private <T> T in(long id, int mode, Work<T> work) throws SQLException, IOException {
      connection.setAutoCommit(false);
      try {
        T result;
        try (LargeObject object = manager.open(oids.get((int) id - 1), mode)) {
          result = work.on(object);
        }
        connection.commit();
        return result;
      } finally {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    }

    @Override
    public Connection connection() {
      return connection;
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException, IOException {
      in(
          id,
          LargeObjectManager.READWRITE,
          object -> {
            object.seek64(0, LargeObject.SEEK_END);
            object.write(piece);
            return id;
          });
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException, IOException {
      in(
          id,
          LargeObjectManager.WRITE,
          object -> {
            int count;
            while ((count = in.readNBytes(buffer, 0, BUFFER)) > 0) {
              object.write(buffer, 0, count);
            }
            return id;
          });
    }

    @Override
    public long read(long id) throws SQLException, IOException {
      return in(
          id,
          LargeObjectManager.READ,
          object -> {
            CRC32C crc = new CRC32C();
            int count;
            while ((count = object.read(buffer, 0, BUFFER)) > 0) {
              crc.update(buffer, 0, count);
            }
            return crc.getValue();
          });
    }

    @Override
    public byte[] range(long id, long offset, int count) throws SQLException {
      range.setLong(1, oids.get((int) id - 1));
      range.setLong(2, offset);
      range.setInt(3, count);
      try (ResultSet r = range.executeQuery()) {
        r.next();
        return r.getBytes(1);
      }
    }

    @Override
    public long length(long id) throws SQLException {
      try {
        return in(
            id,
            LargeObjectManager.READ,
            object -> {
              object.seek64(0, LargeObject.SEEK_END);
              return object.tell64();
            });
      } catch (IOException e) {
        throw new SQLException(e);
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
