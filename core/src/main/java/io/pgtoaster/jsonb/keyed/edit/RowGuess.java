package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.jsonb.keyed.format.Steps;

/**
 * Whether an edit is expected to be one of the owner's row alone, by where the last ones at the
 * same keys were: there twice in a row. Paths share a slot by chance, and threads write without
 * regard to each other: a wrong guess costs some round trips and nothing else.
 */
final class RowGuess {
  private static final int SLOTS = 1024;
  private static final byte ENOUGH = 2;

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
    times[slot] = inRow ? (byte) Math.min(ENOUGH, now + 1) : 0;
  }
}
