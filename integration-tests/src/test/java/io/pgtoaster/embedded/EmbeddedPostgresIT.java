package io.pgtoaster.embedded;

import static io.pgtoaster.embedded.TestServers.await;
import static io.pgtoaster.embedded.TestServers.isAlive;
import static io.pgtoaster.embedded.TestServers.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EmbeddedPostgresIT {
  @TempDir Path temp;

  @ParameterizedTest
  @MethodSource("io.pgtoaster.embedded.TestServers#all")
  void temporaryServer_requiresItsPassword_startsStopsRestarts_andLeavesNothing(
      PostgresBinaries binaries) throws Exception {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(binaries).temporary().setting("wal_level", "logical").start();
    Path root = postgres.dataDirectory().getParent();
    long first = postgres.pid();
    try (postgres) {
      assertThat(sql(postgres, "show server_version_num"))
          .startsWith(Integer.toString(binaries.majorVersion()));
      assertThat(sql(postgres, "show wal_level")).isEqualTo("logical");
      assertThat(sql(postgres, "show fsync")).isEqualTo("on");
      assertThat(sql(postgres, "show synchronous_commit")).isEqualTo("on");
      assertThat(sql(postgres, "show server_encoding")).isEqualTo("UTF8");
      assertThat(sql(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(sql(postgres, "select 'é' ~ '\\w' and 'Z' < 'a'")).isEqualTo("t");
      assertPrivate(postgres, binaries);
      int port = postgres.port();
      postgres.restart();
      assertThat(postgres.port()).isEqualTo(port);
      assertThat(postgres.pid()).isNotEqualTo(first);
      postgres.stop(StopMode.SMART);
      assertThat(postgres.isRunning()).isFalse();
      postgres.stop(StopMode.FAST);
      first = postgres.start().pid();
    }
    assertThat(isAlive(first)).isFalse();
    assertThat(root).doesNotExist();
    assertThatThrownBy(postgres::start).isInstanceOf(EmbeddedPostgresException.class);
  }

  @Test
  void temporaryServerInADirectory_works_andLeavesNothing() throws Exception {
    EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(TestServers.archive(18)).temporary(temp).start();
    try (postgres) {
      assertThat(postgres.dataDirectory()).startsWith(temp);
      assertThat(sql(postgres, "select 1")).isEqualTo("1");
    }
    assertThat(postgres.dataDirectory().getParent()).doesNotExist();
  }

  private static void assertPrivate(EmbeddedPostgres postgres, PostgresBinaries binaries)
      throws Exception {
    String url = postgres.jdbcUrl("postgres");
    for (String password : new String[] {null, "", "postgres"}) {
      assertThatThrownBy(() -> TestServers.connect(url, postgres.user(), password).close())
          .isInstanceOf(SQLException.class);
    }
    assertThat(sql(postgres, "select string_agg(distinct auth_method, ',') from pg_hba_file_rules"))
        .isEqualTo("scram-sha-256");
    assertThat(sql(postgres, "select rolpassword from pg_authid where rolcanlogin"))
        .startsWith("SCRAM-SHA-256$");
    Path data = postgres.dataDirectory();
    assertThat(mode(data)).isEqualTo("rwx------");
    assertThat(mode(data.resolveSibling("data.password"))).isEqualTo("rw-------");
    try (var files = Files.list(binaries.cacheDirectory().resolve("templates"))) {
      assertThat(files.filter(file -> file.toString().endsWith(".password")))
          .isNotEmpty()
          .allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.embedded.TestServers#all")
  void serverWithADataDirectory_keepsItsData_andRequiresItsPassword(PostgresBinaries binaries)
      throws Exception {
    Path directory = temp.resolve("home/data");
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(binaries).dataDirectory(directory).start()) {
      sql(postgres, "create table kept as select 42 as answer");
      assertThat(postgres.password()).hasSizeGreaterThan(20);
      assertThatThrownBy(
              () -> TestServers.connect(postgres.jdbcUrl("postgres"), "postgres", "wrong").close())
          .isInstanceOf(SQLException.class);
    }
    Path password = directory.resolveSibling("data.password");
    assertThat(mode(password)).isEqualTo("rw-------");
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(binaries).dataDirectory(directory).start()) {
      assertThat(sql(postgres, "select answer from kept")).isEqualTo("42");
    }
    try (var files = Files.list(directory.getParent())) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("data", "data.password", "data.lock");
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.embedded.TestServers#all")
  void server_recoversFromImmediateStopAndKill(PostgresBinaries binaries) throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(binaries).start()) {
      sql(postgres, "create table kept(answer int)");
      sql(postgres, "insert into kept values (1)");
      postgres.stop(StopMode.IMMEDIATE);
      postgres.start();
      sql(postgres, "insert into kept values (2)");
      ProcessHandle server = ProcessHandle.of(postgres.pid()).orElseThrow();
      server.destroyForcibly();
      await("the killed server has gone", () -> !postgres.isRunning());
      postgres.start();
      assertThat(sql(postgres, "select sum(answer) from kept")).isEqualTo("3");
      assertThat(Files.readString(postgres.logFile())).contains("automatic recovery in progress");
    }
  }

  @Test
  void failedStart_reportsTheLog() {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder(TestServers.archive(18)).setting("shared_buffers", "nonsense");
    assertThatThrownBy(builder::start)
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("did not start")
        .hasMessageContaining("invalid value for parameter \"shared_buffers\"");
  }

  @Test
  void givenPortInUse_isReported() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder(TestServers.archive(18)).port(taken.getLocalPort());
      assertThatThrownBy(builder::start).hasMessageContaining("Address already in use");
    }
  }

  @Tag("ci")
  @Test
  void chosenPortTakenByAnotherProcess_isReplaced() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(TestServers.archive(18)).start()) {
      int port = postgres.port();
      postgres.stop(StopMode.FAST);
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(postgres.start().port()).isNotEqualTo(taken.getLocalPort());
      }
      assertThat(sql(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void foreignServerOnThePort_doesNotReceiveThePassword() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(TestServers.archive(18)).start()) {
      postgres.stop(StopMode.FAST);
      try (ServerSocket stranger =
          new ServerSocket(postgres.port(), 1, InetAddress.getLoopbackAddress())) {
        CompletableFuture<byte[]> heard =
            CompletableFuture.supplyAsync(() -> askForThePassword(stranger));
        assertThatThrownBy(
                () -> DriverManager.getConnection(postgres.jdbcUrlWithPassword("postgres")).close())
            .isInstanceOf(SQLException.class);
        assertThat(heard.join()).asString().doesNotContain(postgres.password());
      }
    }
  }

  /** Refuses SSL, requests the password in clear text, and returns the client's response. */
  private static byte[] askForThePassword(ServerSocket server) {
    try (Socket client = server.accept();
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
      in.readNBytes(in.readInt() - 4);
      out.write('N');
      in.readNBytes(in.readInt() - 4);
      out.write(new byte[] {'R', 0, 0, 0, 8, 0, 0, 0, 3});
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Tag("ci")
  @Test
  void dataOfAnotherVersion_isRefusedWithAdvice() {
    Path data = temp.resolve("data");
    EmbeddedPostgres.builder(TestServers.archive(15)).dataDirectory(data).start().close();
    assertThatThrownBy(
            () -> EmbeddedPostgres.builder(TestServers.archive(18)).dataDirectory(data).start())
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("created by PostgreSQL 15")
        .hasMessageContaining("is version 18")
        .hasMessageContaining("pg_dumpall of version 15");
  }

  @Test
  void foreignDirectory_isNotChanged() throws Exception {
    Files.writeString(temp.resolve("thesis.txt"), "mine");
    assertThatThrownBy(
            () -> EmbeddedPostgres.builder(TestServers.archive(18)).dataDirectory(temp).start())
        .hasMessageContaining("neither empty");
    assertThat(temp.resolve("thesis.txt")).hasContent("mine");
  }

  @Test
  void interruptedInitdb_isRestarted() throws Exception {
    Path data = temp.resolve("data");
    Files.createDirectories(temp.resolve("data.initdb/base"));
    Files.writeString(temp.resolve("data.initdb/PG_VERSION"), "18\n");
    Files.writeString(temp.resolve("data.initdb.pw"), "");
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(TestServers.archive(18)).dataDirectory(data).start()) {
      assertThat(sql(postgres, "select 1")).isEqualTo("1");
    }
    assertThat(temp.resolve("data.initdb")).doesNotExist();
  }

  @Tag("ci")
  @Test
  void stalePidFileOfAnotherProcess_doesNotPreventTheStart() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(TestServers.archive(18)).start()) {
      Path file = postgres.dataDirectory().resolve("postmaster.pid");
      String text = Files.readString(file);
      postgres.stop(StopMode.FAST);
      long self = ProcessHandle.current().parent().orElseThrow().pid();
      Files.writeString(file, self + text.substring(text.indexOf('\n')));
      assertThat(postgres.isRunning()).isFalse();
      assertThat(sql(postgres.start(), "select 1")).isEqualTo("1");
    }
  }

  @Tag("ci")
  @ParameterizedTest
  @ValueSource(strings = {"two words, it's a\"b $HOME `x` \\n", "données-ÿ-日本"})
  void oddDirectoryNames_work(String name) throws Exception {
    Path data = temp.resolve(name).resolve(name);
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(TestServers.archive(15))
            .dataDirectory(data)
            .setting("cluster_name", "o'neill \\ co")
            .start()) {
      assertThat(sql(postgres, "show cluster_name")).isEqualTo("o'neill \\ co");
      postgres.restart();
      assertThat(postgres.isRunning()).isTrue();
    }
  }

  @Tag("ci")
  @Test
  void longDirectoryName_worksWithoutASocket() throws Exception {
    Path data = temp.resolve("x".repeat(120)).resolve("data");
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(TestServers.archive(18)).dataDirectory(data).start()) {
      assertThat(sql(postgres, "show unix_socket_directories")).isEmpty();
    }
  }

  @Test
  void databaseName_isEncodedInTheUrl() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(TestServers.archive(18)).start()) {
      sql(postgres, "create database \"a b/c?\"");
      try (var connection = DriverManager.getConnection(postgres.jdbcUrlWithPassword("a b/c?"))) {
        assertThat(connection.getCatalog()).isEqualTo("a b/c?");
      }
    }
  }

  @Tag("ci")
  @Test
  void temporaryServerOfKilledJvm_isRemovedByTheNextStart() throws Exception {
    long orphan;
    try (ChildJvm child = ChildJvm.start("temporary", TestServers.CACHE.toString())) {
      orphan = child.serverPid();
      child.kill();
    }
    assertThat(isAlive(orphan)).isTrue();
    EmbeddedPostgres.builder(TestServers.archive(15)).start().close();
    await("the orphan has gone", () -> !isAlive(orphan));
  }

  @Test
  void temporaryServer_isStoppedByTheJvmsShutdownHook() throws Exception {
    try (ChildJvm child = ChildJvm.start("temporary", TestServers.CACHE.toString())) {
      long server = child.serverPid();
      child.end();
      assertThat(isAlive(server)).isFalse();
    }
  }

  @Tag("ci")
  @Test
  void server_runsAsNobody() throws Exception {
    Path cache = Files.createTempDirectory("pgtoaster nobody");
    try (ChildJvm child = startAsNobody(cache)) {
      long server = child.serverPid();
      if (ServerUser.current() != ServerUser.SELF) {
        assertThat(ProcessHandle.of(server).orElseThrow().info().user()).hasValue("nobody");
      }
      child.end();
      assertThat(isAlive(server)).isFalse();
    } finally {
      FileTree.delete(cache);
    }
  }

  private static ChildJvm startAsNobody(Path cache) throws Exception {
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
    String user = ServerUser.current() == ServerUser.SELF ? "self" : "nobody";
    Path tmp = Files.createDirectory(cache.resolve("tmp"));
    // Copying the server is faster than unpacking it.
    Path server = TestServers.archive(18).home();
    Path binaries = cache.resolve("binaries");
    FileTree.create(binaries, "rwxr-xr-x");
    FileTree.copy(server, binaries.resolve(server.getFileName()));
    return ChildJvm.start(
        java.util.List.of(),
        java.util.List.of("-Dpgtoaster.serverUser=" + user, "-Djava.io.tmpdir=" + tmp),
        "temporary",
        cache.toString());
  }
}
