package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The data source had no connection to give in the time that it waits for one: the pool is
 * exhausted, or the server takes no more connections. Nothing was done, and the call was not tried
 * again. Give the pool more connections, hold them for shorter, or call again later.
 */
public final class ConnectionUnavailableException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause what led to it, or null
   */
  public ConnectionUnavailableException(String message, @Nullable Throwable cause) {
    super(message, "53300", cause);
  }
}
