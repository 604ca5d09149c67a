package io.pgtoaster.error;

import java.io.Serial;

/**
 * The blob does not have the length that an append expected, because another call has changed it.
 * The call, or the piece of a stream, appended nothing. To continue, append at {@link #actual()}.
 */
public final class OffsetConflictException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /** The expected length. */
  private final long expected;

  /** The actual length of the blob. */
  private final long actual;

  public OffsetConflictException(long expected, long actual) {
    super(
        ("the blob has %s bytes, but %s were expected, and nothing was appended; read the"
                + " bytes of the other writers, and append at %s")
            .formatted(actual, expected, actual),
        "55000",
        null);
    this.expected = expected;
    this.actual = actual;
  }

  /** Returns the expected length in bytes. */
  public long expected() {
    return expected;
  }

  /** Returns the actual length of the blob in bytes. */
  public long actual() {
    return actual;
  }
}
