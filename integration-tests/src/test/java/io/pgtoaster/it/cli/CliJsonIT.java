package io.pgtoaster.it.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.cli.CliHome.Result;
import io.pgtoaster.it.kit.Documents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands for documents, run from the jar against the embedded server. */
@Tag("ci")
class CliJsonIT {
  @AutoClose private static CliHome home;

  @BeforeAll
  static void firstUse_needsNoSetUp() throws Exception {
    home = CliHome.create();
    home.keepServer();
    ok(home.run("{\"a\": 1.50}".getBytes(UTF_8), "json", "put", "first"));
    assertThat(ok(home.run("json", "get", "first")).output()).isEqualTo("{\"a\": 1.50}\n");
  }

  private static Result ok(Result result) {
    assertThat(result.code()).as(result.errors()).isZero();
    return result;
  }

  private static String json(String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("json"));
    all.addAll(List.of(args));
    return ok(home.run(all.toArray(String[]::new))).output();
  }

  private static void put(String key, String document) throws Exception {
    ok(home.run(document.getBytes(UTF_8), "json", "put", key));
  }

  @Test
  void putAndLoad_ofALargeFile_returnIt() throws Exception {
    Path file = Files.writeString(home.file("big.json"), Documents.big(2_000));
    Result put = ok(home.run("json", "put", "big", file.toString()));
    assertThat(put.errors()).contains("rows written").doesNotContain("\r");
    assertThat(put.bytes()).isEmpty();
    Path copy = home.file("copy.json");
    ok(home.run("json", "load", "big", "-o", copy.toString()));
    String text = Files.readString(copy);
    assertThat(json("load", "big")).isEqualTo(text);
    assertThat(json("get", "big")).isEqualTo(text + "\n");
    assertThat(json("get", "big", "items[1999].no")).isEqualTo("1999\n");
    assertThat(ok(home.run("json", "put", "big", copy.toString())).errors())
        .contains("kept, 0 removed");
    assertThat(json("stat", "big")).contains("split:           true", "largest split members:");
    assertThat(json("stat", "big", "--json")).contains("\"split\" : true");
    assertThat(json("keys", "big", "--limit", "2")).isEqualTo("id\nfew\n");
    assertThat(json("keys", "big", "index").lines()).hasSize(2_000).contains("k13993");
    assertThat(json("size", "big", "index")).isEqualTo("2000\n");
    assertThat(json("slice", "big", "few", "0", "2")).isEqualTo("[1, \"two\"]\n");
    assertThat(json("slice", "big", "few", "-2")).isEqualTo("[null, [4]]\n");
    assertThat(json("slice", "big", "few", "-4", "-2")).isEqualTo("[1, \"two\"]\n");
  }

  @Test
  void edits_changeOneValue() throws Exception {
    put("edits", "{\"n\": 1, \"list\": [1, 2], \"o\": {}, \"s\": \"text\"}");
    json("set", "edits", "n", "-5");
    json("set", "edits", "o.p.q", "[true]", "--parents");
    json("append", "edits", "list", "3", "\"four\"");
    json("insert", "edits", "list[0]", "0");
    json("insert", "edits", "list[0]", "0.5", "--after");
    json("remove", "edits", "list[-1]");
    assertThat(json("increment", "edits", "n", "0.50")).isEqualTo("-4.50\n");
    json("append", "edits", "list", "--keep-last", "4", "4");
    json("merge", "edits", "{\"s\": null, \"t\": {\"u\": 1}}");
    assertThat(json("get", "edits"))
        .isEqualTo(
            "{\"n\": -4.50, \"o\": {\"p\": {\"q\": [true]}}, \"t\": {\"u\": 1},"
                + " \"list\": [1, 2, 3, 4]}\n");
    String patch =
        "[{\"op\": \"test\", \"path\": \"/t/u\", \"value\": %s},"
            + " {\"op\": \"replace\", \"path\": \"/t/u\", \"value\": 2}]";
    json("patch", "edits", patch.formatted(1));
    assertThat(json("get", "edits", "/t/u")).isEqualTo("2\n");
    assertError(4, "the value is not the one expected", "patch", "edits", patch.formatted(1));
    String copy = "[{\"op\": \"copy\", \"from\": \"/t\", \"path\": \"/t/v\"}]";
    assertError(4, "more than 5 bytes", "patch", "edits", copy, "--copy-limit", "5");
    json("patch", "edits", copy);
  }

  @Test
  void values_areReadFromTextFileOrInput() throws Exception {
    put("values", "{}");
    Path file = Files.writeString(home.file("value.json"), "{\"from\": \"file\"}");
    json("set", "values", "a", "@" + file);
    ok(home.run("[1]".getBytes(UTF_8), "json", "set", "values", "b", "-"));
    json("set", "values", "c", "\"text\"");
    assertThat(json("get", "values"))
        .isEqualTo("{\"a\": {\"from\": \"file\"}, \"b\": [1], \"c\": \"text\"}\n");
    assertThat(json("get", "values", "c", "--raw")).isEqualTo("text\n");
    assertThat(json("get", "values", "--pretty"))
        .isEqualTo(
            """
            {
              "a": {
                "from": "file"
              },
              "b": [
                1
              ],
              "c": "text"
            }
            """);
    put("values", "{\"e\": {}, \"n\": [], \"x\": [[], 1e3, \"\\u0007\\u009b\"]}");
    assertThat(json("get", "values", "--pretty"))
        .isEqualTo(
            """
            {
              "e": {},
              "n": [],
              "x": [
                [],
                1000,
                "\\u0007\u009b"
              ]
            }
            """);
  }

  @Test
  void prettyOnATerminal_escapesControlCharacters() throws Exception {
    put("escape", "[\"\\u009b31m\"]");
    ProcessBuilder onTerminal = home.command(List.of("-Dpgtoaster.tty=1"), "json", "get", "escape");
    assertThat(ok(home.run(onTerminal, new byte[0])).output())
        .isEqualTo("[\n  \"\\u009b31m\"\n]\n");
  }

  @Test
  void explain_reportsRowsAndWal_andChangesNothing() throws Exception {
    put("explain", Documents.big(2_000));
    String before = json("load", "explain");
    String get = json("explain", "get", "explain", "items[1500].no");
    assertThat(get).contains("SELECT", "_node", "read", "PAGES").doesNotContain("updated");
    String set = json("explain", "--compare", "set", "explain", "items[1500].no", "5");
    assertThat(set)
        .contains("1 updated", "wrote node", "a leaf of an array")
        .contains("the same document as one plain jsonb", "(TOAST)", "inserted");
    assertThat(json("explain", "append", "explain", "items", "1", "--json"))
        .contains("\"walBytes\"", "\"updated\" : ");
    json("explain", "insert", "explain", "items[0]", "1");
    json("explain", "remove", "explain", "items[0]");
    assertThat(json("load", "explain")).isEqualTo(before);
    try (Connection connection = home.connect();
        Statement s = connection.createStatement();
        var r =
            s.executeQuery("SELECT count(*) FROM pg_class WHERE relname ~ '^pgtoaster_plain'")) {
      assertThat(r.next()).isTrue();
      assertThat(r.getInt(1)).isZero();
    }
    assertError(3, "nothing to explain", "explain", "get", "explain", "absent.x");
  }

  @Test
  void tableOfTheUser_isAttachedCompactedVerifiedAndDetached() throws Exception {
    String table = "\"We.ird\"\"s\".\"Doc;s\"";
    String big = Documents.big(200);
    try (Connection connection = home.connect();
        Statement s = connection.createStatement()) {
      s.execute("CREATE SCHEMA \"We.ird\"\"s\"");
      s.execute(
          "CREATE TABLE " + table + " (a int, b text, \"The 'D'\" jsonb, PRIMARY KEY (a, b))");
      s.execute("CREATE INDEX ON " + table + " ((\"The 'D'\" ->> 'name'))");
      s.execute("INSERT INTO " + table + " VALUES (7, 'x, \"y\"', '" + big + "'), (8, 'z', '[1]')");
    }
    String key = "7,\"x, \"\"y\"\"\"";
    String[] place = {"--url", home.url(), "-t", table, "-c", "\"The 'D'\""};
    String whole = ok(home.run(with(place, "json", "load", key))).output();
    assertThat(ok(home.run(with(place, "stat", key))).output())
        .contains("toaster:         default", "split:           false");
    Result attached =
        ok(
            home.run(
                "--url",
                home.url(),
                "attach",
                table,
                place[5],
                "--leaf-size=1K",
                "--fan-out=16",
                "--keep-inline=price",
                "--touch=row",
                "--unchanged=error",
                "--in-owner-schema",
                "--compression=none",
                "--row-budget=1500"));
    assertThat(attached.errors())
        .contains("to keyed, store")
        .contains("/name will stay in the row");
    assertThat(ok(home.run(with(place, "compact"))).errors()).contains("2 documents compacted");
    assertThat(ok(home.run(with(place, "stat", key))).output()).contains("split:           true");
    assertThat(ok(home.run(with(place, "ls"))).output())
        .containsPattern("\\d s 7,\"x, \"\"y\"\"\"\\R +\\d+   8,z\\R");
    assertThat(ok(home.run(with(place, "ls", "--json"))).output())
        .containsPattern("\\{\"key\":\\[\"8\",\"z\"],\"bytes\":\\d+,\"split\":false}\\R");
    assertThat(ok(home.run(with(place, "ls", "-k", "-0"))).output().split("\0"))
        .containsExactly(key, "8,z");
    assertThat(ok(home.run(with(place, "verify"))).errors())
        .contains("2 documents verified, 0 with problems");
    assertThat(ok(home.run(with(place, "json", "load", key))).output()).isEqualTo(whole);
    assertThat(home.run(with(place, "cat", key)).code()).isEqualTo(5);
    assertThat(ok(home.run("--url", home.url(), "status", "--json")).output())
        .contains("\"row_budget\" : \"1500\"", "\"touch\" : \"row\"", "\"unchanged\" : \"error\"")
        .containsPattern(
            "(?s)\"schemas\" : \\[ ],\\s+\"tables\" : \\[ ],\\s+\"extension\" : \\{.+\"used\" :"
                + " false");
    assertRepairs(table, place, key, whole);
    ok(home.run("--url", home.url(), "gc"));
    ok(home.run(with(place, "rm", "8,z")));
    assertThat(home.run(with(place, "json", "get", "8,z")).code()).isEqualTo(3);
    ok(home.run("--url", home.url(), "detach", table, place[5]));
    assertThat(ok(home.run(with(place, "json", "load", key))).output()).isEqualTo(whole);
  }

  private void assertRepairs(String table, String[] place, String key, String whole)
      throws Exception {
    assertThat(ok(home.run(with(place, "repair"))).errors()).contains("0 documents damaged");
    try (Connection connection = home.connect();
        Statement s = connection.createStatement()) {
      s.execute("SET session_replication_role = replica");
      s.execute(
          "UPDATE %1$s SET %2$s = %2$s || jsonb_build_object('zz', 5, '$pgtoaster', 'x') WHERE a = 7"
              .formatted(table, place[5]));
    }
    Result listed = home.run(with(place, "repair", key));
    assertThat(listed.code()).isEqualTo(1);
    assertThat(listed.output()).startsWith(key + ": ").contains("is restored");
    assertThat(listed.errors()).contains("1 document damaged; --yes repairs them");
    assertThat(ok(home.run(with(place, "repair", "--yes"))).errors())
        .contains("1 document repaired");
    ok(home.run(with(place, "json", "remove", key, "zz")));
    assertThat(ok(home.run(with(place, "json", "load", key))).output()).isEqualTo(whole);
    assertThat(ok(home.run(with(place, "verify"))).errors()).contains("0 with problems");
  }

  private static String[] with(String[] place, String... args) {
    List<String> words = List.of(place);
    List<String> all = new ArrayList<>(words.subList(0, 2));
    all.addAll(List.of(args));
    all.addAll(words.subList(2, words.size()));
    return all.toArray(String[]::new);
  }

  @Test
  void attach_refusesOptionsOfTheOtherToaster() throws Exception {
    assertError(home.run("attach", "t", "c", "--toaster=keyed", "--crc32c"), 2, "for documents");
    assertError(home.run("attach", "t", "c", "--leaf-size=1K"), 2, "for blobs");
    assertError(home.run("attach", "t", "c", "--toaster=keyed", "--leaf-size=1"), 2, "leafSize");
  }

  @Test
  void errors_printOneOrTwoLines_andSetTheExitCode() throws Exception {
    put("errors", "{\"a\": [1], \"s\": 1}");
    assertError(2, "give a command");
    assertError(2, "is not a path", "get", "errors", "a[");
    assertError(2, "double quotes, as in '\"hello\"'", "set", "errors", "a", "hello");
    assertError(2, "takes a VALUE", "explain", "set", "errors", "a");
    assertError(1, "no file", "set", "errors", "a", "@/no/such/file");
    assertError(1, "no file", "put", "errors", "/no/such/file");
    assertError(1, "not JSON", "put", "errors");
    assertError(3, "nothing at b.c", "get", "errors", "b.c");
    assertError(3, "--parents creates", "set", "errors", "b.c", "1");
    assertError(3, "there is no \"b\"", "append", "errors", "b", "1");
    assertError(3, "nothing to remove", "remove", "errors", "b");
    assertError(3, "no object", "keys", "errors", "a");
    assertError(3, "neither an array nor an object at s", "size", "errors", "s");
    assertError(3, "no array", "slice", "errors", "s", "0", "1");
    assertError(3, "absent", "get", "absent");
    assertError(3, "nowhere", "get", "-t", "nowhere", "errors");
    assertThat(json("get", "errors")).isEqualTo("{\"a\": [1], \"s\": 1}\n");
  }

  private static void assertError(int code, String message, String... args) throws Exception {
    List<String> all = new ArrayList<>(List.of("json"));
    all.addAll(List.of(args));
    assertError(home.run("no json".getBytes(UTF_8), all.toArray(String[]::new)), code, message);
  }

  private static void assertError(Result result, int code, String message) {
    assertThat(result.code()).as(result.errors()).isEqualTo(code);
    assertThat(result.bytes()).isEmpty();
    assertThat(result.errors()).contains(message).doesNotContain("\tat ");
    assertThat(result.errors().lines().count()).as(result.errors()).isBetween(1L, 3L);
  }
}
