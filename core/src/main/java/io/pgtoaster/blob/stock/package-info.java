/**
 * The toaster {@code default}: blob operations over a stock {@code bytea} or {@code text} column.
 */
@NullMarked
package io.pgtoaster.blob.stock;

import org.jspecify.annotations.NullMarked;
