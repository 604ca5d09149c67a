/** Columns that Citus distributes over its nodes. */
package io.pgtoaster.it.distribution;
