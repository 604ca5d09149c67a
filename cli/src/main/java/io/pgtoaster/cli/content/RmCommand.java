package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.command.ColumnOptions;
import io.pgtoaster.cli.command.Contents;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.command.DefaultTable;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.error.RowNotFoundException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes the content of rows. */
@Command(
    name = "rm",
    description = {
      "Remove blobs or documents. The rows stay, with NULL in the column; in the default tables"
          + " of the embedded server they are removed, too."
    })
public final class RmCommand extends DatabaseCommand {
  @Mixin ColumnOptions options;

  @Parameters(arity = "1..*", paramLabel = "KEY", description = "The rows' keys.")
  List<String> keys;

  @Option(
      names = {"-f", "--force"},
      description = "Do not fail if there is nothing to remove.")
  boolean force;

  @Override
  protected int run(Database database) throws Exception {
    Contents contents = Contents.of(database, options.target());
    @Nullable DefaultTable own = options.target().asDefault(database);
    for (String key : keys) {
      List<String> row = ColumnCommand.key(contents.column(), key);
      boolean removed = remove(contents, row);
      if (own != null) {
        own.removeEmptyRow(database, row.get(0));
      }
      if (!removed && !force) {
        throw new Failure(ExitCode.NOT_FOUND, "the row " + key + " has no content");
      }
    }
    return ExitCode.OK;
  }

  private boolean remove(Contents contents, List<String> row) {
    try {
      return contents.remove(row);
    } catch (RowNotFoundException e) {
      if (force) {
        return false;
      }
      throw e;
    }
  }
}
