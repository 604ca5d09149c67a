package io.pgtoaster.cli.io;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.error.InvalidPathException;
import picocli.CommandLine.TypeConversionException;

/** A path on the command line. */
public final class PathArgument {
  private PathArgument() {}

  public static DocumentPath parse(String text) {
    try {
      return DocumentPath.parse(text);
    } catch (InvalidPathException e) {
      throw new TypeConversionException("\"" + text + "\" is not a path: " + e.getMessage());
    }
  }
}
