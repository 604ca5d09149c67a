package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.error.RowNotFoundException;

/** What is said of rows that are not there, or have another row's document. */
public final class Refusals {
  /** What is said of a stub that does not belong to its row, or of a marker that names nothing. */
  public static final String NOT_OWNED =
      "the row holds a stub that is not its own: copied from another row, or changed by hand, or"
          + " its branches are gone; store the document anew, or set the column to NULL";

  /** What is said of a row whose document has markers and no header. */
  public static final String NO_HEADER =
      "the row holds markers of a split document and no header: it was changed while triggers were"
          + " off; SELECT * FROM pgtoaster.repair(table, column) shows what can be restored";

  private Refusals() {}

  public static RowNotFoundException noRow() {
    return new RowNotFoundException("there is no row with that key");
  }
}
