package io.pgtoaster.column;

/**
 * Optional capabilities of blob toasters. Every toaster supports all operations that do not need
 * these.
 */
public enum BlobCapability {
  /** Appends with an {@link AppendToken} are recognised when they are sent again. */
  TOKENS,
  /** A blob can be sealed, and therefore followed to its end. */
  SEAL,
  /** A reader detects that its pinned content was overwritten, instead of reading a mix of both. */
  PINNED_READS,
  /** Bytes before an offset can be discarded; offsets of the other bytes do not change. */
  DISCARD,
  /** The column contains a handle, so content can be created before the row that references it. */
  HANDLES
}
