package io.pgtoaster.spring.tus;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The data of a request for an upload.
 *
 * @param offset offset that the client expects
 * @param uploadLength length of the upload if this request declares it, or null
 * @param in the body
 * @param announced length of the body, or -1 if unknown
 * @param checksum expected checksum of the body, or null
 * @param memory memory that the request may use
 */
record UploadRequest(
    long offset,
    @Nullable Long uploadLength,
    InputStream in,
    long announced,
    @Nullable UploadChecksum checksum,
    UploadMemory.Share memory) {}
