package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.GcReport;
import io.pgtoaster.it.kit.Database;
import io.pgtoaster.it.kit.Nodes;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents in places without a trigger, and transactions that check constraints immediately. */
class UnguardedPlacesIT {
  private Database database;
  private Nodes nodes;
  private long document;

  @BeforeEach
  void split() {
    database = PostgresServers.shared(PostgresServers.newest()).installed();
    database.run(
        "CREATE TABLE item (id int PRIMARY KEY, doc jsonb, other jsonb)",
        "INSERT INTO item VALUES (1), (2)",
        "CREATE TABLE archive (id int, doc jsonb)");
    nodes =
        new Nodes(
            database, (int) database.number("SELECT pgtoaster.attach('item', 'doc', 'keyed')"));
    document = nodes.sample("item", "doc", "id = 1", 1);
  }

  private void assertKept(String place) {
    GcReport report = Options.collect(database);
    assertThat(report.items()).isEmpty();
    assertThat(report.kept()).extracting(GcReport.Item::id).containsExactly(document);
    assertThat(report.kept().get(0).description()).contains(place, "pgtoaster.repair");
    assertThat(nodes.count(document)).isEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET id = 7 WHERE id = 1",
        "INSERT INTO item SELECT 8, doc FROM item WHERE id = 1; DELETE FROM item WHERE id = 1",
      })
  void documentUnderAnotherKey_isKeptByGc_andReported(String sql) {
    database.runWithoutTriggers(sql);
    assertKept("item.doc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET other = doc, doc = NULL",
        "INSERT INTO archive SELECT id, doc FROM item; DELETE FROM item",
      })
  void documentInAnotherColumn_isKeptByGc_andReported(String sql) {
    String place = sql.contains("archive") ? "archive.doc" : "item.other";
    database.run(
        "ALTER TABLE item DISABLE TRIGGER USER", sql, "ALTER TABLE item ENABLE TRIGGER USER");
    assertKept(place);
    database.run("UPDATE item SET other = NULL", "DELETE FROM archive");
    assertThat(Options.collect(database).items()).hasSize(1);
    assertThat(nodes.heads()).isZero();
  }

  @Test
  void detach_keepsTheModesOfConstraints() throws SQLException {
    database.run(
        "SELECT pgtoaster.attach('item', 'other', 'keyed')",
        "ALTER TABLE item ADD COLUMN friend int REFERENCES item DEFERRABLE INITIALLY DEFERRED",
        "CREATE TABLE pal (id int PRIMARY KEY, item int REFERENCES item DEFERRABLE INITIALLY DEFERRED)");
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      Sql.run(
          c,
          "UPDATE item SET friend = 2 WHERE id = 1",
          "INSERT INTO pal VALUES (1, 2)",
          "SELECT pgtoaster.detach('item', 'other')",
          "UPDATE item SET friend = 99 WHERE id = 2",
          "INSERT INTO pal VALUES (2, 99)",
          "INSERT INTO item (id, doc) SELECT 5, doc FROM item WHERE id = 1",
          "UPDATE item SET friend = NULL",
          "DELETE FROM item WHERE id = 1",
          "DELETE FROM pal WHERE id = 2");
      c.commit();
    }
    assertThat(database.string("SELECT pgtoaster.get(doc, '{cc}') FROM item WHERE id = 5"))
        .isEqualTo("2");
  }

  @Test
  void detach_afterWritesOfTheSameTransaction_succeeds() throws SQLException {
    database.run("SELECT pgtoaster.attach('item', 'other', 'keyed')");
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      Sql.run(
          c,
          "WITH gone AS (DELETE FROM item WHERE id = 1 RETURNING *) INSERT INTO item SELECT 9, doc FROM gone",
          "DELETE FROM item WHERE id = 2",
          "SELECT pgtoaster.detach('item', 'doc')");
      c.commit();
    }
    assertThat(database.string("SELECT doc->>'cc' FROM item")).isEqualTo("2");
  }

  /** The refused call does not suppress the deferred check. */
  @Test
  void detach_afterABrokenConstraint_isRefused() throws SQLException {
    database.run(
        "ALTER TABLE item ADD COLUMN friend int REFERENCES item DEFERRABLE INITIALLY DEFERRED");
    try (Connection c = database.connect()) {
      c.setAutoCommit(false);
      Sql.run(c, "UPDATE item SET friend = 99 WHERE id = 2");
      assertThatThrownBy(() -> Sql.run(c, "SELECT pgtoaster.detach('item', 'doc')"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23503"));
      c.rollback();
    }
    assertThat(List.of(nodes.count(document))).containsExactly(9L);
  }
}
