package io.pgtoaster.cli;

import io.pgtoaster.cli.terminal.ByteSize;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes on the command line.
 *
 * @param value the number
 */
record Bytes(long value) {
  static Bytes parse(String text) {
    try {
      return new Bytes(ByteSize.parse(text));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
