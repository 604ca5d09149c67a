package io.pgtoaster.error;

import java.io.Serial;

/**
 * The stored parts of a document are inconsistent, or a stub or marker belongs to a row other than
 * the one that contains it.
 */
public final class DocumentCorruptException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public DocumentCorruptException(String message) {
    super(message, "XX001", null);
  }
}
