package io.pgtoaster.cli.demo;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** One way to keep big values that grow. A value has a name. */
interface Contender {
  /** What values for appends are filled with, again and again; it does not compress. */
  byte[] NOISE = noise();

  private static byte[] noise() {
    byte[] bytes = new byte[1_000_000];
    new Random(20_261_120).nextBytes(bytes);
    return bytes;
  }

  /** Name for people. */
  String title();

  /** Stores a new value. */
  void write(String value, InputStream in) throws SQLException, IOException;

  /** Reads a whole value. */
  void read(String value, OutputStream to) throws SQLException, IOException;

  /** Appends one byte in a transaction of its own. */
  void appendByte(String value) throws SQLException;

  void remove(String value) throws SQLException;

  /** Stores a new value of so many {@link #NOISE}; how is not measured. */
  default void fill(String value, int times) throws SQLException, IOException {
    List<InputStream> parts =
        IntStream.range(0, times)
            .mapToObj(i -> (InputStream) new ByteArrayInputStream(NOISE))
            .toList();
    write(value, new SequenceInputStream(Collections.enumeration(parts)));
  }

  /** The most that {@link #write} takes within reason. */
  default long writeLimit() {
    return Long.MAX_VALUE;
  }

  /** The biggest value to which one byte is appended within reason. */
  default long appendLimit() {
    return Long.MAX_VALUE;
  }
}
