/** Reads blobs: pins, reads by key, followers and verification. */
@NullMarked
package io.pgtoaster.blob.appendable.read;

import org.jspecify.annotations.NullMarked;
