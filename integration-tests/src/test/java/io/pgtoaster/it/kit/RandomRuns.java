package io.pgtoaster.it.kit;

import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Seeded random operations against a model, in settings that {@link Plan} chooses. The properties
 * pgtoaster.test.operations (over all columns) and pgtoaster.test.seed say how many and which.
 */
public final class RandomRuns {
  private static final int OPERATIONS =
      Integer.getInteger(
          "pgtoaster.test.operations", Breadth.chosen() == Breadth.NEWEST ? 2_500 : 5_000);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  private RandomRuns() {}

  /** Operations on one value, and a model of it. */
  public interface Steps {
    /** Does one operation, and compares. */
    void step() throws Exception;

    /** Compares the whole value. */
    void finish();

    /** Remembers the model; what comes back brings it back after a rollback. */
    Runnable remember();
  }

  /** Columns and settings, with the number of operations for each. */
  public static Stream<Arguments> over(ColumnSpec... specs) {
    List<Suite> suites =
        Arrays.stream(specs)
            .map(
                spec ->
                    new Suite(
                        RandomRuns.class,
                        spec.hasStore() ? Planned.Needs.STORE : Planned.Needs.STOCK,
                        spec,
                        List.of("random operations")))
            .toList();
    Breadth breadth = Breadth.chosen();
    // Each column is there in all breadths, so they are no options of one contract in the smallest.
    List<Plan.Cell> cells =
        (breadth == Breadth.NEWEST ? suites.stream().map(List::of) : Stream.of(suites))
            .flatMap(
                s -> Plan.of(breadth, breadth.versions(), breadth.executors(), s).cells().stream())
            .toList();
    int each = Math.max(1, OPERATIONS / cells.size());
    return cells.stream().map(c -> Arguments.of(c.suite().column(), c.setting(), each));
  }

  /** So many operations, one after the other. */
  public static void run(TableFixture<?> fx, int operations, LongFunction<? extends Steps> make)
      throws Exception {
    Steps steps = make.apply(seed(fx));
    for (int i = 0; i < operations; i++) {
      steps.step();
    }
    steps.finish();
    fx.afterTest();
  }

  /** Ten transactions of some operations, of which each third is rolled back. */
  public static void inTransactions(
      TableFixture<?> fx, int operations, Function<Connection, LongFunction<? extends Steps>> make)
      throws Exception {
    Connection connection = fx.connect();
    Steps steps = make.apply(connection).apply(seed(fx) + 7);
    connection.setAutoCommit(false);
    for (int i = 0; i < 10; i++) {
      Runnable before = steps.remember();
      for (int n = 0; n < operations; n++) {
        steps.step();
      }
      if (i % 3 == 2) {
        connection.rollback();
        before.run();
      } else {
        connection.commit();
      }
    }
    connection.setAutoCommit(true);
    steps.finish();
    fx.afterTest();
  }

  /** Of each column and version another. */
  private static long seed(TableFixture<?> fx) {
    return SEED + 31L * fx.spec().toString().hashCode() % 1000 + fx.setting().version();
  }
}
