/**
 * The database schema. Creates stores and triggers when Hibernate exports or updates a schema.
 * {@link io.pgtoaster.hibernate.schema.PgToasterSchema} prints the same statements for migration
 * tools.
 */
@NullMarked
package io.pgtoaster.hibernate.schema;

import org.jspecify.annotations.NullMarked;
