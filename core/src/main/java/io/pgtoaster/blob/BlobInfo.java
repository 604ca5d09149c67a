package io.pgtoaster.blob;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Information about a blob, without its content.
 *
 * @param length offset of the end: the number of bytes, including discarded ones
 * @param first offset of the first byte that was not discarded; 0 if none was
 * @param generation a number that increases with each overwrite, replacement and truncation
 * @param sealed whether the content is final
 * @param createdAt when it was created, by the server's clock; null if the toaster does not record
 *     it
 */
public record BlobInfo(
    long length, long first, long generation, boolean sealed, @Nullable Instant createdAt) {}
