/**
 * The schema: stores and triggers are made where Hibernate exports or updates a schema, and {@link
 * io.pgtoaster.hibernate.schema.PgToasterSchema} prints the same for tools of migration.
 */
@NullMarked
package io.pgtoaster.hibernate.schema;

import org.jspecify.annotations.NullMarked;
