package io.pgtoaster.it.jsonb.sql;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.RandomRuns;
import io.pgtoaster.it.kit.RandomSqlEdits;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random edits as values have the same result as on plain jsonb. */
@Tag("ci")
@Tag("turn-2")
class SqlEditsRandomIT {
  /**
   * The number of edits. The value of pgtoaster.test.operations in long runs is too high for one
   * document.
   */
  private static final int EDITS = Integer.getInteger("pgtoaster.test.sqlEdits", 120);

  static Stream<Arguments> columns() {
    return Setting.edges().stream()
        .flatMap(
            setting ->
                Stream.of(
                        "{\"row_budget\": 512, \"leaf_size\": 512, \"fan_out\": 4}",
                        "{\"row_budget\": 1000, \"keep_inline\": [\"/a\", \"/b/key\"]}")
                    .map(options -> Arguments.of(setting, DocumentSpec.keyed(options))));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void splitColumn_staysEqualToAPlainOne(Setting setting, ColumnSpec spec) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      RandomRuns.run(fx, EDITS, seed -> new RandomSqlEdits(fx, seed));
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void splitColumn_staysEqualToAPlainOne_throughAView(Setting setting, ColumnSpec spec)
      throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      fx.run("ALTER TABLE item ADD COLUMN plain jsonb", "SELECT pgtoaster.create_view('item')");
      RandomRuns.run(fx, EDITS, seed -> new RandomSqlEdits(fx, seed, "item_view"));
    }
  }
}
