package io.pgtoaster.cli.catalog;

import io.pgtoaster.Migration;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.cli.command.DatabaseCommand;
import io.pgtoaster.cli.connect.Database;
import io.pgtoaster.cli.exit.ExitCode;
import io.pgtoaster.cli.exit.Failure;
import io.pgtoaster.cli.io.Bytes;
import io.pgtoaster.cli.name.QualifiedName;
import io.pgtoaster.cli.terminal.ByteSize;
import io.pgtoaster.cli.terminal.PrintableText;
import io.pgtoaster.cli.terminal.Progress;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.column.ToasterOptions;
import io.pgtoaster.internal.column.ColumnLookup;
import io.pgtoaster.jsonb.JsonOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Moves the content of an existing column to a toaster, and back. */
@Command(
    name = "migrate",
    description = {
      "Migrate a column with its content to a toaster while the application keeps running: bytea,"
          + " text and oid (large objects) to blobs; json, and text with --toaster keyed, to"
          + " documents.",
      "A shadow column is filled and compared, and then takes the name of the old column, which"
          + " stays as COLUMN_before until --drop. Documents of jsonb are split in place. An interrupted"
          + " migration continues when it is run again."
    },
    footer = {
      "",
      "Examples:",
      "  pgtoaster migrate recording audio --dry-run",
      "  pgtoaster migrate recording audio --rate 20M --max-lag 64M",
      "  pgtoaster migrate recording audio --resume --rate 100M",
      "  pgtoaster migrate recording audio --drop",
      "  pgtoaster migrate recording audio --back",
      "  pgtoaster migrate person doc --back json"
    })
public final class MigrateCommand extends DatabaseCommand {
  @Parameters(index = "0", paramLabel = "TABLE", description = "Name as written in SQL.")
  String table;

  @Parameters(index = "1", paramLabel = "COLUMN", description = "Name as written in SQL.")
  String column;

  @Parameters(
      index = "2..*",
      arity = "0..*",
      paramLabel = "NAME=VALUE",
      description = "Options of the toaster, as for set-options.")
  Map<String, String> settings = Map.of();

