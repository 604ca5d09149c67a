package io.pgtoaster.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class TestServers {
  static final Path CACHE = Path.of("target", "server-cache").toAbsolutePath();
  static final Path DEBIAN = Path.of("/usr/lib/postgresql/15");

  private TestServers() {}

  /** Always true in CI, so tests fail there if the distribution's server is missing. */
  static boolean offersDistribution() {
    return System.getenv("CI") != null || Files.exists(DEBIAN.resolve("bin/initdb"));
  }

  /**
   * Each version's archive, and Debian's 15 if installed; by default only the newest archive, and
   * in a part of the plan {@linkplain Plan#inTurn one} of them.
   */
  static List<PostgresBinaries> all() {
    if (System.getProperty("pgtoaster.test.settings", "newest").equals("newest")) {
      return List.of(archive(18));
    }
    List<PostgresBinaries> all =
        Stream.of(18, 15, 16, 17)
            .map(TestServers::archive)
            .collect(Collectors.toCollection(ArrayList::new));
    if (Files.exists(DEBIAN.resolve("bin/initdb"))) {
      all.add(PostgresBinaries.fromDirectory(DEBIAN));
    }
    return Plan.inTurn(all);
  }

  static PostgresBinaries archive(int major) {
    return PostgresBinaries.fromArchiveJar(jar(major), CACHE);
  }

  static Path jar(int major) {
    return Path.of("target", "postgres", "postgres-" + major + ".jar").toAbsolutePath();
  }

  static Connection connect(String url, String user, @Nullable String password)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    if (password != null) {
      properties.setProperty("password", password);
    }
    return DriverManager.getConnection(url, properties);
  }

  static String sql(EmbeddedPostgres postgres, String sql) throws SQLException {
    return sql(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password(), sql);
  }

  static String sql(SharedServer server, String sql) throws SQLException {
    return sql(server.jdbcUrl("postgres"), server.user(), server.password(), sql);
  }

  private static String sql(String url, String user, @Nullable String password, String sql)
      throws SQLException {
    try (Connection connection = connect(url, user, password);
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() ? String.valueOf(rows.getString(1)) : "";
      }
    }
  }

  /** Returns false for a zombie, which has ended and only waits for its parent. */
  static boolean isAlive(long pid) {
    return Files.exists(Path.of("/proc", Long.toString(pid), "exe"));
  }

  static void await(String what, BooleanSupplier condition) {
    Instant deadline = Instant.now().plus(Duration.ofMinutes(2));
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as("deadline for: " + what).isBefore(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }
}
