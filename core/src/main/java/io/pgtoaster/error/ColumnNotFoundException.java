package io.pgtoaster.error;

import java.io.Serial;

/** There is no such table or column, or it cannot hold content. */
public final class ColumnNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   */
  public ColumnNotFoundException(String message) {
    super(message, "42703", null);
  }
}
