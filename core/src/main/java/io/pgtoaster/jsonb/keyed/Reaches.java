package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.internal.json.Positions;
import java.util.Arrays;

/**
 * What is expected of a read, by what was found by those before: by the same keys, at any
 * positions. What was found elsewhere twice in a row is expected there. Paths share a slot by
 * chance, and threads write without regard to each other: a wrong guess costs a round trip and
 * nothing else.
 */
final class Reaches {
  static final int SLOTS = 1024;
  private static final byte ENOUGH = 4;

  private final Reach[] expected = new Reach[SLOTS];
  private final boolean[] confirmed = new boolean[SLOTS];

  /** How often in a row a value was not in the branch in which it was expected. */
  private final byte[] missed = new byte[SLOTS];

  Reaches() {
    Arrays.fill(expected, Reach.ROW);
  }

  /** The slot of a path. */
  static int slot(Steps path) {
    int hash = 1;
    for (String step : path.given()) {
      hash = 31 * hash + (Positions.read(step).isPresent() ? 0 : step.hashCode());
    }
    return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SLOTS - 1);
  }

  Reach expected(int slot) {
    return expected[slot];
  }

  /**
   * Notes a value that may be in a branch of the row.
   *
   * @param otherwise what is noted where that was wrong too often
   */
  void foundBranch(int slot, Reach otherwise) {
    found(slot, missed[slot] < ENOUGH ? Reach.BRANCH : otherwise);
  }

  void missedBranch(int slot) {
    missed[slot] = (byte) Math.min(ENOUGH, missed[slot] + 1);
    found(slot, Reach.BRANCHES);
  }

  void readBranch(int slot) {
    missed[slot] = 0;
    found(slot, Reach.BRANCH);
  }

  void found(int slot, Reach reach) {
    if (expected[slot] == reach) {
      confirmed[slot] = true;
    } else if (confirmed[slot]) {
      confirmed[slot] = false;
    } else {
      expected[slot] = reach;
    }
  }
}
