package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.sql.SQLException;

/** One way to keep big values that grow. A value has a name. */
interface Contender extends AutoCloseable {
  /** Takes what is read. */
  @FunctionalInterface
  interface Sink {
    void accept(byte[] buffer, int from, int count);
  }

  /** Name in the JSON. */
  String name();

  /** Name for people. */
  String title();

  /** Stores a new value, as fast as this way allows with bounded memory. */
  void write(String value, InputStream in) throws SQLException, IOException;

  /** Reads a whole value. */
  void read(String value, Sink sink) throws SQLException, IOException;

  /** Appends one byte in a transaction of its own. */
  void appendByte(String value) throws SQLException;

  /** Stores a value of a given size for appends to it; how is not measured. */
  default void fill(String value, long size) throws SQLException, IOException {
    write(value, new GeneratedInput(size));
  }

  /** The most that write takes within reason. */
  default long writeLimit() {
    return Long.MAX_VALUE;
  }

  /** The biggest value to which one byte is appended within reason; 0 if it cannot be done. */
  default long appendLimit() {
    return Long.MAX_VALUE;
  }

  void remove(String value) throws SQLException;

  @Override
  void close() throws SQLException;
}
