package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.Contents;
import java.util.List;
import picocli.CommandLine.Command;

/** Rewrites stored content into its best form. */
@Command(
    name = "compact",
    description = {
      "Of blobs: merge the small chunks that small appends left into big ones, in short"
          + " transactions; readers and appenders go on meanwhile.",
      "Of documents: store each as the options of its column say now, in a transaction of its own;"
          + " after attach it splits the documents that were there before.",
      "What one of them meets is written to standard output, the others are done, and the exit code"
          + " is 1."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster compact app.log",
      "  pgtoaster compact -t person -c doc"
    })
public final class CompactCommand extends EachContentCommand {
  private long rows;

  @Override
  boolean work(Contents contents, List<String> row, String shownKey) {
    rows += contents.compact(row);
    return true;
  }

  @Override
  String summary(Contents contents, int visited, int withProblems) {
    return contents.count(visited - withProblems)
        + " compacted, "
        + contents.compacted(rows)
        + (withProblems == 0 ? "" : ", " + withProblems + " with problems");
  }
}
