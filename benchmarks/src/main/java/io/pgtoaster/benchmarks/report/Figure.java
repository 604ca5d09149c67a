package io.pgtoaster.benchmarks.report;

import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of one cell in all rounds.
 *
 * @param benchmark class and method
 * @param params parameters by name
 * @param threads number of concurrent threads
 * @param rounds samples of each round by metric, one per iteration; times in microseconds
 */
public record Figure(
    String benchmark,
    Map<String, String> params,
    int threads,
    List<Map<String, List<Double>>> rounds) {
  private static final double MEGABYTE = 1 << 20;

  /** Returns the median of a metric; NaN if it was not measured. */
  public double value(Metric metric) {
    return switch (metric) {
      case RATE -> 1e6 / apart();
      case MBPS -> median("bytes") / apart() * 1e6 / MEGABYTE;
      default -> median(metric.key());
    };
  }

  /**
   * Returns the microseconds between the ends of two successive operations of any threads. Uses the
   * clock if it was read, because the mean of the threads' own times ignores that some threads end
   * early.
   */
  private double apart() {
    double elapsed = median("elapsed");
    return Double.isNaN(elapsed) ? median(Metric.TIME.key()) / threads : elapsed;
  }

  private double median(String key) {
    double[] sorted =
        rounds.stream()
            .flatMap(round -> round.getOrDefault(key, List.of()).stream())
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    int half = sorted.length / 2;
    return sorted.length == 0
        ? Double.NaN
        : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /**
   * Returns the range of the rounds' medians. Each round is a separate process; medians ignore a
   * single slow iteration.
   */
  private DoubleSummaryStatistics range(Metric metric) {
    return rounds.stream()
        .map(round -> new Figure(benchmark, params, threads, List.of(round)))
        .mapToDouble(figure -> figure.value(metric))
        .filter(value -> !Double.isNaN(value))
        .summaryStatistics();
  }

  /** Returns whether this is better than another by any difference. */
  public boolean better(Figure than, Metric metric) {
    double one = value(metric);
    double other = than.value(metric);
    return metric.lessIsBetter() ? one < other : one > other;
  }

  /**
   * Returns whether this is better by more than the ranges of both. A time that was measured only
   * once is never better.
   */
  public boolean beats(Figure than, Metric metric) {
    DoubleSummaryStatistics one = range(metric);
    DoubleSummaryStatistics other = than.range(metric);
    boolean known = metric.isCount() || Math.min(one.getCount(), other.getCount()) > 1;
    return known
        && (metric.lessIsBetter() ? one.getMax() < other.getMin() : other.getMax() < one.getMin());
  }

  /**
   * Returns whether the other figure has the same benchmark and parameters, except the contender.
   */
  public boolean sameCell(Figure other) {
    Map<String, String> same = new LinkedHashMap<>(params);
    same.put("contender", other.contender());
    return benchmark.equals(other.benchmark) && same.equals(other.params);
  }

  public boolean matches(String of, Map<String, String> where) {
    return benchmark.equals(of) && params.entrySet().containsAll(where.entrySet());
  }

  public String contender() {
    return params.getOrDefault("contender", "");
  }
}
