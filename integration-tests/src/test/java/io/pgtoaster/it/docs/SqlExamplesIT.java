package io.pgtoaster.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.NeedsDistribution;
import io.pgtoaster.it.kit.PostgresServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Runs the examples in other languages on servers without the extension. */
class SqlExamplesIT {
  private static final Path EXAMPLES = Path.of("..", "examples");

  /** Always true in CI, so tests fail there if it is missing. */
  static boolean offersPsycopg() throws Exception {
    return System.getenv("CI") != null || python().isPresent();
  }

  private static Optional<String> python() throws Exception {
    for (String python : List.of("python3", "/usr/bin/python3")) {
      try {
        if (run(Map.of(), python, "-c", "import psycopg").exit() == 0) {
          return Optional.of(python);
        }
      } catch (IOException e) {
        // Try the next program.
      }
    }
    return Optional.empty();
  }

  @AutoClose private Database database;

  @BeforeEach
  void open() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
  }

  private record Result(int exit, String output) {}

  private static Result run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(output).isTrue();
    return new Result(process.exitValue(), output);
  }

  private Map<String, String> at() {
    return Map.of(
        "PGHOST",
        "127.0.0.1",
        "PGPORT",
        Integer.toString(database.server().postgres().port()),
        "PGUSER",
        database.server().postgres().user(),
        "PGPASSWORD",
        database.server().postgres().password(),
        "PGDATABASE",
        database.name());
  }

  @Test
  @EnabledIf(
      value = "offersPsycopg",
      disabledReason = "no psycopg for python3; to enable: apt-get install python3-psycopg")
  void python_appendsWithTokensReadsRangesAndEditsDocuments() throws Exception {
    String python = python().orElse("python3");
    String script = EXAMPLES.resolve("python/example.py").toString();
    Result result = run(at(), python, script, "");
    assertThat(result.exit()).as(result.output()).isZero();
    assertThat(result.output().lines())
        .containsExactly(
            "chunk 1: applied at 0",
            "chunk 2: applied at 10000",
            "chunk 3: applied at 20000",
            "chunk 3: already applied at 20000",
            "20003 bytes; at 10000: data",
            "rejected: there is no row public.example_recording.audio(2)",
            "{'what': 'Note G', 'year': 1844}");
  }

  @Test
  @NeedsDistribution
  void psql_returnsTheSameResults() throws Exception {
    List<String> command = new ArrayList<>();
    command.add("/usr/lib/postgresql/15/bin/psql");
    Stream.of("-XAtq", "-v", "ON_ERROR_STOP=1", "-f").forEach(command::add);
    command.add(EXAMPLES.resolve("psql/example.sql").toString());
    Result result = run(at(), command.toArray(String[]::new));
    assertThat(result.exit()).as(result.output()).isZero();
    assertThat(result.output().lines())
        .containsExactly(
            "t",
            "0|5|applied",
            "5|6|applied",
            "11|1|applied",
            "11|1|already applied",
            "world!",
            "1|first|12",
            "2|second|",
            "t",
            "t",
            "t",
            "Jello",
            "t",
            "{\"what\": \"Note G\", \"year\": 1844}|2",
            "1");
  }
}
