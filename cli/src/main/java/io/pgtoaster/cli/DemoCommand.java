package io.pgtoaster.cli;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.demo.Demo;
import io.pgtoaster.cli.demo.DemoOptions;
import io.pgtoaster.cli.demo.DemoResult;
import io.pgtoaster.cli.demo.DemoText;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.report.HtmlReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows on a real file what pgtoaster does, beside the stock ways. */
@Command(
    name = "demo",
    description = {
      "Stream a real file into a growing blob while a second connection follows it, read it back,"
          + " compare; then do the same work with bytea ||, a large object and COPY, and append one"
          + " byte to values of up to 1 GB.",
      "Then read and change JSON documents of up to 8 MB by path, in a keyed column and as plain"
          + " jsonb.",
      "It works in a database (with --url: a schema) of its own, and leaves nothing behind."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster demo",
      "  pgtoaster demo movie.mkv --rounds 7 --json demo.json --report demo.html"
    })
final class DemoCommand extends DatabaseCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "What to append. Default: the running JDK's own classes, some 130 MB.")
  @Nullable Path file;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each takes its turn. Default: ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      defaultValue = "1GB",
      description =
          "The biggest value to append one byte to, and document. Default: ${DEFAULT-VALUE}.")
  Bytes maxSize;

  @Option(names = "--json", paramLabel = "OUT", description = "Write the figures to this file.")
  @Nullable Path json;

  @Option(
      names = "--report",
      paramLabel = "OUT.html",
      description = "Write a page with charts to this file.")
  @Nullable Path report;

  @Override
  void checkUsage() throws IOException {
    if (rounds < 1 || rounds > 100) {
      throw new ParameterException(spec.commandLine(), "--rounds takes 1 to 100");
    }
    Path input = input();
    if (!Files.exists(input)) {
      throw new NoSuchFileException(input.toString());
    }
    if (!Files.isRegularFile(input) || !Files.isReadable(input)) {
      throw new Failure(ExitCode.FAILED, input + " is not a readable file");
    }
  }

  @Override
  int run(Database database) throws Exception {
    DemoOptions options = new DemoOptions(input(), rounds, maxSize.value());
    DemoResult result = new Demo(database, options, globals()::say).run();
    out().print(new DemoText(result));
    out().flush();
    if (json != null) {
      Files.writeString(json, Json.write(result.toMap()) + "\n");
    }
    if (report != null) {
      Files.writeString(report, new HtmlReport(result).toString());
      globals().say("wrote " + report);
    }
    return result.stream().equal() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Path input() {
    return file == null ? Path.of(System.getProperty("java.home"), "lib", "modules") : file;
  }
}
