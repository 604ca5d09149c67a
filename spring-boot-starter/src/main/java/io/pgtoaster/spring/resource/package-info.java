/**
 * Blobs as Spring's resources, and as responses with ranges.
 *
 * <p>{@code BlobResources} makes a {@code BlobResource} of a column and a key, which is read as any
 * resource of Spring is, and looks at the blob anew with each call; its {@code snapshot()} stays
 * what it was. {@code BlobResponse} is what a controller returns: {@code Conditions} decides by
 * entity tag and date whether there is anything to send (RFC 9110, 13), {@code ByteRange} what of
 * it (14), and {@code BlobParts} writes several ranges. Content goes out in {@code BlobWindows},
 * each on a connection taken for a moment, so that a slow client holds none.
 */
@NullMarked
package io.pgtoaster.spring.resource;

import org.jspecify.annotations.NullMarked;
