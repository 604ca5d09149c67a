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

  private final Reach[] expected = new Reach[SLOTS];
  private final boolean[] confirmed = new boolean[SLOTS];

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
