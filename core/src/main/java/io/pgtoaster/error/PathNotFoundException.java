package io.pgtoaster.error;

import java.io.Serial;

/**
 * A document has no value, or no parent for a value, at the path of an edit. The message names the
 * deepest part of the path that exists. Nothing was changed.
 */
public final class PathNotFoundException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the SQLState 22035 ({@code no_sql_json_item}). The message names the
   * missing part.
   */
  public PathNotFoundException(String message) {
    super(message, "22035", null);
  }
}
