package io.pgtoaster.blob.appendable.format;

import io.pgtoaster.internal.ByteArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A range of a blob, put together from the rows that hold it, in any order. Not thread-safe. */
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

  /** How many bytes of the range were found. */
  public int found() {
    return found;
  }

  /**
   * Takes what lies in the range of the stored bytes that begin at {@code start}: the array itself,
   * not a copy, where all of it does.
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

  /** Whether each byte of the range was found, and once. */
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

  /** The bytes of a complete range, none of the arrays empty. */
  public byte[][] parts() {
    order();
    return rows.stream().map(Row::data).toArray(byte[][]::new);
  }

  /** The same in one array. */
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
