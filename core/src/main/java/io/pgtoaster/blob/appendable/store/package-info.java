/** One store: options, statements, locks and tokens. */
@NullMarked
package io.pgtoaster.blob.appendable.store;

import org.jspecify.annotations.NullMarked;
