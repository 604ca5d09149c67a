/** What operations cost, in counts that hold on any machine, beside what is kept of them. */
@NullMarked
package io.pgtoaster.benchmarks.guard;

import org.jspecify.annotations.NullMarked;
