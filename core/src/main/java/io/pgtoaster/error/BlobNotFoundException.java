package io.pgtoaster.error;

import java.io.Serial;

/** The row exists, but its column is NULL and therefore has no content. */
public final class BlobNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public BlobNotFoundException(String message) {
    super(message, "02000", null);
  }
}
