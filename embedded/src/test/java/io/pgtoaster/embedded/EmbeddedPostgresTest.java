package io.pgtoaster.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts one server, with each Java version that runs the unit tests. Integration tests cover the
 * rest, so that the build of other modules does not wait for longer tests.
 */
final class EmbeddedPostgresTest {
  private static final Path JAR = Path.of("target", "postgres", "postgres-18.jar").toAbsolutePath();

  @TempDir Path temp;

  @Test
  void server_keepsItsDataAcrossARestart() throws SQLException {
    PostgresBinaries binaries = PostgresBinaries.fromArchiveJar(JAR, temp.resolve("cache"));
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder(binaries).dataDirectory(temp.resolve("data")).start()) {
      run(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
      postgres.restart();
      assertThat(run(postgres, "SELECT answer FROM kept")).isEqualTo("42");
    }
  }

  private static String run(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(postgres.jdbcUrlWithPassword("postgres"));
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() ? rows.getString(1) : "";
      }
    }
  }
}
