/** Counts of round trips, memory, pages and plans. */
package io.pgtoaster.it.cost;
