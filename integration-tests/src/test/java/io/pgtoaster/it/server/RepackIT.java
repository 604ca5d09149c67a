package io.pgtoaster.it.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import io.pgtoaster.blob.BlobColumn;
import io.pgtoaster.blob.BlobReader;
import io.pgtoaster.error.ConcurrencyException;
import io.pgtoaster.it.kit.Bytes;
import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.TableFixture;
import io.pgtoaster.it.kit.Wait;
import io.pgtoaster.jsonb.DocumentColumn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * REPACK (CONCURRENTLY) of PostgreSQL 19 is not MVCC-safe: a transaction with an older snapshot
 * sees an empty table.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("settings")
@EnabledIf(
    value = "io.pgtoaster.it.kit.PostgresServers#runs19",
    disabledReason = "PostgreSQL 19 is not among the versions that run")
class RepackIT {
  private static final String LETTERS =
      IntStream.range(0, 80)
          .mapToObj(i -> "\"k%d\": \"%s\"".formatted(i, "x".repeat(60)))
          .collect(Collectors.joining(", "));
  private static final String DOCUMENT =
      "{\"map\": {%s}, \"list\": [%s]}".formatted(LETTERS, LETTERS.replaceAll("\"k[0-9]+\": ", ""));

  private static final int REPACKS = Integer.getInteger("pgtoaster.test.repacks", 3);

  @Parameter Setting setting;

  static List<Setting> settings() {
    return Setting.byBoth(List.of(new Setting(19, true)));
  }

  /** A call on a connection; returns a word for its result if it reads the correct bytes. */
  private interface Call {
    String on(Connection connection) throws Exception;
  }

  private static List<String> parts(TableFixture<?> fx) {
    return fx.strings("SELECT unnest(pgtoaster.store_parts(%d))".formatted(fx.store()));
  }

  private static void repack(Database database, String table) {
    database.update("REPACK (CONCURRENTLY) " + table);
  }

