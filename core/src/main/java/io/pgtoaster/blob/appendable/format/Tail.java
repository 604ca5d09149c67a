package io.pgtoaster.blob.appendable.format;

import java.util.Arrays;

/**
 * Converts the tail to and from its form in a head row: the bytes, a terminator 0x01, then zeros up
 * to the capacity.
 *
 * <p>An append does not move stored bytes, and the number of bytes is not stored. So the old and
 * the new row differ only at the new bytes. PostgreSQL logs only the differing middle of an update
 * that stays on its page. An empty array is a tail without capacity.
 */
public final class Tail {
  private static final int MIN_CAPACITY = 64;
  private static final byte TERMINATOR = 1;

  private Tail() {}

  /** Returns the bytes of a stored tail. */
  public static byte[] bytes(byte[] stored) {
    int end = stored.length;
    while (end > 0 && stored[end - 1] == 0) {
      end--;
    }
    return end == 0 ? stored : Arrays.copyOf(stored, end - 1);
  }

  /**
   * Returns the stored form of a tail.
   *
   * @param bytes its bytes
   * @param capacity length of the stored form; 0 only if there are no bytes
   */
  public static byte[] store(byte[] bytes, int capacity) {
    if (capacity == 0) {
      return new byte[0];
    }
    byte[] stored = Arrays.copyOf(bytes, capacity);
    stored[bytes.length] = TERMINATOR;
    return stored;
  }

  /**
   * Returns a capacity with room for about twice as many bytes, but at most {@code largest}, so
   * that small blobs have small heads.
   *
   * @param count number of bytes to store
   * @param largest maximum capacity in this store
   * @return the capacity, or 0 if the bytes do not fit in a tail
   */
  public static int capacityFor(int count, int largest) {
    if (count >= largest) {
      return 0;
    }
    int doubled = Integer.highestOneBit(Math.max(count, 1)) << 2;
    return Math.min(largest, Math.max(MIN_CAPACITY, doubled));
  }
}
