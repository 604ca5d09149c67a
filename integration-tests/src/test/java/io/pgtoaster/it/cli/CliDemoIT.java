package io.pgtoaster.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.cli.CliHome.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The demo with a small file. */
@Tag("ci")
@Tag("turn-2")
class CliDemoIT {
  @Test
  void demo_runsCompletely_andLeavesNothing() throws Exception {
    try (CliHome home = CliHome.create()) {
      Path file = Files.write(home.file("small.bin"), new byte[3_000_001]);
      Result result = home.run("demo", file.toString(), "--max-size=1MB");
      assertThat(result.code()).as(result.errors()).isZero();
      assertThat(result.output())
          .containsPattern("SHA-256 +equal: [0-9a-f]{64}")
          .containsPattern("MB/s +append +ratio +read +ratio")
          .containsPattern("(?m)^large object( +[\\d,.]+ +[\\d,.]+x){2}$")
          .containsPattern("(?m)^bytea \\|\\|( +[\\d,.]+ +[\\d,.]+x){2}$")
          .containsPattern("one byte appended to a value of\\R+ms +1MB +ratio")
          .containsPattern("bytes of WAL +1MB +ratio")
          .contains("a document: read a short key", "a document: append an element")
          .containsPattern("ms +1kB +ratio +10kB +ratio +100kB +ratio +1MB +ratio")
          .contains("pgtoaster, keyed", "plain jsonb", "wal_level ")
          .containsPattern("(?m)^document 150 +The parcel waited in the \\*harbour\\* until")
          .containsPattern("ms +keys +ratio +with snippets +ratio");
      home.keepServer();
      assertThat(count(home, "pg_database WHERE datname LIKE 'pgtoaster_demo%'")).isZero();
      Result onUrl = home.run("--url", home.url(), "demo", file.toString(), "--max-size=20kB");
      assertThat(onUrl.code()).as(onUrl.errors()).isZero();
      assertThat(onUrl.output())
          .contains("equal: ", "document 300")
          .doesNotContain("one byte appended to");
      assertThat(count(home, "pg_namespace WHERE nspname LIKE 'pgtoaster%'")).isZero();
      assertThat(count(home, "pg_largeobject_metadata")).isZero();
    }
  }

  private static int count(CliHome home, String from) throws SQLException {
    try (var connection = home.connect();
        var s = connection.createStatement();
        ResultSet r = s.executeQuery("SELECT count(*) FROM " + from)) {
      r.next();
      return r.getInt(1);
    }
  }
}
