package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.cli.command.ColumnCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import java.util.List;
import picocli.CommandLine.Parameters;

/** A command that works on one blob. */
abstract class KeyCommand extends ColumnCommand {
  @Parameters(index = "0", paramLabel = "KEY", description = "The row's key.")
  String key;

  @Override
  protected final int run(Database database, BlobColumn blobs) throws Exception {
    return run(database, blobs, key(blobs, key));
  }

  abstract int run(Database database, BlobColumn blobs, List<String> row) throws Exception;

  /** Returns the properties of the blob, which must exist. */
  final BlobInfo require(BlobColumn blobs, List<String> row) {
    return blobs
        .info(row)
        .orElseThrow(() -> new Failure(ExitCode.NOT_FOUND, "the row " + key + " has no content"));
  }
}
