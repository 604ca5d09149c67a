package io.pgtoaster.blob.appendable.format;

import java.util.Arrays;

/**
 * The form of the tail in a head row: the bytes, a terminator 0x01, then zeros up to the capacity.
 *
 * <p>No byte moves when bytes are appended, and the number of bytes is not stored beside them, so
 * that the old and the new row differ only where the new bytes are; PostgreSQL logs only the
 * differing middle of an update that stays on its page. An empty array is a tail without room.
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
   * Returns a stored tail.
   *
   * @param bytes its bytes
   * @param capacity of the stored form; 0 only for no bytes
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
   * Returns a capacity that leaves room for as much again: small blobs have small heads.
   *
   * @param count number of bytes to hold
   * @param largest capacity that the store allows
   * @return the capacity, or 0 if so many bytes have no place in a tail
   */
  public static int capacityFor(int count, int largest) {
    if (count >= largest) {
      return 0;
    }
    int doubled = Integer.highestOneBit(Math.max(count, 1)) << 2;
    return Math.min(largest, Math.max(MIN_CAPACITY, doubled));
  }
}
