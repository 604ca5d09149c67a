package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Counts elements or members. */
@Command(
    name = "size",
    description =
        "Count the elements of the array, or the members of the object, at a path, without reading"
            + " them.")
final class JsonSizeCommand extends DocumentCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "",
      description = "The array or object. Default: the whole document.")
  DocumentPath path;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row) {
    out()
        .println(
            documents
                .at(row, path)
                .size()
                .orElseThrow(() -> missing(path, "neither an array nor an object")));
    out().flush();
    return ExitCode.OK;
  }
}
