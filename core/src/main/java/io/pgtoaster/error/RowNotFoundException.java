package io.pgtoaster.error;

import java.io.Serial;

/** No row of the owner table has that key. */
public final class RowNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   */
  public RowNotFoundException(String message) {
    super(message, "02000", null);
  }
}
