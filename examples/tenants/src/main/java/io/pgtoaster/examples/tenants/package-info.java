/**
 * An application in which each request belongs to a tenant. A tenant's content is in a schema of
 * the home database, which Citus may place on a separate node, or in a separate database.
 */
@NullMarked
package io.pgtoaster.examples.tenants;

import org.jspecify.annotations.NullMarked;
