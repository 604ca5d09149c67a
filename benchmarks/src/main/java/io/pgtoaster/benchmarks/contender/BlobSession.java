package io.pgtoaster.benchmarks.contender;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * One connection's way to values of bytes. Each call is a transaction, committed when it returns.
 */
public interface BlobSession extends AutoCloseable {
  /** The connection. */
  Connection connection();

  /** Adds bytes at the end. */
  void append(long id, byte[] piece) throws SQLException, IOException;

  /** Writes an empty value as a stream. */
  void write(long id, InputStream in, long bytes) throws SQLException, IOException;

  /** Reads a value from its beginning to its end, and returns the CRC32C of what it read. */
  long read(long id) throws SQLException, IOException;

  /** Reads a range. */
  byte[] range(long id, long offset, int count) throws SQLException;

  /** The length of a value, as it is stored. */
  long length(long id) throws SQLException;

  @Override
  void close() throws SQLException;
}
