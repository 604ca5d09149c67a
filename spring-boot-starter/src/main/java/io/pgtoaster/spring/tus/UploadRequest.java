package io.pgtoaster.spring.tus;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What a request brings for an upload.
 *
 * @param offset that the client expects
 * @param uploadLength of the upload, if it is told now; or null
 * @param in the body
 * @param announced its length, or -1
 * @param checksum that it must have, or null
 * @param memory that it may take
 */
record UploadRequest(
    long offset,
    @Nullable Long uploadLength,
    InputStream in,
    long announced,
    @Nullable UploadChecksum checksum,
    UploadMemory.Share memory) {}
