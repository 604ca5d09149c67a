package io.pgtoaster.error;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * It is unknown whether a call was applied: the connection broke during the commit, or the token of
 * an append is older than the tokens that the store remembers. If the append had a token that the
 * store still remembers, send it again to find out.
 */
public final class OutcomeUnknownException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  private static final String STATE = "08007";

  public OutcomeUnknownException(String message, @Nullable Throwable cause) {
    super(message, STATE, cause);
  }

  public OutcomeUnknownException(String message) {
    this(message, null);
  }

  /**
   * Returns 08007 regardless of the driver's SQLState, which only says that the connection broke.
   */
  @Override
  public String sqlState() {
    return STATE;
  }
}
