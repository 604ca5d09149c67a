package io.pgtoaster.it.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.it.cli.CliHome.Result;
import io.pgtoaster.it.kit.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands, run from the jar against the embedded server. */
class CliIT {
  @AutoClose private static CliHome home;

  @BeforeAll
  static void firstUse_needsNoSetUp() throws Exception {
    home = CliHome.empty();
    Result first = home.run("first".getBytes(UTF_8), "append", "first");
    assertThat(first.code()).as(first.errors()).isZero();
    assertThat(home.run("cat", "first").output()).isEqualTo("first");
    home.keepServer();
  }

  private static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static Result ok(Result result) {
    assertThat(result.code()).as(result.errors()).isZero();
    return result;
  }

  @Test
  void gettingStarted_worksAsDocumented() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "getting-started.md"));
    String sample = page.substring(page.indexOf("echo 'A beginning"));
    sample = sample.substring(0, sample.indexOf("\n```\n"));
    ProcessBuilder shell = home.command(List.of()).directory(Path.of("..").toFile());
    shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
    shell.environment().put("PGTOASTER_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    shell.command("bash", "-ec", "set -o pipefail\n" + sample);
    assertThat(ok(home.run(shell, new byte[0])).output())
        .isEqualTo("beginning\"Kyle MacLachlan\"\n");
  }

  @Test
  void append_ofFilesAndInput_isReadByCat() throws Exception {
    byte[] one = noise(3_000_000);
    byte[] two = noise(12_345);
    Path file = Files.write(home.file("one.bin"), one);
    Result appended = ok(home.run(two, "append", "both", file.toString(), "-"));
    assertThat(appended.bytes()).isEmpty();
    assertThat(appended.errors()).contains("length now 3012345").doesNotContain("\r");
    byte[] all = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, all, one.length, two.length);
    assertThat(ok(home.run("cat", "both")).bytes()).isEqualTo(all);
    assertThat(ok(home.run("cat", "both", "--offset", "2999990", "--length", "20")).bytes())
        .isEqualTo(Arrays.copyOfRange(all, 2_999_990, 3_000_010));
    Path copy = home.file("copy.bin");
    assertThat(ok(home.run("-q", "cat", "both", "-o", copy.toString())).errors()).isEmpty();
    assertThat(copy).hasBinaryContent(all);
  }

  @Test
  void migrate_forwardAndBack() throws Exception {
    try (Connection c = home.connect();
        Statement s = c.createStatement()) {
      s.execute(
          "CREATE TABLE old (id int PRIMARY KEY, body bytea); INSERT INTO old SELECT g,"
              + " convert_to(repeat('row' || g, g * 1000), 'UTF8') FROM generate_series(1, 20) g;"
              + " CREATE TABLE old_copy AS SELECT * FROM old; CREATE INDEX old_body ON old"
              + " (length(body)); CREATE TABLE notes (id int PRIMARY KEY, doc json); INSERT INTO"
              + " notes VALUES (1, '[1]')");
      String[] notes = {"--url", home.url(), "notes", "doc"};
      assertThat(ok(home.run(with(notes, "migrate", "--dry-run", "leaf_size=4096"))).errors())
          .contains("1 rows, ");
      String[] place = {"--url", home.url(), "old", "body"};
      assertThat(ok(home.run(with(place, "migrate", "--dry-run"))).errors())
          .contains(
              "20 rows, ", " of additional disk space", "note: index \"old_body\" uses the column");
      assertThat(home.run(with(place, "migrate", "--abort")).errors())
          .contains("no migration of column \"body\"");
      assertThat(home.run(with(place, "migrate", "--resume")).errors())
          .contains("no migration of old.body is in progress; run without --resume to begin one");
      assertThat(
              ok(home.run(with(place, "migrate", "--no-finish", "--rate", "100M", "tail=0")))
                  .errors())
          .contains("20 rows, ", "compared, all equal", "is ready")
          .doesNotContain("\r");
      assertThat(home.run(with(place, "migrate", "--resume", "tail=0")).code()).isEqualTo(2);
      assertThat(ok(home.run(with(place, "migrate", "--resume", "--no-finish"))).errors())
          .contains("continuing the migration of old.body in phase ready: 20 of 20 rows, ");
      assertThat(ok(home.run(with(place, "migrate", "--max-lag", "16M"))).errors())
          .contains(
              "continuing the migration", "migrated old.body; --drop", "there is no logical slot");
      assertThat(home.run(with(place, "migrate", "--resume")).errors())
          .contains("the migration of old.body is finished; --drop drops the old column");
      assertThat(ok(home.run("cat", "--url", home.url(), "-t", "old", "-c", "body", "2")).output())
          .isEqualTo("row2".repeat(2000));
      assertThat(home.run(with(place, "migrate", "--back")).errors())
          .contains(
              "was migrated, and its old content is kept in column \"body_before\"", "--drop");
      ok(home.run(with(place, "migrate", "--drop")));
      assertThat(ok(home.run(with(place, "migrate", "--dry-run", "--back"))).errors())
          .contains("20 rows, ", "the time was not measured");
      assertThat(home.run(with(place, "migrate", "--dry-run", "--drop")).code()).isEqualTo(2);
      ok(home.run(with(place, "migrate", "--back")));
      ok(home.run(with(place, "migrate", "--drop")));
      assertThat(ok(home.run(with(place, "migrate", "--orphans"))).output()).isEmpty();
      s.execute("SELECT lo_from_bytea(4711, 'nobody names it')");
      assertThat(ok(home.run(with(place, "migrate", "--orphans"))).output()).isEqualTo("4711\n");
      s.execute("SELECT lo_unlink(4711)");
      try (ResultSet r =
          s.executeQuery(
              "SELECT count(*) FROM old JOIN old_copy o USING (id) WHERE old.body = o.body")) {
        assertThat(r.next() ? r.getInt(1) : 0).isEqualTo(20);
      }
      assertThat(home.run(with(place, "migrate", "--back", "--drop")).code()).isEqualTo(2);
    }
  }

  @Test
  void migrate_splitsJsonb_andConvertsItBackToText() throws Exception {
    try (Connection c = home.connect();
        Statement s = c.createStatement()) {
      s.execute(
          "CREATE TABLE folk (id int PRIMARY KEY, doc jsonb); INSERT INTO folk SELECT g,"
              + " jsonb_build_object('n', g, 'text', (SELECT string_agg(md5(concat(g, i)), '')"
              + " FROM generate_series(1, 200) i)) FROM generate_series(1, 20) g;"
              + " CREATE TABLE folk_copy AS SELECT * FROM folk");
      String[] place = {"--url", home.url(), "folk", "doc"};
      assertThat(ok(home.run(with(place, "migrate", "--dry-run"))).errors())
          .containsPattern("20 rows, .* of additional disk space, and about \\d+ s without --rate");
      assertThat(ok(home.run(with(place, "migrate", "--rate", "100M"))).errors())
          .contains("migrated folk.doc")
          .doesNotContain("--drop");
      assertThat(home.run(with(place, "migrate", "--drop")).errors())
          .contains(
              "no old column is kept from a migration of column \"doc\"",
              "there is nothing to drop")
          .doesNotContain("migrate_begin");
      assertThat(ok(home.run(with(place, "migrate", "--dry-run", "--back", "text"))).errors())
          .contains("20 rows, 13");
      assertThat(number(s, "SELECT split FROM pgtoaster.column_stat('folk', 'doc')")).isEqualTo(20);
      assertThat(ok(home.run(with(place, "migrate", "--back", "text"))).errors())
          .contains("20 rows, ", "compared, all equal", "--drop drops the old column");
      ok(home.run(with(place, "migrate", "--drop")));
      assertThat(
              number(
                  s,
                  "SELECT count(*) FROM folk JOIN folk_copy o USING (id) WHERE folk.doc ="
                      + " o.doc::text"))
          .isEqualTo(20);
    }
  }

  private static int number(Statement s, String sql) throws SQLException {
    try (ResultSet r = s.executeQuery(sql)) {
      return r.next() ? r.getInt(1) : 0;
    }
  }

  @Test
  void tail_printsTheEndOfABlob() throws Exception {
    ok(home.run("a\nbb\nccc\ndddd".getBytes(UTF_8), "append", "lines"));
    assertThat(ok(home.run("tail", "lines", "-n", "2")).output()).isEqualTo("ccc\ndddd");
    assertThat(ok(home.run("tail", "lines", "-b", "3")).output()).isEqualTo("ddd");
    assertThat(ok(home.run("tail", "lines")).output()).isEqualTo("a\nbb\nccc\ndddd");
    assertThat(ok(home.run("tail", "lines", "--from", "5")).output()).isEqualTo("ccc\ndddd");
  }

  @Test
  void tailFollow_seesAppendsAtOnce_andEndsWhenSealed() throws Exception {
    ok(home.run("one\n".getBytes(UTF_8), "append", "growing"));
    Process follower = home.command(List.of(), "tail", "-f", "--from", "0", "growing").start();
    Process appender = home.command(List.of(), "append", "growing", "--seal").start();
    try (InputStream seen = follower.getInputStream()) {
      assertThat(new String(seen.readNBytes(4), UTF_8)).isEqualTo("one\n");
      for (String line : List.of("two\n", "three\n")) {
        appender.getOutputStream().write(line.getBytes(UTF_8));
        appender.getOutputStream().flush();
        assertThat(new String(seen.readNBytes(line.length()), UTF_8)).isEqualTo(line);
      }
      appender.getOutputStream().close();
      assertThat(seen.readAllBytes()).isEmpty();
    }
    assertThat(follower.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(follower.exitValue()).isZero();
    assertThat(appender.waitFor()).isZero();
    assertThat(home.run("x".getBytes(UTF_8), "append", "growing").code()).isEqualTo(5);
  }

  @Test
  void stat_ls_truncate_rm_verify_compact() throws Exception {
    ok(home.run(noise(100_000), "append", "kept"));
    ok(home.run("x".getBytes(UTF_8), "append", "kept"));
    assertThat(ok(home.run("stat", "kept")).output()).contains("length:          100001");
    assertThat(ok(home.run("stat", "kept", "--json")).output()).contains("\"length\" : 100001");
    assertThat(ok(home.run("ls")).output()).contains("        100001   kept");
    ok(home.run("truncate", "kept", "50K"));
    assertThat(ok(home.run("cat", "kept")).bytes())
        .isEqualTo(Arrays.copyOf(noise(100_000), 51_200));
    ok(home.run("discard", "kept", "20K"));
    assertThat(ok(home.run("stat", "kept")).output()).contains("first:           20480");
    assertThat(ok(home.run("cat", "kept", "--offset", "20480")).bytes())
        .isEqualTo(Arrays.copyOfRange(noise(100_000), 20_480, 51_200));
    assertThat(ok(home.run("cat", "kept")).bytes())
        .isEqualTo(Arrays.copyOfRange(noise(100_000), 20_480, 51_200));
    assertError(1, "were discarded", "cat", "kept", "--offset", "1");
    assertThat(ok(home.run("verify", "kept")).errors()).contains("1 blob verified, 0 with");
    ok(home.run("compact", "kept"));
    assertThat(ok(home.run("status")).output()).contains("public.pgtoaster_files.content");
    assertThat(ok(home.run("status", "--json")).output()).contains("\"appendable\"");
    ok(home.run("rm", "kept"));
    assertThat(ok(home.run("ls", "-k")).output()).doesNotContain("kept");
    assertThat(home.run("cat", "kept").code()).isEqualTo(3);
    ok(home.run("gc"));
  }

  @Test
  void errors_printOneOrTwoLines_andSetTheExitCode() throws Exception {
    ok(home.run("abc".getBytes(UTF_8), "append", "abc"));
    assertError(1, "beyond the end", "cat", "abc", "--offset", "4");
    assertError(1, "no file", "append", "abc", "/no/such/file");
    assertError(2, "Unknown option", "cat", "abc", "--nonsense");
    assertError(2, "give a command");
    assertError(2, "not a number of bytes", "truncate", "abc", "much");
    assertError(2, "Unmatched argument", "frobnicate");
    assertError(2, "not the URL", "--url", "mysql://x", "ls");
    assertError(3, "absent", "cat", "absent");
    assertError(3, "nowhere", "ls", "-t", "nowhere");
    assertError(4, "3 bytes", "append", "abc", "--expected-offset", "7");
    assertError(6, "no connection", "--url", "postgres://127.0.0.1:1/x", "ls");
    assertThat(home.run("cat", "absent", "-v").errors()).contains("\tat io.pgtoaster");
    assertThat(ok(home.run("cat", "abc")).output()).isEqualTo("abc");
  }

  private static void assertError(int code, String message, String... args) throws Exception {
    Result result = home.run("input".getBytes(UTF_8), args);
    assertThat(result.code()).as(result.errors()).isEqualTo(code);
    assertThat(result.bytes()).isEmpty();
    assertThat(result.errors()).contains(message).doesNotContain("\tat ");
    assertThat(result.errors().lines().count()).as(result.errors()).isBetween(1L, 3L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a'b\"c;d.e,f",
        "', '); DROP TABLE pgtoaster_files; --",
        "ключ 键 🗝",
        " ",
        "\\x00"
      })
  void hostileKeys_areOrdinaryKeys(String key) throws Exception {
    ok(home.run(key.getBytes(UTF_8), "append", "--", key));
    assertThat(ok(home.run("cat", "--", key)).output()).isEqualTo(key);
    assertThat(ok(home.run("ls", "-k", "-0")).output().split("\0")).contains(key);
    ok(home.run("rm", "--", key));
  }

  @Test
  void tableOfTheUser_withHostileNamesAndACompositeKey() throws Exception {
    String table = "\"We.ird\"\"s\".\"Na;me\"";
    try (Connection connection = home.connect();
        Statement s = connection.createStatement()) {
      s.execute("CREATE SCHEMA \"We.ird\"\"s\"");
      s.execute("CREATE TABLE " + table + " (a int, \"b\"\"c\" text, PRIMARY KEY (a, \"b\"\"c\"))");
      s.execute("INSERT INTO " + table + " VALUES (7, 'x, \"y\"')");
    }
    String[] place = {"--url", home.url(), "-t", table, "-c", "\"The 'Column'\""};
    ok(home.run("--url", home.url(), "install"));
    assertThat(home.run("cat", "--url", home.url(), "-t", "\"Na;me\"", "-c", "x", "7").errors())
        .contains("for a table in another schema, add the schema: -t SCHEMA.\"Na;me\"");
    String[] attach = {"--url", home.url(), "attach", table, place[5], "--if-absent", "--crc32c"};
    assertThat(ok(home.run(attach)).errors()).contains("pgtoaster: attached ");
    assertThat(ok(home.run(attach)).errors())
        .contains(" is already attached to appendable, store ")
        .doesNotContain("pgtoaster: attached ");
    ok(home.run("--url", home.url(), "set-options", table, place[5], "tail=0", "notify=true"));
    assertThat(
            home.run("--url", home.url(), "set-options", table, place[5], "crc32c=false").errors())
        .contains("crc32c", "fixed when a column is attached");
    ok(home.run("data".getBytes(UTF_8), with(place, "append", "7,\"x, \"\"y\"\"\"")));
    assertThat(ok(home.run(with(place, "ls", "-k"))).output().strip())
        .isEqualTo("7,\"x, \"\"y\"\"\"");
    assertThat(ok(home.run(with(place, "cat", "7,\"x, \"\"y\"\"\""))).output()).isEqualTo("data");
    assertThat(home.run(with(place, "cat", "7")).code()).isEqualTo(2);
    assertThat(home.run(with(place, "append", "8,new")).code()).isEqualTo(3);
    ok(home.run("new".getBytes(UTF_8), with(place, "append", "8,new", "--create")));
    assertThat(ok(home.run(with(place, "verify"))).errors()).contains("2 blobs verified");
    assertThat(ok(home.run(with(place, "ls", "--json"))).output())
        .isEqualTo(
            """
            {"key":["7","x, \\"y\\""],"bytes":4,"sealed":false}
            {"key":["8","new"],"bytes":3,"sealed":false}
            """);
    assertError(2, "--json cannot be combined", with(place, "ls", "--json", "-k"));
    Result refused = home.run("--url", home.url(), "detach", table, place[5]);
    assertThat(refused.code()).isNotZero();
    assertThat(refused.errors()).contains("; Copy what you need", "or detach with --drop-content");
    ok(home.run("--url", home.url(), "detach", table, place[5], "--drop-content"));
    assertThat(
            ok(home.run("--url", home.url(), "detach", table, place[5], "--if-attached")).errors())
        .contains("not attached");
  }

  @Test
  void statusWithoutACatalog_isReported() throws Exception {
    try (Connection connection = home.connect();
        Statement s = connection.createStatement()) {
      s.execute("CREATE DATABASE bare");
    }
    String url = home.url().replaceFirst("/postgres$", "/bare");
    assertThat(ok(home.run("--url", url, "status")).errors())
        .contains("there is no catalog in ", "pgtoaster install");
    ok(home.run("--url", url, "install"));
    assertThat(ok(home.run("--url", url, "status")).errors()).contains("no column is attached in ");
  }

  private static String[] with(String[] place, String command, String... more) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(List.of(place));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void resume_continuesTheSameFile_andRefusesAnother() throws Exception {
    byte[] bytes = noise(2_000_000);
    Path file = Files.write(home.file("resume.bin"), bytes);
    ok(home.run(Arrays.copyOf(bytes, 700_001), "append", "resumed"));
    ok(home.run("append", "resumed", "--resume", file.toString()));
    ok(home.run("append", "resumed", "--resume", file.toString()));
    assertThat(ok(home.run("cat", "resumed")).bytes()).isEqualTo(bytes);
    bytes[600_000] ^= 1;
    Path other = Files.write(home.file("other.bin"), bytes);
    Result refused = home.run("append", "resumed", "--resume", other.toString());
    assertThat(refused.code()).isEqualTo(4);
    assertThat(refused.errors()).contains("at offset 600000");
  }

  @Test
  void interruptedAppend_reportsItsOffset_andResumes() throws Exception {
    byte[] bytes = noise(1_500_000);
    Path file = Files.write(home.file("interrupted.bin"), bytes);
    Path errors = home.file("interrupted.txt");
    ProcessBuilder builder = home.command(List.of(), "append", "interrupted", "-");
    Process appender = builder.redirectError(errors.toFile()).start();
    appender.getOutputStream().write(bytes, 0, 1_000_000);
    appender.getOutputStream().flush();
    while (!home.run("ls", "-t", "pgtoaster_files").output().contains("1000000   interrupted")) {
      assertThat(appender.isAlive()).isTrue();
    }
    appender.toHandle().destroy(); // Process.destroy would also close its input
    assertThat(appender.waitFor()).isEqualTo(143);
    assertThat(errors).content().contains("committed up to offset 1000000");
    ok(home.run("append", "interrupted", "--resume", file.toString()));
    assertThat(ok(home.run("cat", "interrupted")).bytes()).isEqualTo(bytes);
  }

  @Test
  void closedStandardOutput_endsTheCommandSilently() throws Exception {
    ok(home.run(noise(5_000_000), "append", "wide"));
    ProcessBuilder builder = home.command(List.of(), "cat", "wide");
    Process cat = builder.start();
    assertThat(cat.getInputStream().read()).isNotNegative();
    cat.getInputStream().close();
    assertThat(new String(cat.getErrorStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(cat.waitFor()).isZero();
  }

  @Test
  void installPrint_printsTheSqlOfTheCatalog() throws Exception {
    assertThat(ok(home.run("install", "--print")).output())
        .contains("CREATE SCHEMA IF NOT EXISTS pgtoaster");
  }

  @Test
  void index_isCreatedListedAndDropped() throws Exception {
    ok(
        home.run(
            "{\"servers\": [{\"name\": \"a\"}]}".getBytes(UTF_8), "json", "put", "indexed", "-"));
    String[] place = documents();
    createShowingWhatItWaitsFor(place);
    ok(
        home.run(
            "--url",
            home.url(),
            "index",
            "create",
            place[0],
            place[1],
            "text",
            "--config",
            "english"));
    ok(
        home.run(
            "--url",
            home.url(),
            "index",
            "create",
            place[0],
            place[1],
            "path",
            "--path",
            "a.b",
            "--path",
            "v[*].p"));
    assertThat(ok(home.run("--url", home.url(), "index", "ls")).output())
        .contains("containment", "text", "english", "path", "a.b, v[*].p");
    assertThat(home.run("--url", home.url(), "index", "create", place[0], place[1], "path").code())
        .isEqualTo(2);
    ok(home.run("--url", home.url(), "index", "drop", place[0], place[1], "path"));
    assertThat(home.run("--url", home.url(), "index", "create", place[0], place[1], "text").code())
        .isEqualTo(2);
    ok(home.run("--url", home.url(), "index", "drop", place[0], place[1], "text"));
    ok(home.run("--url", home.url(), "index", "drop", place[0], place[1], "containment"));
    Result again =
        home.run("--url", home.url(), "index", "drop", place[0], place[1], "containment");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.errors()).contains("has no search index");
  }

  /** The server waits for writers before it builds an index online. */
  private static void createShowingWhatItWaitsFor(String[] place) throws Exception {
    ProcessBuilder builder =
        home.command(
            List.of("-Dpgtoaster.tty=2"),
            "--url %s index create %s %s containment --online"
                .formatted(home.url(), place[0], place[1])
                .split(" ", -1));
    Path errors = home.file("index.txt");
    Process process;
    try (Connection writer = home.connect();
        Statement s = writer.createStatement()) {
      writer.setAutoCommit(false);
      int unused = s.executeUpdate("DELETE FROM " + place[0] + " WHERE false");
      process = builder.redirectError(errors.toFile()).start();
      Wait.until("the phase", () -> contains(errors, "waiting for writers"));
      writer.commit();
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
  }

  private static boolean contains(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns an attached table and its column, for commands without a table argument. */
  private static String[] documents() throws SQLException {
    try (Connection c = home.connect();
        Statement s = c.createStatement();
        ResultSet r =
            s.executeQuery(
                "SELECT owner::text, column_name FROM pgtoaster.attached_column WHERE toaster = 'keyed' LIMIT 1")) {
      assertThat(r.next()).isTrue();
      return new String[] {r.getString(1), r.getString(2)};
    }
  }
}
