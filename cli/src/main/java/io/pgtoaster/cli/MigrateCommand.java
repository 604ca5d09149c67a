package io.pgtoaster.cli;

import io.pgtoaster.Migration;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.Progress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings the content of an existing column to a toaster, and back. */
@Command(
    name = "migrate",
    description = {
      "Bring a column with its content to a toaster, while the application goes on: bytea, text and"
          + " oid (large objects) to blobs, json, and text with --toaster keyed, to documents. A"
          + " column of jsonb is attached as it is.",
      "A shadow column is filled, compared, and takes the name of the old one, which stays as"
          + " COLUMN_before until --drop. What was interrupted goes on when it is run again."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster migrate recording audio --dry-run",
      "  pgtoaster migrate recording audio --rate 20M",
      "  pgtoaster migrate recording audio --drop",
      "  pgtoaster migrate recording audio --back"
    })
final class MigrateCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "As SQL writes it.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "As SQL writes it.")
  String column;

  @Parameters(
      index = "2..*",
      arity = "0..*",
      paramLabel = "NAME=VALUE",
      description = "Options of the toaster, as of set-options.")
  Map<String, String> settings = Map.of();

  @Option(
      names = "--toaster",
      paramLabel = "NAME",
      description = "appendable or keyed. Default: keyed for json, appendable for the others.")
  @Nullable String toaster;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      description = "Copy at most so many bytes per second, such as 20M.")
  @Nullable Bytes rate;

  @Option(
      names = "--no-finish",
      description = "Leave the columns as they are when it is ready; run again to exchange them.")
  boolean noFinish;

  @ArgGroup @Nullable Way way;

  /** What else is done. */
  static final class Way {
    @Option(
        names = {"-n", "--dry-run"},
        description = "Say what it would take: rows, disk, time, and what uses the column.")
    boolean dryRun;

    @Option(
        names = "--back",
        arity = "0..1",
        fallbackValue = "",
        paramLabel = "TYPE",
        description =
            "Bring an attached column back: blobs to bytea, text or oid, documents to jsonb.")
    @Nullable String back;

    @Option(names = "--abort", description = "Take back what is not finished.")
    boolean abort;

    @Option(names = "--drop", description = "Drop the old column, which is kept when it finished.")
    boolean drop;
  }

  @Override
  int run(Database database) throws InterruptedException {
    QualifiedName name = QualifiedName.table(table);
    Migration migration =
        database
            .door()
            .catalog()
            .migration(name.schema(), name.name(), QualifiedName.column(column));
    String what = name + "." + column;
    Way asked = way == null ? new Way() : way;
    if (asked.dryRun) {
      show(migration.plan(toaster, settings));
    } else if (asked.abort) {
      migration.abort();
      globals().say("took back the migration of " + what);
    } else if (asked.drop) {
      migration.drop();
      globals().say("dropped what was kept of " + what);
    } else {
      migrate(migration, what, asked.back);
    }
    return ExitCode.OK;
  }

  private void migrate(Migration migration, String what, @Nullable String back)
      throws InterruptedException {
    if (back == null) {
      migration.begin(toaster, settings);
    } else {
      migration.beginBack(back.isEmpty() ? null : back);
    }
    try (Shown shown = new Shown()) {
      migration.run(rate == null ? Long.MAX_VALUE : Math.max(1, rate.value()), shown::step);
    }
    if (noFinish) {
      globals().say(what + " is ready; the same without --no-finish exchanges the columns");
      return;
    }
    migration.finish();
    globals().say("migrated " + what + "; --drop drops what is kept of it");
  }

  /** A progress bar for each phase, and a line behind what was compared. */
  private final class Shown implements AutoCloseable {
    private String phase = "";
    private @Nullable Progress bar;

    void step(Migration.Progress progress) {
      if (bar != null) {
        bar.add(progress.stepBytes());
      }
      if (!progress.phase().equals(phase)) {
        close();
        if (phase.equals("compare")) {
          say(progress);
        }
        phase = progress.phase();
        bar = Progress.start(phase, progress.totalBytes(), globals().quiet);
        bar.add(progress.bytes());
      }
    }

    private void say(Migration.Progress progress) {
      globals()
          .say(
              progress.rows()
                  + " rows, "
                  + ByteSize.format(progress.bytes())
                  + " compared"
                  + (progress.recopied() == 0
                      ? ", all the same"
                      : ", " + progress.recopied() + " differed and were copied again"));
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }

  private void show(Migration.Plan plan) {
    globals()
        .say(
            plan.rows()
                + " rows, "
                + ByteSize.format(plan.bytes())
                + "; takes "
                + ByteSize.format(plan.disk())
                + " of disk beside them until the old column is dropped, and some "
                + Math.round(Math.max(1, plan.seconds()))
                + " s without --rate");
    plan.notes().forEach(note -> globals().say("note: " + PrintableText.of(note)));
  }
}
