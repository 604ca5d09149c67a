package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes the content of rows. */
@Command(
    name = "rm",
    description = {
      "Remove blobs. The rows stay, with a column that is NULL; in the default table of the"
          + " embedded server they go too."
    })
final class RmCommand extends ColumnCommand {
  @Parameters(arity = "1..*", paramLabel = "KEY", description = "The rows' keys.")
  List<String> keys;

  @Option(
      names = {"-f", "--force"},
      description = "It is no error if there is nothing to remove.")
  boolean force;

  @Override
  int run(Database database, BlobColumn blobs) throws Exception {
    for (String key : keys) {
      List<String> row = key(blobs, key);
      boolean removed = remove(blobs, row);
      if (place.isDefault(database)) {
        DefaultTable.removeEmptyRow(database, row.get(0));
      }
      if (!removed && !force) {
        throw new Failure(ExitCode.NOT_FOUND, "the row " + key + " has no content");
      }
    }
    return ExitCode.OK;
  }

  private boolean remove(BlobColumn blobs, List<String> row) {
    try {
      return blobs.delete(row);
    } catch (io.pgtoaster.error.RowNotFoundException e) {
      if (force) {
        return false;
      }
      throw e;
    }
  }
}
