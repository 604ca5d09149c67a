package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The server aborted a transaction because of concurrent ones (serialization failure or deadlock),
 * and the library did not, or could not, retry it. Nothing was changed: run it again.
 */
public final class ConcurrencyException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public ConcurrencyException(String message, @Nullable Throwable cause) {
    super(message, "40001", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public ConcurrencyException(String message) {
    this(message, null);
  }
}
