package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The server rejected a statement for a reason without a specific exception type; see the SQLState.
 */
public final class DatabaseException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public DatabaseException(String message, @Nullable Throwable cause) {
    super(message, "58000", cause);
  }
}
