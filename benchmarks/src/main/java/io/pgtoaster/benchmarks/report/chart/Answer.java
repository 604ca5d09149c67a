package io.pgtoaster.benchmarks.report.chart;

import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import io.pgtoaster.benchmarks.report.figure.Range;
import io.pgtoaster.benchmarks.report.figure.Results;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one chart.
 *
 * @param chart what is shown
 * @param xs values of its x, from the smallest to the largest where they are numbers or sizes
 * @param series figures by name and by x
 */
public record Answer(Chart chart, List<String> xs, Map<String, Map<String, Figure>> series) {
  /** Behind the name of a peer that is shown at each x in its best form. */
  public static final String BEST = ", best form";

  public static Answer of(Chart chart, Results results) {
    Set<String> xs = new LinkedHashSet<>();
    Map<String, Map<String, Figure>> series = new LinkedHashMap<>();
    results.figures().stream()
        .filter(f -> f.matches(chart.benchmark(), chart.where()))
        .filter(f -> f.params().containsKey(chart.x()))
        .filter(f -> Double.isFinite(f.value(chart.metric())))
        .sorted(Comparator.comparingInt(f -> Colours.rank(f.contender())))
        .forEach(
            f -> {
              String x = f.params().getOrDefault(chart.x(), "");
              xs.add(x);
              series.computeIfAbsent(f.name(chart.series()), n -> new LinkedHashMap<>()).put(x, f);
            });
    return new Answer(chart, sorted(xs), series);
  }

  /** From the smallest to the largest, if they are numbers or sizes. */
  private static List<String> sorted(Set<String> xs) {
    List<String> sorted = new ArrayList<>(xs);
    if (sorted.stream().noneMatch(x -> Double.isNaN(number(x)))) {
      sorted.sort(Comparator.comparingDouble(Answer::number));
    }
    return sorted;
  }

  /** The values of x of this answer and another. */
  List<String> allXs(Answer other) {
    Set<String> all = new LinkedHashSet<>(xs);
    all.addAll(other.xs);
    return sorted(all);
  }

  /** The same where x has none of these values. */
  public Answer without(List<String> known) {
    return new Answer(chart, xs.stream().filter(x -> !known.contains(x)).toList(), series);
  }

  /** The same at some values of x alone, as far as these were measured. */
  public Answer at(List<String> wanted) {
    Map<String, Map<String, Figure>> kept = new LinkedHashMap<>();
    series.forEach(
        (name, points) -> {
          Map<String, Figure> some = new LinkedHashMap<>(points);
          some.keySet().retainAll(wanted);
          if (!some.isEmpty()) {
            kept.put(name, some);
          }
        });
    return new Answer(chart, xs.stream().filter(wanted::contains).toList(), kept);
  }

  /** The same with one series for each peer: at each x the best of the forms it was asked in. */
  public Answer strongest() {
    if (chart.series().size() > 1) {
      return this;
    }
    Map<String, List<String>> forms = new LinkedHashMap<>();
    series
        .keySet()
        .forEach(
            name ->
                forms
                    .computeIfAbsent(name.replaceFirst(",.*", ""), n -> new ArrayList<>())
                    .add(name));
    Map<String, Map<String, Figure>> best = new LinkedHashMap<>();
    forms.forEach(
        (peer, names) -> {
          Map<String, Figure> points = new LinkedHashMap<>();
          names.forEach(
              name ->
                  series
                      .getOrDefault(name, Map.of())
                      .forEach(
                          (x, figure) ->
                              points.merge(x, figure, (one, two) -> better(two, one) ? two : one)));
          best.put(names.size() > 1 ? peer + BEST : names.get(0), points);
        });
    return new Answer(chart, xs, best);
  }

  /** About the width of the longest name in a chart. */
  double nameWidth() {
    return 6.2 * series.keySet().stream().mapToInt(String::length).max().orElse(0);
  }

  public boolean isEmpty() {
    return series.isEmpty();
  }

  public double value(Figure figure) {
    return figure.value(chart.metric());
  }

  /** How far a figure moved; none if it hardly did, or was taken once. */
  Optional<Range> moved(Figure figure) {
    Range range = figure.range(chart.metric());
    return range.text(chart.metric().unit()).isEmpty() ? Optional.empty() : Optional.of(range);
  }

  /** All that a chart has to have room for: figures, their ranges, and those of the sources. */
  double[] values() {
    return DoubleStream.concat(
            series.values().stream()
                .flatMap(points -> points.values().stream())
                .flatMapToDouble(
                    f ->
                        DoubleStream.concat(
                            DoubleStream.of(value(f)),
                            moved(f).stream()
                                .flatMapToDouble(m -> DoubleStream.of(m.low(), m.high())))),
            chart.references().stream()
                .filter(reference -> xs.contains(reference.x()))
                .mapToDouble(Chart.Reference::value))
        .toArray();
  }

  /** Whether a figure is better than another, by however little. */
  public boolean better(Figure figure, Figure than) {
    double one = value(figure);
    double other = value(than);
    return chart.metric().lessIsBetter() ? one < other : one > other;
  }

  /** Whether a figure is better than another by more than both move; a time taken once is not. */
  public boolean beats(Figure figure, Figure than) {
    Range one = figure.range(chart.metric());
    Range other = than.range(chart.metric());
    boolean known = chart.metric().isCount() || Math.min(one.count(), other.count()) > 1;
    return known && (chart.metric().lessIsBetter() ? one.below(other) : other.below(one));
  }

  /** How many times another figure one is; it begins with ≈ where that is a tie. */
  public String times(Figure figure, Figure base) {
    String text = NumberText.times(value(figure) / value(base));
    boolean tie = !beats(figure, base) && !beats(base, figure);
    return tie && value(figure) != value(base) ? "≈ " + text : text;
  }

  /** What a figure is divided by: that of chunk tables in the same circumstances. */
  public @Nullable Figure base(String x, Figure figure) {
    for (Map<String, Figure> points : series.values()) {
      Figure base = points.get(x);
      if (base != null && base.contender().equals("chunk tables") && comparable(base, figure)) {
        return base;
      }
    }
    return null;
  }

  /** Whether two figures at the same x were taken in the same circumstances, by whomever. */
  public boolean comparable(Figure one, Figure other) {
    return chart.series().stream()
        .filter(p -> !p.equals("contender"))
        .allMatch(p -> one.name(List.of(p)).equals(other.name(List.of(p))));
  }

  /** A number or a size such as 10KB; NaN for names. */
  static double number(String text) {
    String digits = text.replaceFirst("[KMG]?B$", "");
    String unit = text.substring(digits.length());
    double factor =
        switch (unit) {
          case "KB" -> 1 << 10;
          case "MB" -> 1 << 20;
          case "GB" -> 1 << 30;
          default -> 1;
        };
    try {
      return Double.parseDouble(digits) * factor;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
