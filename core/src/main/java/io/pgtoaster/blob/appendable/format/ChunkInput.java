package io.pgtoaster.blob.appendable.format;

/**
 * Bytes in memory that are cut into chunks: first a run that was already stored, then new bytes.
 * Can be read only once.
 */
public final class ChunkInput {
  private final TailSegment run;
  private final byte[] array;
  private final int end;
  private int fromRun;
  private int next;

  public ChunkInput(TailSegment run, byte[] array, int from, int count) {
    this.run = run;
    this.array = array;
    this.next = from;
    this.end = from + count;
  }

  public static ChunkInput of(TailSegment run) {
    return new ChunkInput(run, run.bytes(), 0, 0);
  }

  /** Returns the number of unread bytes. */
  public long remaining() {
    return (long) run.count() - fromRun + end - next;
  }

  /**
   * Fills part of a buffer; returns the number of bytes, which is less than {@code count} only at
   * the end.
   */
  public int fill(byte[] buffer, int from, int count) {
    int first = Math.min(count, run.count() - fromRun);
    System.arraycopy(run.bytes(), fromRun, buffer, from, first);
    fromRun += first;
    int second = Math.min(count - first, end - next);
    System.arraycopy(array, next, buffer, from + first, second);
    next += second;
    return first + second;
  }
}
