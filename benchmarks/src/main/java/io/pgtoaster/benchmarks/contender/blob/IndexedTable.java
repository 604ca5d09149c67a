package io.pgtoaster.benchmarks.contender.blob;

import io.pgtoaster.benchmarks.server.Kind;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * COPY into one table for all values, with the same key and index as this library's chunks. A
 * program can do this itself if it writes each value once and knows its number. It keeps no length
 * and locks nothing.
 */
final class IndexedTable extends BlobContender {
  IndexedTable() throws SQLException {
    super(Kind.PLAIN);
    database()
        .run(
            """
            CREATE TABLE bench.chunks (blob_id bigint, start bigint, data bytea NOT NULL,
              PRIMARY KEY (blob_id, start)) WITH (toast_tuple_target = 8160)
            """);
    database().run("ALTER TABLE bench.chunks ALTER COLUMN data SET STORAGE EXTERNAL");
  }

  /** An empty value has no row. */
  @Override
  void add(int first, int last) {}

  @Override
  public BlobSession session() throws SQLException {
    return new Session(database().connect());
  }

  private static final class Session extends CopySession {
    Session(Connection connection) {
      super(connection, true);
    }

    @Override
    String table(long id) {
      return "chunks";
    }

    @Override
    String source(long id) {
      return "(SELECT data FROM chunks WHERE blob_id = " + id + " ORDER BY start)";
    }
  }
}
