package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;

/** Makes a blob final. */
@Command(
    name = "seal",
    description = "Make a blob final: appends are refused from now on, and 'tail -f' ends.")
public final class SealCommand extends KeyCommand {
  @Override
  int run(Database database, BlobColumn blobs, List<String> row) {
    require(blobs, row);
    blobs.seal(row);
    return ExitCode.OK;
  }
}
