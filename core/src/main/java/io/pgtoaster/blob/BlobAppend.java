package io.pgtoaster.blob;

/**
 * An append to one row of a batch.
 *
 * @param bytes to append; not copied
 * @param options expected offset and token
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying the payload would be expensive
public record BlobAppend(byte[] bytes, AppendOptions options) {}
