package io.pgtoaster.it.blob;

import io.pgtoaster.it.kit.ColumnSpec;
import io.pgtoaster.it.kit.DocumentFixture;
import io.pgtoaster.it.kit.DocumentSpec;
import io.pgtoaster.it.kit.Fixture;
import io.pgtoaster.it.kit.RandomEdits;
import io.pgtoaster.it.kit.RandomOperations;
import io.pgtoaster.it.kit.RandomRuns;
import io.pgtoaster.it.kit.Setting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on Postgres Pro's toasters. Runs only if a server is given; see
 * docs/postgrespro.md.
 */
class PostgresProRandomIT {
  private static final int OPERATIONS = 1_000;

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
  void blobs_matchAByteArray(Setting setting) throws Exception {
    try (Fixture fx = new Fixture(setting, ColumnSpec.postgresPro())) {
      RandomRuns.run(fx, OPERATIONS, seed -> new RandomOperations(fx, fx.executors(), seed));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.pgtoaster.it.kit.Setting#postgresPro")
  void documents_matchPlainJsonb(Setting setting) throws Exception {
    try (DocumentFixture fx = new DocumentFixture(setting, DocumentSpec.postgresPro())) {
      RandomRuns.run(fx, OPERATIONS, seed -> new RandomEdits(fx, fx.executors(), seed));
    }
  }
}
