package io.pgtoaster.blob;

import io.pgtoaster.error.InvalidOffsetException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Options of {@link BlobColumn#follow}. Immutable. */
public final class FollowOptions {
  /** Minimum polling interval. */
  public static final Duration MIN_POLL = Duration.ofMillis(1);

  /** Default of the shortest polling interval. */
  public static final Duration DEFAULT_POLL_MIN = Duration.ofMillis(20);

  /** Default of the longest polling interval. */
  public static final Duration DEFAULT_POLL_MAX = Duration.ofSeconds(1);

  /** Maximum polling interval. */
  public static final Duration MAX_POLL = Duration.ofHours(1);

  private static final FollowOptions DEFAULTS =
      new FollowOptions(0, null, DEFAULT_POLL_MIN, DEFAULT_POLL_MAX, null);

  private final long from;
  private final @Nullable Long lastLines;
  private final Duration pollMin;
  private final Duration pollMax;
  private final @Nullable Duration timeout;

  private FollowOptions(
      long from,
      @Nullable Long lastLines,
      Duration pollMin,
      Duration pollMax,
      @Nullable Duration timeout) {
    if (from < 0) {
      throw new InvalidOffsetException("offset " + from + " is negative");
    }
    if (pollMin.compareTo(MIN_POLL) < 0
        || pollMax.compareTo(pollMin) < 0
        || pollMax.compareTo(MAX_POLL) > 0) {
      throw new IllegalArgumentException(
          "polling intervals from %s to %s are not within %s to %s"
              .formatted(pollMin, pollMax, MIN_POLL, MAX_POLL));
    }
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw new IllegalArgumentException("timeout " + timeout + " is not positive");
    }
    this.from = from;
    this.lastLines = lastLines;
    this.pollMin = pollMin;
    this.pollMax = pollMax;
    this.timeout = timeout;
  }

  /**
   * Returns options to follow from the beginning, with polling intervals of 20 ms to 1 s and no
   * timeout.
   */
  public static FollowOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different offset of the first byte to read. 0 begins at the first
   * byte that was not discarded.
   */
  public FollowOptions withFrom(long offset) {
    return new FollowOptions(offset, null, pollMin, pollMax, timeout);
  }

  /**
   * Returns these options with a different start: the last lines of the blob, like {@code tail -f}.
   * A line ends with {@code \n}; the last one may have no terminator. They are counted when the
   * stream first reads the blob.
   */
  public FollowOptions withLastLines(long lines) {
    return new FollowOptions(0, Arguments.lines(lines), pollMin, pollMax, timeout);
  }

  /**
   * Returns these options with different polling intervals.
   *
   * @param min interval after data was found; it doubles while no data arrives
   * @param max longest interval
   */
  public FollowOptions withPoll(Duration min, Duration max) {
    return new FollowOptions(from, lastLines, min, max, timeout);
  }

  /**
   * Returns these options with a limit for how long one read may wait for data before it throws
   * {@link FollowTimeoutException}; null to wait forever.
   */
  public FollowOptions withTimeout(@Nullable Duration limit) {
    return new FollowOptions(from, lastLines, pollMin, pollMax, limit);
  }

  /** Returns the offset of the first byte wanted. */
  public long from() {
    return from;
  }

  /** Returns the number of lines to start with; null if {@link #from} is the start. */
  public @Nullable Long lastLines() {
    return lastLines;
  }

  /** Returns the polling interval after data was found, which doubles while no data arrives. */
  public Duration pollMin() {
    return pollMin;
  }

  /** Returns the longest polling interval. */
  public Duration pollMax() {
    return pollMax;
  }

  /** Returns how long one read may wait; null for no limit. */
  public @Nullable Duration timeout() {
    return timeout;
  }
}
