package io.pgtoaster.embedded;

import static io.pgtoaster.embedded.TestServers.await;
import static io.pgtoaster.embedded.TestServers.isAlive;
import static io.pgtoaster.embedded.TestServers.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedServerIT {
  /** Runs a command in a separate process group that SIGINT ends even if this JVM ignores it. */
  private static final List<String> INTERRUPTIBLE =
      List.of("setsid", "env", "--default-signal=INT");

  @TempDir Path home;

  @Test
  void twoProcesses_useOneServer_andTheLastStopsIt() throws Exception {
    long server;
    try (ChildJvm first = ChildJvm.start("shared", home.toString())) {
      server = first.serverPid();
      try (ChildJvm second = ChildJvm.start("shared", home.toString())) {
        assertThat(second.serverPid()).isEqualTo(server);
        first.end();
        assertThat(isAlive(server)).isTrue();
        second.end();
        assertThat(isAlive(server)).isFalse();
      }
    }
  }

  @Tag("ci")
  @Test
  void concurrentStarts_useOneServer() throws Exception {
    List<ChildJvm> children = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        children.add(ChildJvm.start("shared", home.toString()));
      }
      long server = children.get(0).serverPid();
      for (ChildJvm child : children.subList(1, 4)) {
        assertThat(child.serverPid()).isEqualTo(server);
      }
      for (ChildJvm child : children) {
        assertThat(isAlive(server)).isTrue();
        child.end();
      }
      assertThat(isAlive(server)).isFalse();
    } finally {
      children.forEach(ChildJvm::close);
    }
  }

  @Tag("ci")
  @Test
  void killedUser_leavesTheServerToTheNextUser() throws Exception {
    long server;
    try (ChildJvm first = ChildJvm.start("shared", home.toString())) {
      server = first.serverPid();
      first.kill();
    }
    assertThat(isAlive(server)).isTrue();
    try (SharedServer next = SharedServer.open(TestServers.archive(18), home)) {
      assertThat(next.pid()).isEqualTo(server);
      assertThat(sql(next, "select 1")).isEqualTo("1");
    }
    assertThat(isAlive(server)).isFalse();
  }

  @Tag("ci")
  @Test
  void interruptOfTheStartersProcessGroup_doesNotStopAServerInUse() throws Exception {
    try (ChildJvm first =
            ChildJvm.start(INTERRUPTIBLE, List.of(), "shared-no-close", home.toString());
        SharedServer second = openAfter(first)) {
      long server = second.pid();
      assertThat(sql(second, "select 1")).isEqualTo("1");
      Command.run(List.of("kill", "-INT", "--", "-" + first.process.pid()))
          .orThrow("cannot interrupt");
      assertThat(first.process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(first.process.exitValue()).isEqualTo(130);
      assertThat(second.pid()).isEqualTo(server);
      assertThat(sql(second, "select 2")).isEqualTo("2");
    }
  }

  private SharedServer openAfter(ChildJvm first) {
    long server = first.serverPid();
    SharedServer second = SharedServer.open(TestServers.archive(18), home);
    assertThat(second.pid()).isEqualTo(server);
    return second;
  }

  @Tag("ci")
  @Test
  void interruptOfTheOnlyUser_stopsTheServer() throws Exception {
    try (ChildJvm only =
        ChildJvm.start(INTERRUPTIBLE, List.of(), "shared-no-close", home.toString())) {
      long server = only.serverPid();
      Command.run(List.of("kill", "-INT", "--", "-" + only.process.pid()))
          .orThrow("cannot interrupt");
      assertThat(only.process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(isAlive(server)).isFalse();
    }
  }

  @Test
  void twoUsersInOneProcess_shareTheServer() throws Exception {
    SharedServer first = SharedServer.open(TestServers.archive(18), home);
    try (SharedServer second = SharedServer.open(TestServers.archive(18), home)) {
      assertThat(second.pid()).isEqualTo(first.pid());
      first.close();
      first.close();
      assertThat(sql(second, "select 1")).isEqualTo("1");
    }
    assertThat(first.pid()).isZero();
  }

  @Test
  void killedServer_isRestartedByTheNextUser_withItsData() throws Exception {
    try (SharedServer first = SharedServer.open(TestServers.archive(18), home)) {
      sql(first, "create table kept as select 42 as answer");
      ProcessHandle.of(first.pid()).orElseThrow().destroyForcibly();
      await("the killed server has gone", () -> first.pid() == 0);
      try (SharedServer second = SharedServer.open(TestServers.archive(18), home)) {
        assertThat(sql(second, "select answer from kept")).isEqualTo("42");
      }
    }
  }

  @Tag("ci")
  @Test
  void otherVersion_isRefused_andTheHomeRemainsUsable() throws Exception {
    SharedServer.open(TestServers.archive(15), home).close();
    assertThatThrownBy(() -> SharedServer.open(TestServers.archive(18), home))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("created by PostgreSQL 15");
    try (SharedServer again = SharedServer.open(TestServers.archive(15), home)) {
      assertThat(sql(again, "select 1")).isEqualTo("1");
    }
  }
}
