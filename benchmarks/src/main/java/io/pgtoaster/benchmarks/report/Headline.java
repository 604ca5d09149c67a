package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Answer;
import io.pgtoaster.benchmarks.report.chart.Colours;
import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a chart shows, in one line: chunk tables beside the best form of each other, at one x. */
final class Headline {
  private Headline() {}

  /** At the last of the x at which most were measured; empty if there is nothing to compare. */
  static String of(Answer answer) {
    String x = x(answer);
    return answer.chart().series().size() > 1 || x.isEmpty() ? "" : of(answer, x);
  }

  /** The last of the x at which most were measured beside this library; empty if there is none. */
  static String x(Answer answer) {
    String found = "";
    long most = 2;
    for (String x : answer.xs()) {
      long count = answer.series().values().stream().filter(p -> p.containsKey(x)).count();
      boolean ours =
          answer.series().values().stream()
              .anyMatch(p -> p.containsKey(x) && Colours.ours(p.get(x).contender()));
      if (count >= most && ours) {
        found = x;
        most = count;
      }
    }
    return found;
  }

  private static String of(Answer answer, String x) {
    String name = "";
    @Nullable Figure base = null;
    Map<String, Map.Entry<String, Figure>> others = new LinkedHashMap<>();
    // Series are in an order in which this library's forms come first.
    for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
      Figure figure = series.getValue().get(x);
      if (figure != null) {
        if (base == null) {
          name = series.getKey();
          base = figure;
        } else {
          others.merge(
              series.getKey().replaceFirst(",.*", ""),
              Map.entry(series.getKey(), figure),
              (one, other) -> answer.better(other.getValue(), one.getValue()) ? other : one);
        }
      }
    }
    if (base == null || !Colours.ours(name) || answer.value(base) <= 0 || others.isEmpty()) {
      return "";
    }
    Figure one = base;
    return "%s %s: %s %s; %s"
        .formatted(
            answer.chart().axis(),
            NumberText.label(x),
            name,
            NumberText.of(answer.value(one), answer.chart().metric().unit()),
            others.values().stream()
                .map(o -> o.getKey() + " " + answer.times(o.getValue(), one))
                .collect(Collectors.joining(", ")));
  }
}
