package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The role of the connection lacks a privilege on the owner table or on its store. */
public final class AccessDeniedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public AccessDeniedException(String message, @Nullable Throwable cause) {
    super(message, "42501", cause);
  }

  public AccessDeniedException(String message) {
    this(message, null);
  }
}
