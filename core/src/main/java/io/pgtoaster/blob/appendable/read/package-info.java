/** Reads what is stored: pinned, by key, followed, checked. */
@NullMarked
package io.pgtoaster.blob.appendable.read;

import org.jspecify.annotations.NullMarked;
