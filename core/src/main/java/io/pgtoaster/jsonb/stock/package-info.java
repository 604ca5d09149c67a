/** The toaster {@code default}: documents in an unmodified {@code jsonb} column. */
@NullMarked
package io.pgtoaster.jsonb.stock;

import org.jspecify.annotations.NullMarked;
