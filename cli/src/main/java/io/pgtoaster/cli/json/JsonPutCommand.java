package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.CountingInput;
import io.pgtoaster.cli.io.InputFile;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.Progress;
import io.pgtoaster.cli.terminal.Terminal;
import io.pgtoaster.column.PutResult;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores a whole document. */
@Command(
    name = "put",
    description = {
      "Store a whole document from a file or standard input, in one transaction.",
      "In a keyed column it is stored while it is read, whatever its size, and equal stored rows of"
          + " the previous document are kept."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster json put config settings.json",
      "  curl -s https://example.com/feed.json | pgtoaster json put feed"
    })
final class JsonPutCommand extends DocumentCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      defaultValue = "-",
      description = "The file, JSON in UTF-8; - (the default) is standard input.")
  String file;

  @Option(
      names = "--create",
      description =
          "Add a row with only this key if it is missing (always done for the default table).")
  boolean create;

  @Override
  protected void checkUsage() throws IOException {
    if (!file.equals("-")) {
      InputFile.requireReadable(file);
    }
  }

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    addRow(create, database, documents, row);
    boolean standard = file.equals("-");
    if (standard && Terminal.isTerminal(0)) {
      globals().say("reading standard input; Ctrl-D ends it");
    }
    long total = standard || !Files.isRegularFile(Path.of(file)) ? -1 : Files.size(Path.of(file));
    boolean quiet = globals().quiet || (standard && Terminal.isTerminal(0));
    long began = System.nanoTime();
    PutResult result;
    long bytes;
    try (InputStream in =
            standard ? Terminal.standardInput() : Files.newInputStream(Path.of(file));
        Progress progress = Progress.start("put", total, quiet);
        CountingInput counted = new CountingInput(progress.counting(in))) {
      result = documents.putJson(row, counted);
      bytes = counted.count();
    }
    globals().say(summary(result, bytes, System.nanoTime() - began));
    return ExitCode.OK;
  }

  private static String summary(PutResult result, long bytes, long nanos) {
    String rate = bytes < 1_000_000 ? "" : " (" + ByteSize.rate(bytes, nanos) + ")";
    String others =
        result.kept() + result.removed() == 0
            ? ""
            : ", " + result.kept() + " kept, " + result.removed() + " removed";
    return "put "
        + ByteSize.format(bytes)
        + rate
        + ": "
        + result.written()
        + (result.written() == 1 ? " row" : " rows")
        + " written"
        + others;
  }
}
