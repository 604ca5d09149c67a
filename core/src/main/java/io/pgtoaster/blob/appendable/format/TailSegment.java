package io.pgtoaster.blob.appendable.format;

import java.util.Arrays;

/**
 * The last run of a blob's bytes, behind its full chunks, in memory: less than one chunk, or not
 * much more.
 *
 * @param bytes holds them
 * @param count number of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TailSegment(byte[] bytes, int count) {
  /** The routine that appends merges so many pieces to one; a damaged head may tell of more. */
  public static final int MAX_PIECES = 64;

  /** No run is as long: it is shorter than a chunk. */
  public static final int MAX_BYTES = 2 << 20;

  public static final TailSegment EMPTY = new TailSegment(new byte[0], 0);

  public static TailSegment of(byte[] bytes) {
    return new TailSegment(bytes, bytes.length);
  }

  /** The first bytes of this run. */
  public TailSegment first(int wanted) {
    return new TailSegment(bytes, wanted);
  }

  /** These bytes and others behind them. */
  TailSegment plus(byte[] more, int from, int moreCount) {
    byte[] joined = Arrays.copyOf(bytes, count + moreCount);
    System.arraycopy(more, from, joined, count, moreCount);
    return new TailSegment(joined, joined.length);
  }

  public byte[] exact() {
    return bytes.length == count ? bytes : Arrays.copyOf(bytes, count);
  }
}
