package io.pgtoaster.blob;

import java.io.IOException;
import java.io.Serial;

/**
 * Another call or stream changed the length of the blob that a stream appends to. The pieces that
 * the stream committed before remain (see {@link BlobAppendStream#position()}); the conflicting
 * piece was not appended.
 */
public final class AppendConflictException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** The expected length. */
  private final long expected;

  /** The actual length of the blob. */
  private final long actual;

  /**
   * Creates an exception.
   *
   * @param place column, row key and so on, for the message
   * @param expected expected length of the blob, in bytes
   * @param actual actual length, in bytes
   */
  public AppendConflictException(String place, long expected, long actual) {
    super(
        ("%s: the blob has %s bytes where %s were expected; nothing of this piece was"
                + " appended")
            .formatted(place, actual, expected));
    this.expected = expected;
    this.actual = actual;
  }

  /**
   * Returns the expected length.
   *
   * @return bytes
   */
  public long expected() {
    return expected;
  }

  /**
   * Returns the actual length of the blob.
   *
   * @return bytes
   */
  public long actual() {
    return actual;
  }
}
