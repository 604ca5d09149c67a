package io.pgtoaster.it.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.cli.CliHome.Result;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Traps;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No command calls objects that another role has created in a schema of the search path. */
@Tag("ci")
@Tag("turn-1")
class CliSearchPathIT {
  @AutoClose private static CliHome home;

  @BeforeAll
  static void setTraps() throws Exception {
    home = CliHome.create();
    home.keepServer();
    try (Connection c = home.connect();
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE item (code varchar(40) PRIMARY KEY, content bigint, doc jsonb)");
      s.execute("INSERT INTO item (code) VALUES ('a'), ('b'), ('c')");
      assertThat(Traps.set(c, false)).isGreaterThan(10_000);
    }
  }

  @AfterEach
  void noTrapFires() {
    assertThat(Traps.fired(home.log(), 0)).isEmpty();
  }

  private static void run(String input, String... args) throws Exception {
    Result result = home.run(input.getBytes(UTF_8), args);
    assertThat(result.code()).as("%s: %s", List.of(args), result.errors()).isZero();
  }

  private static void on(String column, String input, String... args) throws Exception {
    int words = args[0].equals("json") ? 2 : 1;
    String[] place = {"--url", home.url(), "-t", "item", "-c", column};
    run(
        input,
        Stream.of(Stream.of(args).limit(words), Stream.of(place), Stream.of(args).skip(words))
            .flatMap(s -> s)
            .toArray(String[]::new));
  }

  @Test
  void commands_callOnlyTheServersFunctions() throws Exception {
    String url = home.url();
    run("", "--url", url, "install");
    run("", "--url", url, "attach", "item", "content");
    run("", "--url", url, "attach", "item", "doc", "--toaster=keyed", "--leaf-size=1K");
    on("content", "bytes".repeat(9_000), "append", "a");
    on("content", "more", "append", "a");
    on("content", "x", "append", "new", "--create");
    on("content", "", "cat", "a", "--offset=3", "--length=30000");
    on("content", "", "tail", "a", "-n", "2");
    on("content", "", "ls");
    on("content", "", "ls", "-k");
    on("content", "", "stat", "a");
    on("content", "", "truncate", "a", "10K");
    on("content", "", "discard", "a", "1K");
    on("content", "", "seal", "new");
    on("content", "", "verify");
    on("content", "", "compact");
    on("content", "", "rm", "a");
    on("doc", Documents.big(30), "json", "put", "a");
    on("doc", "{\"n\": 1, \"list\": [1]}", "json", "put", "b");
    for (String key : List.of("a", "b")) {
      on("doc", "", "json", "set", key, "n", "1");
      on("doc", "", "json", "set", key, "list", "[1, 2]");
      on("doc", "", "json", "append", key, "list", "3");
      on("doc", "", "json", "insert", key, "list[0]", "0");
      on("doc", "", "json", "increment", key, "n", "5");
      on("doc", "", "json", "merge", key, "{\"m\": {\"k\": 1}}");
      on("doc", "", "json", "patch", key, "[{\"op\": \"remove\", \"path\": \"/m\"}]");
      on("doc", "", "json", "get", key, "list[1]");
      on("doc", "", "json", "keys", key);
      on("doc", "", "json", "size", key, "list");
      on("doc", "", "json", "slice", key, "list", "0", "2");
      on("doc", "", "json", "load", key);
      on("doc", "", "json", "stat", key);
      on("doc", "", "json", "explain", "--compare", "set", key, "n", "2");
      on("doc", "", "json", "remove", key, "n");
    }
    on("doc", "", "verify");
    on("doc", "", "repair");
    on("doc", "", "compact");
    on("doc", "", "ls");
    on("doc", "", "rm", "a");
    run("", "--url", url, "set-options", "item", "content", "tail=0", "notify=true");
    run("", "--url", url, "status");
    run("", "--url", url, "gc", "--yes", "--grace", "PT0S");
    run("", "--url", url, "detach", "item", "content", "--drop-content");
  }
}
