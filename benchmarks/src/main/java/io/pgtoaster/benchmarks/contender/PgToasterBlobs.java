package io.pgtoaster.benchmarks.contender;

import io.pgtoaster.PgToaster;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Random;

/** This library's blobs, with plain SQL or the server extension. */
final class PgToasterBlobs extends BlobContender {
  private static final ColumnName COLUMN = ColumnName.of("bench", "blobs", "data");
  private static final int OTHERS = 300;
  private static final int OTHER_BYTES = 2000;

  PgToasterBlobs(String name, String compression) throws SQLException {
    super(Kind.of(name));
    database.run("CREATE TABLE bench.blobs (id bigint PRIMARY KEY, data bigint)");
    Compression form = Compression.valueOf(compression.toUpperCase(Locale.ROOT));
    PgToaster toaster = PgToaster.on(database.connection());
    toaster.catalog().attach(COLUMN, BlobOptions.defaults().withCompression(form));
    addOthers();
    // Store content, so that the store's tables also have more than a page or two.
    byte[] content = new byte[OTHER_BYTES];
    new Random(OTHERS).nextBytes(content);
    for (long id = 1; id <= OTHERS; id++) {
      toaster.blobs(COLUMN).append(-id, content);
    }
  }

  @Override
  public Session session() throws SQLException {
    return new Calls(database.connect());
  }

  private static final class Calls extends Session {
    private final BlobColumn column;

    Calls(Connection connection) {
      super(connection);
      this.column = PgToaster.on(connection).blobs(COLUMN);
    }

    @Override
    public void append(long id, byte[] piece) {
      column.append(id, piece);
    }

    @Override
    public void write(long id, InputStream in, long bytes) {
      column.append(id, in);
    }

    @Override
    public long read(long id) throws IOException {
      try (InputStream in = column.inputStream(id)) {
        return Payload.checksum(in);
      }
    }

    @Override
    public byte[] range(long id, long offset, int count) {
      return column.read(id, offset, count);
    }

    @Override
    public long length(long id) {
      return column.length(id);
    }
  }
}
