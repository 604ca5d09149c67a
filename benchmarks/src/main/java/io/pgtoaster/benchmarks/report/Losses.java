package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Where somebody else is better than one of the forms of this library. */
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
   * @param plain that of chunk tables there; NaN if there is none
   * @param extension that of the extension there; NaN if there is none
   */
  record Loss(
      Chart chart,
      String winner,
      List<String> xs,
      String worst,
      double theirs,
      double plain,
      double extension) {
    /** How many times better theirs is than one of ours; NaN if there is none. */
    double times(double ours) {
      return chart.metric().lessIsBetter() ? ours / theirs : theirs / ours;
    }

    /** The same for the form that loses by more. */
    double factor() {
      return DoubleStream.of(plain, extension)
          .map(this::times)
          .filter(f -> !Double.isNaN(f))
          .max()
          .orElse(Double.NaN);
    }

    private Loss with(Loss other) {
      List<String> both = new ArrayList<>(xs);
      both.addAll(other.xs);
      Loss more = factor() >= other.factor() ? this : other;
      return new Loss(chart, winner, both, more.worst, more.theirs, more.plain, more.extension);
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
                          ours(answer, x, theirs, "chunk tables"),
                          ours(answer, x, theirs, "extension"));
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

  /** One form of this library, in the same circumstances as somebody else; NaN if there is none. */
  private static double ours(Answer answer, String x, Figure theirs, String form) {
    for (Map<String, Figure> points : answer.series().values()) {
      Figure figure = points.get(x);
      if (figure != null
          && figure.contender().equals(form)
          && answer.chart().series().stream()
              .filter(p -> !p.equals("contender"))
              .allMatch(p -> theirs.name(List.of(p)).equals(figure.name(List.of(p))))) {
        return answer.value(figure);
      }
    }
    return Double.NaN;
  }
}
