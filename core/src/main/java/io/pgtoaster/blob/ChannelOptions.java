package io.pgtoaster.blob;

/** Options of a channel. Immutable. */
public final class ChannelOptions {
  /** Default maximum gap: 1 GiB. */
  public static final long DEFAULT_MAX_GAP = 1L << 30;

  private static final ChannelOptions DEFAULTS = new ChannelOptions(DEFAULT_MAX_GAP);

  private final long maxGap;

  private ChannelOptions(long maxGap) {
    if (maxGap < 0) {
      throw new IllegalArgumentException("maxGap " + maxGap + " is negative");
    }
    this.maxGap = maxGap;
  }

  /** Returns the defaults: gaps of up to {@link #DEFAULT_MAX_GAP} bytes become zeros. */
  public static ChannelOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with a different maximum gap, in bytes, between the end and the position
   * of a write. The gap is filled with zeros, which are stored like other bytes; 0 rejects gaps.
   */
  public ChannelOptions withMaxGap(long bytes) {
    return new ChannelOptions(bytes);
  }

  /** Returns the maximum gap, in bytes, between the end and the position of a write. */
  public long maxGap() {
    return maxGap;
  }
}
