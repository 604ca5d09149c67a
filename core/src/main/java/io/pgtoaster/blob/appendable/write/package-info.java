/** Writes blobs: appends, overwrites, and compaction. */
@NullMarked
package io.pgtoaster.blob.appendable.write;

import org.jspecify.annotations.NullMarked;
