package io.pgtoaster.it.jsonb.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.column.DocumentPath;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Setting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The size of a new key is also counted, both in the row and in a leaf. */
class LongKeysIT {
  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void addedKey_countsTowardsTheRow_evenIfItIsTheLast(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed("{}"))) {
      Object key = fx.row("{}");
      for (char c = 'a'; c < 'e'; c++) {
        fx.own().at(key, DocumentPath.of(String.valueOf(c).repeat(1_500))).set(true);
        // Do not use pg_column_size, because PostgreSQL compresses such a row.
        assertThat(fx.number("SELECT octet_length(CAST(doc AS text)) FROM item" + fx.where(key)))
            .isLessThan(2_000);
      }
      assertThat(fx.own().at(key, "").size()).hasValue(4);
      assertThat(fx.own().verify(key)).isEmpty();
      fx.afterTest();
    }
  }

  @ParameterizedTest
  @MethodSource("io.pgtoaster.it.kit.Setting#newest")
  void addedKeys_countTowardsTheirLeaf(Setting setting) throws Exception {
    String options = "{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}";
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.keyed(options))) {
      Object key = fx.row("{\"o\": {\"text\": \"" + "x".repeat(400) + "\"}}");
      for (int i = 0; i < 60; i++) {
        fx.own().at(key, DocumentPath.of("o", i + "k".repeat(40))).set(true);
      }
      assertThat(
              fx.number("SELECT max(octet_length(CAST(value AS text))) FROM " + fx.table("node")))
          .isLessThan(512 + 256 + 100);
      assertThat(fx.own().at(key, "o").size()).hasValue(61);
      assertThat(fx.own().verify(key)).isEmpty();
      fx.afterTest();
    }
  }
}
