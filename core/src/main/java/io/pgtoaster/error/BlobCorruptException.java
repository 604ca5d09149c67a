package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a blob is damaged: a chunk is missing, has the wrong size, or fails its CRC32C
 * check.
 */
public final class BlobCorruptException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public BlobCorruptException(String message, @Nullable Throwable cause) {
    super(message, "XX001", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public BlobCorruptException(String message) {
    this(message, null);
  }
}
