package io.pgtoaster.error;

import java.io.Serial;

/**
 * The content that a reader had pinned no longer exists: it was overwritten, replaced, truncated or
 * deleted, or the transaction that wrote it was rolled back. Open a new reader.
 */
public final class BlobChangedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public BlobChangedException(String message) {
    super(message, "55000", null);
  }
}
