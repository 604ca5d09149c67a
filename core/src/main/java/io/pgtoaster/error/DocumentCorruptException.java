package io.pgtoaster.error;

import java.io.Serial;

/**
 * What is stored of a document does not hang together, or a stub or marker is not of the row that
 * it stands in.
 */
public final class DocumentCorruptException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   */
  public DocumentCorruptException(String message) {
    super(message, "XX001", null);
  }
}
