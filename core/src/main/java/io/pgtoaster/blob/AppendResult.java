package io.pgtoaster.blob;

/**
 * Result of an append.
 *
 * @param offset where the appended bytes begin; for {@link AppendOutcome#CONFLICT} the length that
 *     the blob has instead of the expected offset
 * @param length number of bytes that are appended; 0 for {@link AppendOutcome#CONFLICT}
 * @param outcome what became of the append
 */
public record AppendResult(long offset, long length, AppendOutcome outcome) {
  /**
   * Returns the offset behind the appended bytes.
   *
   * @return {@code offset + length}
   */
  public long end() {
    return offset + length;
  }
}
