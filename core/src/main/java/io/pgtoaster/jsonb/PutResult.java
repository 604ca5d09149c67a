package io.pgtoaster.jsonb;

/** What storing a whole document wrote. */
public sealed interface PutResult permits PutCounts {
  /** {@return rows written, the owner's row included} */
  long written();

  /** {@return leaves that had been stored with the same content and were left alone} */
  long kept();

  /** {@return leaves removed} */
  long removed();

  /**
   * Makes one, for toasters.
   *
   * @param written as its method says
   * @param kept as its method says
   * @param removed as its method says
   * @return what they say
   */
  static PutResult of(long written, long kept, long removed) {
    return new PutCounts(written, kept, removed);
  }
}
