package io.pgtoaster.benchmarks.contender.blob;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.postgresql.PGStatement;

/** Large objects through SQL functions: an append or a range is one statement, one round trip. */
final class LargeObjectSql extends BlobSession {
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

  /** INV_READ is 262144. */
  private static final String LENGTH =
      "SELECT lo_lseek64(fd, 0, 2) FROM (SELECT lo_open(?::oid, 262144) AS fd) o";

  private final PreparedStatement append;
  private final PreparedStatement put;
  private final PreparedStatement get;
  private final PreparedStatement length;

  LargeObjectSql(Connection connection, boolean locked) throws SQLException {
    super(connection);
    this.append = connection.prepareStatement(locked ? LOCKED_APPEND : APPEND);
    this.put = connection.prepareStatement("SELECT lo_put(?::oid, ?, ?)");
    this.get = connection.prepareStatement("SELECT lo_get(?::oid, ?, ?)");
    get.unwrap(PGStatement.class).setPrepareThreshold(-1);
    this.length = connection.prepareStatement(LENGTH);
  }

  @Override
  public void append(long id, byte[] piece) throws SQLException {
    append.setBytes(1, piece);
    append.setLong(2, id);
    append.executeQuery().close();
  }

  @Override
  public void write(long id, InputStream in, long bytes) throws SQLException, IOException {
    connection.setAutoCommit(false);
    try {
      byte[] window = new byte[(int) Math.min(WINDOW, bytes)];
      put.setLong(1, id);
      int count;
      for (long at = 0; (count = in.readNBytes(window, 0, window.length)) > 0; at += count) {
        put.setLong(2, at);
        put.setBytes(3, count == window.length ? window : Arrays.copyOf(window, count));
        put.executeQuery().close();
      }
      connection.commit();
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public long read(long id) throws SQLException {
    CRC32C crc = new CRC32C();
    long at = 0;
    byte[] window;
    do {
      window = range(id, at, WINDOW);
      crc.update(window);
      at += window.length;
    } while (window.length == WINDOW);
    return crc.getValue();
  }

  @Override
  public byte[] range(long id, long offset, int count) throws SQLException {
    get.setLong(1, id);
    get.setLong(2, offset);
    get.setInt(3, count);
    try (ResultSet r = get.executeQuery()) {
      r.next();
      return r.getBytes(1);
    }
  }

  @Override
  public long length(long id) throws SQLException {
    length.setLong(1, id);
    try (ResultSet r = length.executeQuery()) {
      r.next();
      return r.getLong(1);
    }
  }
}
