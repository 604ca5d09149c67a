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

  /** The most that write takes within reason. */
  default long writeLimit() {
    return Long.MAX_VALUE;
  }

  void remove(String value) throws SQLException;

  @Override
  void close() throws SQLException;
}
