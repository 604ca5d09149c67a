/** The toaster {@code default}: an ordinary {@code jsonb} column and PostgreSQL's own operators. */
@NullMarked
package io.pgtoaster.jsonb.stock;

import org.jspecify.annotations.NullMarked;
