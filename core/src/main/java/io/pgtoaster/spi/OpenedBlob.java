package io.pgtoaster.spi;

/**
 * The content of a row at one moment, with the first bytes of a range if the same statement read
 * them.
 *
 * @param pinned the content
 * @param bytes from the start of the range; fewer than requested, perhaps none, if the rest needs
 *     another statement; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OpenedBlob(PinnedBlob pinned, byte[] bytes) {
  private static final byte[] NONE = {};

  /** Creates an instance without bytes. */
  public OpenedBlob(PinnedBlob pinned) {
    this(pinned, NONE);
  }
}
