package io.pgtoaster.jsonb;

/** What becomes of a set whose path has parents that are not there. */
public enum MissingParents {
  /** Nothing: the document stays as it is, as with PostgreSQL's {@code jsonb_set}. */
  IGNORE,
  /**
   * They are made: arrays where the next step is a position, else objects; also a document where
   * the column is NULL. Where a scalar stands in the way nothing happens; where the document is
   * one, an {@link io.pgtoaster.error.InvalidPathException}.
   */
  CREATE,
  /** An {@link io.pgtoaster.error.InvalidPathException}. */
  FAIL
}
