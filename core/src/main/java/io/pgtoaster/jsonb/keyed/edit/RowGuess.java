package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.jsonb.keyed.format.Steps;

/**
 * Whether an edit is expected to be one of the owner's row alone, by where the last ones at the
 * same keys were: there twice in a row, or sixteen times behind a wrong guess. Paths share a slot
 * by chance, and threads write without regard to each other: a wrong guess costs a round trip and
 * nothing else.
 */
final class RowGuess {
  private static final int SLOTS = 1024;
  private static final byte ENOUGH = 2;

  /**
   * A guess that fails is a statement more. Where every second document is small, by chance, one
   * edit in eight would have it after two that were in the row, and hardly any after sixteen.
   */
  private static final byte WRONG = ENOUGH - 16;

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
    if (inRow) {
      times[slot] = (byte) Math.min(ENOUGH, now + 1);
    } else {
      times[slot] = now == ENOUGH || now < 0 ? WRONG : 0;
    }
  }
}
