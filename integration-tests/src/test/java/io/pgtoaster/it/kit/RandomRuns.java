package io.pgtoaster.it.kit;

import java.sql.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Seeded random operations, compared with a model, in settings that {@link Plan} chooses. The
 * property pgtoaster.test.operations sets their total number over all columns, and
 * pgtoaster.test.seed the seed.
 */
public final class RandomRuns {
  private static final int OPERATIONS = Integer.getInteger("pgtoaster.test.operations", 2_500);
  private static final long SEED = Long.getLong("pgtoaster.test.seed", 20_261_120);

  private RandomRuns() {}

  /** Operations on one value, and a model of it. */
  public interface Steps {
    /** Executes one operation and compares. */
    void step() throws Exception;

    /** Compares the whole value. */
    void finish();

    /** Saves the model. The result restores it after a rollback. */
    Runnable remember();
  }

  /** Returns columns and settings, with the number of operations for each. */
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
    // Each breadth must run each column, so in the smallest breadth each column has a separate
    // plan.
    List<Plan.Cell> cells =
        (breadth == Breadth.NEWEST ? suites.stream().map(List::of) : Stream.of(suites))
            .flatMap(
                s -> Plan.of(breadth, breadth.versions(), breadth.executors(), s).cells().stream())
            .toList();
    int each = Math.max(1, OPERATIONS / cells.size());
    return cells.stream().map(c -> Arguments.of(c.suite().column(), c.setting(), each));
  }

  /** Runs this many operations, one after another. */
  public static void run(TableFixture<?> fx, int operations, LongFunction<? extends Steps> make)
      throws Exception {
    Steps steps = make.apply(seed(fx));
    for (int i = 0; i < operations; i++) {
      steps.step();
    }
    steps.finish();
    fx.afterTest();
  }

  /** Runs ten transactions with this many operations each, and rolls back every third. */
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

  /** A different seed for each column and version. */
  private static long seed(TableFixture<?> fx) {
    return SEED + 31L * fx.spec().toString().hashCode() % 1000 + fx.setting().version();
  }
}
