package io.pgtoaster.jsonb;

/** Treatment of a set whose path has missing parents. */
public enum MissingParents {
  /** Leaves the document as it is, as PostgreSQL's {@code jsonb_set} does. */
  IGNORE,
  /**
   * Creates the parents: an array if the next step is a position, else an object. If the column is
   * NULL, also creates a document. Does nothing if a parent is a scalar; throws an {@link
   * io.pgtoaster.error.InvalidPathException} if the document itself is one.
   */
  CREATE,
  /** Throws an {@link io.pgtoaster.error.InvalidPathException}. */
  FAIL
}
