/**
 * The toasters {@code postgrespro-bytea} and {@code postgrespro-jsonb}: blobs and documents in the
 * toasters built into the Postgres Pro server. Guards protect both against the server's errors.
 */
@NullMarked
package io.pgtoaster.postgrespro;

import org.jspecify.annotations.NullMarked;
