package io.pgtoaster.benchmarks.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A column of a table: one figure per contender.
 *
 * @param title title of the column
 * @param benchmark class and method
 * @param metric metric to show; time if missing
 * @param where parameter values that select one cell per contender
 */
public record Column(String title, String benchmark, Metric metric, Map<String, String> where) {
  /** pgtoaster first, then its peers. */
  private static final List<String> ORDER =
      List.of(
          "chunk tables",
          "extension",
          "large object",
          "bytea",
          "jsonb",
          "Hibernate JSON",
          "hypersistence",
          "MongoDB",
          "FerretDB",
          "indexed table");

  /** Defaults to time and to no condition. */
  public Column {
    metric = Objects.requireNonNullElse(metric, Metric.TIME);
    where = Objects.requireNonNullElse(where, Map.of());
  }

  static boolean ours(String contender) {
    return ORDER.indexOf(contender) == 0 || ORDER.indexOf(contender) == 1;
  }

  /** Returns the best figure of each peer. */
  Map<String, Figure> of(Results results) {
    Map<String, Figure> best = new LinkedHashMap<>();
    Map<String, Figure> known = new LinkedHashMap<>();
    results.figures().stream()
        .filter(f -> f.matches(benchmark, where) && Double.isFinite(f.value(metric)))
        .sorted(Comparator.comparingInt(f -> ORDER.indexOf(peer(f))))
        .forEach(
            f -> {
              if (known.put(f.contender(), f) != null) {
                throw new IllegalStateException(title + " has two cells of " + f.contender());
              }
              best.merge(peer(f), f, (one, two) -> two.better(one, metric) ? two : one);
            });
    return best;
  }

  /** Returns the name of a contender without its form. */
  private static String peer(Figure figure) {
    return figure.contender().replaceFirst(",.*", "");
  }
}
