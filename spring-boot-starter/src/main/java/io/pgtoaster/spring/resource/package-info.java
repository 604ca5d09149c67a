/**
 * Blobs as Spring resources, and as HTTP responses with ranges.
 *
 * <p>{@code BlobResources} creates a {@code BlobResource} from a column and a key. It is read like
 * any Spring resource and queries the blob again on each call; its {@code snapshot()} does not
 * change. {@code BlobResponse} is what a controller returns. {@code Conditions} evaluates entity
 * tag and date to decide whether to send content (RFC 9110, 13), {@code ByteRange} selects the part
 * to send (14), and {@code BlobParts} writes several ranges. Content is sent in {@code
 * BlobWindows}, each of which takes a connection only briefly, so a slow client does not hold one.
 */
@NullMarked
package io.pgtoaster.spring.resource;

import org.jspecify.annotations.NullMarked;
