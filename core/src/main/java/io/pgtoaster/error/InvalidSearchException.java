package io.pgtoaster.error;

import java.io.Serial;

/**
 * A text search has no word that an index can find: it has only stop words, or only words to
 * exclude; or a phrase in it has operators. Or a range has no bounds, bounds of different types, or
 * a path that an index cannot have.
 */
public final class InvalidSearchException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public InvalidSearchException(String message, Throwable cause) {
    super(message, "22023", cause);
  }
}
