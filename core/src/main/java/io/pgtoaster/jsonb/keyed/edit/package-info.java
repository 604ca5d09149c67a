/** Edits at one path. */
@NullMarked
package io.pgtoaster.jsonb.keyed.edit;

import org.jspecify.annotations.NullMarked;
