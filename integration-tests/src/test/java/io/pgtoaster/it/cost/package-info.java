/** Round trips, memory, pages and plans of operations, counted. */
package io.pgtoaster.it.cost;
