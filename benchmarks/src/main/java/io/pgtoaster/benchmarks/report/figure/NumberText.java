package io.pgtoaster.benchmarks.report.figure;

import java.util.Locale;

/** Formats numbers for readers. */
public final class NumberText {
  private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB"};

  private NumberText() {}

  public static String of(double value, Metric.Unit unit) {
    if (Double.isNaN(value)) {
      return "";
    }
    return switch (unit) {
      case MICROS ->
          value < 1000
              ? plain(value) + " µs"
              : value < 1e6 ? plain(value / 1e3) + " ms" : plain(value / 1e6) + " s";
      case BYTES -> bytes(value);
      case TIMES -> plain(value) + " ×";
      case COUNT -> plain(value);
      case PER_SECOND -> plain(value) + " /s";
      case MB_PER_SECOND -> plain(value) + " MB/s";
    };
  }

  private static String bytes(double value) {
    double rest = value;
    int unit = 0;
    while (unit < BYTES.length - 1 && rest >= (unit == 0 ? 9_999.5 : 999.5)) {
      rest /= 1000;
      unit++;
    }
    return plain(rest) + " " + BYTES[unit];
  }

  /** Formats with three significant digits. */
  static String plain(double value) {
    double size = Math.abs(value);
    if (size >= 1e9) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    if (size >= 99.95 || size == Math.rint(size)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(
        Locale.ROOT, size >= 9.995 ? "%.1f" : size >= 0.995 ? "%.2f" : "%.3f", value);
  }
}
