/** Documents as attributes of entities. */
package io.pgtoaster.it.hibernate.jsonb;
