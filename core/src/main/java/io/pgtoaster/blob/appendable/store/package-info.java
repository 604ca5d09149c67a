/** One store: its options, its statements, its locks and tokens. */
@NullMarked
package io.pgtoaster.blob.appendable.store;

import org.jspecify.annotations.NullMarked;
