package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.PostgresServers;
import io.pgtoaster.it.kit.RandomOperations;
import io.pgtoaster.it.kit.Setting;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded random operations against a byte array. The properties pgtoaster.test.operations (10,000
 * over all columns) and pgtoaster.test.seed say how many and which.
 */
class RandomOperationsIT {
  private static final int OPERATIONS = Integer.getInteger("pgtoaster.test.operations", 10_000);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  static Stream<Arguments> columns() {
    return Stream.of(
            ColumnSpec.appendable("{}"),
            ColumnSpec.stock("bytea"),
            ColumnSpec.appendable("{\"crc32c\": true, \"chunk_size\": 1984}"),
            ColumnSpec.appendable("{\"compression\": \"pglz\", \"tail\": 0}"),
            ColumnSpec.stock("text"))
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
  void operations_giveWhatAByteArrayGives(ColumnSpec spec, Setting setting) throws Exception {
    int operations = Math.max(1, OPERATIONS / (int) columns().count());
    long seed = SEED + 31L * spec.hashCode() % 1000 + setting.version();
    try (Fixture fx = new Fixture(setting, spec)) {
      RandomOperations random = new RandomOperations(fx, fx.executors(), seed);
      for (int i = 0; i < operations; i++) {
        random.step();
      }
      random.finish();
      fx.afterTest();
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("columns")
  void operations_inTransactionsThatMayRollBack_giveWhatAByteArrayGives(
      ColumnSpec spec, Setting setting) throws Exception {
    long seed = SEED + 7 + setting.version();
    try (Fixture fx = new Fixture(setting, spec)) {
      Connection connection = fx.connect();
      RandomOperations random = new RandomOperations(fx, fx.executorsOn(connection), seed);
      connection.setAutoCommit(false);
      for (int i = 0; i < 10; i++) {
        byte[] before = random.model();
        for (int n = 0; n < 5; n++) {
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
