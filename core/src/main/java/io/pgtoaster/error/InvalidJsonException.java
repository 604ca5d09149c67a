package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Text is not JSON, or is JSON that {@code jsonb} cannot represent. */
public final class InvalidJsonException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public InvalidJsonException(String message, @Nullable Throwable cause) {
    super(message, "22P02", cause);
  }

  public InvalidJsonException(String message) {
    this(message, null);
  }
}
