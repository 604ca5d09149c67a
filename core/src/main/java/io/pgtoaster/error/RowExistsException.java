package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A row that was to be inserted is there already. */
public final class RowExistsException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public RowExistsException(String message, @Nullable Throwable cause) {
    super(message, "23505", cause);
  }
}
