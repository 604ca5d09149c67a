package io.pgtoaster.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a chart shows, in one line: chunk tables beside all others, at one x. */
final class Headline {
  private Headline() {}

  /** At the last of the x at which most were measured; empty if there is nothing to compare. */
  static String of(Answer answer) {
    if (answer.chart().series().size() > 1) {
      return "";
    }
    String line = "";
    long most = 2;
    for (String x : answer.xs()) {
      long count = answer.series().values().stream().filter(p -> p.containsKey(x)).count();
      String more = count < most ? "" : of(answer, x);
      if (!more.isEmpty()) {
        line = more;
        most = count;
      }
    }
    return line;
  }

  private static String of(Answer answer, String x) {
    String name = "";
    @Nullable Figure base = null;
    List<String> others = new ArrayList<>();
    // Series are in an order in which this library's forms come first.
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      Figure figure = series.getValue().get(x);
      if (figure != null) {
        if (base == null) {
          name = series.getKey();
          base = figure;
        } else {
          double ratio = answer.value(figure) / answer.value(base);
          others.add(series.getKey() + " " + NumberText.times(ratio));
        }
      }
    }
    return base == null || !Colours.ours(name) || answer.value(base) <= 0 || others.isEmpty()
        ? ""
        : "%s %s: %s %s; %s"
            .formatted(
                answer.chart().axis(),
                NumberText.label(x),
                name,
                NumberText.of(answer.value(base), answer.chart().metric().unit()),
                String.join(", ", others));
  }
}
