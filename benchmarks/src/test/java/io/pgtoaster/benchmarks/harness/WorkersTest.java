package io.pgtoaster.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.trial.Batch;
import io.pgtoaster.benchmarks.trial.Cell;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final Cell CELL =
      new Cell(
          "Appends.append",
          Map.of("contender", "chunk tables", "size", "1KB", "piece", "1B"),
          new Batch(0, 1, 0, 1, 20));

  @Test
  void failureInAnotherProcess_isReportedWithItsReason_eachTime() throws Exception {
    Target nobody = new Target("jdbc:postgresql://127.0.0.1:1/postgres", null, null, true);

    try (Workers workers = new Workers(nobody)) {
      for (int i = 0; i < 2; i++) {
        CellRunner.Outcome outcome = workers.run(CELL);

        assertThat(outcome.found()).isNull();
        assertThat(outcome.output()).contains("127.0.0.1:1 refused");
      }
    }
  }

  @Test
  void endedProcess_failsItsCell() throws Exception {
    Worker worker = Worker.start(new Target("", null, null, true));
    worker.close();

    assertThat(worker.run(CELL).found()).isNull();
  }
}
