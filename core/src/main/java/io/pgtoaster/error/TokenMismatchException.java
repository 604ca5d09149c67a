package io.pgtoaster.error;

import java.io.Serial;

/** A token was reused for an append of a different length. */
public final class TokenMismatchException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public TokenMismatchException(String message) {
    super(message, "22023", null);
  }
}
