package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.RandomEdits;
import io.pgtoaster.it.kit.RandomRuns;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on documents, compared with PostgreSQL's operators on plain jsonb. Both
 * executors take turns.
 */
@Tag("ci")
@Tag("turn-0")
class DocumentRandomIT {
  static Stream<Arguments> columns() {
    return RandomRuns.over(
        DocumentSpec.stock(),
        DocumentSpec.keyed("{}"),
        DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"),
        DocumentSpec.keyed(
            "{\"row_budget\": 256, \"leaf_size\": 1024, \"fan_out\": 8, \"touch\": \"row\"}",
            ColumnSpec.Key.COMPOSITE));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_matchPlainJsonb(ColumnSpec spec, Setting setting, int operations)
      throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      RandomRuns.run(fx, operations, seed -> new RandomEdits(fx, fx.executors(), seed));
    }
    Figures.add("DocumentRandomIT#operations_matchPlainJsonb", "operations", operations);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_inTransactionsThatMayRollBack_matchPlainJsonb(ColumnSpec spec, Setting setting)
      throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      RandomRuns.inTransactions(fx, 8, c -> seed -> new RandomEdits(fx, fx.executorsOn(c), seed));
    }
  }
}
