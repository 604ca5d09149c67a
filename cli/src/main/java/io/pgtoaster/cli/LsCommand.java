package io.pgtoaster.cli;

import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.error.RowNotFoundException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the blobs of a column. */
@Command(
    name = "ls",
    description = {
      "List the blobs of a column: length, s if sealed, key.",
      "Of a jsonb column, the documents: size of the jsonb uncompressed, s if split, key. That size"
          + " costs reading all of them; --keys does without."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster ls -H",
      "  pgtoaster ls --keys -0 | xargs -0 -n 1 pgtoaster verify",
      "  pgtoaster ls -H -t person -c doc"
    })
final class LsCommand extends DatabaseCommand {
  @Mixin ColumnOptions options;

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
  int run(Database database) throws SQLException {
    Contents contents = Contents.of(database, options.place());
    PrintWriter out = out();
    contents.forEach(
        key -> {
          String name = KeyText.format(key);
          String shown = nullEnds ? name : PrintableText.of(name);
          if (keysOnly) {
            end(out, shown);
          } else {
            entry(contents, key).ifPresent(entry -> end(out, line(entry, shown)));
          }
        });
    out.flush();
    return ExitCode.OK;
  }

  private void end(PrintWriter out, String entry) {
    out.print(entry);
    out.print(nullEnds ? "\0" : System.lineSeparator());
  }

  private String line(Contents.Entry entry, String key) {
    String length = human ? ByteSize.format(entry.length()) : Long.toString(entry.length());
    return " ".repeat(Math.max(0, 14 - length.length())) + length + " " + entry.flag() + " " + key;
  }

  /** A row may go while the list is made. */
  private static Optional<Contents.Entry> entry(Contents contents, List<String> key) {
    try {
      return contents.entry(key);
    } catch (RowNotFoundException e) {
      return Optional.empty();
    }
  }
}
