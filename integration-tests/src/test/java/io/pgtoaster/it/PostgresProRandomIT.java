package io.pgtoaster.it;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.RandomEdits;
import io.pgtoaster.it.kit.RandomOperations;
import io.pgtoaster.it.kit.Setting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Seeded random operations on Postgres Pro's toasters; the properties are those of {@link
 * RandomOperationsIT}. Runs where a server is given; see docs/postgrespro.md.
 */
class PostgresProRandomIT {
  private static final int OPERATIONS =
      Integer.getInteger("pgtoaster.test.operations", 10_000) / 10;
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
  void blobs_holdWhatAByteArrayHolds(Setting setting) throws Exception {
    try (Fixture fx = new Fixture(setting, ColumnSpec.postgresPro())) {
      RandomOperations random = new RandomOperations(fx, fx.executors(), SEED);
      for (int i = 0; i < OPERATIONS; i++) {
        random.step();
      }
      random.finish();
      fx.afterTest();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
  void documents_holdWhatPlainJsonbHolds(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.postgresPro())) {
      RandomEdits random = new RandomEdits(fx, fx.executors(), SEED);
      for (int i = 0; i < OPERATIONS; i++) {
        random.step();
      }
      random.finish();
      fx.afterTest();
    }
  }
}
