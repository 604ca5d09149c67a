package io.pgtoaster.it.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.Migration;
import io.pgtoaster.PgToaster;
import io.pgtoaster.column.ColumnName;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Server;
import io.pgtoaster.it.kit.SmallJvm;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Kills the server or the client (SIGKILL) in each phase of a migration and of the migration back.
 */
@Tag("ci")
@Tag("turn-1")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MigrationKillIT {
  private static final String CLIENT = "killed migration";
  private static final long STEP = 40_000;

  @AutoClose private EmbeddedPostgres postgres;
  private Database database;

  @BeforeAll
  void start() {
    int version = PostgresServers.newest();
    // Only the server dies, so its writes without fsync survive.
    postgres = PostgresServers.builder(version).setting("fsync", "off").start();
    database = new Server(postgres, version).installed();
    for (String table : List.of("server", "client")) {
      database.run(
          "CREATE TABLE %s (id int PRIMARY KEY, doc json)".formatted(table),
          "INSERT INTO %s SELECT g, json_build_object('n', g, 'list', (SELECT array_agg(repeat(md5(concat(g, i)), 3)) FROM generate_series(1, 40) i)) FROM generate_series(1, 60) g"
              .formatted(table),
          "CREATE TABLE %1$s_was AS SELECT * FROM %1$s".formatted(table));
    }
  }

  private Migration migration(String table) {
    return PgToaster.create(database.dataSource()).catalog().migration(ColumnName.of(table, "doc"));
  }

  private String hash(String table, String document) {
    return database.string(
        "SELECT md5(string_agg(concat(id, CAST(%s AS text)), ',' ORDER BY id)) FROM %s"
            .formatted(document, table));
  }

  private void assertSame(String table, boolean there) {
    assertThat(hash(table, there ? "pgtoaster.expand(doc)" : "CAST(doc AS jsonb)"))
        .isEqualTo(hash(table + "_was", "CAST(doc AS jsonb)"));
    if (there) {
      assertThat(
              database.number(
                  "SELECT split FROM pgtoaster.column_stat('%s', 'doc')".formatted(table)))
          .isEqualTo(60);
    }
  }

  @Test
  void serverKilledInEachPhase_migrationResumes() throws Exception {
    migration("server").begin(null);
    assertThat(killServerInEachPhase())
        .containsExactly("count", "copy", "compare", "split", "again", "ready");
    assertSame("server", true);
    migration("server").drop();
    migration("server").beginBack("json");
    assertThat(killServerInEachPhase()).containsExactly("count", "copy", "compare", "ready");
    assertSame("server", false);
  }

  /**
   * Runs the whole migration and kills the server within the first step of each phase; returns the
   * phases.
   */
  private Set<String> killServerInEachPhase() throws Exception {
    Set<String> killed = new LinkedHashSet<>();
    while (true) {
      Migration.Progress progress = migration("server").state().orElseThrow().progress();
      if (killed.add(progress.phase())) {
        killServerWithin(
            switch (progress.phase()) {
              case "ready" -> "SELECT pgtoaster.migrate_finish('server', 'doc')";
              case "split" ->
                  "SELECT pgtoaster.migrate_split('server', 'doc', d.done) FROM pgtoaster.migrate_documents('server', 'doc', %d) d"
                      .formatted(STEP);
              default -> "SELECT pgtoaster.migrate_step('server', 'doc', %d)".formatted(STEP);
            });
      } else if (progress.ready()) {
        migration("server").finish();
        return killed;
      } else {
        migration("server").step(STEP);
      }
    }
  }

  private void killServerWithin(String sql) throws Exception {
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      long session = Long.parseLong(Sql.string(c, "SELECT pg_backend_pid()"));
      Sql.strings(c, sql);
      // Also kill the session, because it notices the server's death late and could commit before
      // that.
      for (long process : new long[] {postgres.pid(), session}) {
        ProcessHandle.of(process).orElseThrow().destroyForcibly();
      }
      Wait.until("the killed server has gone", () -> !postgres.isRunning());
      assertThatThrownBy(c::commit).isInstanceOf(SQLException.class);
    }
    postgres.start();
  }

  @Test
  void clientKilledInEachPhase_migrationResumes() throws Exception {
    migration("client").begin(null);
    for (String phase : List.of("copy", "compare", "split")) {
      killClientIn(phase);
    }
    migration("client").run(Migration.Limits.none(), progress -> {});
    migration("client").finish();
    assertSame("client", true);
    migration("client").drop();
    migration("client").beginBack(null);
    killClientIn("copy");
    migration("client").run(Migration.Limits.none(), progress -> {});
    migration("client").finish();
    assertSame("client", false);
  }

  private void killClientIn(String phase) throws Exception {
    Process client = SmallJvm.start(64, Client.class, database);
    StringBuilder told = new StringBuilder();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        told.append(line).append('\n');
        if (line.equals(phase)) {
          client.toHandle().destroyForcibly(); // Process.destroyForcibly would close the stream.
        }
      }
    }
    assertThat(told.toString()).contains(phase + "\n").doesNotContain("all done");
    client.waitFor();
    database.awaitNumber(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + CLIENT + "'",
        n -> n == 0);
  }

  /** Continues the migration in small steps and prints the phase of each. */
  static final class Client {
    private Client() {}

    public static void main(String[] args) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(args[0]);
      source.setUser(args[1]);
      source.setPassword(SmallJvm.password());
      source.setApplicationName(CLIENT);
      Migration migration =
          PgToaster.create(source).catalog().migration(ColumnName.of("client", "doc"));
      Migration.Progress progress;
      do {
        progress = migration.step(STEP);
        System.out.println(progress.phase());
      } while (!progress.ready());
      System.out.println("all done");
    }
  }
}
