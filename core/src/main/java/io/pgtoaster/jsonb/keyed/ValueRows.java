package io.pgtoaster.jsonb.keyed;

import io.pgtoaster.error.DocumentCorruptException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The stored rows of a value in document order; one of them is the present one. */
interface ValueRows extends AutoCloseable {
  /** What is said of a stub that does not belong to its row, or of a marker that names nothing. */
  String NOT_OWNED =
      "the row holds a stub that is not its own: copied from another row, or changed by hand, or"
          + " its branches are gone; store the document anew, or set the column to NULL";

  /** The state of an error by which the routine of a store refuses a document. */
  String DATA_CORRUPTED = "XX001";

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
  boolean hasRest();

  /** The text of a value; null for an inner node, and where there is nothing. */
  byte @Nullable [] text();

  /** The text of a leaf. */
  default byte[] stored() {
    byte[] stored = text();
    if (stored == null) {
      throw new DocumentCorruptException(NOT_OWNED);
    }
    return stored;
  }

  @Override
  void close() throws SQLException;

  /** Executes a statement that calls the routine of a store. */
  static ResultSet execute(PreparedStatement statement) throws SQLException {
    try {
      return statement.executeQuery();
    } catch (SQLException e) {
      if (DATA_CORRUPTED.equals(e.getSQLState())) {
        // Not as the cause, by which a call would take it for an error of the connection.
        DocumentCorruptException corrupt = new DocumentCorruptException(NOT_OWNED);
        corrupt.addSuppressed(e);
        throw corrupt;
      }
      throw e;
    }
  }
}
