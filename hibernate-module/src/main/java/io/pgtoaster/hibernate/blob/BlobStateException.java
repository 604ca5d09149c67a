package io.pgtoaster.hibernate.blob;

import io.pgtoaster.error.PgToasterException;
import java.io.Serial;

/**
 * An {@link AppendableBlob} was asked for what it cannot do in its present state: it is not in the
 * database yet, its session is closed, it is no longer the value of its attribute.
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
