/** Reads values by path, as texts and streams. */
@NullMarked
package io.pgtoaster.jsonb.keyed.read;

import org.jspecify.annotations.NullMarked;
