package io.pgtoaster.jsonb.keyed.read;

import io.pgtoaster.error.DocumentCorruptException;
import io.pgtoaster.jsonb.keyed.store.Refusals;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The stored rows of a value in document order; one of them is the present one. */
interface ValueRows extends AutoCloseable {
  /** Goes to the next row, which must be there. */
  void next() throws SQLException;

  /** Goes to the next row, which must be that of a branch that a marker names. */
  void next(long branch) throws SQLException;

  /** Whether the document is split. */
  boolean split();

  /** Kind of a node. */
  char kind();

  /** Number of children of an inner node; null for a value. */
  @Nullable Long children();

  /** Whether members that are not in this row follow as a branch. */
  boolean hasOverflow();

  /** The text of a value; null for an inner node, and where there is nothing. */
  byte @Nullable [] text();

  /** The text of a leaf. */
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
