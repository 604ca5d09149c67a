package io.pgtoaster.cli.io;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file named on the command line. */
public final class InputFile {
  private InputFile() {}

  public static void requireReadable(String file) throws IOException {
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      throw new NoSuchFileException(file);
    }
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      throw new Failure(ExitCode.FAILED, file + " is not a readable file");
    }
  }
}
