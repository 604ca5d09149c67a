package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The catalog is missing, too old or too new, or does not match the tables that it describes. */
public final class CatalogException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param cause the cause, or null
   */
  public CatalogException(String message, @Nullable Throwable cause) {
    super(message, "55000", cause);
  }

  /**
   * Creates an exception without a cause.
   *
   * @param message what went wrong, where, and what to do next
   */
  public CatalogException(String message) {
    this(message, null);
  }
}
