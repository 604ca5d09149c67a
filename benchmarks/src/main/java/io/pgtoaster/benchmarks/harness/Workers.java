package io.pgtoaster.benchmarks.harness;

import io.pgtoaster.benchmarks.server.Target;
import io.pgtoaster.benchmarks.trial.Cell;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * One JVM per contender and class of benchmarks, started again in each round. The smaller sizes run
 * first and get the code compiled before the larger ones, whose warm-ups have only a few
 * operations. Separate JVMs keep the profile of one contender from influencing another.
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
      // JMH keeps the state of a failed cell in its process.
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
