package io.pgtoaster.blob.appendable.format;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A range of a blob and the place in memory that its bytes go to. Not thread-safe. */
public final class Target {
  private final long offset;
  private final byte[] buffer;
  private final int from;
  private final int count;
  private final List<long[]> apart = new ArrayList<>();
  private long reached;
  private int filled;

  public Target(long offset, byte[] buffer, int from, int count) {
    this.offset = offset;
    this.buffer = buffer;
    this.from = from;
    this.count = count;
    this.reached = offset;
  }

  public static Target of(long offset, int count) {
    return new Target(offset, new byte[count], 0, count);
  }

  public long offset() {
    return offset;
  }

  public int count() {
    return count;
  }

  public long end() {
    return offset + count;
  }

  public byte[] buffer() {
    return buffer;
  }

  public int filled() {
    return filled;
  }

  /** Whether each byte of the range was copied, and once. */
  public boolean complete() {
    apart.sort(Comparator.comparingLong(part -> part[0]));
    long end = reached;
    for (long[] part : apart) {
      if (part[0] != end) {
        return false;
      }
      end = part[1];
    }
    return end == end();
  }

  /** Copies what lies in the range of the stored bytes that begin at {@code start}. */
  public void copy(long start, byte[] data, int length) {
    long first = Math.max(start, offset);
    long last = Math.min(start + length, end());
    if (first < last) {
      int size = (int) (last - first);
      System.arraycopy(data, (int) (first - start), buffer, from + (int) (first - offset), size);
      filled += size;
      if (first == reached) {
        reached = last;
      } else {
        apart.add(new long[] {first, last});
      }
    }
  }
}
