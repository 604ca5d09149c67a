package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a blob is damaged: a chunk is missing, has the wrong size, or fails its CRC32C
 * check.
 */
public final class BlobCorruptException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public BlobCorruptException(String message, @Nullable Throwable cause) {
    super(message, "XX001", cause);
  }

  public BlobCorruptException(String message) {
    this(message, null);
  }
}
