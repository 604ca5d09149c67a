package io.pgtoaster;

import java.time.Duration;

/** Options of {@link Catalog#gc}. Immutable. */
public final class GcOptions {
  /** Default grace period. */
  public static final Duration DEFAULT_GRACE = Duration.ofHours(1);

  /** Default retry horizon. */
  public static final Duration DEFAULT_TOKEN_HORIZON = Duration.ofDays(7);

  private static final GcOptions DEFAULTS =
      new GcOptions(true, DEFAULT_GRACE, DEFAULT_TOKEN_HORIZON);

  private final boolean dryRun;
  private final Duration grace;
  private final Duration tokenHorizon;

  private GcOptions(boolean dryRun, Duration grace, Duration tokenHorizon) {
    if (grace.isNegative() || tokenHorizon.isNegative()) {
      throw new IllegalArgumentException(
          "grace " + grace + " or token horizon " + tokenHorizon + " is negative");
    }
    this.dryRun = dryRun;
    this.grace = grace;
    this.tokenHorizon = tokenHorizon;
  }

  /** Returns options that only list, with the default times. */
  public static GcOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with or without a dry run, which lists what it finds and removes nothing.
   */
  public GcOptions withDryRun(boolean listOnly) {
    return new GcOptions(listOnly, grace, tokenHorizon);
  }

  /**
   * Returns these options with a different minimum age. Younger blobs are kept because the row that
   * references them may not be committed yet.
   */
  public GcOptions withGrace(Duration period) {
    return new GcOptions(dryRun, period, tokenHorizon);
  }

  /**
   * Returns these options with a different retry horizon: how long a writer with an id from {@link
   * io.pgtoaster.column.AppendToken#newWriter()} is remembered after its last append.
   */
  public GcOptions withTokenHorizon(Duration horizon) {
    return new GcOptions(dryRun, grace, horizon);
  }

  /** Returns whether gc only lists what it finds, and removes nothing. */
  public boolean dryRun() {
    return dryRun;
  }

  /** Returns the minimum age of a blob to be listed or removed. */
  public Duration grace() {
    return grace;
  }

  /** Returns how long the last token of a writer is remembered. */
  public Duration tokenHorizon() {
    return tokenHorizon;
  }
}
