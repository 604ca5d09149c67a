/**
 * Starts and stops real PostgreSQL servers: temporary servers for tests, permanent ones for the
 * command line.
 *
 * <p>Start with {@link io.pgtoaster.embedded.PostgresBinaries}, which locates the server programs.
 * Then use {@link io.pgtoaster.embedded.EmbeddedPostgres} for a separate server, or {@link
 * io.pgtoaster.embedded.SharedServer} for one server that several processes share.
 */
@NullMarked
package io.pgtoaster.embedded;

import org.jspecify.annotations.NullMarked;
