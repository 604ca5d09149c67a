package io.pgtoaster.it.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.error.AccessDeniedException;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.NeedsDistribution;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Standby;
import io.pgtoaster.it.kit.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A migration waits for replicas, and reports the replica that it is waiting for. */
@Tag("ci")
@NeedsDistribution
class MigrationLagIT {
  private static final int VERSION = 15;
  private static final long MEGABYTE = 1_000_000;

  @TempDir Path directory;

  /** A migration that runs in another thread. */
  private record Running(Future<Boolean> end, List<Migration.Progress> told) {
    static Running start(Migration migration) {
      List<Migration.Progress> told = new CopyOnWriteArrayList<>();
      return new Running(
          Wait.start(
              () -> {
                migration.run(Migration.Limits.none().withMaxLag(MEGABYTE), told::add);
                return true;
              }),
          told);
    }

    /** Waits until the migration has been waiting for some time; returns what it waits for. */
    String awaitWaiting() {
      Wait.until("it waits", () -> told.stream().filter(p -> p.waitsFor() != null).count() > 2);
      Migration.Progress last = told.get(told.size() - 1);
      assertThat(last.stepBytes()).isZero();
      assertThat(last.phase()).isEqualTo("copy");
      assertThat(last.bytes()).isLessThan(last.totalBytes());
      assertThat(last.waitsFor().bytes()).isGreaterThan(MEGABYTE);
      assertThat(end.isDone()).isFalse();
      return last.waitsFor().who();
    }
  }

  @Test
  void migration_waitsForTheStandbyAndTheSlot() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    try (EmbeddedPostgres primary =
            PostgresServers.builder(VERSION).setting("wal_level", "logical").start();
        EmbeddedPostgres standby = Standby.of(primary, VERSION, directory)) {
      Database database = new Server(primary, VERSION).installed();
      for (String table : List.of("one", "two")) {
        database.run(
            "CREATE TABLE %s (id int PRIMARY KEY, body bytea)".formatted(table),
            "INSERT INTO %s SELECT g, (SELECT string_agg(sha512(CAST(concat(g, i) AS bytea)), '') FROM generate_series(1, 4000) i) FROM generate_series(1, 100) g"
                .formatted(table));
      }
      PgToaster toaster = PgToaster.create(database.dataSource());
      Migration one = toaster.catalog().migration(ColumnName.of("one", "body"));
      one.begin(null);
      Wait.until("the standby streams", () -> one.lag().isPresent());
      on(standby, "SELECT pg_wal_replay_pause()");
      Running waiting = Running.start(one);
      assertThat(waiting.awaitWaiting()).startsWith("standby \"walreceiver\" at ");
      on(standby, "SELECT pg_wal_replay_resume()");
      assertThat(Wait.get(waiting.end())).isTrue();
      one.finish();

      // A slot of another database also retains the server's WAL.
      on(primary, "SELECT pg_create_logical_replication_slot('dump', 'pgoutput')");
      Migration two = toaster.catalog().migration(ColumnName.of("two", "body"));
      two.begin(null);
      waiting = Running.start(two);
      assertThat(waiting.awaitWaiting()).isEqualTo("logical slot \"dump\", which nobody reads");
      on(primary, "SELECT pg_drop_replication_slot('dump')");
      assertThat(Wait.get(waiting.end())).isTrue();
      two.finish();
      two.drop();

      database.run("CREATE ROLE mover LOGIN", "ALTER TABLE two OWNER TO mover");
      Migration blind =
          PgToaster.create(database.dataSource("mover"))
              .catalog()
              .migration(ColumnName.of("two", "body"));
      assertThatThrownBy(() -> blind.run(Migration.Limits.none().withMaxLag(1), p -> {}))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("role \"mover\" may not see the lag of standbys")
          .hasMessageContaining("GRANT pg_monitor TO mover");
      database.run("GRANT pg_monitor TO mover");
      assertThat(blind.lag()).isPresent();

      // The same in SQL.
      database.run("CREATE TABLE three (id int PRIMARY KEY, body bytea)");
      try (Connection c = database.connect()) {
        Sql.run(c, "CALL pgtoaster.migrate('three', 'body', max_lag_mb => 16)");
      }
      assertThat(
              database.string("SELECT toaster FROM pgtoaster.status() WHERE table_name = 'three'"))
          .isEqualTo("appendable");
    }
  }

  private static void on(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection c = DriverManager.getConnection(server.jdbcUrlWithPassword("postgres"))) {
      Sql.strings(c, sql);
    }
  }
}
