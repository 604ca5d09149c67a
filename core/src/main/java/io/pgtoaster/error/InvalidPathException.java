package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A path cannot be parsed, or does not match the structure of the document. */
public final class InvalidPathException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public InvalidPathException(String message, @Nullable Throwable cause) {
    super(message, "22023", cause);
  }

  public InvalidPathException(String message) {
    this(message, null);
  }
}
