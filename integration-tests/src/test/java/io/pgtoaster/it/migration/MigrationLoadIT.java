package io.pgtoaster.it.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.error.PgToasterException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.migration.MigrationLoad.Kind;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Columns of five types migrate and migrate back under a workload, and lose nothing. The property
 * pgtoaster.test.migration sets the number of bytes. For a gigabyte or more, the test uses a
 * separate server with fsync, and prints times and latencies.
 */
@Tag("ci")
@Tag("turn-0")
class MigrationLoadIT {
  private static final long BYTES = Long.getLong("pgtoaster.test.migration", 6_000_000);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_124);
  private static final boolean LONG = BYTES >= 1_000_000_000;

  /** The number of calls while nothing is migrated. */
  private static final int CALLS = LONG ? 10_000 : 50;

  @Test
  void migrationAndMigrationBack_underLoad() throws Exception {
    int version = PostgresServers.newest();
    if (!LONG) {
      run(PostgresServers.shared(version).installed());
      return;
    }
    try (EmbeddedPostgres postgres =
        PostgresServers.builder(version)
            .setting("shared_buffers", "1GB")
            .setting("max_wal_size", "4GB")
            .start()) {
      run(new Server(postgres, version).installed());
    }
  }

  private static void run(Database database) throws Exception {
    try (HikariDataSource pool = database.pool(12);
        MigrationLoad load = new MigrationLoad(pool, SEED)) {
      long filled = load.fill(database, BYTES);
      say("filled with " + filled + " bytes, seed " + SEED);
      load.start();
      load.await("1 before", CALLS);
      for (Kind kind : Kind.values()) {
        load.label("2 there " + kind.type);
        migrate(load, pool, kind, true);
      }
      check(load);
      say(String.join("\n", load.latencies()));
      load.await("3 attached", CALLS);
      for (Kind kind : Kind.values()) {
        load.label("4 back " + kind.type);
        migrate(load, pool, kind, false);
      }
      check(load);
      load.await("5 after", CALLS);
      say(load.repeated() + " transactions were repeated");
      say(String.join("\n", load.latencies()));
    }
  }

  private static void say(String what) {
    if (LONG) {
      System.out.println(Instant.now() + " " + what);
    }
  }

  private static void check(MigrationLoad load) throws Exception {
    load.label("checking");
    for (Kind kind : Kind.values()) {
      assertThat(load.differing(kind)).as("seed %d, %s", SEED, kind).isEmpty();
    }
    say("all content is as it was written");
  }

  /** The wait for the lock on the table ends after a few seconds; the work is then repeated. */
  private static void onceLocked(Runnable work) {
    for (int tried = 1; ; tried++) {
      try {
        work.run();
        return;
      } catch (PgToasterException e) {
        if (!e.sqlState().equals("55P03") || tried == 20) {
          throw e;
        }
        say("the lock was not to be had: " + e.getMessage());
      }
    }
  }

  private static void migrate(MigrationLoad load, DataSource pool, Kind kind, boolean there)
      throws Exception {
    Instant began = Instant.now();
    Migration migration =
        PgToaster.create(pool).catalog().migration(ColumnName.of(kind.table(), "content"));
    onceLocked(there ? () -> migration.begin(null) : () -> migration.beginBack(kind.type));
    Duration begin = Duration.between(began, Instant.now());
    Migration.Progress[] last = new Migration.Progress[1];
    migration.run(Migration.Limits.none(), progress -> last[0] = progress);
    Instant ready = Instant.now();
    load.exchange(kind, there, () -> onceLocked(migration::finish));
    Instant finished = Instant.now();
    if (migration.state().isPresent()) {
      onceLocked(migration::drop);
    }
    say(
        "%s %s: %.1f s, %d MB in %d rows, %d copied again; begin %d ms, finish %d ms"
            .formatted(
                there ? "there" : "back",
                kind.type,
                Duration.between(began, finished).toMillis() / 1e3,
                last[0].totalBytes() / 1_000_000,
                last[0].totalRows(),
                last[0].recopied(),
                begin.toMillis(),
                Duration.between(ready, finished).toMillis()));
  }
}
