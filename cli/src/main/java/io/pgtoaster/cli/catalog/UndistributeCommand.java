package io.pgtoaster.cli.catalog;

import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** Moves a schema or table back to the Citus coordinator. */
@Command(
    name = "undistribute",
    description = "Move a schema, or a table, back to the coordinator of Citus.")
public final class UndistributeCommand extends DatabaseCommand {
  @ArgGroup(multiplicity = "1")
  Distributed what;

  @Override
  protected int run(Database database) {
    database.pgToaster().catalog().undistribute(what.get());
    globals().say("undistributed " + what);
    return ExitCode.OK;
  }
}
