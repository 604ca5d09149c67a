package io.pgtoaster.benchmarks.report.figure;

/** A kind of figure of a cell. */
public enum Metric {
  TIME(Measurement.TIME, Unit.MICROS, true),
  RATE("rate", Unit.PER_SECOND, false),
  MBPS("mbps", Unit.MB_PER_SECOND, false),
  WAL("wal", Unit.BYTES, true),
  PAGES("pages", Unit.COUNT, true),
  DISK_RATIO("diskRatio", Unit.TIMES, true);

  /** How a number is formatted. */
  public enum Unit {
    MICROS,
    BYTES,
    COUNT,
    PER_SECOND,
    MB_PER_SECOND,
    TIMES
  }

  private final String key;
  private final Unit unit;
  private final boolean lessIsBetter;

  Metric(String key, Unit unit, boolean lessIsBetter) {
    this.key = key;
    this.unit = unit;
    this.lessIsBetter = lessIsBetter;
  }

  public String key() {
    return key;
  }

  public Unit unit() {
    return unit;
  }

  public boolean lessIsBetter() {
    return lessIsBetter;
  }

  /**
   * Returns whether this is a count, which does not depend on the machine's speed. One is enough.
   */
  public boolean isCount() {
    return unit == Unit.BYTES || unit == Unit.COUNT || unit == Unit.TIMES;
  }
}
