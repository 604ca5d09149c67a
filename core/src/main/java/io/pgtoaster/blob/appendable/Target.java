package io.pgtoaster.blob.appendable;

/** A range of a blob and the place in memory that its bytes go to. Not thread-safe. */
final class Target {
  private final long offset;
  private final byte[] buffer;
  private final int from;
  private final int count;
  private int filled;

  Target(long offset, byte[] buffer, int from, int count) {
    this.offset = offset;
    this.buffer = buffer;
    this.from = from;
    this.count = count;
  }

  static Target of(long offset, int count) {
    return new Target(offset, new byte[count], 0, count);
  }

  long offset() {
    return offset;
  }

  int count() {
    return count;
  }

  long end() {
    return offset + count;
  }

  byte[] buffer() {
    return buffer;
  }

  int filled() {
    return filled;
  }

  boolean complete() {
    return filled == count;
  }

  /** Copies what lies in the range of the stored bytes that begin at {@code start}. */
  void copy(long start, byte[] data, int length) {
    long first = Math.max(start, offset);
    long last = Math.min(start + length, end());
    if (first < last) {
      int size = (int) (last - first);
      System.arraycopy(data, (int) (first - start), buffer, from + (int) (first - offset), size);
      filled += size;
    }
  }
}
