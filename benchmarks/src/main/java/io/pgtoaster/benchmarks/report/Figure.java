package io.pgtoaster.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came out of one cell, all rounds together.
 *
 * @param benchmark class and method
 * @param params by name
 * @param threads at the same time
 * @param samples of each metric, one for each iteration; time in microseconds
 */
record Figure(
    String benchmark, Map<String, String> params, int threads, Map<String, List<Double>> samples) {
  private static final double MEGABYTE = 1 << 20;

  /** The median of a metric; NaN where it was not measured. */
  double value(Metric metric) {
    return switch (metric) {
      case RATE -> 1e6 / apart();
      case MBPS -> median("bytes") / apart() * 1e6 / MEGABYTE;
      default -> median(metric.key());
    };
  }

  /**
   * Microseconds from the end of one operation to the end of the next, whoever does it. By the
   * clock where that was taken: the mean of the threads' own times forgets that some end early.
   */
  private double apart() {
    double elapsed = median("elapsed");
    return Double.isNaN(elapsed) ? median(Metric.TIME.key()) / threads : elapsed;
  }

  private double median(String key) {
    double[] sorted =
        samples.getOrDefault(key, List.of()).stream()
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    int half = sorted.length / 2;
    return sorted.length == 0
        ? Double.NaN
        : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** How far the samples of the time reach from their median, the larger way, as a share of it. */
  double spread() {
    double median = value(Metric.TIME);
    return samples.getOrDefault(Metric.TIME.key(), List.of()).stream()
        .mapToDouble(v -> Math.abs(v - median) / median)
        .max()
        .orElse(Double.NaN);
  }

  boolean matches(String of, Map<String, String> where) {
    return benchmark.equals(of)
        && where.entrySet().stream().allMatch(e -> e.getValue().equals(params.get(e.getKey())));
  }

  /** The values of some parameters, as a name. */
  String name(List<String> parameters) {
    return parameters.stream()
        .map(p -> params.getOrDefault(p, ""))
        .collect(Collectors.joining(", "));
  }

  String contender() {
    return params.getOrDefault("contender", "");
  }
}
