/**
 * Compares the costs of operations with saved ones. Costs are counts that are the same on any
 * machine.
 */
@NullMarked
package io.pgtoaster.benchmarks.guard;

import org.jspecify.annotations.NullMarked;
