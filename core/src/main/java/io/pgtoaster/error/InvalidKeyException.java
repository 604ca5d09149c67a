package io.pgtoaster.error;

import java.io.Serial;

/**
 * No row of the owner table can have that key: a value cannot be converted to the type of its key
 * column, or the number of values differs from the number of key columns. The message names the
 * column, its type and the Java type of the given value. The SQLState, such as 22P02 or 22003, is
 * the one that the server would report.
 */
public final class InvalidKeyException extends RowNotFoundException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message describes the problem; contains the Java type of the value, but never the value
   * @param sqlState five characters of Appendix A of the PostgreSQL manual
   */
  public InvalidKeyException(String message, String sqlState) {
    super(message, sqlState);
  }
}
