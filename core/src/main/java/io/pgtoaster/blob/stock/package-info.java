/** The toaster {@code default}: the blob operations over a stock {@code bytea} or {@code text}. */
@NullMarked
package io.pgtoaster.blob.stock;

import org.jspecify.annotations.NullMarked;
