/** Big binary and text values that grow: append, ranged and streaming reads, follow. */
@NullMarked
package io.pgtoaster.blob;

import org.jspecify.annotations.NullMarked;
