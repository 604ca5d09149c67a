/** One store: options, statements and locks. */
@NullMarked
package io.pgtoaster.jsonb.keyed.store;

import org.jspecify.annotations.NullMarked;
