package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** No row of the owner table has that key. */
public final class RowNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public RowNotFoundException(String message, @Nullable Throwable cause) {
    super(message, "02000", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public RowNotFoundException(String message) {
    this(message, null);
  }
}
