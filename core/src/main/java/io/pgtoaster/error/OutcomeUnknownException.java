package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * It is not known whether a call was applied: the connection broke while the call was being
 * committed, or the token of an append is older than what the store remembers. With a token that
 * the store still remembers, the same append again tells.
 */
public final class OutcomeUnknownException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  private static final String STATE = "08007";

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, STATE, cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public OutcomeUnknownException(String message) {
    this(message, null);
  }

  /** Returns 08007, whatever the driver reported: that the connection broke says less. */
  @Override
  public String sqlState() {
    return STATE;
  }
}
