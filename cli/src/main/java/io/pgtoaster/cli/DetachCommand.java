package io.pgtoaster.cli;

import io.pgtoaster.PgToaster;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.QualifiedName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a column from its toaster. */
@Command(
    name = "detach",
    description =
        "Detach a column and drop its store; the column stays. Refused while a row has content.")
final class DetachCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "As SQL writes it.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "As SQL writes it.")
  String column;

  @Option(names = "--drop-content", description = "Remove the content of all rows with it.")
  boolean dropContent;

  @Override
  int run(Database database) {
    QualifiedName name = QualifiedName.table(table);
    PgToaster.create(database.dataSource())
        .catalog()
        .detach(name.schema(), name.name(), QualifiedName.column(column), dropContent);
    globals().say("detached " + name + "." + column);
    return ExitCode.OK;
  }
}
