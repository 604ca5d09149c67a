/**
 * Measurements that do not fit into JMH cells: {@link io.pgtoaster.benchmarks.Bars}. The packages
 * below contain the nine questions that JMH measures.
 */
@NullMarked
package io.pgtoaster.benchmarks;

import org.jspecify.annotations.NullMarked;
