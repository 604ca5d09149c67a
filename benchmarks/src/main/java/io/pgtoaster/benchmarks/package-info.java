/**
 * What docs/measurements.md says, contenders side by side in alternating rounds: {@link
 * io.pgtoaster.benchmarks.Bars}. The nine questions that JMH measures are in the packages below.
 */
@NullMarked
package io.pgtoaster.benchmarks;

import org.jspecify.annotations.NullMarked;
