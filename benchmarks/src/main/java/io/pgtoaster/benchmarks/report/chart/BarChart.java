package io.pgtoaster.benchmarks.report.chart;

import io.pgtoaster.benchmarks.report.figure.Figure;
import io.pgtoaster.benchmarks.report.figure.NumberText;
import io.pgtoaster.benchmarks.report.figure.Range;
import java.util.Map;
import java.util.Optional;

/** For each value of x a bar for each series; a dot where the axis is a log one. */
public final class BarChart {
  private static final double WIDTH = 560;
  private static final double RIGHT = 92;
  private static final double ROW = 17;
  private static final double GROUP = 22;

  private final Answer answer;
  private final double left;
  private final Svg svg = new Svg(WIDTH, 0);
  private final Scale scale;
  private double y = 4;

  private BarChart(Answer answer) {
    this.answer = answer;
    this.left = Math.max(150, 12 + answer.nameWidth());
    this.scale = Scale.of(answer.values(), left, WIDTH - RIGHT);
  }

  public static String of(Answer answer) {
    return new BarChart(answer).draw();
  }

  private String text(double value) {
    return NumberText.of(value, answer.chart().metric().unit());
  }

  private String tick(double value) {
    return NumberText.tick(value, answer.chart().metric().unit());
  }

  private String draw() {
    grid(height());
    for (String x : answer.xs()) {
      y += GROUP;
      svg.label(0, y - 6, "group", answer.chart().axis() + " " + NumberText.label(x));
      for (Map.Entry<String, Map<String, Figure>> series : answer.series().entrySet()) {
        Figure figure = series.getValue().get(x);
        if (figure != null) {
          bar(
              series.getKey(),
              Colours.css(series.getKey()),
              answer.value(figure),
              answer.moved(figure));
        }
      }
      for (Chart.Reference r : answer.chart().references()) {
        if (r.x().equals(x)) {
          bar(r.label(), "reference", r.value(), Optional.empty());
        }
      }
    }
    return svg.finish(answer.chart().title());
  }

  private double height() {
    long bars =
        answer.series().values().stream().mapToLong(Map::size).sum()
            + answer.chart().references().stream().filter(r -> answer.xs().contains(r.x())).count();
    return y + GROUP * answer.xs().size() + ROW * bars;
  }

  /** Below the bars. */
  private void grid(double bottom) {
    for (double tick : scale.ticks()) {
      svg.add("<path class='grid' d='M%.1f 12V%.1f'/>", scale.at(tick), bottom + 3);
      svg.label(scale.at(tick), bottom + 17, "tick mid", tick(tick));
    }
    svg.height(bottom + 24);
  }

  private void bar(String name, String css, double value, Optional<Range> range) {
    double middle = y + ROW / 2 - 2;
    double end = scale.at(value);
    svg.label(left - 8, middle + 4, "name end " + css, name);
    if (scale.log()) {
      svg.add("<path class='lead %s' d='M%.1f %.1fH%.1f'/>", css, left, middle, end);
      svg.add("<circle class='dot %s' cx='%.1f' cy='%.1f' r='4.5'/>", css, end, middle);
    } else {
      svg.add(
          "<rect class='bar %s' x='%.1f' y='%.1f' width='%.1f' height='%.1f' rx='2'/>",
          css, left, middle - 5.5, Math.max(1, end - left), 11.0);
    }
    range.ifPresent(
        r -> {
          svg.add(
              "<path class='range %s' d='M%.1f %.1fH%.1fm0 -3v6M%.1f %.1fv6'/>",
              css, scale.at(r.low()), middle, scale.at(r.high()), scale.at(r.low()), middle - 3);
        });
    double right = Math.max(end, range.map(r -> scale.at(r.high())).orElse(end));
    svg.label(right + 9, middle + 4, "value", text(value));
    y += ROW;
  }
}
