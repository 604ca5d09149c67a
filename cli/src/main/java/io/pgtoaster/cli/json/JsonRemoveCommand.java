package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes a member or element. */
@Command(
    name = "remove",
    description = {
      "Remove a member of an object or an element of an array.",
      "Whole documents are removed by 'pgtoaster rm'."
    })
final class JsonRemoveCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "PATH", description = "What to remove.")
  DocumentPath path;

  @Option(
      names = {"-f", "--force"},
      description = "Do not fail if there is nothing to remove.")
  boolean force;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row) {
    require(documents.at(row, path).remove() || force, path, "nothing to remove");
    return ExitCode.OK;
  }
}
