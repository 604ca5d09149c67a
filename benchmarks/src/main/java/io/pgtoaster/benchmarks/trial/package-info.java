/** What all trials have: cells, sizes, checks, the threads that run together. */
@NullMarked
package io.pgtoaster.benchmarks.trial;

import org.jspecify.annotations.NullMarked;
