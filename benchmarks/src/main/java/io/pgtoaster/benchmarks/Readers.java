package io.pgtoaster.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import java.util.zip.Checksum;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Ways to read a value from its beginning to its end; each returns the CRC32C of what it read. */
final class Readers {
  private static final int BUFFER = 1 << 20;
  private static final int COPY_SIGNATURE = 19;

  private final Workbench bench;

  Readers(Workbench bench) {
    this.bench = bench;
  }

  long own(BlobTable table) throws IOException {
    try (InputStream in = table.own().inputStream(1L)) {
      return checksum(in);
    }
  }

  long onConnection(BlobTable table) throws SQLException, IOException {
    try (InputStream in = table.on(bench.connectionOf("inputStream")).inputStream(1L)) {
      return checksum(in);
    }
  }

  /** Without a copy of its own, as COPY and the large object are read. */
  private static long checksum(InputStream in) throws IOException {
    CheckedOutputStream out =
        new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
    in.transferTo(out);
    return out.getChecksum().getValue();
  }

  private static long checksum(InputStream in, int bufferSize) throws IOException {
    Checksum crc = new CRC32C();
    byte[] buffer = new byte[bufferSize];
    int count;
    while ((count = in.read(buffer)) >= 0) {
      crc.update(buffer, 0, count);
    }
    return crc.getValue();
  }

  long largeObject(long oid, int bufferSize) throws SQLException {
    Connection connection = bench.connectionOf("read large object");
    connection.setAutoCommit(false);
    try (LargeObject object =
        connection
            .unwrap(PGConnection.class)
            .getLargeObjectAPI()
            .open(oid, LargeObjectManager.READ)) {
      Checksum crc = new CRC32C();
      byte[] buffer = new byte[bufferSize];
      int count;
      while ((count = object.read(buffer, 0, bufferSize)) > 0) {
        crc.update(buffer, 0, count);
      }
      return crc.getValue();
    } finally {
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** As a stream, whose buffer is the driver's affair. */
  long largeObjectStream(long oid) throws SQLException, IOException {
    Connection connection = bench.connectionOf("stream large object");
    connection.setAutoCommit(false);
    try (LargeObject object =
            connection
                .unwrap(PGConnection.class)
                .getLargeObjectAPI()
                .open(oid, LargeObjectManager.READ);
        InputStream in = object.getInputStream()) {
      return checksum(in, BUFFER);
    } finally {
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** Reads the chunk table of a store, which has to hold nothing else. */
  long copy(BlobTable table) throws SQLException {
    CopyOut copy =
        bench
            .connectionOf("copy out")
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut(
                "COPY (SELECT data FROM "
                    + table.part("chunk")
                    + " WHERE blob_id = 1 ORDER BY start) TO STDOUT (FORMAT binary)");
    Checksum crc = new CRC32C();
    byte[] message;
    int signature = COPY_SIGNATURE;
    while ((message = copy.readFromCopy()) != null) {
      ByteBuffer buffer = ByteBuffer.wrap(message);
      buffer.position(Math.min(signature, buffer.limit()));
      signature = 0;
      if (buffer.remaining() > 6 && buffer.getShort() == 1) {
        int count = buffer.getInt();
        crc.update(message, buffer.position(), count);
      }
    }
    return crc.getValue();
  }

  long bytea(String table) throws SQLException {
    try (PreparedStatement s =
        bench
            .connectionOf("read bytea")
            .prepareStatement("SELECT data FROM " + table + " WHERE id = 1")) {
      s.unwrap(org.postgresql.PGStatement.class).setPrepareThreshold(-1);
      try (ResultSet r = s.executeQuery()) {
        r.next();
        byte[] bytes = r.getBytes(1);
        Checksum crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
      }
    }
  }
}
