package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The catalog is missing, too old or too new, or does not match the tables that it describes. */
public final class CatalogException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public CatalogException(String message, @Nullable Throwable cause) {
    super(message, "55000", cause);
  }

  public CatalogException(String message) {
    this(message, null);
  }
}
