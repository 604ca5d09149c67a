package io.pgtoaster.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Shows that the harness runs; the first real benchmark replaces it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlaceholderBenchmark {
  private long count;

  /**
   * Counts.
   *
   * @return the count, so that it is not optimised away
   */
  @Benchmark
  public long count() {
    return ++count;
  }
}
