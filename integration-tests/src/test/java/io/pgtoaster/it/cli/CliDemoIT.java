package io.pgtoaster.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.cli.CliHome.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The demonstration, on a small file. */
class CliDemoIT {
  @Test
  void demo_writesTableFiguresAndPage_andLeavesNothing() throws Exception {
    try (CliHome home = new CliHome()) {
      Path file = Files.write(home.file("small.bin"), new byte[3_000_001]);
      Path json = home.file("demo.json");
      Path report = home.file("demo.html");
      Result result =
          home.run(
              "demo",
              file.toString(),
              "--rounds=1",
              "--max-size=1MB",
              "--json=" + json,
              "--report=" + report);
      assertThat(result.code()).as(result.errors()).isZero();
      assertThat(result.output()).contains("SHA-256", "large object", "COPY BINARY", "bytea ||");
      assertThat(result.output())
          .contains("a document: read a short key", "a document: append an element")
          .contains("pgtoaster, keyed", "plain jsonb");
      assertThat(Files.readString(json))
          .contains("\"sha256_equal\" : true", "\"append_mb_s\"", "\"read_mb_s\"")
          .contains("\"one_byte_append_ms\"", "\"one_byte_append_wal_bytes\"", "\"wal_level\"")
          .contains("\"read_element_ms\"", "\"set_in_element_wal_bytes\"", "\"1MB\"");
      assertThat(Files.readString(report))
          .contains("A growing document", "Append an element: write-ahead log")
          .contains("<svg", "prefers-color-scheme", "viewport")
          .doesNotContain("{{", "http://", "https://");
      home.keepServer();
      try (var connection = home.connect();
          var r =
              connection
                  .createStatement()
                  .executeQuery(
                      "SELECT count(*) FROM pg_database WHERE datname LIKE 'pgtoaster_demo%'")) {
        assertThat(r.next()).isTrue();
        assertThat(r.getInt(1)).isZero();
      }
      Result onUrl =
          home.run("--url", home.url(), "demo", file.toString(), "--rounds=1", "--max-size=1");
      assertThat(onUrl.code()).as(onUrl.errors()).isZero();
      try (var connection = home.connect();
          var r =
              connection
                  .createStatement()
                  .executeQuery(
                      "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'pgtoaster%'")) {
        assertThat(r.next()).isTrue();
        assertThat(r.getInt(1)).isZero();
      }
    }
  }
}
