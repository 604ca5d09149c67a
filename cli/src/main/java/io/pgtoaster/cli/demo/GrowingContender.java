package io.pgtoaster.cli.demo;

import java.io.IOException;
import java.sql.SQLException;

/** A way to keep values to which something can be appended. */
interface GrowingContender extends Contender {
  /** Appends one byte in a transaction of its own. */
  void appendByte(String value) throws SQLException;

  /** Stores a value of a given size for appends to it; how is not measured. */
  default void fill(String value, long size) throws SQLException, IOException {
    write(value, new GeneratedInput(size));
  }

  /** The biggest value to which one byte is appended within reason. */
  default long appendLimit() {
    return Long.MAX_VALUE;
  }
}
