package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import java.math.BigDecimal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Adds to a number. */
@Command(
    name = "increment",
    description =
        "Add to the number at a path, exactly, and write the new number. A number that is missing from"
            + " an object counts as 0.")
final class JsonIncrementCommand extends DocumentCommand {
  @Parameters(index = "1", paramLabel = "PATH", description = "The number.")
  DocumentPath path;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "DELTA",
      defaultValue = "1",
      description = "What to add; may be negative. Default: ${DEFAULT-VALUE}.")
  BigDecimal delta;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row) {
    out().println(documents.at(row, path).increment(delta).toPlainString());
    out().flush();
    return ExitCode.OK;
  }
}
