package io.pgtoaster.error;

import java.io.Serial;

/**
 * No row of the owner table can have that key: a value is none of the type of its key column, or
 * there are more or fewer values than key columns. The message names the column, its type and the
 * Java type of what was given. SQLState 22P02, 22003 and the like are as the server would say it.
 */
public final class InvalidKeyException extends RowNotFoundException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message what was wrong; of the value no more than its Java type
   * @param sqlState five characters of Appendix A of the PostgreSQL manual
   */
  public InvalidKeyException(String message, String sqlState) {
    super(message, sqlState);
  }
}
