package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The table or column does not exist, or the column cannot store content. */
public final class ColumnNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   */
  public ColumnNotFoundException(String message) {
    this(message, null);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public ColumnNotFoundException(String message, @Nullable Throwable cause) {
    super(message, "42703", cause);
  }
}
