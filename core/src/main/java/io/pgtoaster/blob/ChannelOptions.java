package io.pgtoaster.blob;

/**
 * Options of a channel.
 *
 * @param maxGap how many bytes may lie between the end and a position behind it that is written to;
 *     they become zeros, which are stored like any bytes. 0 to refuse gaps
 */
public record ChannelOptions(long maxGap) {
  /** Usual largest gap: 1 GiB. */
  public static final long DEFAULT_MAX_GAP = 1L << 30;

  private static final ChannelOptions DEFAULTS = new ChannelOptions(DEFAULT_MAX_GAP);

  /**
   * Checks the number.
   *
   * @param maxGap as the component says
   */
  public ChannelOptions {
    if (maxGap < 0) {
      throw new IllegalArgumentException("maxGap " + maxGap + " is negative");
    }
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
   * @param bytes 0 to refuse gaps
   * @return new options
   */
  public ChannelOptions withMaxGap(long bytes) {
    return new ChannelOptions(bytes);
  }
}
