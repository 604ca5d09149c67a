package io.pgtoaster.blob;

import java.io.IOException;
import java.io.InputStream;

/** Finds bytes in a stream (Knuth-Morris-Pratt). Keeps only a buffer and the pattern in memory. */
final class Search {
  private static final int BUFFER = 64 << 10;

  private Search() {}

  /** Returns the offset of the first occurrence, or -1. */
  static long find(InputStream in, byte[] pattern) throws IOException {
    if (pattern.length == 0) {
      return 0;
    }
    int[] borders = borders(pattern);
    byte[] buffer = new byte[BUFFER];
    long offset = 0;
    int matched = 0;
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      for (int i = 0; i < count; i++) {
        while (matched > 0 && pattern[matched] != buffer[i]) {
          matched = borders[matched - 1];
        }
        if (pattern[matched] == buffer[i]) {
          matched++;
        }
        if (matched == pattern.length) {
          return offset + i + 1 - matched;
        }
      }
      offset += count;
    }
    return -1;
  }

  /** Returns, for each prefix, the length of its longest proper prefix that is also its suffix. */
  private static int[] borders(byte[] pattern) {
    int[] borders = new int[pattern.length];
    int matched = 0;
    for (int i = 1; i < pattern.length; i++) {
      while (matched > 0 && pattern[matched] != pattern[i]) {
        matched = borders[matched - 1];
      }
      if (pattern[matched] == pattern[i]) {
        matched++;
      }
      borders[i] = matched;
    }
    return borders;
  }
}
