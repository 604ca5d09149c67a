package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.Contents;
import java.util.List;
import picocli.CommandLine.Command;

/** Rewrites stored content compactly, with the column's current options. */
@Command(
    name = "compact",
    description = {
      "Blobs: merge the small chunks of small appends into large ones, in short transactions;"
          + " readers and appenders can continue.",
      "Documents: store each one again with the current options of its column, in a separate transaction;"
          + " after attach this splits the existing documents.",
      "If one fails, the error is written to standard output, the others are processed, and the"
          + " exit code is 1."
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
