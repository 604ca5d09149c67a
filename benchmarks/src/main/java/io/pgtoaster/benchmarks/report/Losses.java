package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.chart.Chart;
import io.pgtoaster.benchmarks.report.chart.Colours;
import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where somebody else is better than one of the forms of this library. */
final class Losses {
  /** Less is of no interest, however sure. */
  private static final double LEAST = 1.1;

  /** Less than one page or byte in two operations is what went on beside them. */
  private static final double LEAST_COUNT = 0.5;

  /**
   * Cells of one chart that somebody else wins.
   *
   * @param chart that shows them
   * @param winner the winner's line or bar
   * @param xs where
   * @param worst of these, where it wins by most
   * @param tie whether the ranges overlap, so that nobody wins
   * @param factor how many times better theirs is there than the form of ours that loses by more
   * @param theirs the winner's figure there
   * @param plain that of chunk tables there; NaN if there is none
   * @param extension that of the extension there; NaN if there is none
   */
  record Loss(
      Chart chart,
      String winner,
      List<String> xs,
      String worst,
      boolean tie,
      double factor,
      double theirs,
      double plain,
      double extension) {
    /** How many times better theirs is than one of ours; NaN if there is none. */
    double times(double ours) {
      return chart.metric().lessIsBetter() ? ours / theirs : theirs / ours;
    }

    private Loss with(Loss other) {
      List<String> both = new ArrayList<>(xs);
      both.addAll(other.xs);
      Loss more = factor >= other.factor ? this : other;
      return new Loss(
          chart,
          winner,
          both,
          more.worst,
          tie,
          more.factor,
          more.theirs,
          more.plain,
          more.extension);
    }
  }

  private Losses() {}

  /** The losses of a chart beyond the noise, the worst first; limits do not compete. */
  static List<Loss> of(Answer answer) {
    return of(answer, false);
  }

  /** The ties that would be losses by their medians, but whose ranges overlap. */
  static List<Loss> ties(Answer answer) {
    return of(answer, true);
  }

  private static List<Loss> of(Answer answer, boolean ties) {
    Map<String, Loss> byWinner = new LinkedHashMap<>();
    for (String x : answer.xs()) {
      answer
          .series()
          .forEach(
              (name, points) -> {
                Figure theirs = points.get(x);
                if (theirs != null && competes(theirs)) {
                  Loss loss = loss(answer, x, name, theirs);
                  if (loss.factor() > LEAST && loss.tie() == ties) {
                    byWinner.merge(name, loss, Loss::with);
                  }
                }
              });
    }
    List<Loss> losses = new ArrayList<>(byWinner.values());
    losses.sort(Comparator.comparingDouble(Loss::factor).reversed());
    return losses;
  }

  /** The loss of the form that surely loses by more; if there is none, of the one that seems to. */
  private static Loss loss(Answer answer, String x, String name, Figure theirs) {
    Optional<Figure> plain = ours(answer, x, theirs, "chunk tables");
    Optional<Figure> extension = ours(answer, x, theirs, "extension");
    double sure = Double.NaN;
    double seeming = Double.NaN;
    for (Figure ours : Stream.concat(plain.stream(), extension.stream()).toList()) {
      double factor = factor(answer, theirs, ours);
      seeming = Double.isNaN(seeming) ? factor : Math.max(seeming, factor);
      if (surely(answer, theirs, ours)) {
        sure = Double.isNaN(sure) ? factor : Math.max(sure, factor);
      }
    }
    boolean tie = Double.isNaN(sure);
    return new Loss(
        answer.chart(),
        name,
        List.of(x),
        x,
        tie,
        tie ? seeming : sure,
        answer.value(theirs),
        plain.map(answer::value).orElse(Double.NaN),
        extension.map(answer::value).orElse(Double.NaN));
  }

  /** How many times better one figure is than another. */
  private static double factor(Answer answer, Figure better, Figure worse) {
    Metric metric = answer.chart().metric();
    boolean counted = metric.isCount() && metric.unit() != Metric.Unit.TIMES;
    if (counted && answer.value(worse) < LEAST_COUNT) {
      return 1;
    }
    double ratio = answer.value(worse) / answer.value(better);
    return metric.lessIsBetter() ? ratio : 1 / ratio;
  }

  /** Whether one figure is better than another by more than a tenth, and beyond the noise. */
  static boolean surely(Answer answer, Figure better, Figure worse) {
    return factor(answer, better, worse) > LEAST && answer.beats(better, worse);
  }

  private static boolean competes(Figure figure) {
    return !Colours.ours(figure.contender()) && !Colours.limit(figure.contender());
  }

  /** Those who compete with a form of this library at an x, in the same circumstances. */
  static List<Figure> others(Answer answer, String x, Figure ours) {
    return answer.series().values().stream()
        .filter(points -> points.containsKey(x))
        .map(points -> points.get(x))
        .filter(figure -> competes(figure) && answer.comparable(figure, ours))
        .toList();
  }

  /** One form of this library, in the same circumstances as somebody else. */
  private static Optional<Figure> ours(Answer answer, String x, Figure theirs, String form) {
    return answer.series().values().stream()
        .filter(points -> points.containsKey(x))
        .map(points -> points.get(x))
        .filter(figure -> figure.contender().equals(form))
        .filter(figure -> answer.comparable(figure, theirs))
        .findFirst();
  }
}
