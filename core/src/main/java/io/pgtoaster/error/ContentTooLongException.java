package io.pgtoaster.error;

import java.io.Serial;

/** The content is longer than the limit of a call that reads it into memory. */
public final class ContentTooLongException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  public ContentTooLongException(String message) {
    super(message, "54000", null);
  }
}
