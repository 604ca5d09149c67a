/** Queries over attributes with content. */
package io.pgtoaster.it.hibernate.query;
