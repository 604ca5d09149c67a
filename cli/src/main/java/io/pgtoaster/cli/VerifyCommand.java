package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import java.util.List;
import picocli.CommandLine.Command;

/** Checks what is stored. */
@Command(
    name = "verify",
    description = {
      "Check that what is stored is whole: no gap, no overlap, checksums where the column has them.",
      "Problems are written to standard output, and the exit code is 1 if there are any."
    })
final class VerifyCommand extends EachBlobCommand {
  @Override
  boolean work(BlobColumn blobs, List<String> row, String shownKey) {
    List<String> problems = blobs.verify(row);
    problems.forEach(problem -> out().println(shownKey + ": " + problem));
    return problems.isEmpty();
  }

  @Override
  String summary(int blobs, int withProblems) {
    return blobs(blobs) + " verified, " + withProblems + " with problems";
  }
}
