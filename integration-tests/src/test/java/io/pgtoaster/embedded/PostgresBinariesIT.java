package io.pgtoaster.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PostgresBinariesIT {
  @TempDir Path temp;

  @ParameterizedTest
  @MethodSource("io.pgtoaster.embedded.TestServers#all")
  void version_isRead(PostgresBinaries binaries) {
    assertThat(binaries.version()).startsWith(binaries.majorVersion() + ".");
    assertThat(binaries.run("postgres", "--version")).contains(binaries.version());
  }

  @Tag("ci")
  @Test
  void twoProcessesUnpackingAtOnce_shareOneResult() throws Exception {
    Path cache = temp.resolve("it's a cache of données");
    try (ChildJvm first = ChildJvm.start("unpack", cache.toString());
        ChildJvm second = ChildJvm.start("unpack", cache.toString())) {
      String home = first.report();
      assertThat(second.report()).isEqualTo(home);
      assertThat(home).startsWith(cache.toString());
    }
    try (var files = Files.list(cache.resolve("binaries"))) {
      assertThat(files).hasSize(2); // the server and its lock
    }
    PostgresBinaries binaries = PostgresBinaries.fromArchiveJar(TestServers.jar(18), cache);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(binaries).start()) {
      assertThat(postgres.isRunning()).isTrue();
    }
  }

  @Test
  void unpackedServer_hasTheLinksAndModesOfTheArchive() {
    Path home = TestServers.archive(18).home();
    assertThat(Files.isSymbolicLink(home.resolve("lib/libpq.so.5"))).isTrue();
    assertThat(Files.isExecutable(home.resolve("bin/postgres"))).isTrue();
    assertThat(Files.isExecutable(home.resolve("share/postgresql/postgres.bki"))).isFalse();
  }

  @Test
  void missingTool_isReported() {
    PostgresBinaries binaries = TestServers.archive(18);
    assertThat(binaries.has("psql")).isFalse();
    assertThatThrownBy(() -> binaries.bin("psql"))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("psql");
    assertThatThrownBy(() -> PostgresBinaries.fromDirectory(temp))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("initdb");
  }

  @Test
  void failingTool_reportsItsOutput() {
    assertThatThrownBy(() -> TestServers.archive(18).run("initdb", "--nonsense"))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("unrecognized option");
  }

  @Tag("ci")
  @EnabledIf(
      value = "io.pgtoaster.embedded.TestServers#offersDistribution",
      disabledReason =
          "no PostgreSQL 15 with client tools in /usr/lib/postgresql/15; to enable:"
              + " apt-get install postgresql-15")
  @Test
  void baseBackup_startsAsASeparateServer() throws Exception {
    PostgresBinaries debian = PostgresBinaries.fromDirectory(TestServers.DEBIAN);
    Path copy = temp.resolve("copy");
    try (EmbeddedPostgres primary = EmbeddedPostgres.builder(debian).start()) {
      TestServers.sql(primary, "create table kept as select 42 as answer");
      debian.run(
          temp,
          Map.of("PGUSER", primary.user(), "PGHOST", "127.0.0.1", "PGPASSWORD", primary.password()),
          "pg_basebackup",
          List.of("-p", "" + primary.port(), "-D", copy.toString(), "-c", "fast", "-R"));
      Files.writeString(temp.resolve("copy.password"), primary.password());
      try (EmbeddedPostgres standby =
          EmbeddedPostgres.builder(debian).dataDirectory(copy).start()) {
        assertThat(TestServers.sql(standby, "select pg_is_in_recovery()")).isEqualTo("t");
        assertThat(TestServers.sql(standby, "select answer from kept")).isEqualTo("42");
      }
    }
  }
}
