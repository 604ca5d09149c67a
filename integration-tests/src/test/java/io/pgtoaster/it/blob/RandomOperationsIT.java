package io.pgtoaster.it.blob;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Figures;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.RandomOperations;
import io.pgtoaster.it.kit.RandomRuns;
import io.pgtoaster.it.kit.Setting;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Random operations on blobs, compared with a byte array. Both executors take turns. */
class RandomOperationsIT {
  static Stream<Arguments> columns() {
    return RandomRuns.over(
        ColumnSpec.appendable("{}"),
        ColumnSpec.stock("bytea"),
        ColumnSpec.appendable("{\"crc32c\": true, \"chunk_size\": 1984}"),
        ColumnSpec.appendable("{\"compression\": \"pglz\", \"tail\": 0}"),
        ColumnSpec.stock("text"));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_matchAByteArray(ColumnSpec spec, Setting setting, int operations)
      throws Exception {
    try (Fixture fx = new Fixture(setting, spec)) {
      RandomRuns.run(fx, operations, seed -> new RandomOperations(fx, fx.executors(), seed));
    }
    Figures.add("RandomOperationsIT#operations_matchAByteArray", "operations", operations);
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_inTransactionsThatMayRollBack_matchAByteArray(ColumnSpec spec, Setting setting)
      throws Exception {
    try (Fixture fx = new Fixture(setting, spec)) {
      RandomRuns.inTransactions(
          fx, 5, c -> seed -> new RandomOperations(fx, fx.executorsOn(c), seed));
    }
  }
}
