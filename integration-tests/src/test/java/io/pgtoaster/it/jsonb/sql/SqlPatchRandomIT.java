package io.pgtoaster.it.jsonb.sql;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.RandomRuns;
import io.pgtoaster.it.kit.RandomSqlPatches;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random JSON Patches in SQL have the same results and messages as in the Java API. */
class SqlPatchRandomIT {
  private static final int PATCHES = Integer.getInteger("pgtoaster.test.sqlEdits", 120) / 2;

  static Stream<Arguments> columns() {
    return Setting.edges().stream()
        .map(
            setting ->
                Arguments.of(
                    setting,
                    DocumentSpec.keyed(
                        setting.version() == 15
                            ? "{\"row_budget\": 1000, \"keep_inline\": [\"/a\", \"/b/key\"]}"
                            : "{\"row_budget\": 512, \"leaf_size\": 512, \"fan_out\": 4}")));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void splitColumn_staysEqualToPlainOnes(Setting setting, ColumnSpec spec) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      RandomRuns.run(fx, PATCHES, seed -> new RandomSqlPatches(fx, seed));
    }
  }
}
