/** Schemas that Hibernate makes, updates and drops, and scripts that do the same. */
package io.pgtoaster.it.hibernate.schema;
