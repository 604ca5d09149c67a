package io.pgtoaster.jsonb.keyed;

/**
 * Whether an edit is expected to be one of the owner's row alone, by where the last ones at the
 * same keys were: there twice in a row. Paths share a slot by chance, and threads write without
 * regard to each other: a wrong guess costs some round trips and nothing else.
 */
final class RowGuess {
  private static final byte ENOUGH = 2;

  private final byte[] times = new byte[Reaches.SLOTS];

  boolean expects(int slot) {
    return times[slot] == ENOUGH;
  }

  void found(int slot, boolean inRow) {
    int now = times[slot];
    times[slot] = inRow ? (byte) Math.min(ENOUGH, now + 1) : 0;
  }
}
