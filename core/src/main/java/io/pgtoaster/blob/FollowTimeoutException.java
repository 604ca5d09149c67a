package io.pgtoaster.blob;

import java.io.IOException;
import java.io.Serial;

/** Thrown if a followed blob does not grow within the timeout. The stream can be read again. */
public final class FollowTimeoutException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message describes what the stream was waiting for
   */
  public FollowTimeoutException(String message) {
    super(message);
  }
}
