package io.pgtoaster.benchmarks.report.figure;

/** What is told of a cell. */
public enum Metric {
  TIME(Measurement.TIME, "time per operation", Unit.MICROS, true),
  RATE("rate", "operations per second, all threads", Unit.PER_SECOND, false),
  MBPS("mbps", "MB per second, all threads", Unit.MB_PER_SECOND, false),
  WAL("wal", "log (WAL) per operation", Unit.BYTES, true),
  PAGES("pages", "pages per operation", Unit.COUNT, true),
  TRIPS("trips", "round trips per operation", Unit.COUNT, true),
  CPU("cpu", "server CPU per operation", Unit.MICROS, true),
  STATEMENTS("statements", "statements per operation", Unit.COUNT, true),
  ALLOCATED("gc.alloc.rate.norm", "allocated per operation", Unit.BYTES, true),
  DISK("disk", "bytes on disk", Unit.BYTES, true),
  DISK_RATIO("diskRatio", "bytes on disk per byte stored", Unit.TIMES, true),
  DISK_RATIO_COMPACT("diskRatioAfter", "the same after compaction", Unit.TIMES, true),
  READ_BEFORE("readBefore", "MB per second", Unit.MB_PER_SECOND, false),
  READ_AFTER("readAfter", "MB per second", Unit.MB_PER_SECOND, false);

  /** How numbers are written. */
  public enum Unit {
    MICROS,
    BYTES,
    COUNT,
    PER_SECOND,
    MB_PER_SECOND,
    TIMES
  }

  private final String key;
  private final String label;
  private final Unit unit;
  private final boolean lessIsBetter;

  Metric(String key, String label, Unit unit, boolean lessIsBetter) {
    this.key = key;
    this.label = label;
    this.unit = unit;
    this.lessIsBetter = lessIsBetter;
  }

  public String key() {
    return key;
  }

  public String label() {
    return label;
  }

  /** The same beside other metrics of one operation. */
  public String shortLabel() {
    return label.replace(" per operation", "");
  }

  public Unit unit() {
    return unit;
  }

  public boolean lessIsBetter() {
    return lessIsBetter;
  }

  /** Whether it tells of time, which depends on whether commits wait for the disk. */
  public boolean isTime() {
    return this == TIME || this == RATE || this == MBPS;
  }

  /** Whether it is counted, and so the same at any speed of the machine: once is enough. */
  public boolean isCount() {
    return unit == Unit.BYTES || unit == Unit.COUNT || unit == Unit.TIMES;
  }
}
