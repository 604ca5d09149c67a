package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.ContentOutput;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a document to a file or standard output. */
@Command(
    name = "load",
    description = {
      "Write a whole document, or the value at a path, to a file or standard output, as PostgreSQL"
          + " prints jsonb.",
      "A keyed document may be of any size: it is written while it is read, from one committed"
          + " state."
    },
    footer = {"", "Example:", "  pgtoaster json load config -o settings.json"})
final class JsonLoadCommand extends DocumentCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "",
      description = "Path of the value. Default: the whole document.")
  DocumentPath path;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file, which appears when it is complete.")
  @Nullable Path output;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row)
      throws Exception {
    try (InputStream text =
        documents.at(row, path).stream().orElseThrow(() -> missing(path, "nothing"))) {
      if (output == null) {
        ContentOutput.toStandardOutput(text);
      } else {
        ContentOutput.toFile(text, output, -1, globals().quiet);
      }
    }
    return ExitCode.OK;
  }
}
