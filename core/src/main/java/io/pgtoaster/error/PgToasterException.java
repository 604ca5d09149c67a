package io.pgtoaster.error;

import io.pgtoaster.internal.hook.Hidden;
import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The base class of all unchecked exceptions that pgtoaster throws.
 *
 * <p>The message says what was wrong and what to do next. It never contains payload bytes.
 */
public abstract class PgToasterException extends RuntimeException {
  static {
    Hidden.<PgToasterException, Hidden.Place>share(
        PgToasterException.class,
        place -> {
          throw new UnsupportedOperationException("subclasses create exceptions");
        },
        failure -> failure::at);
  }

  @Serial private static final long serialVersionUID = 1L;

  /** The SQLState, five characters. */
  private final String sqlState;

  /** The place of the failure; null until it is known. */
  private @Nullable String place;

  /**
   * Creates an exception.
   *
   * @param sqlState five characters of Appendix A of the PostgreSQL manual; the state of the first
   *     {@link SQLException} among the causes that has one takes precedence
   */
  protected PgToasterException(String message, String sqlState, @Nullable Throwable cause) {
    super(message, cause);
    this.sqlState = stateOf(cause, sqlState);
  }

  /**
   * Returns the SQLState that the server or the driver reported, or that of the error that
   * pgtoaster itself detected.
   */
  public String sqlState() {
    return sqlState;
  }

  private void at(String where) {
    if (place == null) {
      place = where;
    }
  }

  @Override
  public final @Nullable String getMessage() {
    String message = super.getMessage();
    return place == null || message == null ? message : place + ": " + message;
  }

  private static String stateOf(@Nullable Throwable cause, String otherwise) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof SQLException e && e.getSQLState() != null) {
        return e.getSQLState();
      }
    }
    return otherwise;
  }
}
