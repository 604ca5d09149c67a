package io.pgtoaster.error;

import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Base of every unchecked exception that pgtoaster throws. Its message never holds payload bytes.
 */
public abstract class PgToasterException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, and where
   * @param cause what led to it, or null
   */
  protected PgToasterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns the SQLState that the server or the driver reported.
   *
   * @return the state of the nearest {@link SQLException} among the causes, or null if there is
   *     none
   */
  public @Nullable String sqlState() {
    for (Throwable t = getCause(); t != null; t = t.getCause()) {
      if (t instanceof SQLException e) {
        return e.getSQLState();
      }
    }
    return null;
  }
}
