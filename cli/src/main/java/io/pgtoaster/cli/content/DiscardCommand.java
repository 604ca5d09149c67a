package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.io.Bytes;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Discards the beginning of a blob. */
@Command(
    name = "discard",
    description =
        "Discard the bytes of a blob before an offset. The offsets of the others do not change.")
public final class DiscardCommand extends KeyCommand {
  @Parameters(
      index = "1",
      paramLabel = "OFFSET",
      description = "Offset of the first byte to keep; at most the length of the blob.")
  Bytes offset;

  @Override
  int run(Database database, BlobColumn blobs, List<String> row) {
    require(blobs, row);
    blobs.discardBefore(row, offset.value());
    return ExitCode.OK;
  }
}
