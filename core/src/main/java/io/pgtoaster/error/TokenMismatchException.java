package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A token was used again for an append of another length. */
public final class TokenMismatchException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public TokenMismatchException(String message, @Nullable Throwable cause) {
    super(message, "22023", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public TokenMismatchException(String message) {
    this(message, null);
  }
}
