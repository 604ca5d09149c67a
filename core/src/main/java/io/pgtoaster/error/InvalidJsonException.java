package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Text is not JSON, or is JSON that {@code jsonb} cannot represent. */
public final class InvalidJsonException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public InvalidJsonException(String message, @Nullable Throwable cause) {
    super(message, "22P02", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public InvalidJsonException(String message) {
    this(message, null);
  }
}
