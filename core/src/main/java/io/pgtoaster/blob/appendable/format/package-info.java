/**
 * What the rows of a blob hold: the head, pieces and the tail, and the runs of bytes between them.
 */
@NullMarked
package io.pgtoaster.blob.appendable.format;

import org.jspecify.annotations.NullMarked;
