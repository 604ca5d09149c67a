/**
 * Uploads that can be resumed, by the <a href="https://tus.io/protocols/resumable-upload">tus
 * protocol 1.0.0</a>.
 *
 * <p>{@code TusHandler} has a method per HTTP method; a {@code TusRequest} is a request with its
 * headers read, and what is wrong with it is a {@code TusException} with the status to answer.
 * Behind it {@code UploadService} knows nothing of HTTP: it asks {@code TusUploads} which row an
 * upload belongs to, keeps in {@code UploadTable} what is known of an upload beside its bytes, and
 * lets a {@code Receiver} append the body at the offset that the client expects. The length of the
 * blob is the offset of the upload, so that nothing else has to be kept in step with it. {@code
 * Turns} lets a request wait for the one before it on the same upload; {@code Spool} keeps a body
 * whose checksum is not known yet.
 */
@NullMarked
package io.pgtoaster.spring.tus;

import org.jspecify.annotations.NullMarked;
