package io.pgtoaster.spring.tus;

import java.io.Serial;

/** Thrown for a request whose response has an error status. */
final class TusException extends RuntimeException {
  /** The status of the response to a request that the client should send again later. */
  static final int BUSY = 503;

  @Serial private static final long serialVersionUID = 1L;

  /** The status of the response. */
  private final int status;

  TusException(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
