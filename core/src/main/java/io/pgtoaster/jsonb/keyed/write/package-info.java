/** Writes whole documents, and rows whose members are moved out. */
@NullMarked
package io.pgtoaster.jsonb.keyed.write;

import org.jspecify.annotations.NullMarked;