  /** Runs calls with snapshots that are older than REPACK, and returns their results. */
  private static Map<String, String> outcomes(
      Database database, String table, Map<String, Call> calls) throws SQLException {
    List<Connection> old = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Connection c = database.connect();
      c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      c.setAutoCommit(false);
      Sql.run(c, "SELECT 1");
      old.add(c);
    }
    repack(database, table);
    Map<String, String> outcomes = new LinkedHashMap<>();
    calls.forEach(
        (name, call) -> {
          try (Connection c = old.remove(0)) {
            String[] result = new String[1];
            Throwable thrown = catchThrowable(() -> result[0] = call.on(c));
            if (thrown == null) {
              c.commit();
            } else {
              c.rollback();
            }
            outcomes.put(name, thrown == null ? result[0] : outcome(thrown));
          } catch (SQLException e) {
            throw new AssertionError(e);
          }
        });
    return outcomes;
  }

  private static String outcome(Throwable thrown) {
    boolean again =
        thrown instanceof ConcurrencyException
            || (thrown instanceof IOException && thrown.getCause() instanceof ConcurrencyException)
            || (thrown instanceof SQLException e && "40001".equals(e.getSQLState()));
    return again ? "again" : thrown.toString();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void blobs_areReadCorrectly_orMustBeReadAgain() throws Exception {
    try (Fixture fx = new Fixture(setting, ColumnSpec.appendable("{}"))) {
      List<Object> keys = new ArrayList<>();
      byte[] content =
          Bytes.concat(Bytes.random(1, 100_000), Bytes.random(2, 3000), Bytes.random(3, 10));
      for (int i = 0; i < 12; i++) {
        Object key = fx.row(Bytes.random(1, 100_000));
        fx.own().append(key, Bytes.random(2, 3000));
        fx.own().append(key, Bytes.random(3, 10));
        keys.add(key);
      }
      Object key = keys.get(0);
      String whole = hex(content);
      for (String part : parts(fx)) {
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("read", c -> hex(fx.on(c).read(key, 0, content.length)));
        calls.put(
            "stream",
            c -> {
              try (InputStream in = fx.on(c).inputStream(key)) {
                return hex(in.readAllBytes());
              }
            });
        calls.put("verify", c -> fx.on(c).verify(key).isEmpty() ? whole : "damaged");
        calls.put(
            "SQL",
            c ->
                Sql.string(
                    c, "SELECT encode(pgtoaster.bytes(content), 'hex') FROM item" + fx.where(key)));
        calls.put(
            "append and read",
            c -> {
              BlobColumn blobs = fx.on(c);
              blobs.append(keys.get(1), Bytes.random(4, 5000));
              byte[] all = blobs.read(keys.get(1), 0, content.length + 5000);
              c.rollback();
              return hex(all).startsWith(whole) ? whole : "other bytes";
            });
        calls.put(
            "overwrite and read",
            c -> {
              BlobColumn blobs = fx.on(c);
              blobs.write(keys.get(2), 100, Bytes.random(5, 10));
              byte[] all = blobs.read(keys.get(2), 0, content.length);
              c.rollback();
              System.arraycopy(content, 100, all, 100, 10);
              return hex(all);
            });
        calls.put(
            "truncate and read",
            c -> {
              BlobColumn blobs = fx.on(c);
              blobs.truncate(keys.get(3), 90_000);
              byte[] all = blobs.read(keys.get(3), 0, 90_000);
              c.rollback();
              return whole.startsWith(hex(all)) ? whole : "other bytes";
            });
        calls.put(
            "compact",
            c -> {
              fx.on(c).compact(keys.get(4));
              return whole;
            });
        calls.put(
            "append",
            c -> {
              fx.on(c).append(keys.get(5), new byte[0]);
              return whole;
            });
        calls.put("gc", c -> collected(c, whole));
        Object gone = fx.row(content);
        calls.put("delete", c -> deleted(fx, c, gone, whole));
        assertThat(outcomes(fx.database(), fx.table(part), calls))
            .as(part)
            .allSatisfy((name, outcome) -> assertThat(outcome).as(name).isIn("again", whole));
        for (Object each : keys) {
          fx.assertContent(each, content);
        }
        fx.run("DELETE FROM item" + fx.where(gone));
        assertThat(fx.orphans()).as(part).isEmpty();
      }
      fx.afterTest();
    }
  }

  @Test
  void documents_areReadCorrectly_orMustBeReadAgain() throws Exception {
    try (DocumentFixture fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"))) {
      List<Object> keys = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        keys.add(fx.row(DOCUMENT));
      }
      Object key = keys.get(0);
      String whole = fx.canonical(DOCUMENT);
      String member = "\"" + "x".repeat(60) + "\"";
      for (String part : parts(fx)) {
        Map<String, Call> calls = new LinkedHashMap<>();
        calls.put("text", c -> fx.canonical(fx.on(c).text(key).orElse("null")));
        calls.put(
            "stream",
            c -> {
              try (InputStream in = fx.on(c).stream(key).orElseThrow()) {
                return fx.canonical(new String(in.readAllBytes(), StandardCharsets.UTF_8));
              }
            });
        calls.put(
            "get",
            c -> right(fx.on(c).at(key, "map.k7").text().equals(Optional.of(member)), whole));
        calls.put(
            "element",
            c -> right(fx.on(c).at(key, "list[79]").text().equals(Optional.of(member)), whole));
        calls.put(
            "keys",
            c -> right(fx.on(c).at(key, "map").keys().orElse(List.of()).size() == 80, whole));
        calls.put("size", c -> right(fx.on(c).at(key, "list").size().orElse(0) == 80, whole));
        calls.put("verify", c -> right(fx.on(c).verify(key).isEmpty(), whole));
        calls.put(
            "expand",
            c -> Sql.string(c, "SELECT pgtoaster.expand(doc)::text FROM item" + fx.where(key)));
        calls.put(
            "get in SQL",
            c ->
                right(
                    member.equals(
                        Sql.string(
                            c, "SELECT pgtoaster.get(doc, '{map,k7}') FROM item" + fx.where(key))),
                    whole));
        calls.put(
            "set",
            c -> {
              DocumentColumn documents = fx.on(c);
              documents.at(keys.get(1), "map.k7").setJson("1");
              boolean set = documents.at(keys.get(1), "map.k7").text().equals(Optional.of("1"));
              c.rollback();
              return right(set, whole);
            });
        calls.put(
            "append",
            c -> {
              DocumentColumn documents = fx.on(c);
              documents.at(keys.get(2), "list").append(1);
              boolean set = documents.at(keys.get(2), "list").size().orElse(0) == 81;
              c.rollback();
              return right(set, whole);
            });
        calls.put(
            "remove",
            c -> {
              fx.on(c).at(keys.get(3), "map.k7").remove();
              c.rollback();
              return whole;
            });
        calls.put(
            "update in SQL",
            c -> {
              Sql.run(
                  c,
                  "UPDATE item SET doc = pgtoaster.set(doc, '{map,k7}', '1')"
                      + fx.where(keys.get(4)));
              c.rollback();
              return whole;
            });
        calls.put("gc", c -> collected(c, whole));
        calls.put("repair", c -> repaired(c, whole));
        Object gone = fx.row(DOCUMENT);
        calls.put("delete", c -> deleted(fx, c, gone, whole));
        assertThat(outcomes(fx.database(), fx.table(part), calls))
            .as(part)
            .allSatisfy((name, outcome) -> assertThat(outcome).as(name).isIn("again", whole));
        for (Object each : keys) {
          fx.assertDocument(each, DOCUMENT);
        }
        fx.run("DELETE FROM item" + fx.where(gone));
        assertThat(fx.orphans()).as(part).isEmpty();
      }
      fx.afterTest();
    }
  }

  /** An old snapshot sees no rows, but gc keeps their content, and repair does not change them. */
  @Test
  void repackedOwnerTable_losesNoContent() throws Exception {
    try (DocumentFixture fx =
        new DocumentFixture(
            setting,
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"))) {
      Object key = fx.row(DOCUMENT);
      String none = "nothing found";
      Map<String, Call> calls = new LinkedHashMap<>();
      calls.put("gc", c -> collected(c, none));
      calls.put("repair", c -> repaired(c, none));
      calls.put(
          "release",
          c ->
              Sql.string(
                      c,
                      "SELECT bool_or(pgtoaster.release(%d, id)) FROM %s"
                          .formatted(fx.store(), fx.table("head")))
                  .replace("f", none));
      assertThat(outcomes(fx.database(), "item", calls))
          .allSatisfy((name, outcome) -> assertThat(outcome).as(name).isIn("again", none));
      fx.assertDocument(key, DOCUMENT);
      fx.afterTest();
    }
  }

  /** An old snapshot sees no rows of the partition, and all rows of the other one. */
  @Test
  void repackedPartition_losesNoContent() throws Exception {
    Database database = setting.installed();
    database.run(
        "CREATE TABLE event (year int, id int, doc jsonb, PRIMARY KEY (year, id)) PARTITION BY"
            + " LIST (year)",
        "CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1)",
        "CREATE TABLE event_2 PARTITION OF event FOR VALUES IN (2)",
        "SELECT pgtoaster.attach('event', 'doc', 'keyed', '{\"row_budget\": 256}')",
        "INSERT INTO event SELECT y, i FROM generate_series(1, 2) y, generate_series(1, 4) i");
    List<List<Integer>> keys =
        IntStream.range(0, 8).mapToObj(i -> List.of(i / 4 + 1, i % 4 + 1)).toList();
    for (List<Integer> key : keys) {
      documents(PgToaster.create(database.dataSource())).putJson(key, DOCUMENT);
    }
    String whole = "as it was";
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("gc", c -> collected(c, whole));
    for (List<Integer> key : keys.subList(4, 8)) {
      calls.put(
          "read " + key,
          c -> right(documents(PgToaster.on(c)).at(key, "list").size().orElse(0) == 80, whole));
    }
    for (String statement :
        List.of(
            "UPDATE event SET doc = pgtoaster.set(doc, '{map,k7}', '1') WHERE year = 2",
            "UPDATE event SET year = 1, id = 9 WHERE year = 2 AND id = 1",
            "DELETE FROM event")) {
      calls.put(
          statement,
          c -> {
            Sql.run(c, statement);
            c.rollback();
            return whole;
          });
    }
    calls.put(
        "release",
        c ->
            right(
                Sql.string(
                        c,
                        "SELECT bool_or(pgtoaster.release(s.id, h.id)) FROM pgtoaster.store s,"
                            + " pgtoaster.store_1_head h")
                    .equals("f"),
                whole));
    assertThat(outcomes(database, "event_1", calls))
        .allSatisfy((name, outcome) -> assertThat(outcome).as(name).isIn("again", whole));
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store_1_head")).isEqualTo(8);
    for (List<Integer> key : keys) {
      assertThat(documents(PgToaster.create(database.dataSource())).at(key, "map").keys())
          .hasValueSatisfying(k -> assertThat(k).hasSize(80));
    }
  }

  private DocumentColumn documents(PgToaster toaster) {
    return (setting.extension() ? toaster : toaster.withoutExtension()).documents("event", "doc");
  }

  /** Removes content without a row, regardless of its age. */
  private static String collected(Connection c, String whole) {
    GcReport report =
        PgToaster.on(c)
            .catalog()
            .gc(GcOptions.defaults().withDryRun(false).withGrace(Duration.ZERO));
    if (!report.items().isEmpty()) {
      return report.items().toString();
    }
    return report.failures().isEmpty()
        ? whole
        : report.failures().toString().replaceAll("(?s).*was rewritten after.*", "again");
  }

  private static String repaired(Connection c, String whole) throws SQLException {
    List<String> found =
        Sql.strings(c, "SELECT problem FROM pgtoaster.repair('item', 'doc', NULL, false)");
    return found.isEmpty() ? whole : found.toString();
  }

  private static String deleted(TableFixture<?> fx, Connection c, Object key, String whole)
      throws SQLException {
    Sql.run(c, "DELETE FROM item" + fx.where(key));
    c.commit();
    return whole;
  }

  /** Nothing is lost, and no call reports damage. */
  @Test
  void appendsAndEdits_continueWhileEachTableIsRepacked() throws Exception {
    try (Fixture blobs = new Fixture(setting, ColumnSpec.appendable("{}"));
        DocumentFixture documents =
            new DocumentFixture(
                setting,
                DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"))) {
      Object blob = blobs.row(Bytes.random(0, 700));
      Object document = documents.row("{\"list\": [], \"map\": {}}");
      AtomicBoolean ended = new AtomicBoolean();
      Future<Integer> appended =
          Wait.start(
              () -> {
                int n = 1;
                for (; !ended.get(); n++) {
                  blobs.own().append(blob, Bytes.random(n, 700));
                  assertThat(blobs.own().read(blob, 700L * n, 700)).isEqualTo(Bytes.random(n, 700));
                }
                return n;
              });
      Future<Integer> edited =
          Wait.start(
              () -> {
                int n = 0;
                for (; !ended.get(); n++) {
                  documents.own().at(document, "list").append(n);
                  documents.own().at(document, "map.k" + n).set(n);
                  assertThat(documents.own().at(document, "list").size()).hasValue(n + 1);
                  assertThat(documents.own().at(document, "map.k" + n / 2).text())
                      .hasValue(String.valueOf(n / 2));
                }
                return n;
              });
      byte[] read = new byte[100];
      try (BlobReader reader = blobs.own().open(blob)) {
        for (int i = 0; i < REPACKS; i++) {
          for (TableFixture<?> fx : List.of(blobs, documents)) {
            repack(fx.database(), "item");
            for (String part : parts(fx)) {
              repack(fx.database(), fx.table(part));
            }
          }
          assertThat(reader.read(0, read, 0, read.length)).isEqualTo(read.length);
          assertThat(Bytes.random(0, 700)).startsWith(read);
        }
      } finally {
        ended.set(true);
      }
      int appends = Wait.get(appended);
      int edits = Wait.get(edited);
      System.out.printf(
          "%s: %d appends and %d edits beside %d rounds of REPACK%n",
          setting, appends, edits, REPACKS);
      assertThat(blobs.read(blob))
          .isEqualTo(
              Bytes.concat(
                  IntStream.range(0, appends)
                      .mapToObj(n -> Bytes.random(n, 700))
                      .toArray(byte[][]::new)));
      documents.assertDocument(
          document,
          "{\"list\": %s, \"map\": {%s}}"
              .formatted(
                  IntStream.range(0, edits).boxed().toList(),
                  IntStream.range(0, edits)
                      .mapToObj(n -> "\"k%d\": %d".formatted(n, n))
                      .collect(Collectors.joining(", "))));
      blobs.afterTest();
      documents.afterTest();
    }
  }

  private static String right(boolean right, String whole) {
    return right ? whole : "wrong";
  }
}
