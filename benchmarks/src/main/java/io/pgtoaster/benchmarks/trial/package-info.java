/** Parts of all trials: cells, sizes, checks, synchronization of threads. */
@NullMarked
package io.pgtoaster.benchmarks.trial;

import org.jspecify.annotations.NullMarked;
