package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a chart shows, in one line: the better of this library's two beside the others. */
final class Headline {
  private Headline() {}

  /** At the last x at which somebody else was measured, too; empty if nobody was. */
  static String of(Answer answer) {
    if (answer.chart().series().size() > 1) {
      return "";
    }
    for (int i = answer.xs().size() - 1; i >= 0; i--) {
      String line = of(answer, answer.xs().get(i));
      if (!line.isEmpty()) {
        return line;
      }
    }
    return "";
  }

  private static String of(Answer answer, String x) {
    Metric metric = answer.chart().metric();
    String name = "";
    @Nullable Figure ours = null;
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      Figure figure = series.getValue().get(x);
      if (figure != null && Colours.ours(series.getKey())) {
        if (ours == null || metric.lessIsBetter() == answer.value(figure) < answer.value(ours)) {
          ours = figure;
          name = series.getKey();
        }
      }
    }
    List<String> others = new ArrayList<>();
    if (ours != null) {
      double value = answer.value(ours);
      for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
        Figure figure = series.getValue().get(x);
        if (figure != null && !Colours.ours(series.getKey()) && value > 0) {
          others.add(series.getKey() + " " + NumberText.times(answer.value(figure) / value));
        }
      }
      if (!others.isEmpty()) {
        return "%s %s: %s %s; %s"
            .formatted(
                answer.chart().x(),
                NumberText.label(x),
                name,
                NumberText.of(value, metric.unit()),
                String.join(", ", others));
      }
    }
    return "";
  }
}
