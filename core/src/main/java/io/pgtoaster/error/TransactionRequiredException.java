package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The call belongs into a transaction of the caller, and there is none. */
public final class TransactionRequiredException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public TransactionRequiredException(String message, @Nullable Throwable cause) {
    super(message, "25P01", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public TransactionRequiredException(String message) {
    this(message, null);
  }
}
