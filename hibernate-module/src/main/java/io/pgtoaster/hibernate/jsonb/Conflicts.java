package io.pgtoaster.hibernate.jsonb;

/** What to do if another transaction has changed a value that is about to be overwritten. */
public enum Conflicts {
  /**
   * The flush fails with {@link jakarta.persistence.OptimisticLockException} if the value at a path
   * is not the one that was read. Paths that were never read are overwritten. Appending elements
   * and incrementing numbers never conflicts.
   */
  DETECT,
  /** The last writer of a path wins. */
  LAST_WINS
}
