package io.pgtoaster.hibernate.jsonb;

/** What happens where another transaction has changed a value that is about to be overwritten. */
public enum Conflicts {
  /**
   * The flush fails with {@link jakarta.persistence.OptimisticLockException} if the value at a path
   * is not the one that was read there. Paths that were never read are overwritten, and elements
   * that are appended and numbers that are incremented never conflict.
   */
  DETECT,
  /** The last writer of a path wins. */
  LAST_WINS
}
