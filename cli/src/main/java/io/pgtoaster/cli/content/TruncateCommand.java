package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.Bytes;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Truncates a blob. */
@Command(
    name = "truncate",
    description = "Truncate a blob to a length. Readers that have it open fail with a clear error.")
public final class TruncateCommand extends KeyCommand {
  @Parameters(
      index = "1",
      paramLabel = "LENGTH",
      description = "The new length, at most the current one.")
  Bytes length;

  @Override
  int run(Database database, BlobColumn blobs, List<String> row) {
    require(blobs, row);
    blobs.truncate(row, length.value());
    return ExitCode.OK;
  }
}
