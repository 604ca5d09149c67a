/** Whole documents, and rows that members leave. */
@NullMarked
package io.pgtoaster.jsonb.keyed.write;

import org.jspecify.annotations.NullMarked;
