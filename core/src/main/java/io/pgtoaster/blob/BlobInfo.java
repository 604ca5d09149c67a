package io.pgtoaster.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a blob without reading it.
 *
 * @param length bytes
 * @param generation raised by each overwrite, replacement and truncation
 * @param sealed whether the content is final
 * @param createdAt when it was created, by the server's clock; null if the toaster does not know
 */
public record BlobInfo(long length, long generation, boolean sealed, @Nullable Instant createdAt) {}
