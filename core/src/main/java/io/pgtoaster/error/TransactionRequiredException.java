package io.pgtoaster.error;

import java.io.Serial;

/** The call requires an open transaction of the caller. */
public final class TransactionRequiredException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public TransactionRequiredException(String message) {
    super(message, "25P01", null);
  }
}
