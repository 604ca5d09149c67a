package io.pgtoaster.cli.json;

import io.pgtoaster.cli.command.DocumentCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.DocumentValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the keys of an object. */
@Command(
    name = "keys",
    description =
        "List the keys of the object at a path, in the order of jsonb: shorter keys first.")
final class JsonKeysCommand extends DocumentCommand {
  private static final int PAGE = 1000;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "",
      description = "The object. Default: the whole document.")
  DocumentPath path;

  @Option(names = "--after", paramLabel = "KEY", description = "Begin after this key.")
  @Nullable String after;

  @Option(names = "--limit", paramLabel = "N", description = "Maximum number of keys.")
  long limit = Long.MAX_VALUE;

  @Option(
      names = {"-0", "--null"},
      description = "End each key with a zero byte, and write keys as they are.")
  boolean nullEnds;

  @Override
  protected int run(Database database, DocumentColumn documents, List<String> row) {
    DocumentValue object = documents.at(row, path);
    @Nullable String last = after;
    long left = limit;
    int asked;
    int got;
    do {
      asked = (int) Math.min(PAGE, left);
      List<String> page = object.keys(last, asked).orElseThrow(() -> missing(path, "no object"));
      for (String name : page) {
        out().print(nullEnds ? name + "\0" : PrintableText.of(name) + System.lineSeparator());
        last = name;
      }
      got = page.size();
      left -= got;
    } while (got == asked && left > 0);
    out().flush();
    return ExitCode.OK;
  }
}
