package io.pgtoaster.error;

import java.io.Serial;

/**
 * The blob has not the length that an append expected: another call has changed it since. Nothing
 * was appended.
 */
public final class OffsetConflictException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /** Length that was expected. */
  private final long expected;

  /** Length that the blob has. */
  private final long actual;

  /**
   * Creates an exception.
   *
   * @param expected length that the blob should have had, in bytes
   * @param actual length that it has
   */
  public OffsetConflictException(long expected, long actual) {
    super(
        ("the blob has %s bytes where %s were expected, and nothing was appended; read what"
                + " others have written, and append at %s")
            .formatted(actual, expected, actual),
        "55000",
        null);
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
