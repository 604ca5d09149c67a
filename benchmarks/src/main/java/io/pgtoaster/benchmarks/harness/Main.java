package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.embedded.EmbeddedPostgresException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code benchmarks/run} and its commands. */
@Command(
    name = "benchmarks/run",
    description = "Measures pgtoaster and its peers, and reports the results.",
    mixinStandardHelpOptions = true,
    subcommands = {RunCommand.class, GuardCommand.class, DocsCommand.class})
public final class Main {
  private Main() {}

  /**
   * Runs a command.
   *
   * @param arguments command line
   */
  public static void main(String... arguments) {
    System.exit(execute(arguments));
  }

  static int execute(String... arguments) {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e))
        .execute(arguments);
  }

  /** Prints one line if the user can fix the problem. */
  private static int failed(Exception e) throws Exception {
    if (e instanceof IOException
        || e instanceof SQLException
        || e instanceof EmbeddedPostgresException
        || e instanceof IllegalArgumentException) {
      System.err.println("benchmarks/run: " + words(e));
      return 2;
    }
    throw e;
  }

  /** The message of some file exceptions is only the name of the file. */
  private static @Nullable String words(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "there is no " + e.getMessage();
    }
    if (e instanceof FileAlreadyExistsException) {
      return e.getMessage() + " exists and is not a directory";
    }
    if (e instanceof AccessDeniedException) {
      return "no access to " + e.getMessage();
    }
    return e.getMessage();
  }
}
