package io.pgtoaster.cli.catalog;

import io.pgtoaster.Catalog;
import io.pgtoaster.DetachOptions;
import io.pgtoaster.PgToaster;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.Diagnosis;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.error.DatabaseException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Detaches a column from its toaster. */
@Command(
    name = "detach",
    description =
        "Detach a column and drop its store; the column stays. Refused while a row has content.")
public final class DetachCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "Name as written in SQL.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "Name as written in SQL.")
  String column;

  @Option(names = "--drop-content", description = "Also remove the content of all rows.")
  boolean dropContent;

  @Option(names = "--if-attached", description = "Do nothing if it is not attached.")
  boolean ifAttached;

  @Override
  protected int run(Database database) {
    ColumnName name = QualifiedName.column(table, column);
    DetachOptions options = DetachOptions.defaults().withDropContent(dropContent);
    Catalog catalog = PgToaster.create(database.dataSource()).catalog();
    boolean detached = true;
    try {
      if (ifAttached) {
        detached = catalog.detachIfAttached(name, options);
      } else {
        catalog.detach(name, options);
      }
    } catch (DatabaseException e) {
      throw withOptionNames(e);
    }
    globals().say((detached ? "detached " : "not attached: ") + name);
    return ExitCode.OK;
  }

  /**
   * Rewords the server's hint, because it names a function's parameter instead of this command's
   * option.
   */
  private static Failure withOptionNames(DatabaseException e) {
    Diagnosis told = Diagnosis.of(e);
    return new Failure(
        told.exitCode(),
        told.message().replace("detach with drop_content", "detach with --drop-content"),
        e);
  }
}
