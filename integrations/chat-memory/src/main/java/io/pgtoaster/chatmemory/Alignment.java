package io.pgtoaster.chatmemory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Finds the messages that two versions of a conversation have in common. */
final class Alignment {
  /**
   * Maximum number of differences to look for. If there are more, the middle parts of the versions
   * are treated as unrelated.
   */
  private static final int MAX_DIFFERENCES = 256;

  private Alignment() {}

  /**
   * Returns for each message of the first version its position in the second, or -1. Positions
   * ascend.
   */
  static int[] of(Digests from, Digests to) {
    int[] found = new int[from.size()];
    Arrays.fill(found, -1);
    int start = 0;
    int shorter = Math.min(from.size(), to.size());
    while (start < shorter && from.get(start) == to.get(start)) {
      found[start] = start;
      start++;
    }
    int fromEnd = from.size();
    int toEnd = to.size();
    while (fromEnd > start && toEnd > start && from.get(fromEnd - 1) == to.get(toEnd - 1)) {
      found[--fromEnd] = --toEnd;
    }
    if (fromEnd > start && toEnd > start) {
      myers(from, to, start, fromEnd, toEnd, found);
    }
    return found;
  }

  /** The algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations". */
  private static void myers(
      Digests from, Digests to, int start, int fromEnd, int toEnd, int[] found) {
    int rows = fromEnd - start;
    int columns = toEnd - start;
    int most = Math.min(rows + columns, MAX_DIFFERENCES);
    int[] furthest = new int[2 * most + 3];
    int middle = most + 1;
    List<int[]> steps = new ArrayList<>();
    for (int d = 0; d <= most; d++) {
      for (int k = -d; k <= d; k += 2) {
        int x =
            down(furthest, middle, k, d) ? furthest[middle + k + 1] : furthest[middle + k - 1] + 1;
        int y = x - k;
        while (x < rows && y < columns && from.get(start + x) == to.get(start + y)) {
          x++;
          y++;
        }
        furthest[middle + k] = x;
        if (x >= rows && y >= columns) {
          walkBack(steps, middle, rows, columns, start, found);
          return;
        }
      }
      steps.add(furthest.clone());
    }
  }

  private static boolean down(int[] furthest, int middle, int k, int d) {
    return k == -d || (k != d && furthest[middle + k - 1] < furthest[middle + k + 1]);
  }

  private static void walkBack(
      List<int[]> steps, int middle, int rows, int columns, int start, int[] found) {
    int x = rows;
    int k = rows - columns;
    for (int d = steps.size(); d > 0; d--) {
      int[] before = steps.get(d - 1);
      boolean down = down(before, middle, k, d);
      int fromK = down ? k + 1 : k - 1;
      int fromX = before[middle + fromK];
      for (int end = down ? fromX : fromX + 1; x > end; x--) {
        found[start + x - 1] = start + x - 1 - k;
      }
      x = fromX;
      k = fromK;
    }
    for (; x > 0; x--) {
      found[start + x - 1] = start + x - 1;
    }
  }
}
