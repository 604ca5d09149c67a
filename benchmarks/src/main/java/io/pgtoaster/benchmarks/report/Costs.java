package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Metric;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import java.util.List;
import java.util.Map;

/**
 * What an operation costs besides time, as columns of their own: at one x of an answer.
 *
 * @param x of which they are
 * @param metrics that were measured there
 */
record Costs(String x, List<Metric> metrics) {
  private static final List<Metric> ALL =
      List.of(Metric.PAGES, Metric.WAL, Metric.TRIPS, Metric.CPU);

  /** The costs at the x that is shown at a glance, or the last; none beside what is no time. */
  static Costs of(Answer answer) {
    if (!answer.chart().metric().isTime() || answer.xs().isEmpty()) {
      return new Costs("", List.of());
    }
    String glance = Headline.x(answer);
    String x = glance.isEmpty() ? answer.xs().get(answer.xs().size() - 1) : glance;
    return new Costs(x, measured(answer, x));
  }

  /** The metrics that at least one contender has at an x. */
  static List<Metric> measured(Answer answer, String x) {
    return ALL.stream()
        .filter(
            metric ->
                answer.series().values().stream()
                    .anyMatch(p -> p.containsKey(x) && p.get(x).value(metric) > 0))
        .toList();
  }

  /** The names of the columns. */
  List<String> names() {
    return metrics.stream().map(m -> NumberText.label(x) + ": " + m.shortLabel()).toList();
  }

  /** A cell for each column. */
  List<String> of(Map<String, Figure> points) {
    Figure figure = points.get(x);
    return metrics.stream().map(m -> figure == null ? "–" : text(figure, m)).toList();
  }

  private static String text(Figure figure, Metric metric) {
    return NumberText.of(figure.value(metric), metric.unit())
        + figure.range(metric).behind(metric.unit());
  }
}
