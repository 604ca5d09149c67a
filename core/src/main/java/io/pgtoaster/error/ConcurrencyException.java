package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The server aborted a transaction because of concurrent ones (serialization failure or deadlock),
 * and the library did not, or could not, retry it. Nothing was changed: run it again.
 */
public final class ConcurrencyException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public ConcurrencyException(String message, @Nullable Throwable cause) {
    super(message, "40001", cause);
  }

  public ConcurrencyException(String message) {
    this(message, null);
  }
}
