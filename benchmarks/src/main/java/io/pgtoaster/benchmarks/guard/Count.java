package io.pgtoaster.benchmarks.guard;

import java.util.Locale;

/** A cost of a call. Differences within its tolerance do not count as changes. */
enum Count {
  TRIPS("round trips", 2, 0, 0.004),
  PAGES("pages", 1, 0.01, 0.25),
  WAL("WAL bytes", 0, 0.01, 8),
  RECORDS("WAL records", 2, 0.01, 0.1),
  /** Varies with the version of Java. */
  ALLOCATED("allocated", 0, 0.1, 64),
  /**
   * The session's processor time, divided by that of a fixed query in the same session. Other
   * processes share the caches, so only large differences are significant.
   */
  CPU("CPU", 2, 1, 0.5);

  private final String title;
  private final int decimals;
  private final double share;
  private final double slack;

  Count(String title, int decimals, double share, double slack) {
    this.title = title;
    this.decimals = decimals;
    this.share = share;
    this.slack = slack;
  }

  String title() {
    return title;
  }

  /**
   * Returns a positive number if the cost is worse, a negative one if it is better, 0 if it is
   * unchanged.
   */
  int moved(Line before, Line after) {
    double change = after.value(this) - before.value(this);
    double lesser = Math.min(after.value(this), before.value(this));
    return Math.abs(change) > lesser * share + slack ? (int) Math.signum(change) : 0;
  }

  String text(Line line) {
    return String.format(Locale.ROOT, "%." + decimals + "f", line.value(this));
  }
}
