/** Compares the costs of operations with kept ones, in counts that are the same on any machine. */
@NullMarked
package io.pgtoaster.benchmarks.guard;

import org.jspecify.annotations.NullMarked;
