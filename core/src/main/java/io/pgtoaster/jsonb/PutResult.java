package io.pgtoaster.jsonb;

/** The rows that were written to store a whole document. */
public sealed interface PutResult permits PutCounts {
  /** {@return number of rows written, including the owner's row} */
  long written();

  /** {@return number of leaves left as they were, because they already had the same content} */
  long kept();

  /** {@return number of leaves removed} */
  long removed();

  /**
   * Creates a result, for implementers of toasters.
   *
   * @param written see the method
   * @param kept see the method
   * @param removed see the method
   * @return the result
   */
  static PutResult of(long written, long kept, long removed) {
    return new PutCounts(written, kept, removed);
  }
}
