package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Sql;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Large objects whose numbers the application knows, through the driver or through SQL. */
final class LargeObjects extends BlobContender {
  private final String name;

  LargeObjects(String name) throws SQLException {
    super(Kind.PLAIN);
    this.name = name;
  }

  @Override
  void add(int first, int last) throws SQLException {
    database.run("SELECT lo_create(i) FROM generate_series(%d, %d) i".formatted(first, last));
  }

  @Override
  public Session session() throws SQLException {
    Connection connection = database.connect();
    return name.equals(Names.LARGE_OBJECT)
        ? new DriverSession(connection)
        : new SqlSession(connection, name.equals(Names.LARGE_OBJECT_LOCKED));
  }

  /** The driver's large objects: each call is a round trip. */
  private static final class DriverSession extends Session {
    /**
     * The fastest size between 8 KB and 2 MB, for reads and writes. Reads of 512 KB took 50 %
     * longer.
     */
    private static final int BUFFER = 48 << 10;

    private final byte[] buffer = new byte[BUFFER];

    DriverSession(Connection connection) throws SQLException {
      super(connection);
      connection.setAutoCommit(false);
    }

    /** Closing the object commits. */
    private LargeObject open(long id, int mode) throws SQLException {
      return connection.unwrap(PGConnection.class).getLargeObjectAPI().open(id, mode, true);
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException {
      try (LargeObject object = open(id, LargeObjectManager.READWRITE)) {
        object.seek64(0, LargeObject.SEEK_END);
        object.write(piece);
      }
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException, IOException {
      try (LargeObject object = open(id, LargeObjectManager.WRITE)) {
        int count;
        while ((count = in.readNBytes(buffer, 0, BUFFER)) > 0) {
          object.write(buffer, 0, count);
        }
      }
    }

    @Override
    public long read(long id) throws SQLException {
      try (LargeObject object = open(id, LargeObjectManager.READ)) {
        CRC32C crc = new CRC32C();
        int count;
        while ((count = object.read(buffer, 0, BUFFER)) > 0) {
          crc.update(buffer, 0, count);
        }
        return crc.getValue();
      }
    }

    @Override
    public byte[] range(long id, long offset, int count) throws SQLException {
      try (LargeObject object = open(id, LargeObjectManager.READ)) {
        object.seek64(offset, LargeObject.SEEK_SET);
        byte[] bytes = new byte[count];
        return Arrays.copyOf(bytes, object.read(bytes, 0, count));
      }
    }

    @Override
    public long length(long id) throws SQLException {
      try (LargeObject object = open(id, LargeObjectManager.READ)) {
        return object.size64();
      }
    }
  }

  /** SQL functions: an append or a range is one statement, one round trip. */
  private static final class SqlSession extends Session {
    /** The fastest size for reads between 48 KB and 32 MB. Larger writes are not faster. */
    private static final int WINDOW = 256 << 10;

    /** This needs no offset, and is as fast as lo_put with a known one. INV_WRITE is 131072. */
    private static final String APPEND =
        """
        SELECT lowrite(CASE WHEN lo_lseek64(fd, 0, 2) >= 0 THEN fd END, ?)
        FROM (SELECT lo_open(?::oid, 131072) AS fd) o
        """;

    /**
     * Seeks to the end while it holds the lock. INV_WRITE makes it see everything committed before
     * that.
     */
    private static final String LOCKED_APPEND =
        """
        SELECT lowrite(CASE WHEN lo_lseek64(fd, 0, 2) >= 0 THEN fd END, ?)
        FROM (SELECT lo_open(CASE WHEN locked IS NOT NULL THEN id END, 131072) AS fd
              FROM (SELECT id, pg_advisory_xact_lock(id::bigint) AS locked
                    FROM (SELECT ?::oid AS id) i) l) o
        """;

    private final String append;

    SqlSession(Connection connection, boolean locked) {
      super(connection);
      this.append = locked ? LOCKED_APPEND : APPEND;
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException {
      Sql.execute(connection, append, piece, id);
    }

    @Override
    public void write(long id, InputStream in, long bytes) throws SQLException, IOException {
      connection.setAutoCommit(false);
      for (long at = 0; at < bytes; at += WINDOW) {
        byte[] window = in.readNBytes(WINDOW);
        Sql.execute(connection, "SELECT lo_put(?::oid, ?, ?)", id, at, window);
      }
      connection.commit();
      connection.setAutoCommit(true);
    }

    @Override
    public long read(long id) throws SQLException {
      CRC32C crc = new CRC32C();
      int count = WINDOW;
      for (long at = 0; count == WINDOW; at += count) {
        byte[] window = range(id, at, WINDOW);
        crc.update(window);
        count = window.length;
      }
      return crc.getValue();
    }

    @Override
    public byte[] range(long id, long offset, int count) throws SQLException {
      return Sql.bytes(connection, "SELECT lo_get(?::oid, ?, ?)", id, offset, count);
    }

    /** INV_READ is 262144. */
    @Override
    public long length(long id) throws SQLException {
      String sql = "SELECT lo_lseek64(fd, 0, 2) FROM (SELECT lo_open(?::oid, 262144) AS fd) o";
      return Objects.requireNonNull(Sql.get(connection, Long.class, sql, id));
    }
  }
}
