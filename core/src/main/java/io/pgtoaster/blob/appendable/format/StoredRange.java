package io.pgtoaster.blob.appendable.format;

import io.pgtoaster.internal.ByteArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Assembles a range of a blob from stored rows, in any order. Not thread-safe. */
public final class StoredRange {
  private final long offset;
  private final int count;
  private final List<Row> rows = new ArrayList<>();
  private boolean ordered = true;
  private int found;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(long start, byte[] data) {
    long end() {
      return start + data.length;
    }
  }

  public StoredRange(long offset, int count) {
    this.offset = offset;
    this.count = count;
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

  /** Returns the number of bytes found so far. */
  public int found() {
    return found;
  }

  /**
   * Adds the stored bytes at {@code start}, without those outside the range. If all are inside,
   * keeps the array itself, not a copy.
   */
  public void add(long start, byte[] data, int length) {
    long first = Math.max(start, offset);
    long last = Math.min(start + length, end());
    if (first < last) {
      boolean whole = last - first == data.length;
      Row row =
          new Row(
              first,
              whole ? data : Arrays.copyOfRange(data, (int) (first - start), (int) (last - start)));
      ordered &= rows.isEmpty() || rows.get(rows.size() - 1).start() < first;
      rows.add(row);
      found += row.data().length;
    }
  }

  /** Returns true if every byte of the range was found exactly once. */
  public boolean complete() {
    order();
    long end = offset;
    for (Row row : rows) {
      if (row.start() != end) {
        return false;
      }
      end = row.end();
    }
    return end == end();
  }

  /** Returns the bytes of a complete range; none of the arrays is empty. */
  public byte[][] parts() {
    order();
    return rows.stream().map(Row::data).toArray(byte[][]::new);
  }

  /** Returns the bytes of a complete range in one array. */
  public byte[] bytes() {
    return ByteArrays.joined(parts());
  }

  private void order() {
    if (!ordered) {
      rows.sort(Comparator.comparingLong(Row::start));
      ordered = true;
    }
  }
}
