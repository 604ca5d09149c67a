package io.pgtoaster.benchmarks;

import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.AppendToken;
import io.pgtoaster.blob.BlobColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Ways to append a few bytes; each append is committed. */
@FunctionalInterface
interface Appender {
  void append(byte[] bytes) throws SQLException;

  static Appender pgtoaster(BlobColumn column) {
    return bytes -> column.append(1L, bytes);
  }

  static Appender pgtoasterWithToken(BlobColumn column) {
    UUID writer = new UUID(0x5eedL << 16, 0x5eed);
    long[] sequence = {0};
    return bytes ->
        column.append(
            1L, bytes, AppendOptions.defaults().token(new AppendToken(writer, ++sequence[0])));
  }

  /**
   * Opens, seeks to the end, writes and closes: what an application does that appends now and then.
   */
  static Appender largeObject(Connection connection, long oid) {
    return bytes -> {
      connection.setAutoCommit(false);
      LargeObjectManager manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
      try (LargeObject object = manager.open(oid, LargeObjectManager.READWRITE)) {
        object.seek64(0, LargeObject.SEEK_END);
        object.write(bytes);
      }
      connection.commit();
      connection.setAutoCommit(true);
    };
  }

  /** One statement, by somebody who knows the length. */
  static Appender loPut(Connection connection, long oid, long length) throws SQLException {
    PreparedStatement s = connection.prepareStatement("SELECT lo_put(?, ?, ?)");
    long[] end = {length};
    return bytes -> {
      s.setLong(1, oid);
      s.setLong(2, end[0]);
      s.setBytes(3, bytes);
      s.execute();
      end[0] += bytes.length;
    };
  }

  static Appender bytea(Connection connection, String table) throws SQLException {
    PreparedStatement s =
        connection.prepareStatement("UPDATE " + table + " SET data = data || ? WHERE id = 1");
    return bytes -> {
      s.setBytes(1, bytes);
      s.executeUpdate();
    };
  }
}
