package io.pgtoaster.benchmarks.contender.blob;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** The driver's large objects: each call is a round trip. */
final class LargeObjectDriver extends BlobSession {
  /**
   * The fastest size between 8 KB and 2 MB, for reads and writes. Reads of 512 KB took 50 % longer.
   */
  private static final int BUFFER = 48 << 10;

  private final LargeObjectManager manager;
  private final byte[] buffer = new byte[BUFFER];

  LargeObjectDriver(Connection connection) throws SQLException {
    super(connection);
    this.manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
  }

  private interface Work<T, E extends Exception> {
    T on(LargeObject object) throws SQLException, E;
  }

  private <T, E extends Exception> T in(long id, int mode, Work<T, E> work) throws SQLException, E {
    connection.setAutoCommit(false);
    try {
      T result;
      try (LargeObject object = manager.open(id, mode)) {
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
  public void append(long id, byte[] piece) throws SQLException {
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
  public long read(long id) throws SQLException {
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
    return in(
        id,
        LargeObjectManager.READ,
        object -> {
          object.seek64(offset, LargeObject.SEEK_SET);
          byte[] bytes = new byte[count];
          return Arrays.copyOf(bytes, object.read(bytes, 0, count));
        });
  }

  @Override
  public long length(long id) throws SQLException {
    return in(
        id,
        LargeObjectManager.READ,
        object -> {
          object.seek64(0, LargeObject.SEEK_END);
          return object.tell64();
        });
  }
}
