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
   * Cells of one chart that somebody else wins.
   *
   * @param chart that shows them
   * @param winner the winner's line or bar
   * @param xs where
   * @param worst of these, where it wins by most
   * @param theirs the winner's figure there
   * @param ours the better of this library's there
   */
  record Loss(
      Chart chart, String winner, List<String> xs, String worst, double theirs, double ours) {
    double factor() {
      return chart.metric().lessIsBetter() ? ours / theirs : theirs / ours;
    }

    private Loss with(Loss other) {
      List<String> both = new ArrayList<>(xs);
      both.addAll(other.xs);
      Loss more = factor() >= other.factor() ? this : other;
      return new Loss(chart, winner, both, more.worst, more.theirs, more.ours);
    }
  }

  private Losses() {}

  /** Those of a chart, the worst first; limits do not compete. */
  static List<Loss> of(Answer answer) {
    Map<String, Loss> byWinner = new LinkedHashMap<>();
    for (String x : answer.xs()) {
      answer
          .series()
          .forEach(
              (name, points) -> {
                Figure theirs = points.get(x);
                if (theirs != null
                    && !Colours.ours(theirs.contender())
                    && !Colours.limit(theirs.contender())) {
                  Loss loss =
                      new Loss(
                          answer.chart(),
                          name,
                          List.of(x),
                          x,
                          answer.value(theirs),
                          best(answer, x, theirs));
                  if (loss.factor() > LEAST) {
                    byWinner.merge(name, loss, Loss::with);
                  }
                }
              });
    }
    List<Loss> losses = new ArrayList<>(byWinner.values());
    losses.sort(Comparator.comparingDouble(Loss::factor).reversed());
    return losses;
  }

  /** Of this library, in the same circumstances as somebody else's; NaN if there is none. */
  private static double best(Answer answer, String x, Figure theirs) {
    double best = Double.NaN;
    for (Map<String, Figure> points : answer.series().values()) {
      Figure figure = points.get(x);
      if (figure != null
          && Colours.ours(figure.contender())
          && answer.chart().series().stream()
              .filter(p -> !p.equals("contender"))
              .allMatch(p -> theirs.name(List.of(p)).equals(figure.name(List.of(p))))) {
        double value = answer.value(figure);
        boolean better = answer.chart().metric().lessIsBetter() ? value < best : value > best;
        best = Double.isNaN(best) || better ? value : best;
      }
    }
    return best;
  }
}
