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
public record Run(byte[] bytes, int count) {
  /** The routine that appends merges so many pieces to one; a damaged head may tell of more. */
  public static final int MAX_PIECES = 64;

  /** No run is as long: it is shorter than a chunk. */
  public static final int MAX_BYTES = 2 << 20;

  public static final Run EMPTY = new Run(new byte[0], 0);

  public static Run of(byte[] bytes) {
    return new Run(bytes, bytes.length);
  }

  /** The first bytes of this run. */
  public Run first(int wanted) {
    return new Run(bytes, wanted);
  }

  /** These bytes and others behind them. */
  Run plus(byte[] more, int from, int moreCount) {
    byte[] joined = Arrays.copyOf(bytes, count + moreCount);
    System.arraycopy(more, from, joined, count, moreCount);
    return new Run(joined, joined.length);
  }

  public byte[] exact() {
    return bytes.length == count ? bytes : Arrays.copyOf(bytes, count);
  }
}
