package io.pgtoaster.benchmarks.report;

import java.util.Locale;

/** A kind of figure of a cell. */
public enum Metric {
  TIME("time", true),
  RATE("rate", false),
  MBPS("mbps", false),
  WAL("wal", true),
  DISK_RATIO("diskRatio", true);

  private final String key;
  private final boolean lessIsBetter;

  Metric(String key, boolean lessIsBetter) {
    this.key = key;
    this.lessIsBetter = lessIsBetter;
  }

  String key() {
    return key;
  }

  boolean lessIsBetter() {
    return lessIsBetter;
  }

  /** Returns whether it is independent of the machine's speed. One measurement is then enough. */
  boolean isCount() {
    return this == WAL || this == DISK_RATIO;
  }

  /** Returns a figure for readers. */
  public String text(double value) {
    return switch (this) {
      case TIME ->
          value < 1000
              ? plain(value) + " µs"
              : value < 1e6 ? plain(value / 1e3) + " ms" : plain(value / 1e6) + " s";
      case RATE -> plain(value) + " /s";
      case MBPS -> plain(value) + " MB/s";
      case WAL ->
          value < 9_999.5
              ? plain(value) + " B"
              : value < 999_500 ? plain(value / 1e3) + " kB" : plain(value / 1e6) + " MB";
      case DISK_RATIO -> plain(value) + " ×";
    };
  }

  /** Formats with three significant digits. */
  private static String plain(double value) {
    if (value >= 99.95 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(
        Locale.ROOT, value >= 9.995 ? "%.1f" : value >= 0.995 ? "%.2f" : "%.3f", value);
  }
}
