package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An operation of a JSON Patch cannot be carried out, or its test failed; nothing was changed. */
public final class PatchFailedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public PatchFailedException(String message, @Nullable Throwable cause) {
    super(message, "22000", cause);
  }

  public PatchFailedException(String message) {
    this(message, null);
  }
}
