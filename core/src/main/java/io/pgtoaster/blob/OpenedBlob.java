package io.pgtoaster.blob;

/**
 * The content of a row at one moment, and the first bytes of a range of it that came with it.
 *
 * @param pinned the content
 * @param bytes from the beginning of the range on: fewer than wanted, perhaps none, where the rest
 *     takes another statement; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OpenedBlob(PinnedBlob pinned, byte[] bytes) {
  private static final byte[] NONE = {};

  /**
   * Nothing came with the content.
   *
   * @param pinned the content
   */
  public OpenedBlob(PinnedBlob pinned) {
    this(pinned, NONE);
  }
}
