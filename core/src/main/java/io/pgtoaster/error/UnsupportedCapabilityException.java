package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The toaster of the column does not support the operation. */
public final class UnsupportedCapabilityException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public UnsupportedCapabilityException(String message, @Nullable Throwable cause) {
    super(message, "0A000", cause);
  }

  public UnsupportedCapabilityException(String message) {
    this(message, null);
  }
}
