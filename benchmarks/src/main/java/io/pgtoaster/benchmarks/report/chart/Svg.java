package io.pgtoaster.benchmarks.report.chart;

import java.util.Locale;

/** A drawing, as text. */
public final class Svg {
  private final StringBuilder text = new StringBuilder();
  private final double width;
  private double height;

  Svg(double width, double height) {
    this.width = width;
    this.height = height;
  }

  void height(double changed) {
    height = changed;
  }

  /** One element; its attributes are formatted. */
  @SuppressWarnings("AnnotateFormatMethod") // would take a library for one method
  Svg add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
    return this;
  }

  Svg label(double x, double y, String kind, String words) {
    return add("<text x='%.1f' y='%.1f' class='%s'>%s</text>", x, y, kind, escaped(words));
  }

  String finish(String title) {
    return String.format(
            Locale.ROOT,
            "<svg viewBox='0 0 %.0f %.0f' role='img' aria-label='%s'>%n",
            width,
            height,
            escaped(title))
        + text
        + "</svg>\n";
  }

  public static String escaped(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace("\"", "&quot;");
  }
}
