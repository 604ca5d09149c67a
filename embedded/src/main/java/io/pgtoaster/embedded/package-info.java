/**
 * Starts and stops real PostgreSQL servers: temporary ones for tests, lasting ones for the command
 * line.
 *
 * <p>Begin at {@link io.pgtoaster.embedded.PostgresBinaries}, which says where the server programs
 * come from, then {@link io.pgtoaster.embedded.EmbeddedPostgres} for a server of one's own or
 * {@link io.pgtoaster.embedded.SharedServer} for one server used by several processes.
 */
@NullMarked
package io.pgtoaster.embedded;

import org.jspecify.annotations.NullMarked;
