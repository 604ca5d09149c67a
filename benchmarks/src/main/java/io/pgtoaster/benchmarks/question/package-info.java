/**
 * What cells measure: a trial each, all by one class of JMH; which cells there are is beside the
 * reports.
 */
@NullMarked
package io.pgtoaster.benchmarks.question;

import org.jspecify.annotations.NullMarked;
