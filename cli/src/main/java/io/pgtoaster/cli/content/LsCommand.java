package io.pgtoaster.cli.content;

import io.pgtoaster.cli.command.ColumnOptions;
import io.pgtoaster.cli.command.Contents;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.io.Json;
import io.pgtoaster.cli.name.KeyText;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.error.BlobCorruptException;
import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.error.RowNotFoundException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the blobs of a column. */
@Command(
    name = "ls",
    description = {
      "List the blobs of a column: length, s if sealed, key.",
      "For a jsonb column, list the documents: uncompressed size of the jsonb, s if split, key. The"
          + " size requires reading all of them; --keys avoids that.",
      "If a length cannot be determined, \"damaged\" is written instead, and the exit code is"
          + " 1."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster ls -H",
      "  pgtoaster ls --keys -0 | xargs -0 -n 1 pgtoaster verify --",
      "  pgtoaster ls -H -t person -c doc",
      "  pgtoaster ls --json | jq -r 'select(.bytes > 1e9) | .key[0]'"
    })
public final class LsCommand extends DatabaseCommand {
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

  @Option(names = "--json", description = "Write one JSON object per line, with the key as a list.")
  boolean json;

  private int damaged;

  @Override
  protected int run(Database database) throws SQLException {
    if (json && (keysOnly || nullEnds || human)) {
      throw new Failure(
          ExitCode.USAGE, "--json cannot be combined with --keys, --null and --human");
    }
    Contents contents = Contents.of(database, options.target());
    PrintWriter out = out();
    contents.forEach(
        key -> {
          String name = KeyText.format(key);
          String shown = nullEnds ? name : PrintableText.of(name);
          if (json) {
            object(contents, key).ifPresent(line -> end(out, Json.line(line)));
          } else if (keysOnly) {
            end(out, shown);
          } else {
            line(contents, key, shown).ifPresent(line -> end(out, line));
          }
        });
    out.flush();
    if (damaged > 0) {
      globals().say(contents.count(damaged) + " damaged: run verify");
    }
    return damaged == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Returns the columns of {@link #line} as members with stable names, for programs. */
  private Optional<Map<String, Object>> object(Contents contents, List<String> key) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("key", key);
    try {
      return contents
          .entry(key)
          .map(
              entry -> {
                object.put("bytes", entry.length());
                object.put(contents.flagged(), entry.flag() != ' ');
                return object;
              });
    } catch (RowNotFoundException e) {
      return Optional.empty();
    } catch (BlobCorruptException | DocumentCorruptException e) {
      damaged++;
      object.put("damaged", true);
      return Optional.of(object);
    }
  }

  private void end(PrintWriter out, String entry) {
    out.print(entry);
    out.print(nullEnds ? "\0" : System.lineSeparator());
  }

  /** Returns the line for a row, or empty if the row was deleted while the list was created. */
  private Optional<String> line(Contents contents, List<String> key, String shown) {
    try {
      return contents
          .entry(key)
          .map(
              entry ->
                  line(
                      human ? ByteSize.format(entry.length()) : Long.toString(entry.length()),
                      entry.flag(),
                      shown));
    } catch (RowNotFoundException e) {
      return Optional.empty();
    } catch (BlobCorruptException | DocumentCorruptException e) {
      damaged++;
      return Optional.of(line("damaged", ' ', shown));
    }
  }

  private static String line(String length, char flag, String key) {
    return " ".repeat(Math.max(0, 14 - length.length())) + length + " " + flag + " " + key;
  }
}
