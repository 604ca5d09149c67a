package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The table or column does not exist, or the column cannot store content. */
public final class ColumnNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public ColumnNotFoundException(String message) {
    this(message, null);
  }

  public ColumnNotFoundException(String message, @Nullable Throwable cause) {
    super(message, "42703", cause);
  }
}
