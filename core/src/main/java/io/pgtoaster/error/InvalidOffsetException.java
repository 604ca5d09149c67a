package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An offset or length is negative, beyond the content, or beyond what the column can hold. */
public final class InvalidOffsetException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public InvalidOffsetException(String message, @Nullable Throwable cause) {
    super(message, "22003", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public InvalidOffsetException(String message) {
    this(message, null);
  }
}
