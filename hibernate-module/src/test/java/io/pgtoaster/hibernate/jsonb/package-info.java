/** Tests without a database. */
package io.pgtoaster.hibernate.jsonb;
