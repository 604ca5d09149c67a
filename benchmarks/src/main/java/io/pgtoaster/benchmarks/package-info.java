/**
 * Contenders side by side: {@link io.pgtoaster.benchmarks.Bars} in alternating rounds, JMH one
 * question at a time.
 */
@NullMarked
package io.pgtoaster.benchmarks;

import org.jspecify.annotations.NullMarked;
