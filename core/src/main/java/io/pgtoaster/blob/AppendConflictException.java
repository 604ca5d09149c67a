package io.pgtoaster.blob;

import java.io.IOException;
import java.io.Serial;

/**
 * Somebody else changed the length of the blob that a stream appends to. What the stream had
 * committed before stands (see {@link BlobAppendStream#position()}); the piece that met the
 * conflict was not appended.
 */
public final class AppendConflictException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** Length that was expected. */
  private final long expected;

  /** Length that the blob has. */
  private final long actual;

  /**
   * Creates an exception.
   *
   * @param place for the message
   * @param expected length that the blob should have had
   * @param actual length that it has
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
   * Returns the length that the blob has.
   *
   * @return bytes
   */
  public long actual() {
    return actual;
  }
}
