package io.pgtoaster.cli.catalog;

import io.pgtoaster.Catalog;
import io.pgtoaster.DistributionStep;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.TextTable;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Moves a schema to one of Citus's nodes, or spreads the rows of a table over all of them. */
@Command(
    name = "distribute",
    description =
        "Make Citus keep a schema, with its tables and the stores of their columns, on one of its"
            + " nodes; or spread the rows of a table over its nodes, and their content with them.")
public final class DistributeCommand extends DatabaseCommand {
  @ArgGroup(multiplicity = "1")
  Distributed what;

  @Option(
      names = "--dry-run",
      description = "Only list the tables, their sizes, and those that cannot be moved.")
  boolean dryRun;

  @Override
  protected int run(Database database) {
    Catalog catalog = database.pgToaster().catalog();
    if (!dryRun) {
      catalog.distribute(what.get());
      globals().say("distributed " + what);
      return ExitCode.OK;
    }
    List<DistributionStep> plan = catalog.distributionPlan(what.get());
    TextTable table = new TextTable("llrl");
    table.row("TABLE", "COLUMN", "BYTES", "REFUSED");
    for (DistributionStep step : plan) {
      table.row(
          PrintableText.of(step.table()),
          step.column() == null ? "" : PrintableText.of(step.column()),
          ByteSize.format(step.bytes()),
          step.refused() == null ? "" : PrintableText.of(step.refused()));
    }
    out().print(table);
    out().flush();
    return plan.stream().allMatch(step -> step.refused() == null) ? ExitCode.OK : ExitCode.REFUSED;
  }
}
