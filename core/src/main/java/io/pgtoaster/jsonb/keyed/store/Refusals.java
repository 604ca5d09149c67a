package io.pgtoaster.jsonb.keyed.store;

import io.pgtoaster.error.RowNotFoundException;

/** The messages for rows that do not exist, or that contain another row's document. */
public final class Refusals {
  /**
   * The message for a stub that does not belong to its row, or a marker whose branch is missing.
   */
  public static final String NOT_OWNED =
      "the row contains a stub that does not belong to it: it was copied from another row or"
          + " changed by hand, or its branches are missing; store the document again, or set the"
          + " column to NULL";

  /** The message for a row whose document has markers but no header. */
  public static final String NO_HEADER =
      "the row contains markers of a split document but no header: it was changed while triggers"
          + " were off; SELECT * FROM pgtoaster.repair(table, column) shows what can be restored";

  private Refusals() {}

  public static RowNotFoundException noRow() {
    return new RowNotFoundException("there is no row with that key");
  }
}
