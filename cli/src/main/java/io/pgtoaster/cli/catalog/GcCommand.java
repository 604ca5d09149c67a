package io.pgtoaster.cli.catalog;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.TextTable;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists and removes content that no row references. */
@Command(
    name = "gc",
    description = {
      "List content that is no longer referenced by any row, such as that of dropped tables; with --yes"
          + " also remove it.",
      "If a column fails, the error is written to standard error, the other columns are processed,"
          + " and the exit code is 1."
    })
public final class GcCommand extends DatabaseCommand {
  @Option(
      names = {"-y", "--yes"},
      description = "Remove the listed content.")
  boolean yes;

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      description = "Keep content younger than this, such as PT1H (the default) or PT0S.")
  @Nullable Duration grace;

  @Option(
      names = "--token-horizon",
      paramLabel = "DURATION",
      description = "Keep the tokens of appends for this long. Default: P7D.")
  @Nullable Duration tokenHorizon;

  @Override
  protected int run(Database database) {
    GcOptions options = GcOptions.defaults().withDryRun(!yes);
    options = grace == null ? options : options.withGrace(grace);
    options = tokenHorizon == null ? options : options.withTokenHorizon(tokenHorizon);
    GcReport report = database.pgToaster().catalog().gc(options);
    TextTable table = new TextTable("rlrrl");
    Stream.concat(report.items().stream(), report.kept().stream())
        .forEach(
            item ->
                table.row(
                    item.store(),
                    item.kind(),
                    item.id(),
                    item.bytes(),
                    PrintableText.of(item.description())));
    out().print(table);
    out().flush();
    String what = report.items().size() + " items, " + ByteSize.format(report.bytes());
    globals()
        .say(
            report.removed()
                ? what + " removed"
                : what + (report.items().isEmpty() ? "" : "; --yes removes them"));
    if (!report.kept().isEmpty()) {
      globals()
          .say(report.kept().size() + " kept because rows reference them; see 'pgtoaster repair'");
    }
    report
        .failures()
        .forEach(failure -> globals().warn(String.valueOf(failure.cause().getMessage())));
    return report.failures().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
