package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The stored rows of a value in document order, with a current row. Not thread-safe. */
abstract class ValueRows implements AutoCloseable {
  /** True if the document is split. */
  boolean split;

  /** The kind of the current row if it is a node. */
  char kind = '-';

  /** The number of children of an inner node; null for a value. */
  @Nullable Long children;

  /** True if members that are not in the current row follow as a branch. */
  boolean overflow;

  /** The text of a value; null for an inner node or a missing value. */
  byte @Nullable [] text;

  /** Moves to the next row, which must exist. */
  abstract void next() throws SQLException;

  /** Moves to the next row, which must be the branch that a marker names. */
  abstract void next(long branch) throws SQLException;

  /** Returns the text of a leaf. */
  byte[] stored() {
    byte[] stored = text;
    if (stored == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    return stored;
  }

  @Override
  public void close() throws SQLException {}
}
