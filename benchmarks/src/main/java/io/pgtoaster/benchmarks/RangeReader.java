package io.pgtoaster.benchmarks;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Ways to read 4 KB anywhere in a value. Each is opened once and closed at the end. */
interface RangeReader extends AutoCloseable {
  int SIZE = 4096;

  byte[] read(long offset) throws SQLException;

  @Override
  default void close() throws SQLException {}

  static RangeReader open(BlobReader reader) {
    byte[] buffer = new byte[SIZE];
    return new RangeReader() {
      @Override
      public byte[] read(long offset) {
        if (reader.read(offset, buffer, 0, SIZE) != SIZE) {
          throw new IllegalStateException("too few bytes at " + offset);
        }
        return buffer;
      }

      @Override
      public void close() {
        reader.close();
      }
    };
  }

  static RangeReader byKey(BlobColumn column) {
    return offset -> column.read(1L, offset, SIZE);
  }

  static RangeReader loGet(Connection connection, long oid) throws SQLException {
    return new Prepared(connection, "SELECT lo_get(?, ?, " + SIZE + ")", oid);
  }

  /** The large object's number in a row, as an application has it. */
  static RangeReader loGetByKey(Connection connection, String table) throws SQLException {
    return new Prepared(
        connection,
        "SELECT lo_get(o.data::oid, p.at, "
            + SIZE
            + ") FROM "
            + table
            + " o, (SELECT CAST(? AS bigint) AS id, CAST(? AS bigint) AS at) p WHERE o.id = p.id",
        1);
  }

  static RangeReader largeObject(Connection connection, long oid) throws SQLException {
    connection.setAutoCommit(false);
    LargeObject object =
        connection
            .unwrap(PGConnection.class)
            .getLargeObjectAPI()
            .open(oid, LargeObjectManager.READ);
    return new RangeReader() {
      @Override
      public byte[] read(long offset) throws SQLException {
        object.seek64(offset, LargeObject.SEEK_SET);
        return object.read(SIZE);
      }

      @Override
      public void close() throws SQLException {
        object.close();
        connection.commit();
        connection.setAutoCommit(true);
      }
    };
  }

  /** A statement with a number and an offset. */
  final class Prepared implements RangeReader {
    private final PreparedStatement statement;

    private Prepared(Connection connection, String sql, long number) throws SQLException {
      statement = connection.prepareStatement(sql);
      statement.unwrap(PGStatement.class).setPrepareThreshold(-1);
      statement.setLong(1, number);
    }

    @Override
    public byte[] read(long offset) throws SQLException {
      statement.setLong(2, offset);
      try (ResultSet r = statement.executeQuery()) {
        r.next();
        return r.getBytes(1);
      }
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
