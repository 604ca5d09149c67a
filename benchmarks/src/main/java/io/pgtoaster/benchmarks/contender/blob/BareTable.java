package io.pgtoaster.benchmarks.contender.blob;

import io.pgtoaster.benchmarks.server.Kind;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * COPY to and from a plain table, and one inserted row per append. This is the upper limit: there
 * are no offsets, locks, checks or indexes, and each value has its own table.
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

  /** PostgreSQL puts a short row into any page with free space. */
  @Override
  public boolean ordered() {
    return false;
  }

  @Override
  public BlobSession session() throws SQLException {
    return new Session(database().connect());
  }

  private static final class Session extends CopySession {
    Session(Connection connection) {
      super(connection, false);
    }

    @Override
    public void append(long id, byte[] piece) throws SQLException, IOException {
      if (piece.length > ROW) {
        super.append(id, piece);
        return;
      }
      // The driver caches prepared statements by their text.
      try (PreparedStatement s =
          connection.prepareStatement("INSERT INTO " + table(id) + " VALUES (?)")) {
        s.setBytes(1, piece);
        s.executeUpdate();
      }
    }

    @Override
    String table(long id) {
      return "bare_" + id;
    }

    @Override
    String source(long id) {
      return table(id);
    }
  }
}
