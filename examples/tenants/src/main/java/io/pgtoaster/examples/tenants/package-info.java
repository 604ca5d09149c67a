/**
 * An application in which each request belongs to a tenant. The content of a tenant is in a schema
 * of the home database, which Citus may keep on a node of its own, or in a database of its own.
 */
@NullMarked
package io.pgtoaster.examples.tenants;

import org.jspecify.annotations.NullMarked;
