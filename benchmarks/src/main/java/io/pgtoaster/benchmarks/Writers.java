package io.pgtoaster.benchmarks;

import io.pgtoaster.benchmarks.data.Payload;
import io.pgtoaster.blob.BlobAppendStream;
import io.pgtoaster.blob.BlobColumn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Ways to bring a stream into the database, each committed when it returns. */
final class Writers {
  /** Bytes that a program hands to a stream at a time. */
  private static final int HAND = 256 << 10;

  private static final int CHUNK = 8100;
  private static final int ROW_HEADER = 2 + 12 + 12 + 4;

  private final Workbench bench;
  private final Payload payload;
  private final long bytes;

  Writers(Workbench bench, Payload payload, long bytes) {
    this.bench = bench;
    this.payload = payload;
    this.bytes = bytes;
  }

  private InputStream input() {
    return payload.stream(0, bytes);
  }

  void appendOwn(BlobTable table) {
    table.own().append(1L, input());
  }

  void appendInTransaction(BlobTable table) throws SQLException {
    inTransaction("append", connection -> table.on(connection).append(1L, input()));
  }

  void appendStream(BlobTable table) throws IOException {
    BlobColumn column = table.own();
    try (BlobAppendStream out = column.appendStream(1L);
        InputStream in = input()) {
      byte[] buffer = new byte[HAND];
      int count;
      while ((count = in.read(buffer)) > 0) {
        out.write(buffer, 0, count);
      }
    }
  }

  /** Writes a large object; returns its number. */
  long largeObject(int bufferSize) throws SQLException, IOException {
    long oid = bench.largeObject();
    inTransaction(
        "large object",
        connection -> {
          LargeObjectManager manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
          byte[] buffer = new byte[bufferSize];
          try (LargeObject object = manager.open(oid, LargeObjectManager.WRITE);
              InputStream in = input()) {
            int count;
            while ((count = in.readNBytes(buffer, 0, bufferSize)) > 0) {
              object.write(buffer, 0, count);
            }
          }
        });
    return oid;
  }

  /** COPY into the chunk table of a store, so many rows per message. */
  void copy(BlobTable table, int rowsPerMessage) throws SQLException, IOException {
    inTransaction(
        "copy",
        connection -> {
          CopyIn copy =
              connection
                  .unwrap(PGConnection.class)
                  .getCopyAPI()
                  .copyIn(
                      "COPY "
                          + table.part("chunk")
                          + " (blob_id, start, data) FROM STDIN (FORMAT binary)");
          try (InputStream in = input()) {
            copyRows(copy, in, rowsPerMessage);
          }
        });
  }

  private static void copyRows(CopyIn copy, InputStream in, int rowsPerMessage)
      throws SQLException, IOException {
    byte[] signature = {
      'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    };
    copy.writeToCopy(signature, 0, 19);
    byte[] message = new byte[rowsPerMessage * (ROW_HEADER + CHUNK)];
    ByteBuffer buffer = ByteBuffer.wrap(message);
    long start = 0;
    int count = CHUNK;
    while (count == CHUNK) {
      buffer.clear();
      for (int row = 0; row < rowsPerMessage && count == CHUNK; row++) {
        int at = buffer.position();
        count = in.readNBytes(message, at + ROW_HEADER, CHUNK);
        if (count > 0) {
          buffer.putShort((short) 3).putInt(8).putLong(1).putInt(8).putLong(start).putInt(count);
          buffer.position(at + ROW_HEADER + count);
          start += count;
        }
      }
      if (buffer.position() > 0) {
        copy.writeToCopy(message, 0, buffer.position());
      }
    }
    copy.writeToCopy(new byte[] {-1, -1}, 0, 2);
    copy.endCopy();
  }

  /** One parameter with the whole value. */
  void bytea(String table) throws SQLException, IOException {
    inTransaction(
        "bytea",
        connection -> {
          try (PreparedStatement s =
                  connection.prepareStatement(
                      "INSERT INTO " + table + " (id, data) VALUES (1, ?)");
              InputStream in = input()) {
            s.setBytes(1, in.readNBytes(Math.toIntExact(bytes)));
            s.executeUpdate();
          }
        });
  }

  private interface Transaction {
    void run(Connection connection) throws SQLException, IOException;
  }

  private void inTransaction(String contender, Transaction work) throws SQLException {
    Connection connection = bench.connectionOf(contender);
    connection.setAutoCommit(false);
    try {
      work.run(connection);
      connection.commit();
    } catch (IOException e) {
      throw new SQLException("the input failed", e);
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
