package io.pgtoaster.cli.catalog;

import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes a schema back to the coordinator of Citus. */
@Command(name = "undistribute", description = "Take a schema back to the coordinator of Citus.")
public final class UndistributeCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "SCHEMA", description = "The exact name.")
  String schema;

  @Override
  protected int run(Database database) {
    database.pgToaster().catalog().undistribute(schema);
    globals().say("undistributed " + schema);
    return ExitCode.OK;
  }
}
