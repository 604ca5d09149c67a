package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where somebody else is better than this library in either form. */
final class Losses {
  /** Less is noise. */
  private static final double LEAST = 1.1;

  /**
   * A cell that somebody else wins.
   *
   * @param chart that shows it
   * @param x where
   * @param winner who wins
   * @param theirs the winner's figure
   * @param ours the better of this library's
   */
  record Loss(Chart chart, String x, String winner, double theirs, double ours) {
    double factor() {
      return chart.metric().lessIsBetter() ? ours / theirs : theirs / ours;
    }
  }

  private Losses() {}

  /** Those of a chart, the worst for each winner; limits do not compete. */
  static List<Loss> of(Answer answer) {
    Chart chart = answer.chart();
    if (!chart.series().equals(List.of("contender"))) {
      return List.of();
    }
    Map<String, Loss> worst = new LinkedHashMap<>();
    for (String x : answer.xs()) {
      double ours = best(answer, x);
      answer
          .series()
          .forEach(
              (name, points) -> {
                Figure figure = points.get(x);
                if (figure != null && !Colours.ours(name) && !Colours.limit(name)) {
                  Loss loss = new Loss(chart, x, name, answer.value(figure), ours);
                  if (loss.factor() > LEAST) {
                    worst.merge(name, loss, (a, b) -> a.factor() > b.factor() ? a : b);
                  }
                }
              });
    }
    List<Loss> losses = new ArrayList<>(worst.values());
    losses.sort(Comparator.comparingDouble(Loss::factor).reversed());
    return losses;
  }

  private static double best(Answer answer, String x) {
    double best = Double.NaN;
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      Figure figure = series.getValue().get(x);
      if (figure != null && Colours.ours(series.getKey())) {
        double value = answer.value(figure);
        boolean better = answer.chart().metric().lessIsBetter() ? value < best : value > best;
        best = Double.isNaN(best) || better ? value : best;
      }
    }
    return best;
  }
}
