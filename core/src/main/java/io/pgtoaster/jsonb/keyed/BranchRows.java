package io.pgtoaster.jsonb.keyed;

import java.io.ByteArrayOutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A value as it comes in rows: in one from the owner's row or a leaf, or in one for each leaf of a
 * branch. Begins at the first of its rows and ends at the last. Not thread-safe.
 */
final class BranchRows {
  private final ResultSet rows;
  private boolean incomplete;
  private boolean inRow;

  BranchRows(ResultSet rows) {
    this.rows = rows;
  }

  /**
   * Reads the rows.
   *
   * @return the text; null if there is nothing, or if not all of it is here
   */
  byte @Nullable [] value() throws SQLException {
    boolean split = rows.getBoolean(1);
    boolean left = rows.getBoolean(2);
    int children = rows.getInt(4);
    byte[] text = rows.getBytes(5);
    inRow = !left;
    if (text == null) {
      incomplete = split;
      return null;
    }
    if (children > 0) {
      return joined(children, rows.getString(3).charAt(0), text.length);
    }
    incomplete = split && !QuickReads.isWhole(text);
    return incomplete ? null : text;
  }

  private byte @Nullable [] joined(int children, char kind, int length) throws SQLException {
    ByteArrayOutputStream all = new ByteArrayOutputStream(children * (length + 2));
    for (int child = 0; child < children; child++) {
      byte[] text = child == 0 || rows.next() ? rows.getBytes(5) : null;
      if (text == null || !QuickReads.isWhole(text)) {
        incomplete = true;
        return null;
      }
      int last = text.length - 1;
      if (child == 0) {
        all.write(text, 0, last);
      } else if (last > 1) {
        if (kind != 's' && all.size() > 1) {
          all.write(',');
          all.write(' ');
        }
        all.write(text, 1, last - 1);
      }
      if (child == children - 1) {
        all.write(text[last]);
      }
    }
    return all.toByteArray();
  }

  /** Whether there is more than came in these rows. */
  boolean isIncomplete() {
    return incomplete;
  }

  /** Whether the value, if there is one, stands in the owner's row. */
  boolean wasInRow() {
    return inRow;
  }
}
