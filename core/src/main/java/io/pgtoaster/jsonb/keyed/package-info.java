/** The toaster {@code keyed}: a stub in the row, large members in a tree of small rows. */
@NullMarked
package io.pgtoaster.jsonb.keyed;

import org.jspecify.annotations.NullMarked;
