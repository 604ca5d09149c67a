package io.pgtoaster.blob;

/** Options of a channel. Immutable. */
public final class ChannelOptions {
  /** Usual largest gap: 1 GiB. */
  public static final long DEFAULT_MAX_GAP = 1L << 30;

  private static final ChannelOptions DEFAULTS = new ChannelOptions(DEFAULT_MAX_GAP);

  private final long maxGap;

  private ChannelOptions(long maxGap) {
    if (maxGap < 0) {
      throw new IllegalArgumentException("maxGap " + maxGap + " is negative");
    }
    this.maxGap = maxGap;
  }

  /**
   * Returns the defaults.
   *
   * @return gaps of up to {@link #DEFAULT_MAX_GAP} bytes become zeros
   */
  public static ChannelOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with another largest gap.
   *
   * @param bytes that may lie between the end and a position behind it that is written to; they
   *     become zeros, which are stored like any bytes; 0 to refuse gaps
   * @return new options
   */
  public ChannelOptions withMaxGap(long bytes) {
    return new ChannelOptions(bytes);
  }

  /**
   * Returns how many bytes may lie between the end and a position behind it that is written to.
   *
   * @return bytes
   */
  public long maxGap() {
    return maxGap;
  }
}
