/**
 * The toasters {@code postgrespro-bytea} and {@code postgrespro-jsonb}: blobs and documents by the
 * toasters that Postgres Pro's server itself has, each behind guards against what it gets wrong.
 */
@NullMarked
package io.pgtoaster.postgrespro;

import org.jspecify.annotations.NullMarked;
