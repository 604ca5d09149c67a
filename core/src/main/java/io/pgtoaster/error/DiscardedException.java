package io.pgtoaster.error;

import java.io.Serial;

/** The bytes at an offset were discarded. */
public final class DiscardedException extends PgToasterException {
  @Serial private static final long serialVersionUID = 1L;

  /** The first offset that is left. */
  private final long first;

  /**
   * Creates an exception.
   *
   * @param first the first offset that is left
   */
  public DiscardedException(long first) {
    super(
        "the bytes before offset %s were discarded; begin at offset %s or later"
            .formatted(first, first),
        "55000",
        null);
    this.first = first;
  }

  /**
   * Returns the first offset that is left.
   *
   * @return bytes; later calls may discard more
   */
  public long first() {
    return first;
  }
}
