package io.pgtoaster.benchmarks.question;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

/**
 * The results of one cell in all rounds.
 *
 * @param benchmark class and method
 * @param params parameters by name
 * @param threads number of concurrent threads
 * @param rounds samples of each round by metric, one per iteration; times in microseconds
 */
record Figure(
    String benchmark,
    Map<String, String> params,
    int threads,
    List<Map<String, List<Double>>> rounds) {
  private static final double MEGABYTE = 1e6;

  /** A kind of figure of a cell. */
  enum Metric {
    TIME("time"),
    RATE("rate"),
    MBPS("mbps"),
    WAL("wal"),
    DISK_RATIO("diskRatio");

    private final String key;

    Metric(String key) {
      this.key = key;
    }

    private boolean lessIsBetter() {
      return this != RATE && this != MBPS;
    }

    /** Returns whether it is independent of the machine's speed. One measurement is then enough. */
    private boolean isCount() {
      return this == WAL || this == DISK_RATIO;
    }

    /** Returns a figure for readers. */
    String text(double value) {
      return switch (this) {
        case TIME ->
            value < 1000
                ? plain(value) + " µs"
                : value < 1e6 ? plain(value / 1e3) + " ms" : plain(value / 1e6) + " s";
        case RATE -> plain(value) + " /s";
        case MBPS -> plain(value) + " MB/s";
        case WAL ->
            value < 9_999.5
                ? plain(value) + " B"
                : value < 999_500 ? plain(value / 1e3) + " kB" : plain(value / 1e6) + " MB";
        case DISK_RATIO -> plain(value) + " ×";
      };
    }

    /** Formats with three significant digits. */
    private static String plain(double value) {
      boolean whole = value >= 99.95 || value == Math.rint(value);
      String format = whole ? "%,.0f" : value >= 9.995 ? "%.1f" : value >= 0.995 ? "%.2f" : "%.3f";
      return String.format(Locale.ROOT, format, value);
    }
  }

  /** Returns the median of a metric; NaN if it was not measured. */
  double value(Metric metric) {
    return switch (metric) {
      case RATE -> 1e6 / apart();
      case MBPS -> median("bytes") / apart() * 1e6 / MEGABYTE;
      default -> median(metric.key);
    };
  }

  /**
   * Returns the microseconds between the ends of two successive operations of any threads. Uses the
   * clock if it was read, because the mean of the threads' own times ignores that some threads end
   * early.
   */
  private double apart() {
    double elapsed = median("elapsed");
    return Double.isNaN(elapsed) ? median(Metric.TIME.key) / threads : elapsed;
  }

  private double median(String key) {
    ListStatistics samples = new ListStatistics();
    rounds.forEach(round -> round.getOrDefault(key, List.of()).forEach(samples::addValue));
    return samples.getPercentile(50);
  }

  /**
   * Returns the range of the rounds' medians. Each round is a separate process; medians ignore a
   * single slow iteration.
   */
  private Statistics range(Metric metric) {
    ListStatistics medians = new ListStatistics();
    for (Map<String, List<Double>> round : rounds) {
      double value = new Figure(benchmark, params, threads, List.of(round)).value(metric);
      if (!Double.isNaN(value)) {
        medians.addValue(value);
      }
    }
    return medians;
  }

  /** Returns whether this is better than another by any difference. */
  boolean better(Figure than, Metric metric) {
    double one = value(metric);
    double other = than.value(metric);
    return metric.lessIsBetter() ? one < other : one > other;
  }

  /**
   * Returns whether this is better by more than the ranges of both. A time that was measured only
   * once is never better.
   */
  boolean beats(Figure than, Metric metric) {
    Statistics one = range(metric);
    Statistics other = than.range(metric);
    boolean known = metric.isCount() || Math.min(one.getN(), other.getN()) > 1;
    return known
        && (metric.lessIsBetter() ? one.getMax() < other.getMin() : other.getMax() < one.getMin());
  }

  /**
   * Returns whether the other figure has the same benchmark and parameters, except the contender.
   */
  boolean sameCell(Figure other) {
    Map<String, String> same = new LinkedHashMap<>(params);
    same.put("contender", other.contender());
    return benchmark.equals(other.benchmark) && same.equals(other.params);
  }

  boolean matches(String of, Map<String, String> where) {
    return benchmark.equals(of) && params.entrySet().containsAll(where.entrySet());
  }

  String contender() {
    return params.getOrDefault("contender", "");
  }
}
