/** Columns that are distributed over the nodes of Citus. */
package io.pgtoaster.it.distribution;
