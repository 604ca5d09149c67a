package io.pgtoaster.benchmarks.contender;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Reads and writes values through one connection. Each call is a transaction that is committed when
 * it returns.
 */
public abstract class BlobSession implements AutoCloseable {
  final Connection connection;

  BlobSession(Connection connection) {
    this.connection = connection;
  }

  /** Adds bytes at the end. */
  public abstract void append(long id, byte[] piece) throws SQLException, IOException;

  /** Writes a stream into an empty value. */
  public abstract void write(long id, InputStream in, long bytes) throws SQLException, IOException;

  /** Reads a whole value and returns its CRC32C. */
  public abstract long read(long id) throws SQLException, IOException;

  public abstract byte[] range(long id, long offset, int count) throws SQLException;

  /** Returns the stored length of a value. */
  public abstract long length(long id) throws SQLException;

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
