package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The stored rows of a value in document order, with a current row. */
interface ValueRows extends AutoCloseable {
  /** Moves to the next row, which must exist. */
  void next() throws SQLException;

  /** Moves to the next row, which must be the branch that a marker names. */
  void next(long branch) throws SQLException;

  /** Returns true if the document is split. */
  boolean split();

  /** Returns the kind of a node. */
  char kind();

  /** Returns the number of children of an inner node; null for a value. */
  @Nullable Long children();

  /** Returns true if members that are not in this row follow as a branch. */
  boolean hasOverflow();

  /** Returns the text of a value; null for an inner node or a missing value. */
  byte @Nullable [] text();

  /** Returns the text of a leaf. */
  default byte[] stored() {
    byte[] stored = text();
    if (stored == null) {
      throw new DocumentCorruptException(Refusals.NOT_OWNED);
    }
    return stored;
  }

  @Override
  void close() throws SQLException;
}
