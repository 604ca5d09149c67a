package io.pgtoaster.it.jsonb;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.RandomEdits;
import io.pgtoaster.it.kit.Setting;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded random operations against plain jsonb that PostgreSQL's own operators change. The
 * properties pgtoaster.test.operations (10,000 over all columns) and pgtoaster.test.seed say how
 * many and which.
 */
class DocumentRandomIT {
  private static final int OPERATIONS = Integer.getInteger("pgtoaster.test.operations", 10_000);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  static Stream<Arguments> columns() {
    return Stream.of(
            DocumentSpec.stock(),
            DocumentSpec.keyed("{}"),
            DocumentSpec.keyed("{\"row_budget\": 256, \"leaf_size\": 512, \"fan_out\": 4}"),
            DocumentSpec.keyed(
                "{\"row_budget\": 256, \"leaf_size\": 1024, \"fan_out\": 8, \"touch\": \"row\"}",
                ColumnSpec.Key.COMPOSITE))
        .flatMap(spec -> settings(spec).map(setting -> Arguments.of(spec, setting)));
  }

  /** Where there is a store, also both executors in turns on the same data. */
  private static Stream<Setting> settings(ColumnSpec spec) {
    List<Setting> bySql =
        PostgresServers.edges().stream()
            .flatMap(v -> Stream.of(true, false).map(own -> new Setting(v, own)))
            .toList();
    return (spec.hasStore() ? Setting.byBoth(bySql) : bySql).stream();
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_giveWhatPlainJsonbGives(ColumnSpec spec, Setting setting) throws Exception {
    int operations = Math.max(1, OPERATIONS / (int) columns().count());
    long seed = SEED + 31L * spec.toString().hashCode() % 1000 + setting.version();
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      RandomEdits random = new RandomEdits(fx, fx.executors(), seed);
      for (int i = 0; i < operations; i++) {
        random.step();
      }
      random.finish();
      fx.afterTest();
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_inTransactionsThatMayRollBack_giveWhatPlainJsonbGives(
      ColumnSpec spec, Setting setting) throws Exception {
    long seed = SEED + 7 + setting.version();
    try (DocumentFixture fx = new DocumentFixture(setting, spec)) {
      Connection connection = fx.connect();
      RandomEdits random = new RandomEdits(fx, fx.executorsOn(connection), seed);
      connection.setAutoCommit(false);
      for (int i = 0; i < 10; i++) {
        String before = random.model();
        for (int n = 0; n < 8; n++) {
          random.step();
        }
        if (i % 3 == 2) {
          connection.rollback();
          random.reset(before);
        } else {
          connection.commit();
        }
      }
      connection.setAutoCommit(true);
      random.finish();
      fx.afterTest();
    }
  }
}
