package io.pgtoaster.it.jsonb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import io.pgtoaster.jsonb.DocumentColumn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plain SQL writes to a column of split documents are correct or refused, and never silently wrong.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("io.pgtoaster.it.kit.Setting#newestByBoth")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainSqlIT {
  private static final String EVENTS =
      "[{\"year\": 1843, \"what\": \"%s\"}, {\"what\": \"%s\"}, {\"what\": \"%s\"}]"
          .formatted(Documents.words(1, 900), Documents.words(3, 900), Documents.words(4, 900));
  private static final String DOCUMENT =
      "{\"name\": \"Ada\", \"in\": {\"n\": 1, \"long\": \"%s\"}, \"events\": %s}"
          .formatted(Documents.words(2, 900), EVENTS);

  @Parameter Setting setting;

  private DocumentFixture fx;

  DocumentFixture fx() {
    if (fx == null) {
      fx =
          new DocumentFixture(
              setting, DocumentSpec.keyed("{\"row_budget\": 512, \"keep_inline\": [\"/in/n\"]}"));
      fx.run("ALTER TABLE item ADD COLUMN other jsonb");
      fx.string("SELECT pgtoaster.attach('item', 'other', 'keyed', '{\"row_budget\": 256}')");
    }
    return fx;
  }

  @AfterEach
  void leaveNothingBehind() throws SQLException {
    fx().run("DELETE FROM item");
    fx().afterTest();
  }

  @AfterParameterizedClassInvocation
  void close() {
    if (fx != null) {
      fx.close();
      fx = null;
    }
  }

  private SQLException refused(String sql) throws SQLException {
    try (Connection c = fx().database().connect()) {
      SQLException e = catchThrowableOfType(SQLException.class, () -> Sql.run(c, sql));
      assertThat((Throwable) e).as(sql).isNotNull();
      assertThat(e.getSQLState()).as("%s: %s", sql, e.getMessage()).isEqualTo("23514");
      return e;
    }
  }

  private String stored(Object key) {
    return fx().string("SELECT CAST(doc AS text) FROM item" + fx().where(key));
  }

  private long nodes() {
    return fx().number("SELECT count(*) FROM " + fx().table("node"));
  }

  private List<String> warnings(String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Connection c = fx().database().connect();
        Statement s = c.createStatement()) {
      s.execute(sql);
      for (SQLWarning w = s.getWarnings(); w != null; w = w.getNextWarning()) {
        found.add(w.getMessage());
      }
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jsonb_set(doc, '{events,0}', '5')",
        "jsonb_set(doc, '{in,long,x}', '5')",
        "jsonb_insert(doc, '{events,0}', '5')",
        "jsonb_set(doc, '{events,$pgtoaster}', '5')",
        "doc || jsonb_build_object('copy', doc->'events')",
        "(doc - 'events') || jsonb_build_object('moved', doc->'events')",
        "jsonb_set(doc, '{in,long}', doc->'events')",
        "doc || '{\"made\": {\"$pgtoaster\": 17}}'",
        "doc || '{\"made\": [{\"$pgtoaster\": \"x\"}]}'",
        "doc || '{\"$pgtoaster\": [17]}'",
        "doc || '{\"$pgtoaster\": \"x\"}'",
        "doc || '{\"$pgtoaster\": null}'",
        "jsonb_set(doc, '{$pgtoaster,1}', '17', true)",
        "doc - '$pgtoaster'",
        "jsonb_build_object('part', doc->'in')",
        "jsonb_build_object('whole', doc)",
        "doc->'events'",
        "'{\"$pgtoaster\": [1]}'",
      })
  void writeThatWouldDamageASplitDocument_isRefused_andNothingChanges(String value)
      throws SQLException {
    Object key = fx().row(DOCUMENT);
    String stored = stored(key);
    SQLException e = refused("UPDATE item SET doc = " + value + fx().where(key));
    assertThat(e.getMessage()).contains("Hint: ").doesNotContain("1843");
    assertThat(stored(key)).isEqualTo(stored);
    fx().assertDocument(key, DOCUMENT);
  }

  @Test
  void subscriptAssignmentToAMovedMember_isRefused_withTheCallsToUse() throws SQLException {
    Object key = fx().row(DOCUMENT);
    SQLException e = refused("UPDATE item SET doc['events'][0]['year'] = '1844'" + fx().where(key));
    assertThat(e.getMessage())
        .contains(
            "{events}",
            "DocumentColumn.at(",
            "pgtoaster json set -t item -c doc",
            "pgtoaster.expand(doc)");
    fx().assertDocument(key, DOCUMENT);
  }

  @Test
  void callsInTheHint_work() {
    Object key = fx().row(DOCUMENT);
    fx().run(
            "UPDATE item SET doc = jsonb_set(pgtoaster.expand(doc), '{events,0,year}', '1844')"
                + fx().where(key));
    assertThat(fx().own().at(key, "events[0].year").text()).hasValue("1844");
    assertThat(nodes()).isZero();
    fx().own().putJson(key, DOCUMENT);
    fx().own().at(key, "events[0].year").set(1844);
    assertThat(fx().own().at(key, "events[0].year").text()).hasValue("1844");
    fx().assertDocument(key, DOCUMENT.replace("1843", "1844"));
  }

  @Test
  void memberOfTheOverflowBranch_cannotBeAddedToTheRow() throws SQLException {
    StringBuilder many = new StringBuilder("{\"m0\": 0");
    for (int i = 1; i < 500; i++) {
      many.append(", \"m").append(i).append("\": ").append(i);
    }
    Object key = fx().row(many + "}");
    Object array = fx().row("[" + EVENTS + ", " + EVENTS + "]");
    refused("UPDATE item SET doc = doc || '{\"m499\": 1}'" + fx().where(key));
    fx().run("UPDATE item SET doc = doc || '{\"n\": 1}'" + fx().where(key));
    fx().assertDocument(key, many + ", \"n\": 1}");
    refused("UPDATE item SET doc = doc || '{\"n\": 1}'" + fx().where(array));
    fx().assertDocument(array, "[" + EVENTS + ", " + EVENTS + "]");
  }

  @Test
  void updateWithoutEffect_causesAWarningWithTheReason() throws SQLException {
    Object key = fx().row(DOCUMENT);
    String sql =
        "UPDATE item SET doc = jsonb_set(doc, '{events,0,year}', '1844')" + fx().where(key);
    assertThat(warnings(sql))
        .singleElement()
        .asString()
        .contains("has not changed a split document");
    assertThat(warnings("UPDATE item SET name = 'x'" + fx().where(key))).isEmpty();
    fx().run("SELECT pgtoaster.set_options('item', 'doc', '{\"unchanged\": \"error\"}')");
    assertThat(refused(sql).getMessage()).contains("DocumentColumn.at(");
    fx().run("SELECT pgtoaster.set_options('item', 'doc', '{\"unchanged\": \"ignore\"}')");
    assertThat(warnings(sql)).isEmpty();
    fx().run("SELECT pgtoaster.set_options('item', 'doc', '{\"unchanged\": \"warning\"}')");
    assertThat(warnings(sql)).hasSize(1);
    fx().assertDocument(key, DOCUMENT);
    Object plain = fx().row("{\"a\": 1}");
    assertThat(warnings("UPDATE item SET doc = doc" + fx().where(plain))).isEmpty();
  }

  @Test
  void updateByTheLibrary_causesNoWarning() throws SQLException {
    fx().run("SELECT pgtoaster.set_options('item', 'doc', '{\"touch\": \"row\"}')");
    try (Connection c = fx().database().connect()) {
      Object key = fx().row(DOCUMENT);
      for (DocumentColumn d : fx().executorsOn(c)) {
        d.at(key, "events[0].year").set(1);
        d.at(key, "name").set("Ada");
        d.at(key, "events").append(1);
        d.compact(key);
        d.at(key, "in.n").increment(0);
      }
      assertThat((Throwable) c.getWarnings()).isNull();
    } finally {
      fx().run("SELECT pgtoaster.set_options('item', 'doc', '{\"touch\": \"none\"}')");
    }
  }

  /** A setting marks the library's writes. The mark applies only to the statement that writes. */
  @Test
  void plainSqlAfterTheLibrary_isChecked() throws SQLException {
    Object key = fx().row(DOCUMENT);
    String damage = "UPDATE item SET doc = jsonb_set(doc, '{events,0}', '5')" + fx().where(key);
    try (Connection c = fx().begin()) {
      for (DocumentColumn d : fx().executorsOn(c)) {
        d.at(key, "in.n").set(2);
        d.at(key, "events[0].year").set(3);
        d.putJson(key, DOCUMENT);
        assertThatThrownBy(() -> Sql.run(c, damage)).hasMessageContaining("events");
        c.rollback();
      }
      if (fx().usesExtension()) {
        String set =
            "PERFORM toaster.json_set('item', 'doc', CAST(%s AS bigint), '{name}', '{\"a\": [7, 8]}');"
                .formatted(key);
        assertThatThrownBy(() -> Sql.run(c, "DO $$ BEGIN " + set + damage + "; END $$"))
            .hasMessageContaining("events");
        c.rollback();
      }
    }
    fx().assertDocument(key, DOCUMENT);
  }

  @Test
  void valuesInTheRow_areChanged() {
    Object key = fx().row(DOCUMENT);
    fx().run(
            "UPDATE item SET doc = jsonb_set(doc || '{\"born\": 1815}', '{in,n}', '2')"
                + fx().where(key));
    fx().assertDocument(
            key,
            DOCUMENT
                .replace("\"n\": 1", "\"n\": 2")
                .replace("{\"name\"", "{\"born\": 1815, \"name\""));
    fx().run("UPDATE item SET doc = doc - 'born' - 'name'" + fx().where(key));
    assertThat(fx().own().at(key, "name").exists()).isFalse();
    assertThat(fx().own().at(key, "events[0].year").text()).hasValue("1843");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "doc - 'events'",
        "doc || '{\"events\": 5}'",
        "doc - 'in'",
        "doc #- '{in,long}'",
        "doc - 'in' - 'events'"
      })
  void movedMember_isRemovedAsAWhole_withItsNodes(String value) {
    Object key = fx().row(DOCUMENT);
    String expected =
        fx().string(
                "SELECT CAST(%s AS text) FROM (SELECT CAST(%s AS jsonb) AS doc) d"
                    .formatted(value, Sql.literal(DOCUMENT)));
    long before = nodes();
    fx().run("UPDATE item SET doc = " + value + fx().where(key));
    assertThat(nodes()).isLessThan(before);
    fx().assertDocument(key, expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NULL", "'{\"plain\": 1}'", "pgtoaster.expand(doc)", "'[]'"})
  void wholePlainDocument_replacesASplitOne(String value) {
    Object key = fx().row(DOCUMENT);
    fx().run("UPDATE item SET doc = " + value + fx().where(key));
    assertThat(nodes()).isZero();
    assertThat(fx().own().verify(key)).isEmpty();
  }

  @Test
  void plainDocument_isIgnoredByTheGuard() throws SQLException {
    Object key = fx().row("{\"a\": {\"$pgtoaster\": 1}}");
    fx().run("UPDATE item SET doc = '{\"a\": {\"b\": 1}}'" + fx().where(key));
    for (String value :
        List.of(
            "'{\"b\": {\"$pgtoaster\": 1}}'", "'[\"$pgtoaster\"]'", "'\"$pgtoaster\"'", "'5'")) {
      fx().run("UPDATE item SET doc = " + value + fx().where(key));
    }
    refused("UPDATE item SET doc = '{\"$pgtoaster\": 5}'" + fx().where(key));
    refused(
        fx().insert(fx().unknownKey())
            .replace(") VALUES (", ", doc) VALUES (")
            .replaceFirst("\\)$", ", '{\"\\$pgtoaster\": {}}')"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE item SET other = doc",
        "UPDATE item SET doc = other, other = doc",
        "UPDATE item SET other = jsonb_build_object('$pgtoaster', doc->'$pgtoaster')"
      })
  void documentOfAnotherColumn_isRefusedImmediately(String sql) throws SQLException {
    Object key = fx().row(DOCUMENT);
    assertThat(refused(sql).getMessage()).contains("pgtoaster.expand(");
    fx().assertDocument(key, DOCUMENT);
  }

  @Test
  void documentOfAnotherRow_isRefusedImmediately() throws SQLException {
    Object key = fx().row(DOCUMENT);
    Object other = fx().row("{\"a\": 1}");
    String copy = "(SELECT doc FROM item%s)".formatted(fx().where(key));
    assertThat(refused("UPDATE item SET doc = " + copy + fx().where(other)).getMessage())
        .contains("pgtoaster.expand(");
    fx().own().putJson(other, DOCUMENT);
    refused("UPDATE item SET doc = " + copy + fx().where(other));
    refused("INSERT INTO item (id, doc) SELECT id + 1000000, doc FROM item" + fx().where(key));
    fx().assertDocument(key, DOCUMENT);
    fx().assertDocument(other, DOCUMENT);
  }

  @Test
  void stubInAnAttachedArchive_isRefusedImmediately() throws SQLException {
    fx().run("CREATE TABLE archive (id bigint PRIMARY KEY, doc jsonb)");
    fx().string("SELECT pgtoaster.attach('archive', 'doc', 'keyed')");
    Object key = fx().row(DOCUMENT);
    refused(
        "WITH gone AS (DELETE FROM item RETURNING id, doc) INSERT INTO archive SELECT id, doc FROM gone");
    fx().assertDocument(key, DOCUMENT);
    fx().run("INSERT INTO archive SELECT id, pgtoaster.expand(doc) FROM item");
    fx().run("DELETE FROM item");
    assertThat(fx().string("SELECT doc#>>'{events,0,year}' FROM archive")).isEqualTo("1843");
    fx().run("SELECT pgtoaster.detach('archive', 'doc')", "DROP TABLE archive");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowThatMoves_keepsItsDocument_evenWithImmediateConstraints(boolean immediate)
      throws SQLException {
    Object key = fx().row(DOCUMENT);
    try (Connection c = fx().begin()) {
      if (immediate) {
        Sql.run(c, "SET CONSTRAINTS ALL IMMEDIATE");
      }
      Sql.run(
          c,
          "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM item",
          "DELETE FROM item",
          "INSERT INTO item SELECT * FROM kept",
          "UPDATE item SET id = id + 1000000",
          "UPDATE item SET id = id - 1000000",
          "TRUNCATE kept",
          "WITH gone AS (DELETE FROM item RETURNING *) INSERT INTO item SELECT * FROM gone");
      c.commit();
    }
    fx().assertDocument(key, DOCUMENT);
  }

  @Test
  void releasedDocument_isNotReusedSilently() throws SQLException {
    Object key = fx().row(DOCUMENT);
    try (Connection c = fx().begin()) {
      Sql.run(
          c,
          "CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM item",
          "DELETE FROM item",
          "SET CONSTRAINTS ALL IMMEDIATE");
      assertThatThrownBy(() -> Sql.run(c, "INSERT INTO item SELECT * FROM kept"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
      c.rollback();
    }
    fx().assertDocument(key, DOCUMENT);
  }

  @Test
  void staleStub_isRefused() throws SQLException {
    Object key = fx().row(DOCUMENT);
    String stub = stored(key);
    fx().own().at(key, "events").set(List.of(1));
    try (Connection c = fx().begin()) {
      Sql.run(c, "UPDATE item SET doc = NULL" + fx().where(key));
      assertThatThrownBy(
              () -> Sql.run(c, "UPDATE item SET doc = " + Sql.literal(stub) + fx().where(key)))
          .hasMessageContaining("does not refer to content");
      c.rollback();
    }
    assertThat(fx().own().at(key, "events").text()).hasValue("[1]");
  }

  @Test
  void deleteInATransaction_allowsAlterOrTruncateOfTheTable() throws SQLException {
    Object key = fx().row(DOCUMENT);
    try (Connection c = fx().begin()) {
      Sql.run(
          c,
          "DELETE FROM item" + fx().where(key),
          "ALTER TABLE item ALTER COLUMN name SET DEFAULT 'x'",
          "TRUNCATE item");
      c.commit();
    }
    assertThat(nodes()).isZero();
  }
}
