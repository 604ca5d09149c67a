package io.pgtoaster.cli;

import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobInfo;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.error.RowNotFoundException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the blobs of a column. */
@Command(
    name = "ls",
    description = "List the blobs of a column: length, s if sealed, key.",
    footer = {
      "",
      "Examples:",
      "  pgtoaster ls -H",
      "  pgtoaster ls --keys -0 | xargs -0 -n 1 pgtoaster verify"
    })
final class LsCommand extends ColumnCommand {
  @Option(
      names = {"-H", "--human"},
      description = "Lengths in kB, MB, GB.")
  boolean human;

  @Option(
      names = {"-k", "--keys"},
      description = "Keys only.")
  boolean keysOnly;

  @Option(
      names = {"-0", "--null"},
      description = "End each entry with a zero byte, and write keys as they are.")
  boolean nullEnds;

  @Override
  int run(Database database, BlobColumn blobs) {
    PrintWriter out = out();
    forEach(
        blobs,
        key -> {
          String name = KeyText.format(key);
          String shown = nullEnds ? name : PrintableText.of(name);
          if (keysOnly) {
            end(out, shown);
          } else {
            info(blobs, key).ifPresent(info -> end(out, line(info, shown)));
          }
        });
    out.flush();
    return ExitCode.OK;
  }

  private void end(PrintWriter out, String entry) {
    out.print(entry);
    out.print(nullEnds ? "\0" : System.lineSeparator());
  }

  private String line(BlobInfo info, String key) {
    String length = human ? ByteSize.format(info.length()) : Long.toString(info.length());
    return " ".repeat(Math.max(0, 14 - length.length()))
        + length
        + (info.sealed() ? " s " : "   ")
        + key;
  }

  /** A row may go while the list is made. */
  private static Optional<BlobInfo> info(BlobColumn blobs, List<String> key) {
    try {
      return blobs.info(key);
    } catch (RowNotFoundException e) {
      return Optional.empty();
    }
  }
}
