package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * It is not known whether an append was applied: the connection broke while it was being committed,
 * or its token is older than what the store remembers. With a token that the store still remembers,
 * the same call again tells.
 */
public final class OutcomeUnknownException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, "08007", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public OutcomeUnknownException(String message) {
    this(message, null);
  }
}
