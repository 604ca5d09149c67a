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

/** One way to store large, growing values. Each value has a name. */
interface Contender {
  /** Incompressible filler for values that are appended to. */
  byte[] NOISE = noise();

  private static byte[] noise() {
    byte[] bytes = new byte[1_000_000];
    new Random(20_261_120).nextBytes(bytes);
    return bytes;
  }

  /** Returns the display name. */
  String title();

  /** Stores a new value. */
  void write(String value, InputStream in) throws SQLException, IOException;

  /** Reads a whole value. */
  void read(String value, OutputStream to) throws SQLException, IOException;

  /** Appends one byte in a separate transaction. */
  void appendByte(String value) throws SQLException;

  void remove(String value) throws SQLException;

  /** Stores a new value of repeated {@link #NOISE}. Not measured. */
  default void fill(String value, int times) throws SQLException, IOException {
    List<InputStream> parts =
        IntStream.range(0, times)
            .mapToObj(i -> (InputStream) new ByteArrayInputStream(NOISE))
            .toList();
    write(value, new SequenceInputStream(Collections.enumeration(parts)));
  }

  /** Returns the largest size that {@link #write} can store in reasonable time. */
  default long writeLimit() {
    return Long.MAX_VALUE;
  }

  /** Returns the largest size at which appending one byte takes reasonable time. */
  default long appendLimit() {
    return Long.MAX_VALUE;
  }
}