  @Option(
      names = "--toaster",
      paramLabel = "NAME",
      description =
          "appendable or keyed. Default: keyed for json and jsonb, appendable for the others.")
  @Nullable String toaster;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      description = "Maximum number of bytes to copy per second, such as 20M.")
  @Nullable Bytes rate;

  @Option(
      names = "--max-lag",
      paramLabel = "SIZE",
      description =
          "Wait between steps while the lag of a streaming standby or a logical slot exceeds this"
              + " many bytes of WAL, such as 64M. Requires the privileges of pg_monitor.")
  @Nullable Bytes maxLag;

  @Option(
      names = "--no-finish",
      description =
          "Do not exchange the columns when the migration is ready; run it again to exchange them.")
  boolean noFinish;

  @Option(
      names = {"-n", "--dry-run"},
      description =
          "Estimate the migration, or with --back the migration back: rows, disk space, time, and"
              + " uses of the column.")
  boolean dryRun;

  @ArgGroup @Nullable Way way;

  /** Options that request something other than a migration to a toaster. */
  static final class Way {
    @Option(
        names = "--back",
        arity = "0..1",
        fallbackValue = "",
        paramLabel = "TYPE",
        description =
            "Migrate an attached column back: blobs to bytea, text or oid, documents to jsonb, json"
                + " or text.")
    @Nullable String back;

    @Option(
        names = "--resume",
        description =
            "Continue a migration in either direction; fail if none has begun. Without this option,"
                + " such a migration continues, too.")
    boolean resume;

    @Option(names = "--abort", description = "Undo an unfinished migration.")
    boolean abort;

    @Option(names = "--drop", description = "Drop the old column that a finished migration kept.")
    boolean drop;

    @Option(
        names = "--orphans",
        description =
            "List the large objects that no column of the database references, such as those of a"
                + " column that was dropped. Nothing is deleted: use vacuumlo for that.")
    boolean orphans;
  }

  @Override
  protected int run(Database database) throws InterruptedException, SQLException {
    ColumnName name = QualifiedName.column(table, column);
    Migration migration = database.pgToaster().catalog().migration(name);
    String what = name.toString();
    Way asked = way == null ? new Way() : way;
    if (dryRun) {
      if (way != null && asked.back == null) {
        throw new ParameterException(
            spec.commandLine(), "--dry-run can be used alone or with --back");
      }
      show(migration.plan(options(database, name)));
    } else if (asked.abort) {
      migration.abort();
      globals().say("undid the migration of " + what);
    } else if (asked.drop) {
      migration.drop();
      globals()
          .say(
              "dropped the old column of "
                  + what
                  + "; if it referenced large objects, --orphans lists them");
    } else if (asked.orphans) {
      database.pgToaster().catalog().orphanedObjects().forEach(out()::println);
      out().flush();
    } else {
      if (maxLag != null && migration.lag().isEmpty()) {
        globals().say("--max-lag has no effect: no standby streams, and there is no logical slot");
      }
      begin(migration, what, asked, options(database, name));
      copy(migration);
      finish(migration, what);
    }
    return ExitCode.OK;
  }

  /** Returns the toaster and its options; null for the defaults of the column's type. */
  private @Nullable ToasterOptions options(Database database, ColumnName name) throws SQLException {
    if (toaster != null || settings.isEmpty()) {
      return toaster == null ? null : ToasterOptions.of(toaster, settings);
    }
    try (Connection connection = database.dataSource().getConnection()) {
      boolean documents = ColumnLookup.find(connection, name).typeName().startsWith("json");
      return ToasterOptions.of(documents ? JsonOptions.TOASTER : BlobOptions.TOASTER, settings);
    }
  }

  private void begin(
      Migration migration, String what, Way asked, @Nullable ToasterOptions options) {
    Optional<Migration.State> state = migration.state();
    if (asked.resume && (toaster != null || !settings.isEmpty())) {
      throw new Failure(ExitCode.USAGE, "--resume continues with the original options; omit them");
    } else if (asked.resume && state.isEmpty()) {
      throw new Failure(
          ExitCode.REFUSED,
          "no migration of " + what + " is in progress; run without --resume to begin one");
    } else if (asked.resume && state.get().finished()) {
      throw new Failure(
          ExitCode.REFUSED,
          "the migration of " + what + " is finished; --drop drops the old column");
    }
    state
        .filter(s -> asked.resume || (!s.finished() && s.back() == (asked.back != null)))
        .ifPresent(
            s ->
                globals()
                    .say(
                        "continuing the migration of %s in phase %s: %d of %d rows, %s of %s"
                            .formatted(
                                what,
                                s.progress().phase(),
                                s.progress().rows(),
                                s.progress().totalRows(),
                                ByteSize.format(s.progress().bytes()),
                                ByteSize.format(s.progress().totalBytes()))));
    if (asked.resume) {
      return;
    }
    if (asked.back == null) {
      migration.begin(options);
    } else {
      migration.beginBack(asked.back.isEmpty() ? null : asked.back);
    }
  }

  private void copy(Migration migration) throws InterruptedException {
    Migration.Limits limits = Migration.Limits.none();
    if (rate != null) {
      limits = limits.withRate(Math.max(1, rate.value()));
    }
    if (maxLag != null) {
      limits = limits.withMaxLag(maxLag.value());
    }
    try (Shown shown = new Shown()) {
      migration.state().ifPresent(state -> shown.step(state.progress()));
      migration.run(limits, shown::step);
    }
  }

  private void finish(Migration migration, String what) {
    if (noFinish) {
      globals().say(what + " is ready; pgtoaster migrate --resume exchanges the columns");
      return;
    }
    migration.finish();
    globals()
        .say(
            "migrated "
                + what
                + (migration.state().isPresent() ? "; --drop drops the old column" : ""));
  }

  /** Shows a progress bar for each phase, and a message after the comparison. */
  private final class Shown implements AutoCloseable {
    private String phase = "";
    private @Nullable Progress bar;
    private String waitsFor = "";

    void step(Migration.Progress progress) {
      waits(progress.waitsFor());
      if (bar != null) {
        bar.add(progress.stepBytes());
      }
      if (!progress.phase().equals(phase)) {
        close();
        if (phase.equals("compare")) {
          say(progress);
        }
        phase = progress.phase();
        bar = Progress.resume(phase, progress.bytes(), progress.totalBytes(), globals().quiet);
      }
    }

    /**
     * Shows in the bar what the migration is waiting for. Without a bar, prints a line for each
     * standby or slot.
     */
    private void waits(Migration.@Nullable Lag lag) {
      String who = lag == null ? "" : lag.who();
      String text =
          lag == null
              ? ""
              : "waiting for %s, which lags by %s".formatted(who, ByteSize.format(lag.bytes()));
      boolean shown = bar != null && bar.note(text);
      if (!shown && !who.isEmpty() && !who.equals(waitsFor)) {
        globals().say(PrintableText.of(text));
      }
      waitsFor = who;
    }

    private void say(Migration.Progress progress) {
      // The next phase has its own count.
      boolean counted = progress.ready();
      globals()
          .say(
              (counted ? progress.rows() : progress.totalRows())
                  + " rows, "
                  + ByteSize.format(counted ? progress.bytes() : progress.totalBytes())
                  + " compared"
                  + (progress.recopied() == 0
                      ? ", all equal"
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
                + " of additional disk space"
                + (plan.seconds() > 0
                    ? ", and about " + Math.round(Math.max(1, plan.seconds())) + " s without --rate"
                    : "; the time was not measured"));
    plan.notes().forEach(note -> globals().say("note: " + PrintableText.of(note)));
  }
}
