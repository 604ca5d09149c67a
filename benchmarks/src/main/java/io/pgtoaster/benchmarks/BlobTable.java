package io.pgtoaster.benchmarks;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A table of the workbench with an attached column {@code data}.
 *
 * @param bench where it is
 * @param name of the table
 * @param store number of its store
 */
record BlobTable(Workbench bench, String name, int store) {
  private static final List<String> PARTS = List.of("head", "chunk", "piece", "token", "garbage");

  /** The column by connections of the pool. */
  BlobColumn own() {
    return PgToaster.create(bench.pool()).blobs("bench", name, "data");
  }

  /** The column on a connection. */
  BlobColumn on(Connection connection) {
    return PgToaster.on(connection).blobs("bench", name, "data");
  }

  String part(String part) {
    return "pgtoaster.store_" + store + "_" + part;
  }

  /** Bytes of the store on disk, indexes included. */
  long diskBytes() throws SQLException {
    long sum = 0;
    for (String part : PARTS) {
      sum += bench.number("SELECT pg_total_relation_size('" + part(part) + "')");
    }
    return sum;
  }

  void vacuum() throws SQLException {
    for (String part : PARTS) {
      bench.execute("VACUUM ANALYZE " + part(part));
    }
  }

  BlobTable filled(InputStream content) {
    own().append(1L, content);
    return this;
  }
}
