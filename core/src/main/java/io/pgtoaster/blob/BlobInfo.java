package io.pgtoaster.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Information about a blob, without its content. */
public sealed interface BlobInfo permits KnownBlob {
  /** {@return number of bytes} */
  long length();

  /** {@return a number that each overwrite, replacement and truncation raises} */
  long generation();

  /** {@return whether the content is final} */
  boolean sealed();

  /**
   * {@return when it was created, by the server's clock; null if the toaster does not record it}
   */
  @Nullable Instant createdAt();
}
