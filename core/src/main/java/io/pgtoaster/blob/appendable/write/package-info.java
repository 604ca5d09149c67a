/** Writes: appends, overwrites, and brings into the best form. */
@NullMarked
package io.pgtoaster.blob.appendable.write;

import org.jspecify.annotations.NullMarked;
