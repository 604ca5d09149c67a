package io.pgtoaster.error;

import java.io.Serial;

/** The blob is sealed: its content is final. */
public final class BlobSealedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   */
  public BlobSealedException(String message) {
    super(message, "55000", null);
  }
}
