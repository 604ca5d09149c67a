package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The connection broke before the transaction was committed. Nothing was changed. */
public final class ConnectionLostException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public ConnectionLostException(String message, @Nullable Throwable cause) {
    super(message, "08006", cause);
  }

  public ConnectionLostException(String message) {
    this(message, null);
  }
}
