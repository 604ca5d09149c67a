package io.pgtoaster.hibernate.blob;

import io.pgtoaster.error.PgToasterException;
import java.io.Serial;

/**
 * Thrown if the state of an {@link AppendableBlob} does not allow a call. The blob is not in the
 * database yet, its session is closed, or it is no longer the value of its attribute.
 */
public final class BlobStateException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong and what to do next
   */
  public BlobStateException(String message) {
    super(message, "55000", null);
  }
}
