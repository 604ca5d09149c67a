package io.pgtoaster.it.jsonb.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Documents;
import io.pgtoaster.it.kit.Options;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.Setting;
import io.pgtoaster.it.kit.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repair of damaged documents. */
class RepairIT {
  private static final String LONG = Documents.words(3, 30_000);
  private static final String DOCUMENT =
      "{\"name\": \"Ada\", \"events\": [{\"year\": 1843}%s, \"%s\"], \"map\": {\"k\": \"%s\"}}"
          .formatted(", \"some event or other\"".repeat(200), LONG, Documents.words(4, 5_000));

  @AutoClose private DocumentFixture fx;
  private Object key;
  private String stub;

  @BeforeEach
  void split() {
    fx =
        new DocumentFixture(
            new Setting(PostgresServers.newest(), true),
            DocumentSpec.keyed("{\"row_budget\": 512, \"leaf_size\": 512, \"fan_out\": 4}"));
    key = fx.row(DOCUMENT);
    stub = value("CAST(doc AS text)");
  }

  private String value(String expression) {
    return fx.string("/* pgtoaster */ SELECT " + expression + " FROM item" + fx.where(key));
  }

  private void damage(String value) {
    fx.runWithoutTriggers("UPDATE item SET doc = " + value + fx.where(key));
  }

  private List<String> repair(boolean dryRun) {
    return fx.strings(
        "SELECT concat_ws(': ', r.place, r.problem, r.action) FROM pgtoaster.repair('item', 'doc', ARRAY['%s'], %s) r"
            .formatted(key, dryRun));
  }

  private List<String> aside() {
    return fx.strings("SELECT CAST(value AS text) FROM " + fx.table("aside") + " ORDER BY id");
  }

  /** Asserts that repair does what it lists, and that it leaves no damage. */
  private String repaired() {
    String before = value("CAST(doc AS text)");
    List<String> listed = repair(true);
    assertThat(listed).isNotEmpty();
    assertThat(value("CAST(doc AS text)")).isEqualTo(before);
    assertThat(aside()).isEmpty();
    assertThat(repair(false)).isEqualTo(listed);
    assertThat(repair(true)).isEmpty();
    assertThat(fx.own().verify(key)).isEmpty();
    return String.join("\n", listed);
  }

  @Test
  void undamagedDocument_needsNoRepair() {
    assertThat(repair(true)).isEmpty();
    assertThat(fx.strings("SELECT r.problem FROM pgtoaster.repair('item', 'doc', NULL, false) r"))
        .isEmpty();
    assertThat(value("CAST(doc AS text)")).isEqualTo(stub);
  }

  @Test
  void changedMarker_isRestored_andTheNewValueIsSetAside() {
    damage("jsonb_set(doc, '{events,0}', '{\"year\": 1844}')");
    assertThat(fx.own().verify(key)).anyMatch(f -> f.contains("events"));
    assertThat(repaired()).contains("{events}", "restored");
    assertThat(aside()).containsExactly("{\"0\": {\"year\": 1844}}");
    fx.assertDocument(key, DOCUMENT);
  }

  @Test
  void copiedMarker_becomesACopy() {
    damage("doc || jsonb_build_object('zz', doc->'map')");
    assertThat(fx.own().verify(key)).anyMatch(f -> f.contains("zz"));
    assertThat(repaired()).contains("has two references");
    assertThat(fx.own().at(key, "zz").text()).isEqualTo(fx.own().at(key, "map").text());
    assertThat(fx.own().at(key, "events[0].year").text()).hasValue("1843");
    fx.own().compact(key);
    assertThat(fx.own().verify(key)).isEmpty();
  }

