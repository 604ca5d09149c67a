package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Metric;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import io.pgtoaster.benchmarks.report.figure.Range;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Two runs, cell by cell. */
public final class Comparison {
  private static final List<Metric> METRICS =
      List.of(Metric.TIME, Metric.WAL, Metric.PAGES, Metric.TRIPS, Metric.CPU, Metric.ALLOCATED);

  /** Less has not moved. */
  private static final double MOVED = 1.1;

  private record Row(String cell, Metric metric, double before, double after, boolean tie) {
    static Row of(Metric metric, Figure before, Figure after) {
      Range one = before.range(metric);
      Range other = after.range(metric);
      boolean once = !metric.isCount() && Math.min(one.count(), other.count()) < 2;
      return new Row(
          name(before),
          metric,
          before.value(metric),
          after.value(metric),
          once || (!one.below(other) && !other.below(one)));
    }

    double ratio() {
      return after / before;
    }

    double moved() {
      return Math.max(ratio(), 1 / ratio());
    }
  }

  private Comparison() {}

  /** Says how much each metric moved as a whole, and which cells moved, most first. */
  public static String of(Results before, Results after) {
    List<Row> rows = new ArrayList<>();
    int cells = 0;
    for (Figure figure : before.figures()) {
      Optional<Figure> other =
          after.figures().stream()
              .filter(
                  f ->
                      f.benchmark().equals(figure.benchmark())
                          && f.params().equals(figure.params()))
              .findFirst();
      if (other.isPresent()) {
        cells++;
        for (Metric metric : METRICS) {
          Row row = Row.of(metric, figure, other.get());
          if (row.before() > 0 && row.after() > 0) {
            rows.add(row);
          }
        }
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, "%d cells in both runs; figures of the second by those of the first", cells);
    if (cells < before.figures().size() || cells < after.figures().size()) {
      line(
          text,
          "%d cells only in the first, %d only in the second",
          before.figures().size() - cells,
          after.figures().size() - cells);
    }
    differing(text, before.environment(), after.environment());
    for (Metric metric : METRICS) {
      double[] ratios =
          rows.stream()
              .filter(r -> r.metric() == metric)
              .mapToDouble(r -> Math.log(r.ratio()))
              .toArray();
      if (ratios.length > 0) {
        double mean = Math.exp(java.util.Arrays.stream(ratios).sum() / ratios.length);
        line(text, "%-28s %6.2f x  (geometric mean)", metric.label(), mean);
      }
    }
    line(
        text,
        "%d figures moved by more than a tenth within their ranges: ties",
        rows.stream().filter(r -> r.moved() > MOVED && r.tie()).count());
    text.append('\n');
    rows.stream()
        .filter(r -> r.moved() > MOVED && !r.tie())
        .sorted(Comparator.comparingDouble(Row::moved).reversed())
        .forEach(
            r ->
                line(
                    text,
                    "%6.2f x  %-10s %12s -> %-12s %s",
                    r.ratio(),
                    r.metric().key().startsWith("gc") ? "allocated" : r.metric().key(),
                    NumberText.of(r.before(), r.metric().unit()),
                    NumberText.of(r.after(), r.metric().unit()),
                    r.cell()));
    return text.toString();
  }

  /** What two runs do not have in common besides their figures. */
  private static void differing(
      StringBuilder text, Map<String, String> before, Map<String, String> after) {
    Set<String> names = new LinkedHashSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      String one = before.getOrDefault(name, "-");
      String other = after.getOrDefault(name, "-");
      if (!one.equals(other)) {
        line(text, "%-28s %s -> %s", name, one, other);
      }
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // would take a library for one method
  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
  }

  static String name(Figure figure) {
    return figure.benchmark() + " " + String.join(", ", figure.params().values());
  }
}
