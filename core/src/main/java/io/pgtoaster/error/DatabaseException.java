package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The server refused a statement for a reason that has no type of its own here; the SQLState tells
 * which.
 */
public final class DatabaseException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public DatabaseException(String message, @Nullable Throwable cause) {
    super(message, "58000", cause);
  }
}
