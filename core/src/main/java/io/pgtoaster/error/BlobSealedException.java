package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The blob is sealed: its content is final. */
public final class BlobSealedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public BlobSealedException(String message, @Nullable Throwable cause) {
    super(message, "55000", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public BlobSealedException(String message) {
    this(message, null);
  }
}
