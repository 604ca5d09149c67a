package io.pgtoaster.jsonb.keyed.edit;

import io.pgtoaster.internal.json.Positions;
import io.pgtoaster.jsonb.keyed.format.Steps;

/**
 * Guesses, from the last edits at the same keys, whether an edit changes only the owner's row. It
 * guesses yes after two such edits in succession, or after sixteen if the last guess was wrong.
 * Paths can share a slot by chance, and threads write without synchronization. That is harmless,
 * because a wrong guess only costs one statement.
 */
final class RowGuess {
  private static final int SLOTS = 1024;

  /**
   * The state after sixteen edits of the row that follow a wrong guess. If half of the documents
   * are small, in random order, one guess in eight is wrong after two edits of the row, and almost
   * none after sixteen.
   */
  private static final byte CERTAIN = 17;

  private static final byte WRONG = 1;
  private static final byte ONCE = -1;

  /** 0 if nothing is known. */
  private final byte[] times = new byte[SLOTS];

  /** Returns the slot of a path; positions of arrays do not matter. */
  static int slot(Steps path) {
    int hash = 1;
    for (String step : path.given()) {
      hash = 31 * hash + (Positions.read(step).isPresent() ? 0 : step.hashCode());
    }
    return (hash ^ (hash >>> 10) ^ (hash >>> 20)) & (SLOTS - 1);
  }

  boolean expects(int slot) {
    return times[slot] == CERTAIN;
  }

  void found(int slot, boolean inRow) {
    int now = times[slot];
    if (!inRow) {
      times[slot] = now <= 0 ? 0 : WRONG;
    } else if (now <= 0) {
      times[slot] = now == ONCE ? CERTAIN : ONCE;
    } else {
      times[slot] = (byte) Math.min(CERTAIN, now + 1);
    }
  }
}
