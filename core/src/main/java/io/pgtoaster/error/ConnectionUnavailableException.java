package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The data source did not provide a connection within its timeout: the pool is exhausted, or the
 * server accepts no more connections. Nothing was changed, and the call was not retried. Enlarge
 * the pool, release connections sooner, or call again later.
 */
public final class ConnectionUnavailableException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public ConnectionUnavailableException(String message, @Nullable Throwable cause) {
    super(message, "53300", cause);
  }
}
