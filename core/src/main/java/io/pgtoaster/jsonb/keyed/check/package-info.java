/** Verification and statistics. */
@NullMarked
package io.pgtoaster.jsonb.keyed.check;

import org.jspecify.annotations.NullMarked;
