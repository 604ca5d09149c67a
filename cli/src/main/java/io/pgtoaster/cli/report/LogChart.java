package io.pgtoaster.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A line per contender over the sizes of the values, on a logarithmic scale. */
final class LogChart {
  private static final int WIDTH = 420;
  private static final int HEIGHT = 308;
  private static final int LEFT = 64;
  private static final int RIGHT = 24;
  private static final int TOP = 32;
  private static final int BOTTOM = 34;

  private final Map<String, String> titles;
  private final Map<String, Map<String, Double>> figures;
  private final String unit;
  private final List<String> sizes;
  private final int low;
  private final int high;

  LogChart(Map<String, String> titles, Map<String, Map<String, Double>> figures, String unit) {
    this.titles = titles;
    this.figures = figures;
    this.unit = unit;
    this.sizes =
        figures.values().stream().flatMap(row -> row.keySet().stream()).distinct().toList();
    double[] all =
        figures.values().stream()
            .flatMap(row -> row.values().stream())
            .mapToDouble(value -> Math.max(value, 1e-3))
            .toArray();
    double min = Double.MAX_VALUE;
    double max = 0;
    for (double value : all) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    this.low = (int) Math.floor(Math.log10(min));
    this.high = Math.max(low + 1, (int) Math.ceil(Math.log10(max)));
  }

  private double x(int size) {
    int steps = Math.max(1, sizes.size() - 1);
    return LEFT + (WIDTH - LEFT - RIGHT) * (double) size / steps;
  }

  private double y(double value) {
    double share = (Math.log10(Math.max(value, 1e-3)) - low) / (high - low);
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share;
  }

  @Override
  public String toString() {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\">");
    grid(svg);
    int number = 0;
    for (String name : titles.keySet()) {
      @Nullable Map<String, Double> row = figures.get(name);
      if (row != null) {
        series(svg, number, titles.getOrDefault(name, name), row);
      }
      number++;
    }
    return svg.append("</svg>").toString();
  }

  private void grid(StringBuilder svg) {
    for (int power = low; power <= high; power++) {
      String y = Xml.at(y(Math.pow(10, power)));
      svg.append("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (WIDTH - RIGHT) + "\" y1=\"")
          .append(y)
          .append("\" y2=\"")
          .append(y)
          .append("\"/><text class=\"tick\" text-anchor=\"end\" dy=\"4\" x=\"" + (LEFT - 8))
          .append("\" y=\"")
          .append(y)
          .append("\">")
          .append(power(power))
          .append("</text>\n");
    }
    svg.append("<text class=\"tick\" text-anchor=\"end\" x=\"" + (LEFT - 8) + "\" y=\"12\">")
        .append(Xml.text(unit))
        .append("</text>\n");
    for (int i = 0; i < sizes.size(); i++) {
      svg.append("<text class=\"tick\" text-anchor=\"middle\" x=\"")
          .append(Xml.at(x(i)))
          .append("\" y=\"" + (HEIGHT - 10) + "\">")
          .append(Xml.text(sizes.get(i)))
          .append("</text>\n");
    }
  }

  private String power(int power) {
    String number =
        power < 0
            ? String.format(java.util.Locale.ROOT, "%." + -power + "f", Math.pow(10, power))
            : power < 6
                ? String.format(java.util.Locale.ROOT, "%,.0f", Math.pow(10, power))
                : String.format(java.util.Locale.ROOT, "%,.0f M", Math.pow(10, power - 6));
    return number;
  }

  private void series(StringBuilder svg, int number, String title, Map<String, Double> row) {
    List<String> points = new ArrayList<>();
    StringBuilder dots = new StringBuilder();
    for (int i = 0; i < sizes.size(); i++) {
      @Nullable Double value = row.get(sizes.get(i));
      if (value != null) {
        String x = Xml.at(x(i));
        String y = Xml.at(y(value));
        points.add(x + "," + y);
        dots.append("<circle class=\"s" + number + "\" r=\"4.5\" cx=\"" + x + "\" cy=\"" + y)
            .append("\"><title>")
            .append(Xml.text(title + ", " + sizes.get(i) + ": " + Xml.number(value) + " " + unit))
            .append("</title></circle>");
      }
    }
    svg.append("<polyline class=\"s" + number + "\" points=\"")
        .append(String.join(" ", points))
        .append("\"/>")
        .append(dots)
        .append('\n');
  }
}
