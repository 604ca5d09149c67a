package io.pgtoaster.spi;

import io.pgtoaster.column.BlobCapability;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content of a blob at one moment, which an open reader reads. A toaster implements it and adds
 * what it needs to find the bytes again. Immutable.
 */
public interface PinnedBlob {
  /** Returns the length at that moment, in bytes. */
  long length();

  /**
   * Returns the offset of the first byte that was not discarded. It is 0 without {@link
   * BlobCapability#DISCARD}.
   */
  default long first() {
    return 0;
  }

  /**
   * Returns the generation, which increases with each overwrite, replacement and truncation. It is
   * always 0 without {@link BlobCapability#PINNED_READS}.
   */
  long generation();

  /** Returns whether the content is final. */
  boolean sealed();

  /**
   * Returns when the blob was created, by the server's clock; null if the toaster does not record
   * it.
   */
  @Nullable Instant createdAt();
}
