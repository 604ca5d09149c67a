package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a blob is not what was written: a chunk is missing, has a wrong size, or fails
 * its CRC32C.
 */
public final class BlobCorruptException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
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
