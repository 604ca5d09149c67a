package io.pgtoaster.benchmarks.report.figure;

import java.util.List;
import java.util.Map;

/**
 * What one round of a cell gave: a line of {@link Results#RESULTS}.
 *
 * @param benchmark class and method
 * @param params by name
 * @param threads at the same time
 * @param samples by metric, one for each iteration; time in microseconds
 */
public record Measurement(
    String benchmark, Map<String, String> params, int threads, Map<String, List<Double>> samples) {
  /** The metric of which no measurement is without. */
  public static final String TIME = "time";

  /** The mean time of an operation, in microseconds. */
  public double time() {
    return samples.getOrDefault(TIME, List.of()).stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }
}
