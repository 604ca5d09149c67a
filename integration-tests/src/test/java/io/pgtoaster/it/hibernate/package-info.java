/** Entities with big values, on real servers. */
package io.pgtoaster.it.hibernate;
