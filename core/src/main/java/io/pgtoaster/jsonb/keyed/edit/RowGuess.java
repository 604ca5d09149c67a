package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.jsonb.keyed.format.Steps;
import io.pgtoaster.spi.json.Positions;

/**
 * Whether an edit is expected to be one of the owner's row alone, by where the last ones at the
 * same keys were: there twice in a row, or sixteen times behind a wrong guess. Paths share a slot
 * by chance, and threads write without regard to each other: a wrong guess costs a statement and
 * nothing else.
 */
final class RowGuess {
  private static final int SLOTS = 1024;

  /**
   * Behind a wrong guess, so many edits of the row, less one: where every second document is small,
   * by chance, one guess in eight would be wrong after two that were in the row, and hardly any
   * after sixteen.
   */
  private static final byte ENOUGH = 17;

  private static final byte WRONG = 1;
  private static final byte ONCE = -1;

  /** 0 where nothing is known. */
  private final byte[] times = new byte[SLOTS];

  /** The slot of a path: that of its keys, at any positions. */
  static int slot(Steps path) {
    int hash = 1;
    for (String step : path.given()) {
      hash = 31 * hash + (Positions.read(step).isPresent() ? 0 : step.hashCode());
    }
    return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SLOTS - 1);
  }

  boolean expects(int slot) {
    return times[slot] == ENOUGH;
  }

  void found(int slot, boolean inRow) {
    int now = times[slot];
    if (!inRow) {
      times[slot] = now <= 0 ? 0 : WRONG;
    } else if (now <= 0) {
      times[slot] = now == ONCE ? ENOUGH : ONCE;
    } else {
      times[slot] = (byte) Math.min(ENOUGH, now + 1);
    }
  }
}
