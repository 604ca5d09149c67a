package io.pgtoaster.cli.report;

import java.util.Map;

/** Horizontal bars, one per contender. */
final class BarChart {
  private static final int WIDTH = 420;
  private static final int LEFT = 104;
  private static final int RIGHT = 62;
  private static final int STEP = 38;

  private final Map<String, String> titles;
  private final Map<String, Double> values;

  BarChart(Map<String, String> titles, Map<String, Double> values) {
    this.titles = titles;
    this.values = values;
  }

  @Override
  public String toString() {
    double max = values.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 ")
        .append(WIDTH)
        .append(' ')
        .append(titles.size() * STEP + 6)
        .append("\" role=\"img\">");
    int row = 0;
    for (Map.Entry<String, String> contender : titles.entrySet()) {
      double value = values.getOrDefault(contender.getKey(), 0.0);
      double length = (WIDTH - LEFT - RIGHT) * value / max;
      int y = row * STEP + 6;
      svg.append("<text class=\"label\" text-anchor=\"end\" x=\"")
          .append(LEFT - 10)
          .append("\" y=\"")
          .append(y + 18)
          .append("\">")
          .append(Xml.text(contender.getValue()))
          .append("</text><rect class=\"s")
          .append(row)
          .append("\" rx=\"3\" x=\"")
          .append(LEFT)
          .append("\" y=\"")
          .append(y)
          .append("\" height=\"26\" width=\"")
          .append(Xml.at(Math.max(2, length)))
          .append("\"/><text class=\"value\" x=\"")
          .append(Xml.at(LEFT + length + 8))
          .append("\" y=\"")
          .append(y + 18)
          .append("\">")
          .append(Xml.number(value))
          .append("</text>\n");
      row++;
    }
    return svg.append("</svg>").toString();
  }
}
