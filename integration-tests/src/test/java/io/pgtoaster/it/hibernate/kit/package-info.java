/** Test kit for entities: session factories with recorded statements, and costs. */
package io.pgtoaster.it.hibernate.kit;
