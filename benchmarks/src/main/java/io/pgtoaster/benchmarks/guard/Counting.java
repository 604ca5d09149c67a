package io.pgtoaster.benchmarks.guard;

import io.pgtoaster.benchmarks.contender.Names;
import io.pgtoaster.benchmarks.guard.operation.Operation;
import io.pgtoaster.benchmarks.server.Backend;
import io.pgtoaster.benchmarks.server.Kind;
import io.pgtoaster.benchmarks.server.Workplace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

final class Counting {
  private static final int ROUNDS = 3;

  /** After this many calls, the statements have generic plans and the driver's code is compiled. */
  private static final int WARM_UPS = 10;

  private static final int YARDSTICKS = 10;

  /** The unit of processor time. */
  private static final String YARDSTICK =
      "SELECT sum(hashtext(CAST(i AS text))) FROM generate_series(1, 500) i";

  private Counting() {}

  static String executor(Kind kind) {
    return kind == Kind.EXTENSION ? Names.EXTENSION : Names.CHUNK_TABLES;
  }

  static String name(Kind kind, Operation operation) {
    return new Line(executor(kind), operation.name(), Map.of()).name();
  }

  static boolean isOf(Kind kind, String name) {
    return name.startsWith(new Line(executor(kind), "", Map.of()).name());
  }

  /** Runs an operation repeatedly and returns its costs. */
  static Line of(Workplace workplace, Operation operation) throws Exception {
    int times = operation.times();
    int warmUps = (WARM_UPS + times - 1) / times;
    List<Backend.Cost> costs = new ArrayList<>();
    long yardstick = Long.MAX_VALUE;
    try (Operation.Subject subject = operation.opener().open(workplace, warmUps + ROUNDS)) {
      Backend backend = subject.backend();
      backend.beside();
      for (int round = 0; round < warmUps + ROUNDS; round++) {
        int number = round;
        yardstick = Math.min(yardstick, backend.timeOf(YARDSTICK, YARDSTICKS));
        Backend.Cost cost =
            backend.of(
                () -> {
                  for (int i = 0; i < times; i++) {
                    subject.call(number, i);
                  }
                });
        if (round >= warmUps) {
          costs.add(cost);
        }
      }
    }
    return new Line(
        executor(workplace.kind()),
        operation.name(),
        Map.of(
            Count.TRIPS,
            middle(costs, Backend.Cost::trips) / times,
            Count.PAGES,
            middle(costs, Backend.Cost::pages) / times,
            Count.WAL,
            middle(costs, Backend.Cost::wal) / times,
            Count.RECORDS,
            middle(costs, Backend.Cost::records) / times,
            Count.ALLOCATED,
            least(costs, Backend.Cost::allocated) / times,
            Count.CPU,
            least(costs, Backend.Cost::nanos) / times / ((double) yardstick / YARDSTICKS)));
  }

  /**
   * Returns the median of all rounds, because the session may plan a statement again in one of
   * them.
   */
  private static double middle(List<Backend.Cost> costs, ToLongFunction<Backend.Cost> count) {
    return costs.stream().mapToLong(count).sorted().skip(ROUNDS / 2).findFirst().orElseThrow();
  }

  private static double least(List<Backend.Cost> costs, ToLongFunction<Backend.Cost> count) {
    return costs.stream().mapToLong(count).min().orElseThrow();
  }
}
