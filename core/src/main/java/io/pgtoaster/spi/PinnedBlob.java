package io.pgtoaster.spi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The content of a blob at one moment, which an open reader reads. A toaster implements it and adds
 * what it needs to find the bytes again. Immutable.
 */
public interface PinnedBlob {
  /**
   * Returns the length at that moment.
   *
   * @return bytes
   */
  long length();

  /**
   * Returns the generation, which increases with each overwrite, replacement and truncation.
   *
   * @return a number from 0; always 0 without {@link BlobCapability#PINNED_READS}
   */
  long generation();

  /**
   * Returns whether the content is final.
   *
   * @return true if sealed
   */
  boolean sealed();

  /**
   * Returns when the blob was created, by the server's clock.
   *
   * @return the time, or null if the toaster does not record it
   */
  @Nullable Instant createdAt();
}
