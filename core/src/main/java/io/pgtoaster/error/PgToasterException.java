package io.pgtoaster.error;

import java.io.Serial;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Base of every unchecked exception that pgtoaster throws.
 *
 * <p>The message names what was wrong and what to do next. It never holds payload bytes.
 */
public abstract class PgToasterException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** Five characters. */
  private final String sqlState;

  /** Where it happened, once somebody who knows has said so. */
  private @Nullable String place;

  /**
   * Creates an exception.
   *
   * @param message what went wrong, where, and what to do next
   * @param sqlState five characters of Appendix A of the PostgreSQL manual; an {@link SQLException}
   *     among the causes that has a state of its own takes precedence
   * @param cause what led to it, or null
   */
  protected PgToasterException(String message, String sqlState, @Nullable Throwable cause) {
    super(message, cause);
    this.sqlState = stateOf(cause, sqlState);
  }

  /**
   * Returns the SQLState: the one that the server or the driver reported, or, for what pgtoaster
   * itself refused, the state of that condition.
   *
   * @return five characters
   */
  public String sqlState() {
    return sqlState;
  }

  /**
   * Adds to the message where it happened: column, row key, offset and length. The first call
   * counts; whoever knows less comes later.
   *
   * @param where it happened; never payload bytes
   * @return this exception
   */
  public final PgToasterException at(String where) {
    if (place == null) {
      place = where;
    }
    return this;
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
