/**
 * What no cell of JMH can hold: {@link io.pgtoaster.benchmarks.Bars}. The nine questions that JMH
 * measures are in the packages below.
 */
@NullMarked
package io.pgtoaster.benchmarks;

import org.jspecify.annotations.NullMarked;
