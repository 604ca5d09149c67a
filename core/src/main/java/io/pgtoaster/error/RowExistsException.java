package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A row to be inserted already exists. */
public final class RowExistsException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public RowExistsException(String message, @Nullable Throwable cause) {
    super(message, "23505", cause);
  }
}
