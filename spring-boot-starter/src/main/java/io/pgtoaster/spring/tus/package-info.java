/**
 * Resumable uploads over the <a href="https://tus.io/protocols/resumable-upload">tus protocol
 * 1.0.0</a>.
 *
 * <p>{@code TusHandler} has one method per HTTP method. A {@code TusRequest} is a request with
 * parsed headers; a {@code TusException} carries the status of an error response. {@code
 * UploadService} is independent of HTTP. It asks {@code TusUploads} for the row of an upload,
 * stores everything except the bytes in {@code UploadTable}, and uses a {@code Receiver} to append
 * the body at the offset that the client expects. The length of the blob is the offset of the
 * upload, so the two cannot differ. {@code UploadQueue} makes a request wait for the previous one
 * on the same upload. {@code BodyBuffer} buffers a body until its checksum is known.
 */
@NullMarked
package io.pgtoaster.spring.tus;

import org.jspecify.annotations.NullMarked;
