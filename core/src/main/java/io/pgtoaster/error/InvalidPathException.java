package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A path cannot be parsed, or does not match the structure of the document. */
public final class InvalidPathException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public InvalidPathException(String message, @Nullable Throwable cause) {
    super(message, "22023", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public InvalidPathException(String message) {
    this(message, null);
  }
}
