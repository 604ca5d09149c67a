package io.pgtoaster.benchmarks.report.chart;

import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;

/** A line for each series over a number or a size, named where it ends. */
public final class LineChart {
  private static final double WIDTH = 560;
  private static final double HEIGHT = 300;
  private static final double LEFT = 62;
  private static final double TOP = 14;
  private static final double BOTTOM = 34;
  private static final double LINE = 13;

  /** Height of the title of a file. */
  private static final int HEAD = 26;

  private final Answer answer;
  private final double right;
  private final Svg svg = new Svg(WIDTH, HEIGHT);
  private final Scale x;
  private final Scale y;

  /** A label and where its line ends. */
  private record End(String name, String css, double x, double y) {}

  private LineChart(Answer answer) {
    this.answer = answer;
    this.right = Math.max(130, 18 + answer.nameWidth());
    this.x =
        Scale.exact(
            answer.xs().stream().mapToDouble(Answer::number).toArray(),
            LEFT + 14,
            WIDTH - right - 14);
    this.y = Scale.of(answer.values(), HEIGHT - BOTTOM, TOP);
  }

  public static String of(Answer answer) {
    return new LineChart(answer).draw();
  }

  /** Draws a file of its own, which follows the reader's theme on its own background. */
  public static String file(Answer answer) {
    String style =
        ":root{color-scheme:light dark;"
            + Colours.variables(false)
            + "--ink:#1b2230;--soft:#5b6472;--card:#fff;--rule:#dfe3e8}"
            + "@media(prefers-color-scheme:dark){:root{"
            + Colours.variables(true)
            + "--ink:#e6e9ee;--soft:#9aa4b2;--card:#1a2029;--rule:#323b47}}"
            + Colours.rules()
            + Resources.text("chart.css");
    String title = Svg.escaped(answer.chart().title());
    return of(answer)
        .replaceFirst(
            "<svg viewBox='0 0 (\\d+) (\\d+)'",
            "<svg xmlns='http://www.w3.org/2000/svg' width='$1' height='"
                + Math.round(HEIGHT + HEAD)
                + "' viewBox='0 -"
                + HEAD
                + " $1 "
                + Math.round(HEIGHT + HEAD)
                + "'")
        .replaceFirst(
            ">\\R",
            Matcher.quoteReplacement(
                ">\n<style>%s</style>\n<rect class='card' y='-%d' width='100%%' height='100%%' rx='8'/>\n<text x='12' y='-8' class='group'>%s</text>\n"
                    .formatted(style, HEAD, title)));
  }

  private List<Chart.Reference> references() {
    return answer.chart().references().stream().filter(r -> answer.xs().contains(r.x())).toList();
  }

  private String text(double value) {
    return NumberText.of(value, answer.chart().metric().unit());
  }

  private String tick(double value) {
    return NumberText.tick(value, answer.chart().metric().unit());
  }

  private String draw() {
    for (double tick : y.ticks()) {
      double at = y.at(tick);
      svg.add("<path class='grid' d='M%.1f %.1fH%.1f'/>", LEFT, at, WIDTH - right);
      svg.label(LEFT - 6, at + 4, "tick end", tick(tick));
    }
    for (String name : answer.xs()) {
      double at = x(name);
      svg.add("<path class='grid' d='M%.1f %.1fV%.1f'/>", at, TOP, HEIGHT - BOTTOM);
      svg.label(at, HEIGHT - BOTTOM + 15, "tick mid", NumberText.label(name));
    }
    svg.label((LEFT + WIDTH - right) / 2, HEIGHT - 4, "axis mid", answer.chart().axis());
    List<End> ends = new ArrayList<>();
    answer.series().forEach((name, points) -> line(name, points, ends));
    for (Chart.Reference r : references()) {
      double at = x(r.x());
      svg.add(
          "<path class='ref' d='M%.1f %.1fl5 5l-5 5l-5 -5z'><title>%s: %s</title></path>",
          at, y.at(r.value()) - 5, Svg.escaped(r.label()), text(r.value()));
      svg.label(at - 8, y.at(r.value()) + 4, "refname end", r.label());
    }
    labels(ends);
    return svg.finish(answer.chart().title());
  }

  private double x(String name) {
    return x.at(Answer.number(name));
  }

  private void line(String name, Map<String, Figure> points, List<End> ends) {
    StringBuilder path = new StringBuilder();
    double lastX = 0;
    double lastY = 0;
    String css = Colours.css(name);
    for (String at : answer.xs()) {
      Figure figure = points.get(at);
      if (figure != null) {
        lastX = x(at);
        lastY = y.at(answer.value(figure));
        path.append(
            String.format(Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", lastX, lastY));
      }
    }
    svg.add(
        "<path class='line %s' d='%s' stroke-dasharray='%s'/>", css, path, Colours.dashes(name));
    for (String at : answer.xs()) {
      Figure figure = points.get(at);
      if (figure != null) {
        answer
            .moved(figure)
            .ifPresent(
                r ->
                    svg.add(
                        "<path class='range %s' d='M%.1f %.1fV%.1fm-3 0h6M%.1f %.1fh6'/>",
                        css, x(at), y.at(r.low()), y.at(r.high()), x(at) - 3, y.at(r.low())));
        svg.add(
            "<circle class='dot %s' cx='%.1f' cy='%.1f' r='3.2'><title>%s, %s %s: %s</title></circle>",
            css,
            x(at),
            y.at(answer.value(figure)),
            Svg.escaped(name),
            answer.chart().axis(),
            NumberText.label(at),
            text(answer.value(figure)));
      }
    }
    ends.add(new End(name, css, lastX, lastY));
  }

  /** Right of the drawing, moved apart until none covers another. */
  private void labels(List<End> ends) {
    ends.sort(Comparator.comparingDouble(End::y));
    double[] at = ends.stream().mapToDouble(End::y).toArray();
    double room = HEIGHT - BOTTOM;
    for (int i = 0; i < at.length; i++) {
      at[i] = Math.max(at[i], i == 0 ? TOP + 4 : at[i - 1] + LINE);
    }
    for (int i = at.length - 1; i >= 0; i--) {
      at[i] = Math.min(at[i], i == at.length - 1 ? room : at[i + 1] - LINE);
    }
    double start = WIDTH - right + 12;
    for (int i = 0; i < at.length; i++) {
      End end = ends.get(i);
      svg.add(
          "<path class='lead %s' d='M%.1f %.1fL%.1f %.1f'/>",
          end.css(), end.x() + 4, end.y(), start - 3, at[i]);
      svg.label(start, at[i] + 4, "name " + end.css(), end.name());
    }
  }
}
