package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The server rejected a statement for a reason without a specific exception type; see the SQLState.
 */
public final class DatabaseException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public DatabaseException(String message, @Nullable Throwable cause) {
    super(message, "58000", cause);
  }
}
