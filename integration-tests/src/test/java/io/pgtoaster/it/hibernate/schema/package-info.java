/** Schemas that Hibernate creates, updates and drops, and equivalent scripts. */
package io.pgtoaster.it.hibernate.schema;
