package io.pgtoaster.error;

import java.io.Serial;

/** The blob is sealed: its content is final. */
public final class BlobSealedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public BlobSealedException(String message) {
    super(message, "55000", null);
  }
}
