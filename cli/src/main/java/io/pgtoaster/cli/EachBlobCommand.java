package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.cli.terminal.PrintableText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A command that works on one blob or on all of a column. */
abstract class EachBlobCommand extends ColumnCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "KEY",
      description = "The row's key; without it, every blob of the column.")
  @Nullable String key;

  private int blobCount;
  private int failures;

  @Override
  int run(Database database, BlobColumn blobs) {
    if (key != null) {
      visit(blobs, key(blobs, key));
    } else {
      forEach(blobs, row -> visit(blobs, row));
    }
    globals().say(summary(blobCount, failures));
    return failures == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private void visit(BlobColumn blobs, List<String> row) {
    blobCount++;
    if (!work(blobs, row, PrintableText.of(KeyText.format(row)))) {
      failures++;
    }
    out().flush();
  }

  /** Returns false if the blob has a problem, which it has told. */
  abstract boolean work(BlobColumn blobs, List<String> row, String shownKey);

  abstract String summary(int blobs, int withProblems);

  static String blobs(int count) {
    return count + (count == 1 ? " blob" : " blobs");
  }
}
