package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import java.util.List;
import picocli.CommandLine.Command;

/** Merges small chunks. */
@Command(
    name = "compact",
    description = {
      "Merge the small chunks that small appends left into big ones, in short transactions.",
      "Readers and appenders go on meanwhile."
    })
final class CompactCommand extends EachBlobCommand {
  private long merged;

  @Override
  boolean work(BlobColumn blobs, List<String> row, String shownKey) {
    merged += blobs.compact(row);
    return true;
  }

  @Override
  String summary(int blobs, int withProblems) {
    return blobs(blobs) + " compacted, " + merged + " small chunks merged";
  }
}
