package io.pgtoaster.blob.appendable;

import java.util.Arrays;

/**
 * The last run of a blob's bytes, behind its full chunks, in memory: less than one chunk, or not
 * much more.
 *
 * @param bytes holds them
 * @param count number of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Run(byte[] bytes, int count) {
  static final Run EMPTY = new Run(new byte[0], 0);

  static Run of(byte[] bytes) {
    return new Run(bytes, bytes.length);
  }

  /** The first bytes of this run. */
  Run first(int wanted) {
    return new Run(bytes, wanted);
  }

  /** These bytes and others behind them. */
  Run plus(byte[] more, int from, int moreCount) {
    byte[] joined = Arrays.copyOf(bytes, count + moreCount);
    System.arraycopy(more, from, joined, count, moreCount);
    return new Run(joined, joined.length);
  }

  byte[] exact() {
    return bytes.length == count ? bytes : Arrays.copyOf(bytes, count);
  }
}
