package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.AppendOptions;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobOptions;
import io.pgtoaster.column.AppendToken;
import io.pgtoaster.embedded.EmbeddedPostgres;
import io.pgtoaster.embedded.PostgresBinaries;
import io.pgtoaster.embedded.StopMode;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.NeedsDistribution;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Standby;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import io.pgtoaster.jsonb.JsonOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** pg_upgrade, and a physical standby that is promoted. */
@Tag("ci")
@NeedsDistribution
class MovedServerIT {
  private static final int VERSION = 15;
  private static final byte[] LOG = Bytes.random(1, 100_000);
  private static final byte[] LINE = Bytes.random(2, 300);
  private static final AppendToken TOKEN = new AppendToken(AppendToken.newWriter(), 1);
  private static final AppendOptions AGAIN = AppendOptions.defaults().withToken(TOKEN);
  private static final String DOCUMENT =
      "{\"n\": 1, \"list\": [%s]}".formatted("\"a long entry of a list\", ".repeat(2000) + "0");

  @TempDir Path directory;

  @BeforeEach
  void open() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  private static PGSimpleDataSource source(EmbeddedPostgres server) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.jdbcUrlWithPassword("postgres"));
    return source;
  }

  private static PgToaster toaster(EmbeddedPostgres server) {
    return PgToaster.create(source(server));
  }

  private static void run(EmbeddedPostgres server, String sql) throws SQLException {
    try (Connection connection = source(server).getConnection()) {
      Sql.run(connection, sql);
    }
  }

  private static long number(EmbeddedPostgres server, String sql) {
    try (Connection connection = source(server).getConnection()) {
      return Long.parseLong(Sql.strings(connection, sql).get(0));
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private static void fill(EmbeddedPostgres server) throws Exception {
    PgToaster toaster = toaster(server);
    toaster.catalog().install();
    run(server, "CREATE TABLE item (id int PRIMARY KEY)");
    toaster.catalog().attach("item", "log", BlobOptions.defaults());
    toaster.catalog().attach("item", "doc", JsonOptions.defaults());
    run(server, "INSERT INTO item VALUES (1), (2)");
    toaster.blobs("item", "log").append(1, LOG);
    toaster.blobs("item", "log").append(1, LINE, AGAIN);
    toaster.documents("item", "doc").putJson(1, DOCUMENT);
  }

  /** Asserts that the server has all content and tokens, and that appends and deletes work. */
  private static void assertGoesOn(EmbeddedPostgres server) throws Exception {
    PgToaster toaster = toaster(server);
    assertThat(toaster.catalog().status()).hasSize(2).allMatch(s -> s.warnings().isEmpty());
    BlobColumn blobs = toaster.blobs("item", "log");
    DocumentColumn documents = toaster.documents("item", "doc");
    assertThat(blobs.append(1, LINE, AGAIN).repeated()).isTrue();
    assertThat(blobs.read(1, 0, 200_000)).isEqualTo(Bytes.concat(LOG, LINE));
    assertThat(documents.text(1)).hasValue(DOCUMENT);
    blobs.append(1, LOG);
    blobs.append(2, LOG);
    documents.at(1, "list").append("more");
    documents.putJson(2, DOCUMENT);
    for (int key = 1; key <= 2; key++) {
      assertThat(blobs.verify(key)).isEmpty();
      assertThat(documents.verify(key)).isEmpty();
    }
    run(server, "DELETE FROM item");
    assertThat(toaster.catalog().status()).extracting(s -> s.contents()).containsOnly(0L);
  }

  @Test
  void upgradedServer_hasItsContent_andAcceptsAppends() throws Exception {
    PostgresBinaries tools = PostgresServers.binaries(VERSION);
    try (EmbeddedPostgres old = PostgresServers.builder(VERSION).start();
        EmbeddedPostgres fresh = PostgresServers.builder(VERSION).start()) {
      // Both were copied from one template, so they have the same password.
      assertThat(fresh.password()).isEqualTo(old.password());
      fill(old);
      old.stop(StopMode.FAST);
      fresh.stop(StopMode.FAST);
      List<String> arguments =
          new ArrayList<>(List.of("-b", tools.home().resolve("bin").toString(), "-B"));
      arguments.add(tools.home().resolve("bin").toString());
      arguments.addAll(List.of("-d", old.dataDirectory().toString()));
      arguments.addAll(List.of("-D", fresh.dataDirectory().toString(), "-U", old.user()));
      tools.run(directory, Map.of("PGPASSWORD", old.password()), "pg_upgrade", arguments);
      fresh.start();
      assertGoesOn(fresh);
    }
  }

  @Test
  void promotedStandby_hasReplicatedContent_andAcceptsAppends() throws Exception {
    try (EmbeddedPostgres primary = PostgresServers.builder(VERSION).start();
        EmbeddedPostgres standby = Standby.of(primary, VERSION, directory)) {
      fill(primary);
      long sent = number(primary, "SELECT pg_current_wal_lsn() - '0/0'");
      String received = "SELECT coalesce(pg_last_wal_replay_lsn() - '0/0', 0)";
      Wait.until("replay up to " + sent, () -> number(standby, received) >= sent);
      assertThat(toaster(standby).blobs("item", "log").read(1, 0, 200_000))
          .isEqualTo(Bytes.concat(LOG, LINE));
      assertThat(toaster(standby).documents("item", "doc").text(1)).hasValue(DOCUMENT);
      primary.stop(StopMode.IMMEDIATE);
      assertThat(number(standby, "SELECT CAST(pg_promote() AS int)")).isOne();
      assertGoesOn(standby);
    }
  }
}
