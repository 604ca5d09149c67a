/** Reads values by path, as text and as streams. */
@NullMarked
package io.pgtoaster.jsonb.keyed.read;

import org.jspecify.annotations.NullMarked;
