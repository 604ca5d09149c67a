/**
 * What pgtoaster's own modules, and jars that bring a toaster, share with the core beside its API:
 * names in SQL here, JSON as {@code jsonb} has it in {@code json}; stored columns and rows are in
 * {@code io.pgtoaster.column}. It may change with any release, and no other package of the core but
 * the API is for them.
 */
@NullMarked
package io.pgtoaster.spi;

import org.jspecify.annotations.NullMarked;
