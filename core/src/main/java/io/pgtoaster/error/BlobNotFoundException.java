package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The row exists, and its column is NULL: there is no content. */
public final class BlobNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public BlobNotFoundException(String message, @Nullable Throwable cause) {
    super(message, "02000", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public BlobNotFoundException(String message) {
    this(message, null);
  }
}
