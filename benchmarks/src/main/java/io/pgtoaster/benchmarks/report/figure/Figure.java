package io.pgtoaster.benchmarks.report.figure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
  /** With fewer rounds, the range of their medians is not meaningful. */
  static final int ENOUGH_ROUNDS = 3;

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
   * Returns the range of the rounds' medians: each round is a separate process, and a single slow
   * iteration does not matter. Returns the range of all iterations if there are too few rounds.
   */
  public Range range(Metric metric) {
    double[] values =
        (rounds.size() < ENOUGH_ROUNDS ? iterations() : rounds.stream())
            .mapToDouble(
                part -> new Figure(benchmark, params, threads, List.of(part)).value(metric))
            .filter(v -> !Double.isNaN(v))
            .sorted()
            .toArray();
    return values.length == 0
        ? new Range(Double.NaN, Double.NaN, 0)
        : new Range(values[0], values[values.length - 1], values.length);
  }

  /** Returns each iteration as a round. */
  private Stream<Map<String, List<Double>>> iterations() {
    return rounds.stream()
        .flatMap(
            round ->
                IntStream.range(0, round.values().stream().mapToInt(List::size).max().orElse(0))
                    .mapToObj(i -> iteration(round, i)));
  }

  private static Map<String, List<Double>> iteration(Map<String, List<Double>> round, int number) {
    Map<String, List<Double>> one = new LinkedHashMap<>();
    round.forEach(
        (key, samples) -> {
          if (number < samples.size()) {
            one.put(key, List.of(samples.get(number)));
          }
        });
    return one;
  }

  private DoubleStream samples(String key) {
    return rounds.stream()
        .flatMap(round -> round.getOrDefault(key, List.of()).stream())
        .mapToDouble(Double::doubleValue);
  }

  /**
   * Returns the microseconds between the ends of two successive operations of any threads. Uses the
   * clock if it was read: the mean of the threads' own times ignores that some end early.
   */
  private double apart() {
    double elapsed = median("elapsed");
    return Double.isNaN(elapsed) ? median(Metric.TIME.key()) / threads : elapsed;
  }

  private double median(String key) {
    double[] sorted = samples(key).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length == 0
        ? Double.NaN
        : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Returns whether this is better than another by any difference. */
  public boolean better(Figure than, Metric metric) {
    double one = value(metric);
    double other = than.value(metric);
    return metric.lessIsBetter() ? one < other : one > other;
  }

  /**
   * Returns whether this is better by more than the ranges of both. A time measured once never is.
   */
  public boolean beats(Figure than, Metric metric) {
    Range one = range(metric);
    Range other = than.range(metric);
    boolean known = metric.isCount() || Math.min(one.count(), other.count()) > 1;
    return known && (metric.lessIsBetter() ? one.below(other) : other.below(one));
  }

  /**
   * Returns whether the other figure has the same benchmark and parameters, except the contender.
   */
  public boolean sameCell(Figure other) {
    Map<String, String> params = new LinkedHashMap<>(this.params);
    params.put("contender", other.contender());
    return benchmark.equals(other.benchmark) && params.equals(other.params);
  }

  public boolean matches(String of, Map<String, String> where) {
    return benchmark.equals(of)
        && where.entrySet().stream().allMatch(e -> e.getValue().equals(params.get(e.getKey())));
  }

  public String contender() {
    return params.getOrDefault("contender", "");
  }
}
