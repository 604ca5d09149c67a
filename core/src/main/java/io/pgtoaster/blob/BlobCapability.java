package io.pgtoaster.blob;

/** What one blob toaster can do and another cannot. Everything that is not listed here, all can. */
public enum BlobCapability {
  /** Appends with an {@link AppendToken} are recognised when they come again. */
  TOKENS,
  /** A blob can be sealed, and therefore followed to its end. */
  SEAL,
  /** A reader notices that the content it had pinned was overwritten, instead of reading a mix. */
  PINNED_READS,
  /** A blob can be longer than 1 GB. */
  BEYOND_1_GB,
  /** The column holds a handle, so content can be made before the row that will name it. */
  HANDLES
}
