package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.figure.Figure;
import java.util.List;
import java.util.Map;

/**
 * How often one form of this library is better than each of those that it is compared with, and how
 * often worse than one of them.
 *
 * @param won figures that are better than all others
 * @param tied those that are neither
 * @param lost those to which another is better
 */
record Score(int won, int tied, int lost) {
  static final Score NONE = new Score(0, 0, 0);

  /** Counts the figures of a chart that stand beside somebody else's. */
  static Score of(Answer answer, String form) {
    Score score = NONE;
    for (Map<String, Figure> points : answer.series().values()) {
      for (Map.Entry<String, Figure> point : points.entrySet()) {
        if (point.getValue().contender().equals(form)) {
          score = score.plus(of(answer, point.getKey(), point.getValue()));
        }
      }
    }
    return score;
  }

  private static Score of(Answer answer, String x, Figure ours) {
    List<Figure> others = Losses.others(answer, x, ours);
    if (others.isEmpty()) {
      return NONE;
    }
    boolean lost = others.stream().anyMatch(other -> Losses.surely(answer, other, ours));
    boolean won = others.stream().allMatch(other -> Losses.surely(answer, ours, other));
    return lost ? new Score(0, 0, 1) : won ? new Score(1, 0, 0) : new Score(0, 1, 0);
  }

  Score plus(Score more) {
    return new Score(won + more.won, tied + more.tied, lost + more.lost);
  }

  /** Such as {@code 12 / 4 / 3}; empty if there is nothing to compare. */
  String text() {
    return equals(NONE) ? "" : won + " / " + tied + " / " + lost;
  }
}
