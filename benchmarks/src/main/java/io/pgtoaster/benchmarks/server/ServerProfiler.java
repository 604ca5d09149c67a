package io.pgtoaster.benchmarks.server;

import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** Adds the figures of the {@link Meter} to JMH's results, per operation. */
public final class ServerProfiler implements InternalProfiler {
  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    Meter.take();
  }

  @Override
  @SuppressWarnings("rawtypes") // JMH's type is raw
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double operations = Math.max(1.0, (double) result.getMetadata().getAllOps());
    List<ScalarResult> results =
        Meter.take().entrySet().stream()
            .map(
                e ->
                    new ScalarResult(
                        e.getKey(),
                        e.getValue().value() / (e.getValue().divided() ? operations : 1),
                        e.getValue().unit(),
                        AggregationPolicy.AVG))
            .toList();
    return results;
  }

  @Override
  public String getDescription() {
    return "WAL and pages of the server";
  }
}
