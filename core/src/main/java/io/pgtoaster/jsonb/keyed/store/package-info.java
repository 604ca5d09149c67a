/** One store: its options, its statements, its locks. */
@NullMarked
package io.pgtoaster.jsonb.keyed.store;

import org.jspecify.annotations.NullMarked;
