package io.pgtoaster.benchmarks.report;

import io.pgtoaster.benchmarks.report.chart.Svg;

/** The little Markdown that texts beside questions have, as HTML. */
final class Markdown {
  private Markdown() {}

  /** Emphasis, code, and links by their words alone. */
  static String html(String line) {
    return Svg.escaped(line)
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .replaceAll("`([^`]*)`", "<code>$1</code>")
        .replaceAll("\\*([^*]+)\\*", "<em>$1</em>");
  }
}
