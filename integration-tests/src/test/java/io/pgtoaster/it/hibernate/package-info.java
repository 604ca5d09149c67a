/** Entities with big values, tested on real servers. */
package io.pgtoaster.it.hibernate;
