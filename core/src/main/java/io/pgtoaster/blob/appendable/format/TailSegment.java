package io.pgtoaster.blob.appendable.format;

import java.util.Arrays;

/**
 * The last run of a blob's bytes, after its full chunks, in memory. It is shorter than a chunk, or
 * only a little longer.
 *
 * @param bytes the array with the bytes, from index 0
 * @param count number of bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TailSegment(byte[] bytes, int count) {
  /** The number of pieces that the append routine merges into one; only a damaged head has more. */
  public static final int MAX_PIECES = 64;

  /** Upper limit of a run's length: a run is shorter than a chunk. */
  public static final int MAX_BYTES = 2 << 20;

  public static final TailSegment EMPTY = new TailSegment(new byte[0], 0);

  public static TailSegment of(byte[] bytes) {
    return new TailSegment(bytes, bytes.length);
  }

  /** Returns the first bytes of this run. */
  public TailSegment first(int wanted) {
    return new TailSegment(bytes, wanted);
  }

  public byte[] exact() {
    return bytes.length == count ? bytes : Arrays.copyOf(bytes, count);
  }
}
