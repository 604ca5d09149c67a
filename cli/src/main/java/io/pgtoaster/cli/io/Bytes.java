package io.pgtoaster.cli.io;

import io.pgtoaster.cli.terminal.ByteSize;
import picocli.CommandLine.TypeConversionException;

/**
 * A number of bytes on the command line.
 *
 * @param value the number
 */
public record Bytes(long value) {
  public static Bytes parse(String text) {
    try {
      return new Bytes(ByteSize.parse(text));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
