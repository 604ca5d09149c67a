package io.pgtoaster.cli.report;

import java.util.Locale;

/** Text and numbers inside markup. */
final class Xml {
  private Xml() {}

  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Three significant digits are enough for a chart. */
  static String number(double value) {
    if (value >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f", value);
  }

  /** A coordinate. */
  static String at(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
