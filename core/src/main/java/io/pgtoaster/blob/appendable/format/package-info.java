/** The contents of a blob's rows: head, pieces and tail, and runs of bytes in memory. */
@NullMarked
package io.pgtoaster.blob.appendable.format;

import org.jspecify.annotations.NullMarked;
