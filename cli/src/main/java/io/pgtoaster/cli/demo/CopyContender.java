package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/** Raw COPY BINARY in one transaction, into a table of pgtoaster's shape: no lock, no length. */
final class CopyContender implements Contender {
  private static final int CHUNK = 8100;
  private static final int ROWS = 16;

  /**
   * Number of fields, then each with its length before it: two bigint and the length of a bytea.
   */
  private static final int ROW_HEAD = 2 + 12 + 12 + 4;

  private static final byte[] SIGNATURE = {
    'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
  };
  private static final byte[] TRAILER = {-1, -1};

  private final String table;
  private final Connection connection;
  private final CopyManager copy;

  CopyContender(Workspace workspace) throws SQLException {
    this.table = workspace.table("copy");
    workspace.execute(
        "CREATE TABLE "
            + table
            + " (blob_id bigint, start bigint, data bytea, PRIMARY KEY (blob_id, start))"
            + " WITH (toast_tuple_target = 8160)");
    workspace.execute("ALTER TABLE " + table + " ALTER COLUMN data SET STORAGE EXTERNAL");
    this.connection = workspace.connect();
    this.copy = connection.unwrap(PGConnection.class).getCopyAPI();
  }

  @Override
  public String name() {
    return "copy";
  }

  @Override
  public String title() {
    return "COPY BINARY";
  }

  private static long id(String value) {
    return value.hashCode() & 0xffffffffL;
  }

  @Override
  public void write(String value, InputStream in) throws SQLException, IOException {
    CopyIn to = copy.copyIn("COPY " + table + " FROM STDIN (FORMAT binary)");
    to.writeToCopy(SIGNATURE, 0, SIGNATURE.length);
    ByteBuffer rows = ByteBuffer.allocate(ROWS * (ROW_HEAD + CHUNK));
    long start = 0;
    int n;
    do {
      rows.clear();
      n = CHUNK;
      for (int i = 0; i < ROWS && n == CHUNK; i++) {
        int head = rows.position();
        n = in.readNBytes(rows.array(), head + ROW_HEAD, CHUNK);
        if (n > 0) {
          rows.putShort((short) 3).putInt(8).putLong(id(value)).putInt(8).putLong(start).putInt(n);
          rows.position(head + ROW_HEAD + n);
          start += n;
        }
      }
      to.writeToCopy(rows.array(), 0, rows.position());
    } while (n == CHUNK);
    to.writeToCopy(TRAILER, 0, TRAILER.length);
    to.endCopy();
  }

  @Override
  public void read(String value, Sink sink) throws SQLException {
    CopyOut from =
        copy.copyOut(
            "COPY (SELECT data FROM "
                + table
                + " WHERE blob_id = "
                + id(value)
                + " ORDER BY start) TO STDOUT (FORMAT binary)");
    boolean first = true;
    for (byte[] row = from.readFromCopy(); row != null; row = from.readFromCopy()) {
      int at = first ? SIGNATURE.length : 0;
      first = false;
      if (row.length - at > TRAILER.length) {
        sink.accept(row, at + 6, ByteBuffer.wrap(row).getInt(at + 2));
      }
    }
  }

  @Override
  public void remove(String value) throws SQLException {
    try (Statement s = connection.createStatement()) {
      s.execute("DELETE FROM " + table + " WHERE blob_id = " + id(value));
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
