package io.pgtoaster.cli.content;

import io.pgtoaster.blob.BlobReader;

/** Finds lines, searching from the end. */
final class LineSearch {
  private static final int WINDOW = 1 << 16;

  private final BlobReader reader;

  LineSearch(BlobReader reader) {
    this.reader = reader;
  }

  /** Returns the offset where the last lines begin. A last line without a line end counts. */
  long lastLines(long lines) {
    long end = reader.length();
    if (lines <= 0) {
      return end;
    }
    long found = 0;
    byte[] window = new byte[WINDOW];
    for (long to = end; to > 0; ) {
      long from = Math.max(0, to - WINDOW);
      int count = fill(from, window, (int) (to - from));
      for (int i = count - 1; i >= 0; i--) {
        boolean ends = window[i] == '\n' && from + i < end - 1;
        if (ends && ++found == lines) {
          return from + i + 1;
        }
      }
      to = from;
    }
    return 0;
  }

  private int fill(long from, byte[] window, int count) {
    int at = 0;
    while (at < count) {
      int n = reader.read(from + at, window, at, count - at);
      if (n <= 0) {
        break;
      }
      at += n;
    }
    return at;
  }
}
