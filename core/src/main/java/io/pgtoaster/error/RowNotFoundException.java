package io.pgtoaster.error;

import java.io.Serial;

/** No row of the owner table has that key. */
public sealed class RowNotFoundException extends PgToasterException permits InvalidKeyException {
  @Serial private static final long serialVersionUID = 1L;

  public RowNotFoundException(String message) {
    this(message, "02000");
  }

  /** Creates the exception for a key that no row can have. */
  RowNotFoundException(String message, String sqlState) {
    super(message, sqlState, null);
  }
}
