package io.pgtoaster.embedded;

/**
 * A server program could not be found, started, stopped or run. The message says what was tried and
 * carries the last lines that the server or the tool wrote.
 */
public final class EmbeddedPostgresException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EmbeddedPostgresException(String message) {
    super(message);
  }

  EmbeddedPostgresException(String message, Throwable cause) {
    super(message, cause);
  }
}
