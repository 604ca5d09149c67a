package io.pgtoaster.benchmarks.contender.blob;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One connection's way to values of bytes. Each call is a transaction, committed when it returns.
 */
public abstract class BlobSession implements AutoCloseable {
  final Connection connection;

  BlobSession(Connection connection) {
    this.connection = connection;
  }

  /** Adds bytes at the end. */
  public abstract void append(long id, byte[] piece) throws SQLException, IOException;

  /** Writes an empty value as a stream. */
  public abstract void write(long id, InputStream in, long bytes) throws SQLException, IOException;

  /** Reads a value from its beginning to its end, and returns the CRC32C of what it read. */
  public abstract long read(long id) throws SQLException, IOException;

  /** Reads a range. */
  public abstract byte[] range(long id, long offset, int count) throws SQLException;

  /** The length of a value, as it is stored. */
  public abstract long length(long id) throws SQLException;

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
