package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.GcOptions;
import io.pgtoaster.GcReport;
import io.pgtoaster.PgToaster;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.it.kit.Wait;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content out of line is removed together with its row: not earlier, and not with another row. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("io.pgtoaster.it.kit.PostgresServers#sampled")
class KeyedCleanupIT {
  private static final List<String> FORGED =
      List.of(
          "1",
          "\"x\"",
          "null",
          "{}",
          "[]",
          "[\"x\"]",
          "[[1]]",
          "[1.5]",
          "[-1]",
          "[1e400]",
          "[9223372036854775808]",
          "[1099511627776]",
          "[5]",
          "{\"a\": [1]}");

  @Parameter int version;

  private Database database;
  @AutoClose private Connection connection;
  private Nodes nodes;
  private int store;
  private long document;

  @BeforeEach
  void split() throws SQLException {
    database = PostgresServers.shared(version).installed();
    connection = database.connect();
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY, doc jsonb)", "INSERT INTO item VALUES (1), (2)");
    store = (int) database.number("SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    nodes = new Nodes(database, store);
    document = nodes.sample("item", "doc", "id = 1", 1);
  }

  private void transaction(String... statements) throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, statements);
    connection.commit();
    connection.setAutoCommit(true);
  }

  private void assertKept(int id) {
    assertThat(database.string("SELECT pgtoaster.expand(doc) FROM item WHERE id = " + id))
        .isEqualTo(database.string("SELECT CAST('%s' AS jsonb)".formatted(Nodes.SAMPLE)));
    assertThat(nodes.count(document)).isEqualTo(9);
  }

  private void assertGone() {
    assertThat(nodes.count(document)).isZero();
    assertThat(nodes.heads()).isZero();
    assertThat(database.number("SELECT count(*) FROM " + nodes.table("garbage"))).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM item WHERE id = 1",
        "UPDATE item SET doc = NULL",
        "UPDATE item SET doc = '{\"plain\": 1}'",
        "UPDATE item SET doc = '[]'",
        "TRUNCATE item"
      })
  void rowThatReleasesItsDocument_leavesNothingAtCommit(String statement) throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, statement);
    assertThat(Sql.number(connection, "SELECT count(*) FROM " + nodes.table("node"))).isEqualTo(9);
    connection.rollback();
    assertKept(1);
    Sql.run(connection, statement);
    connection.commit();
    assertGone();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET doc = '{\"more\": 1}' WHERE id = 2",
        "UPDATE item SET id = id",
        "UPDATE item SET id = id + 2 WHERE id = 2"
      })
  void updateOfAPlainDocument_firesNoTrigger(String statement) throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "SET CONSTRAINTS ALL IMMEDIATE");
    List<String> plan =
        Sql.strings(connection, "EXPLAIN (ANALYZE, COSTS off, TIMING off) " + statement);
    assertThat(plan).noneMatch(line -> line.contains("pgtoaster"));
    List<String> delete =
        Sql.strings(connection, "EXPLAIN (ANALYZE, COSTS off, TIMING off) DELETE FROM item");
    assertThat(delete).anyMatch(line -> line.contains("pgtoaster") && line.contains("calls=1"));
    connection.rollback();
  }

  @Test
  void forgedHeader_isIgnored() throws SQLException {
    for (String header : FORGED) {
      String forged = "'{\"$pgtoaster\": %s}'".formatted(header);
      database.runWithoutTriggers(
          "UPDATE item SET doc = " + forged + " WHERE id = 2",
          "INSERT INTO item VALUES (3, " + forged + ")");
      transaction("UPDATE item SET id = 4 WHERE id = 3");
      transaction("UPDATE item SET doc = '{}' WHERE id = 2", "DELETE FROM item WHERE id = 4");
      database.runWithoutTriggers("INSERT INTO item VALUES (5, " + forged + ")");
      transaction(
          "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM item WHERE id < 5",
          "TRUNCATE item",
          "INSERT INTO item SELECT * FROM kept");
      assertKept(1);
      assertThat(nodes.heads()).isEqualTo(1);
    }
  }

  @Test
  void copiedStub_doesNotReleaseTheOriginal() throws SQLException {
    database.runWithoutTriggers(
        "INSERT INTO item SELECT 3, doc FROM item WHERE id = 1",
        "UPDATE item SET doc = (SELECT doc FROM item WHERE id = 1) WHERE id = 2");
    assertKept(1);
    transaction("DELETE FROM item WHERE id = 3", "UPDATE item SET doc = NULL WHERE id = 2");
    assertKept(1);
    Options.collect(database);
    assertKept(1);
    transaction("DELETE FROM item WHERE id = 1");
    assertGone();
  }

  @Test
  void headOfAnotherStore_isNotTouched() throws SQLException {
    database.run(
        "CREATE TABLE other (id int PRIMARY KEY, doc jsonb)", "INSERT INTO other VALUES (1)");
    database.string("SELECT pgtoaster.attach('other', 'doc', 'keyed')");
    database.runWithoutTriggers("UPDATE other SET doc = (SELECT doc FROM item WHERE id = 1)");
    transaction("DELETE FROM other");
    assertKept(1);
  }

  @Test
  void changedKey_keepsItsDocument() throws SQLException {
    transaction("UPDATE item SET id = 10 WHERE id = 1");
    assertKept(10);
    assertThat(database.number("SELECT owner_1 FROM " + nodes.table("head"))).isEqualTo(10);
    transaction(
        "DELETE FROM item WHERE id = 2",
        "INSERT INTO item VALUES (1, NULL)",
        "UPDATE item SET id = id + 100");
    assertKept(110);
    transaction("DELETE FROM item WHERE id = 110");
    assertGone();
  }

  @Test
  void swappedDocuments_areKept() throws SQLException {
    long second = nodes.sample("item", "doc", "id = 2", 2);
    transaction("UPDATE item i SET doc = o.doc FROM item o WHERE o.id = 3 - i.id");
    assertThat(
            database.strings(
                "SELECT pgtoaster.document_id(doc) FROM item WHERE pgtoaster.get(doc, '{cc}') = '2'"
                    + " ORDER BY id"))
        .containsExactly(Long.toString(second), Long.toString(document));
    transaction("DELETE FROM item WHERE id = 1");
    assertKept(2);
    assertThat(nodes.count(second)).isZero();
  }

  @Test
  void rewrittenRow_keepsItsDocument() throws SQLException {
    transaction(
        "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM item",
        "DELETE FROM item",
        "INSERT INTO item SELECT * FROM kept");
    assertKept(1);
    transaction(
        "WITH gone AS (DELETE FROM item WHERE id = 1 RETURNING *) INSERT INTO item SELECT 7, doc FROM gone");
    assertKept(7);
    transaction(
        "INSERT INTO item SELECT 8, doc FROM item WHERE id = 7", "DELETE FROM item WHERE id = 7");
    assertKept(8);
    transaction(
        "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM item",
        "TRUNCATE item",
        "INSERT INTO item SELECT id + 1, doc FROM kept");
    assertKept(9);
    transaction("DELETE FROM item WHERE id = 9");
    assertGone();
  }

  @Test
  void releaseWaitsForAWriterOfTheDocument() throws Exception {
    connection.setAutoCommit(false);
    Sql.run(connection, "SELECT FROM " + nodes.table("head") + " FOR KEY SHARE");
    Future<Boolean> delete =
        Wait.start(
            () -> {
              database.run("DELETE FROM item WHERE id = 1");
              return true;
            });
    database.awaitLockWaiters(1);
    assertThat(nodes.count(document)).isEqualTo(9);
    connection.commit();
    assertThat(Wait.get(delete)).isTrue();
    assertGone();
  }

  private void orphan() {
    database.run("SET session_replication_role = replica", "DELETE FROM item WHERE id = 1");
  }

  @Test
  void gc_listsAndRemovesUnownedDocuments() {
    long kept = nodes.sample("item", "doc", "id = 2", 2);
    orphan();
    GcOptions dry = GcOptions.defaults().withGrace(Duration.ZERO);
    List<GcReport.Item> items = PgToaster.create(database.dataSource()).catalog().gc(dry).items();
    assertThat(items).hasSize(1);
    assertThat(items.get(0).kind()).isEqualTo("document");
    assertThat(items.get(0).id()).isEqualTo(document);
    assertThat(items.get(0).bytes()).isPositive();
    assertThat(nodes.count(document)).isEqualTo(9);
    Options.collect(database, Duration.ofHours(1), Duration.ofDays(7));
    assertThat(nodes.count(document)).isEqualTo(9);
    Options.collect(database);
    assertThat(nodes.count(document)).isZero();
    assertThat(nodes.count(kept)).isEqualTo(9);
    assertThat(PgToaster.create(database.dataSource()).catalog().gc(dry).items()).isEmpty();
  }

  @Test
  void gc_keepsDocumentsThatARunningTransactionMayOwn() throws SQLException {
    connection.setAutoCommit(false);
    Sql.run(connection, "SELECT 1");
    long young = nodes.sample("item", "doc", "id = 2", 2);
    database.run("SET session_replication_role = replica", "DELETE FROM item");
    Options.collect(database);
    assertThat(nodes.count(document)).isZero();
    assertThat(nodes.count(young)).isEqualTo(9);
    connection.commit();
    Options.collect(database);
    assertThat(nodes.count(young)).isZero();
    assertGone();
  }

  @Test
  void gc_keepsEverything_ifOwnersCannotBeDetermined() {
    orphan();
    database.run("DROP INDEX pgtoaster_" + store + "_owner");
    Options.collect(database);
    assertThat(nodes.count(document)).isEqualTo(9);
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).contains("_owner");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DROP TABLE item", "ALTER TABLE item DROP COLUMN doc CASCADE"})
  void droppedColumn_leavesItsStoreToGc(String drop) {
    database.run(drop);
    Options.collect(database);
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
    assertThat(database.string("SELECT to_regclass('" + nodes.table("node") + "')")).isNull();
    assertThat(database.number("SELECT count(*) FROM pg_proc WHERE proname ~ 'store_[0-9]+_'"))
        .isZero();
  }

  @Test
  void veryLargeDocument_isRemovedByGc() throws SQLException {
    database.run(
        "INSERT INTO %s (doc, id, kind, bytes, value) SELECT %d, i, 'a', 4000, '[]' FROM generate_series(100, 25000) i"
            .formatted(nodes.table("node"), document));
    transaction("DELETE FROM item WHERE id = 1");
    assertThat(nodes.heads()).isZero();
    assertThat(nodes.count(document)).isPositive();
    assertThat(database.number("SELECT garbage FROM pgtoaster.status()")).isEqualTo(1);
    assertThat(Options.collect(database).bytes()).isGreaterThan(64 << 20);
    assertGone();
  }
}
