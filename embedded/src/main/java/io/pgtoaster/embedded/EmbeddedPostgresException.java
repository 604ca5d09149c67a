package io.pgtoaster.embedded;

/**
 * A server program could not be found, started, stopped or run. The message describes the attempt
 * and includes the last lines of output of the server or tool.
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
