package io.pgtoaster.cli.io;

import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.terminal.Terminal;
import io.pgtoaster.error.InvalidJsonException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** A value on the command line: JSON text, {@code @file}, or {@code -} for standard input. */
public final class JsonInput {
  private JsonInput() {}

  public static JsonNode read(String argument) throws IOException {
    if (argument.equals("-")) {
      return read("standard input", Terminal.standardInput());
    }
    if (argument.startsWith("@")) {
      String file = argument.substring(1);
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        return read(file, in);
      }
    }
    try {
      return io.pgtoaster.internal.json.Json.readTree(argument);
    } catch (InvalidJsonException e) {
      String string = argument.matches("\\w[\\w -]*") ? argument : "text";
      throw new Failure(
          ExitCode.USAGE,
          "the value is not valid: "
              + e.getMessage()
              + "\nwrite a string with its double quotes, as in '\""
              + string
              + "\"'",
          e);
    }
  }

  private static JsonNode read(String name, InputStream in) {
    try {
      return io.pgtoaster.internal.json.Json.readTree(in);
    } catch (InvalidJsonException e) {
      throw new Failure(ExitCode.FAILED, name + " cannot be used: " + e.getMessage(), e);
    }
  }
}
