package io.pgtoaster.error;

import java.io.Serial;

/**
 * An offset or length is negative, beyond the end of the content, or beyond what the column can
 * store.
 */
public final class InvalidOffsetException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public InvalidOffsetException(String message) {
    super(message, "22003", null);
  }
}
