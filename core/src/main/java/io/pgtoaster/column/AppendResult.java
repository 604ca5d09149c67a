package io.pgtoaster.column;

/**
 * The result of an append: the position of the bytes.
 *
 * @param offset of the first appended byte
 * @param length number of appended bytes
 * @param repeated whether an earlier call with the same token appended the bytes; this call changed
 *     nothing
 */
public record AppendResult(long offset, long length, boolean repeated) {
  /** Returns the offset after the last appended byte, {@code offset + length}. */
  public long end() {
    return offset + length;
  }
}