  @Test
  void contentOfALostMarker_isSetAside() {
    damage("doc - 'events'");
    repaired();
    assertThat(aside()).hasSize(1);
    assertThat(fx.string("SELECT value->0->>'year' FROM " + fx.table("aside"))).isEqualTo("1843");
    assertThat(fx.string("SELECT value->-1 FROM " + fx.table("aside")))
        .isEqualTo(fx.canonical('"' + LONG + '"'));
    assertThat(fx.string("SELECT row_key FROM " + fx.table("aside"))).isEqualTo("{" + key + "}");
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"$pgtoaster\": \"x\"}'",
    "'{\"$pgtoaster\": [999]}'",
    "'{\"$pgtoaster\": [-1, 5]}'"
  })
  void lostHeader_isRestored(String header) {
    damage("doc || " + Sql.literal(header));
    assertThat(repaired()).contains("header", "restored");
    fx.assertDocument(key, DOCUMENT);
  }

  @Test
  void documentWithAMissingLeaf_keepsTheRest() {
    fx.run(
        "DELETE FROM %1$s WHERE id = (SELECT max(id) FROM %1$s WHERE kind = 's' AND value IS NOT NULL AND (doc, id) IN (SELECT doc, unnest(kids) FROM %1$s WHERE kind = 's'))"
            .formatted(fx.table("node")));
    assertThat(repaired()).contains("is missing");
    assertThat(fx.own().at(key, "name").text()).hasValue("\"Ada\"");
    assertThat(fx.own().at(key, "events[0].year").text()).hasValue("1843");
    assertThat(aside()).isNotEmpty();
  }

  @Test
  void documentWithACyclicNode_keepsTheRest() {
    fx.run(
        "UPDATE %s SET kids = ARRAY[id] WHERE kind = 's' AND value IS NULL"
            .formatted(fx.table("node")));
    assertThat(repaired()).contains("below itself");
    assertThat(fx.own().at(key, "name").text()).hasValue("\"Ada\"");
  }

  @Test
  void documentUnderAnotherKey_isReturnedToItsRow() {
    fx.runWithoutTriggers("UPDATE item SET id = 77" + fx.where(key));
    key = 77L;
    assertThat(Options.collect(fx.database()).kept()).hasSize(1);
    assertThat(repaired()).contains("becomes its owner");
    fx.assertDocument(key, DOCUMENT);
    assertThat(Options.collect(fx.database()).kept()).isEmpty();
  }

  @Test
  void copyOfAnotherRow_becomesAPlainCopy() {
    Object original = key;
    key = fx.row("{\"a\": 1}");
    damage("(SELECT doc FROM item%s)".formatted(fx.where(original)));
    assertThat(repaired()).contains("another row");
    fx.assertDocument(key, DOCUMENT);
    fx.assertDocument(original, DOCUMENT);
  }

  @Test
  void copyInAnotherColumn_becomesAPlainCopy() {
    fx.run("ALTER TABLE item ADD COLUMN other jsonb");
    fx.string("SELECT pgtoaster.attach('item', 'other', 'keyed')");
    fx.runWithoutTriggers("UPDATE item SET other = doc, doc = NULL" + fx.where(key));
    assertThat(Options.collect(fx.database()).kept()).hasSize(1);
    assertThat(fx.string("SELECT r.problem FROM pgtoaster.repair('item', 'other', NULL, false) r"))
        .contains("another column");
    assertThat(value("other")).isEqualTo(fx.canonical(DOCUMENT));
    assertThat(Options.collect(fx.database()).items()).hasSize(1);
  }

  @Test
  void headerWithoutContent_isSetAside_andTheRowIsPlain() {
    key = fx.row("{\"a\": 1}");
    damage("'{\"$pgtoaster\": [5], \"a\": 1, \"b\": {\"$pgtoaster\": 6}}'");
    assertThat(repaired()).contains("set aside");
    fx.assertDocument(key, "{\"a\": 1}");
    assertThat(aside()).hasSize(1).first().asString().contains("\"$pgtoaster\": [5]", "6");
  }

  @Test
  void contentSetAside_isNotLostByDetach() throws SQLException {
    damage("doc - 'events'");
    repaired();
    assertThat(fx.string("SELECT warnings FROM pgtoaster.status()")).contains("_aside");
    try (Connection c = fx.database().connect()) {
      assertThatThrownBy(() -> Sql.run(c, "SELECT pgtoaster.detach('item', 'doc')"))
          .hasMessageContaining("set aside");
      Sql.run(c, "DELETE FROM " + fx.table("aside"), "SELECT pgtoaster.detach('item', 'doc')");
    }
  }

  @Test
  void repair_isReservedForTheOwnerOfTheTable() throws SQLException {
    String role = fx.database().name() + "_other";
    fx.run("CREATE ROLE " + role + " LOGIN", "GRANT ALL ON item TO " + role);
    try (Connection c = fx.database().connect(role)) {
      assertThatThrownBy(() -> Sql.run(c, "SELECT * FROM pgtoaster.repair('item', 'doc')"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42501"));
    } finally {
      fx.run("DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }
}
