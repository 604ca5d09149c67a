package io.pgtoaster;

import java.time.Duration;

/**
 * Options of {@link Catalog#gc}.
 *
 * @param dryRun whether to list only
 * @param grace blobs younger than this are never taken, for the row that names them may be still to
 *     come
 * @param tokenHorizon how long writers with ids of {@link
 *     io.pgtoaster.blob.AppendToken#newWriter()} are remembered after their last append
 */
public record GcOptions(boolean dryRun, Duration grace, Duration tokenHorizon) {
  /** Usual grace period. */
  public static final Duration DEFAULT_GRACE = Duration.ofHours(1);

  /** Usual retry horizon. */
  public static final Duration DEFAULT_TOKEN_HORIZON = Duration.ofDays(7);

  private static final GcOptions DEFAULTS =
      new GcOptions(true, DEFAULT_GRACE, DEFAULT_TOKEN_HORIZON);

  /**
   * Checks the durations.
   *
   * @param dryRun as the component says
   * @param grace as the component says
   * @param tokenHorizon as the component says
   */
  public GcOptions {
    if (grace.isNegative() || tokenHorizon.isNegative()) {
      throw new IllegalArgumentException(
          "grace " + grace + " or token horizon " + tokenHorizon + " is negative");
    }
  }

  /**
   * Returns the defaults: list only.
   *
   * @return the defaults
   */
  public static GcOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options, to list only or to remove.
   *
   * @param listOnly whether to list only
   * @return new options
   */
  public GcOptions withDryRun(boolean listOnly) {
    return new GcOptions(listOnly, grace, tokenHorizon);
  }

  /**
   * Returns these options with another grace period.
   *
   * @param period before which no blob is taken
   * @return new options
   */
  public GcOptions withGrace(Duration period) {
    return new GcOptions(dryRun, period, tokenHorizon);
  }

  /**
   * Returns these options with another retry horizon.
   *
   * @param horizon how long silent writers are remembered
   * @return new options
   */
  public GcOptions withTokenHorizon(Duration horizon) {
    return new GcOptions(dryRun, grace, horizon);
  }
}
