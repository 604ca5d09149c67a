package io.pgtoaster.cli;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import picocli.CommandLine.Command;

/** Shows it. */
@Command(name = "demo", description = "Stream a real file in and out, beside stock ways.")
final class DemoCommand extends DatabaseCommand {
  @Override
  int run(Database database) {
    return ExitCode.OK;
  }
}
