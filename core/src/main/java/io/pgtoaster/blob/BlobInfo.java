package io.pgtoaster.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Information about a blob, without its content.
 *
 * @param length number of bytes
 * @param generation a number that increases with each overwrite, replacement and truncation
 * @param sealed whether the content is final
 * @param createdAt when it was created, by the server's clock; null if the toaster does not record
 *     it
 */
public record BlobInfo(long length, long generation, boolean sealed, @Nullable Instant createdAt) {}
