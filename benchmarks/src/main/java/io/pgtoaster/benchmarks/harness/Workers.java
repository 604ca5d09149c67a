package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.trial.Cell;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A JVM for each contender of a class of benchmarks, anew in each round: compilers have worked on
 * what its smaller sizes need before the larger ones, of which few fit into a warm-up, and none
 * profits or suffers from what a JVM has learned of another contender.
 */
final class Workers implements Closeable {
  private final Target target;
  private final Map<String, Worker> running = new HashMap<>();
  private String type = "";

  Workers(Target target) {
    this.target = target;
  }

  CellRunner.Outcome run(Cell cell) throws IOException {
    String wanted = cell.benchmark().replaceFirst("[.].*", "");
    if (!wanted.equals(type)) {
      close();
      type = wanted;
    }
    Worker worker = running.get(cell.contender());
    if (worker == null) {
      worker = Worker.start(target);
      running.put(cell.contender(), worker);
    }
    CellRunner.Outcome outcome = worker.run(cell);
    if (outcome.found() == null) {
      // JMH keeps the state of what has failed in its process.
      worker.close();
      running.remove(cell.contender());
    }
    return outcome;
  }

  @Override
  public void close() {
    running.values().forEach(Worker::close);
    running.clear();
  }
}
