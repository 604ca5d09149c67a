package io.pgtoaster.benchmarks.report;

import java.util.List;
import java.util.Map;

/**
 * The result of one round of a cell: a line of {@link Results#RESULTS}.
 *
 * @param benchmark class and method
 * @param params parameters by name
 * @param threads number of concurrent threads
 * @param samples samples by metric, one per iteration; times in microseconds
 */
public record Measurement(
    String benchmark, Map<String, String> params, int threads, Map<String, List<Double>> samples) {
  /** The metric that each measurement has. */
  public static final String TIME = "time";

  /** Returns the mean time of an operation, in microseconds. */
  public double time() {
    return samples.getOrDefault(TIME, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }
}
