package io.pgtoaster.cli.demo;

import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.io.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares pgtoaster with PostgreSQL's stock types on a real file. */
@Command(
    name = "demo",
    description = {
      "Stream a real file into a growing blob while a second connection follows it, read it back,"
          + " compare; then do the same work with bytea || and a large object, and append one byte"
          + " to values of up to 1 GB.",
      "Then read and change JSON documents of up to 8 MB by path, and search 300 documents for"
          + " words, in a keyed column and as plain jsonb.",
      "It works in a separate database (with --url: a separate schema), which it removes."
    },
    footer = {"", "Examples:", "  pgtoaster demo", "  pgtoaster demo movie.mkv --max-size 100MB"})
public final class DemoCommand extends DatabaseCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file to append. Default: the running JDK's own classes, about 130 MB.")
  @Nullable Path file;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      defaultValue = "1GB",
      description =
          "Size of the largest value to append one byte to, and of the largest document. Default:"
              + " ${DEFAULT-VALUE}.")
  Bytes maxSize;

  @Override
  protected void checkUsage() throws IOException {
    Path input = input();
    if (!Files.exists(input)) {
      throw new NoSuchFileException(input.toString());
    }
    if (!Files.isRegularFile(input) || !Files.isReadable(input)) {
      throw new Failure(ExitCode.FAILED, input + " is not a readable file");
    }
  }

  @Override
  protected int run(Database database) throws Exception {
    boolean equal = new Demo(database, out(), globals()::say).run(input(), maxSize.value());
    out().flush();
    return equal ? ExitCode.OK : ExitCode.FAILED;
  }

  private Path input() {
    return file == null ? Path.of(System.getProperty("java.home"), "lib", "modules") : file;
  }
}
