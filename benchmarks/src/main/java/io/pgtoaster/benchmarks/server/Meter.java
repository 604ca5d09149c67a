package io.pgtoaster.benchmarks.server;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds round trips, WAL and other figures of an iteration to JMH's results. Trials mark its
 * beginning and end, because a profiler would also count the preparations.
 */
public final class Meter implements InternalProfiler {
  /** Figures of the whole iteration. */
  private static final Map<String, Double> WHOLE = new HashMap<>();

  /** Figures to divide by the number of operations. */
  private static final Map<String, Double> SHARED = new HashMap<>();

  private static long wal;
  private static long trips;
  private static long nanos;

  /** Starts an iteration: call it last. */
  public static synchronized void begin(@Nullable Database database) throws SQLException {
    wal = database == null ? 0 : database.walBytes();
    trips = RoundTrips.count();
    nanos = System.nanoTime();
  }

  /**
   * Ends an iteration: call it first. Only PostgreSQL reports its WAL.
   *
   * @param clocked whether to keep the time of all threads together
   * @param writes whether the operations must have written something
   */
  public static synchronized void end(@Nullable Database database, boolean clocked, boolean writes)
      throws SQLException {
    if (clocked) {
      SHARED.put("elapsed", (System.nanoTime() - nanos) / 1e3);
    }
    if (database != null) {
      SHARED.put("trips", (double) (RoundTrips.count() - trips));
      long written = database.walBytes() - wal;
      SHARED.put("wal", (double) written);
      if (writes && written <= 0) {
        throw new IllegalStateException("no WAL was written: the operations changed nothing");
      }
    }
  }

  /** Adds a figure of the whole iteration. */
  public static synchronized void add(String name, double value) {
    WHOLE.put(name, value);
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    synchronized (Meter.class) {
      WHOLE.clear();
      SHARED.clear();
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // JMH's type is raw
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    synchronized (Meter.class) {
      double operations = Math.max(1.0, (double) result.getMetadata().getAllOps());
      Map<String, Double> all = new HashMap<>(WHOLE);
      SHARED.forEach((name, value) -> all.put(name, value / operations));
      List<ScalarResult> results =
          all.entrySet().stream()
              .map(e -> new ScalarResult(e.getKey(), e.getValue(), "", AggregationPolicy.AVG))
              .toList();
      return results;
    }
  }

  @Override
  public String getDescription() {
    return "WAL and round trips";
  }
}
