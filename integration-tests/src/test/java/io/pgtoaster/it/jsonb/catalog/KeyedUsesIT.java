package io.pgtoaster.it.jsonb.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes, views and other objects that use a jsonb column, when it is attached and later. */
@ParameterizedClass(name = "PostgreSQL {0}")
@MethodSource("versions")
class KeyedUsesIT extends KeyedTable {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE INDEX u ON item ((doc->>'a'))|/a",
        "CREATE INDEX u ON item ((doc->'a'->>'b')) WHERE doc ? 'c'|/a,/c",
        "CREATE INDEX u ON item USING gin ((doc #> '{a,b}'))|/a",
        "CREATE UNIQUE INDEX u ON item (lower(doc #>> '{it''s/~,1}'))|/it's~1~0",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (doc['a'] IS NOT NULL AND doc->>'b' <> 'doc')|/a,/b",
        "ALTER TABLE item ADD u text GENERATED ALWAYS AS (doc->>'back\\slash') STORED|/back\\slash",
        "CREATE POLICY u ON item USING (doc->>'tenant' = current_user)|/tenant",
        "CREATE POLICY u ON item USING (EXISTS (SELECT FROM item i WHERE i.doc ? 'x' AND item.doc ? 'y'))|/x,/y"
      })
  void membersThatOtherObjectsUse_arePinned(String use, String members) throws SQLException {
    item(use);
    assertThat(
            database.string(
                "SELECT array_to_string(members, ',') FROM pgtoaster.column_uses('item', 'doc') WHERE"
                    + " name = 'u' AND effect LIKE 'pinned%'"))
        .isEqualTo(members);
    assertThat(notices("SELECT pgtoaster.attach('item', 'doc', 'keyed')"))
        .singleElement()
        .asString()
        .contains("pinned", "u");
    assertThat(
            database.strings(
                "SELECT jsonb_array_elements_text(options->'keep_inline') FROM"
                    + " pgtoaster.attached_column"))
        .containsExactlyInAnyOrder(members.split(",", -1));
  }

  /** Attaching reads only these members of a document, and each of them once. */
  @Test
  void pinnedMembersAboveTheBudget_areReported() throws SQLException {
    item(
        "INSERT INTO item (id, doc) VALUES (1, jsonb_build_object('a', jsonb_build_object('b', repeat('x', 3000)), 'c', repeat('y', 90000)))");
    String attach =
        "SELECT pgtoaster.attach('item', 'doc', 'keyed', '{\"keep_inline\": [\"/a\", \"/a/b\", \"/d\"], \"row_budget\": %d}')";
    assertThat(notices(attach.formatted(2000)))
        .singleElement()
        .asString()
        .containsPattern("take up to 30[0-9]{2} bytes");
    database.run("SELECT pgtoaster.detach('item', 'doc')");
    assertThat(notices(attach.formatted(3100))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE INDEX u ON item USING gin (doc)",
        "CREATE INDEX u ON item USING gin (doc jsonb_path_ops) WHERE doc->>'a' = 'b'",
        "CREATE INDEX u ON item ((doc || '{}'))",
        "CREATE VIEW u AS SELECT doc->'a' AS a FROM item",
        "CREATE MATERIALIZED VIEW u AS SELECT * FROM item"
      })
  void usesOfTheWholeColumn_areReportedAsNoted(String use) throws SQLException {
    item(use);
    assertThat(notices("SELECT pgtoaster.attach('item', 'doc', 'keyed')"))
        .singleElement()
        .asString()
        .contains("noted", "u");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE UNIQUE INDEX u ON item (doc)",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (doc @> '{}')",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (doc->>'a' <> '' AND jsonb_typeof(doc) = 'object')",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (doc->0 IS NOT NULL)",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (doc #> '{0,a}' IS NOT NULL)",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (doc #>> '{}' IS NOT NULL)",
        "ALTER TABLE item ADD CONSTRAINT u CHECK (item IS NOT NULL)",
        "ALTER TABLE item ADD u text GENERATED ALWAYS AS (doc::text) STORED",
        "CREATE POLICY u ON item USING (doc @> '{\"a\": 1}')",
        "CREATE POLICY u ON item USING (EXISTS (SELECT FROM item i WHERE i.doc = item.doc))"
      })
  void usesThatSplittingWouldBreak_areRefused(String use) {
    item(use);
    assertRefused("2BP01", "SELECT pgtoaster.attach('item', 'doc', 'keyed')");
    assertThat(database.number("SELECT count(*) FROM pgtoaster.store")).isZero();
  }

  @Test
  void indexCreatedLater_causesAWarning_untilItsMemberIsPinned() {
    item();
    attach("{}");
    database.run("CREATE INDEX late ON item ((doc->>'a'))");
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).contains("late");
    database.run("SELECT pgtoaster.set_options('item', 'doc', '{\"row_budget\": 400}')");
    assertThat(database.string("SELECT warnings FROM pgtoaster.status()")).isEqualTo("{}");
    assertThat(database.string("SELECT options->>'keep_inline' FROM pgtoaster.status()"))
        .isEqualTo("[\"/a\"]");
    assertThat(database.string("SELECT options->>'row_budget' FROM pgtoaster.status()"))
        .isEqualTo("400");
  }
}
